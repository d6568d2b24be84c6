import type { Db } from '../../../db/db.ts'
import type { JobApp } from '../../jobs/job-app.ts'
import { addToResult, findJob } from '../../jobs/jobs.ts'
import type { JobTask } from '../../jobs/queue.ts'
import { territorioOf } from '../../jobs/territorio.ts'
import { type Comparador, createComparador } from './comparar.ts'
import { opensBoth } from './duplicidades.sql.ts'
import { FAIXAS, type FaixaDoPar } from './escore.ts'
import {
  anyPendente,
  forgetIdentidades,
  listIdentidades,
  lockIdentidades,
  takePendentes,
} from './identidade.sql.ts'
import {
  countOfImportacao,
  deleteStale,
  forgetImportacao,
  type ImportacaoPendente,
  listImportacoes,
} from './pares.sql.ts'

/** Has the number of pairs told in the result of an import, in its transaction. */
export { rememberImportacao as followImport } from './pares.sql.ts'

/**
 * Empties the list of cases that wait for their keys and pairs, as a job of the service itself. A block of cases is taken out of the
 * list in the transaction that stores its pairs: a process that dies leaves both as they were.
 */

const BLOCK = 1_000

export async function runDuplicidades(app: JobApp, task: JobTask): Promise<void> {
  const comparador = createComparador(app)
  // Pairs whose cases are in the list by now: both were committed together.
  const importacoes = await listImportacoes(app.db)
  for (let more = true; more; ) {
    task.proceed()
    more = await app.db.transaction((tx) => compareNext(app, tx, task, comparador))
  }
  for (const importacao of importacoes) await app.db.transaction((tx) => tellImportacao(app, tx, importacao))
  await task.finish(app.db, { message: { code: 'PAIRS_FOUND' }, resultado: null })
}

/** False where none is left. */
async function compareNext(app: JobApp, tx: Db, task: JobTask, comparador: Comparador): Promise<boolean> {
  await lockIdentidades(tx)
  const ids = await takePendentes(tx, BLOCK)
  if (ids.length === 0) return anyPendente(tx)
  // Keys go before the cases are read: a change whose keys went is then read, and one that comes later adds its own.
  const counted = new Set(await forgetIdentidades(tx, ids))
  const abertos = comparador.openAll(await listIdentidades(tx, ids))
  const novos = abertos.filter(({ id }) => !counted.has(id))
  await comparador.keep(tx, abertos, novos)
  const found = await comparador.find(tx, abertos, app.duplicidadeDias)
  await deleteStale(tx, ids, found)
  await comparador.store(tx, found, app.clock.now())
  await task.checkpoint(tx, null, 50)
  return true
}

/** Numbers of undecided pairs, as results of jobs name them. */
export const porFaixa = (rows: readonly { faixa: FaixaDoPar; total: number }[]) => {
  const totals = new Map(rows.map(({ faixa, total }) => [faixa, total]))
  const [quase_certas, provaveis, possiveis] = FAIXAS.map((faixa) => totals.get(faixa) ?? 0)
  return { quase_certas, provaveis, possiveis }
}

/** The account of a job, as it sees cases. */
export const viewerOf = (app: JobApp, job: { usuario_id: number | null; territorios: string[] | null }) => ({
  id: job.usuario_id ?? 0,
  territorio: territorioOf(app, job),
})

/** Adds the number of pairs to the result of an import. */
async function tellImportacao(
  app: JobApp,
  tx: Db,
  { importacao_id, job_id }: ImportacaoPendente,
): Promise<void> {
  const job = await findJob(tx, job_id)
  if (job !== null) {
    const within = opensBoth(viewerOf(app, job), app.municipios)
    const duplicidades = porFaixa(await countOfImportacao(tx, importacao_id, within))
    await addToResult(tx, job_id, { duplicidades })
  }
  await forgetImportacao(tx, importacao_id)
}
