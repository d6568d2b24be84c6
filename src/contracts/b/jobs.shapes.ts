import type { FastifyRequest } from 'fastify'
import type { App } from '../../domain/app.ts'
import type { JobRow } from '../../domain/jobs/jobs.sql.ts'
import { TIPOS_DE_JOB, type TipoDeJob } from '../../domain/jobs/jobs.ts'
import { codeOf, messageOf, textOf } from '../../domain/jobs/messages.ts'
import { STATUS_DE_JOB } from '../../domain/jobs/status.ts'
import { TRABALHOS, type Trabalho } from '../../domain/jobs/texts/texts.ts'
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
    trabalho: OneOf(TRABALHOS, { description: 'O que o job faz' }),
    message: Type.String(),
    codigo: Nullable(Type.String({ description: 'O código de `message`, o mesmo em toda língua' })),
    usuario: Type.Optional(
      Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() }, { description: 'Com `de=todos`' }),
    ),
    arquivo_nome: Type.Optional(Type.String({ description: 'O arquivo enviado, de uma importação' })),
    importacao_id: Type.Optional(Type.Integer({ description: 'A importação que se desfaz' })),
    progress: Type.Integer({ description: 'De 0 a 100; nunca volta' }),
    linhas_lidas: Type.Optional(Type.Integer({ description: 'As linhas do arquivo já lidas, em andamento' })),
    arquivo_guardado_ate: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'De uma validação: até quando o arquivo conferido pode ser importado; ausente depois disso',
      }),
    ),
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

export const JobsQuery = Type.Object({
  de: OneOf(['mim', 'todos'], {
    default: 'mim',
    description: '`todos`: administradores',
  }),
})
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

const isImport = (tipo: string): boolean => tipo === 'importacao' || tipo.startsWith('importacao_')

function trabalhoOf({ tipo, modo, simular }: JobRow): Trabalho {
  if (isImport(tipo)) return modo === 'validar' ? 'validacao' : 'importacao'
  if (tipo.startsWith('desfazer_')) return simular ? 'simulacao' : 'desfazimento'
  if (tipo === 'verificacao_auditoria') return 'verificacao'
  if (tipo === 'varredura_duplicidades') return 'varredura'
  return tipo === 'boletim' ? 'boletim' : 'exportacao'
}

export type JobReader = Reader & { now: Date }

export const jobReaderOf = ({ publicUrl, clock }: App, { language }: FastifyRequest): JobReader => ({
  publicUrl,
  language,
  now: clock.now(),
})

export function toJob(job: JobRow, { publicUrl, language, now }: JobReader): Static<typeof Job> {
  const url = urlOf(publicUrl, job.id)
  const hasFile = job.arquivo_id !== null && job.arquivo_expira_em !== null && job.arquivo_expira_em > now
  return {
    job_id: job.id,
    tipo: job.tipo as TipoDeJob,
    status: job.status,
    status_url: url,
    trabalho: trabalhoOf(job),
    message: messageOf(job, language),
    codigo: codeOf(job),
    ...(job.entrada_nome !== null && { arquivo_nome: job.entrada_nome }),
    ...(job.importacao_id !== null && { importacao_id: job.importacao_id }),
    progress: job.progress,
    ...(job.linhas_lidas !== null && { linhas_lidas: job.linhas_lidas }),
    ...(job.guardado_ate !== null &&
      job.guardado_ate > now && { arquivo_guardado_ate: job.guardado_ate.toISOString() }),
    ...(job.resultado && { [isImport(job.tipo) ? 'resultado' : 'result']: job.resultado }),
    ...(hasFile && {
      [isImport(job.tipo) ? 'rejeitados_url' : 'arquivo_url']:
        `${url}/${isImport(job.tipo) ? 'rejeitados' : 'arquivo'}`,
    }),
    created_at: job.created_at.toISOString(),
    completed_at: job.completed_at?.toISOString() ?? null,
  }
}
