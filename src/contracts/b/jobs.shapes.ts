import type { JobRow } from '../../domain/jobs/jobs.sql.ts'
import { TIPOS_DE_JOB, type TipoDeJob } from '../../domain/jobs/jobs.ts'
import { messageOf, textOf } from '../../domain/jobs/messages.ts'
import { STATUS_DE_JOB } from '../../domain/jobs/status.ts'
import type { Trabalho } from '../../domain/jobs/texts/texts.ts'
import type { Language } from '../../errors/texts.ts'
import { DateTime, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'

const Resultado = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** Spec 2.9. */
export const Job = Type.Object(
  {
    job_id: Type.String(),
    tipo: OneOf(TIPOS_DE_JOB),
    status: OneOf(STATUS_DE_JOB),
    status_url: Type.String(),
    message: Type.String(),
    progress: Type.Integer({ description: 'De 0 a 100; nunca volta' }),
    result: Type.Optional(Resultado),
    resultado: Type.Optional(Resultado),
    arquivo_url: Type.Optional(Type.String({ description: 'O arquivo exportado' })),
    rejeitados_url: Type.Optional(
      Type.String({ description: 'As linhas rejeitadas, para corrigir e reenviar' }),
    ),
    created_at: DateTime,
    completed_at: Nullable(DateTime),
  },
  { title: 'Job' },
)
export const ListaDeJobs = ListOf('items', Job, 'ListaDeJobs')

export const JobAceito = Type.Object(
  { job_id: Type.String(), status: OneOf(STATUS_DE_JOB), status_url: Type.String(), message: Type.String() },
  { title: 'JobAceito' },
)

const urlOf = (publicUrl: string, id: string) => `${publicUrl}/api/v1/jobs/${id}`

/** Addresses begin with the service's own, and texts are in the reader's language. */
interface Reader {
  publicUrl: string
  language: Language
}

export function toJobAceito(
  id: string,
  trabalho: Trabalho,
  { publicUrl, language }: Reader,
): Static<typeof JobAceito> {
  const message = textOf({ code: 'WAITING', trabalho }, language)
  return { job_id: id, status: 'processing', status_url: urlOf(publicUrl, id), message }
}

export function toJob(job: JobRow, { publicUrl, language, now }: Reader & { now: Date }): Static<typeof Job> {
  const url = urlOf(publicUrl, job.id)
  const isImport = job.tipo === 'importacao'
  const hasFile = job.arquivo_id !== null && job.arquivo_expira_em !== null && job.arquivo_expira_em > now
  return {
    job_id: job.id,
    tipo: job.tipo as TipoDeJob,
    status: job.status,
    status_url: url,
    message: messageOf(job, language),
    progress: job.progress,
    ...(job.resultado && { [isImport ? 'resultado' : 'result']: job.resultado }),
    ...(hasFile && {
      [isImport ? 'rejeitados_url' : 'arquivo_url']: `${url}/${isImport ? 'rejeitados' : 'arquivo'}`,
    }),
    created_at: job.created_at.toISOString(),
    completed_at: job.completed_at?.toISOString() ?? null,
  }
}
