import type { Importer } from '../casos/bulk/merge.ts'
import type { JobApp } from '../jobs/job-app.ts'
import type { JobTask } from '../jobs/queue.ts'
import { territorioOf } from '../jobs/territorio.ts'
import type { CreateConverter } from './convert.ts'
import type { ImportParameters } from './importacoes.ts'

/** Parameters and importer of an import, read from its job; shared by all its steps. */

export type ImportApp = JobApp & {
  /** Converts rows elsewhere than in this thread. */
  createConverter?: CreateConverter
  /** Rejected rows to keep; checked per block, so that there may be a block more. */
  keptRejected?: number
  /** Rows per checkpoint; smaller in tests, which stop an import between two of them. */
  importBlock?: number
}

type OfJob = Pick<JobTask, 'job'>

export const parametersOf = ({ job }: OfJob) => job.parametros as unknown as ImportParameters

/** Jobs of an earlier version do not record whether their account may identify patients. */
export function importerOf(app: ImportApp, task: OfJob): Importer {
  const { identifica = false } = parametersOf(task)
  return { id: task.job.usuario_id, identifies: identifica, territorio: territorioOf(app, task.job) }
}

export const authorOf = ({ job }: OfJob) => ({ id: job.usuario_id, nome: job.usuario_nome })
