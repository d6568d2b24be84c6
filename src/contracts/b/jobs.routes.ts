import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../caller/caller.ts'
import type { App } from '../../domain/app.ts'
import { MEDIA_TYPES } from '../../domain/exportacao/formats.ts'
import { openRejected } from '../../domain/importacao/rejeitados.ts'
import { type Download, openExport } from '../../domain/jobs/downloads.ts'
import { cancelJob, findVisibleJob, getJob, JOBS_LIST, pageOfJobs } from '../../domain/jobs/jobs.ts'
import { loggedIn } from '../../http/access.ts'
import { Binary } from '../../http/route.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { envelope } from './envelope.ts'
import { Job, JobsQuery, jobReaderOf, ListaDeJobs, toJob } from './jobs.shapes.ts'
import { EVENT_STREAM, holdStream } from './streams.ts'

const tag = 'Jobs'
const JobPath = Type.Object({ job_id: Type.String({ maxLength: 60 }) })

export const jobsRoutesB = [
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/jobs',
    summary: 'Os meus jobs, ou os de todos',
    tag,
    access: loggedIn,
    input: { list: JOBS_LIST, query: JobsQuery },
    replies: { 200: ListaDeJobs },
    errors: ['PERMISSION_DENIED'],
    async handle({ list, query, caller, request }, app) {
      const everybody = query.de === 'todos'
      const page = await pageOfJobs(app, caller, list, everybody)
      const reader = jobReaderOf(app, request)
      const items = page.items.map((job) => ({
        ...toJob(job, reader),
        ...(everybody && { usuario: { id: job.usuario_id, nome: job.usuario_nome } }),
      }))
      return { ...envelope(page, request.originalUrl, reader.now), items }
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/jobs/{job_id}',
    summary: 'O andamento de um job',
    tag,
    access: loggedIn,
    input: { params: JobPath },
    replies: { 200: Job },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request }, app) {
      return toJob(await getJob(app, caller, params.job_id), jobReaderOf(app, request))
    },
  }),
  route({
    spec: '4.7',
    method: 'DELETE',
    path: '/api/v1/jobs/{job_id}',
    summary: 'Cancelar um job',
    tag,
    access: loggedIn,
    input: { params: JobPath },
    replies: { 200: Job },
    errors: ['NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller, request }, app) {
      return toJob(await cancelJob(app, caller, params.job_id), jobReaderOf(app, request))
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/jobs/{job_id}/eventos',
    summary: 'O andamento, à medida que muda (server-sent events)',
    tag,
    access: loggedIn,
    input: { params: JobPath },
    produces: EVENT_STREAM,
    replies: { 200: Binary },
    errors: ['NOT_FOUND'],
    async handle({ params, caller, request, reply }, app) {
      await getJob(app, caller, params.job_id)
      const closed = holdStream(app.jobStreams, caller, reply)
      return Readable.from(progressOf(app, request, params.job_id, closed), { objectMode: false })
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/jobs/{job_id}/arquivo',
    summary: 'Baixar o arquivo exportado',
    tag,
    access: loggedIn,
    input: { params: JobPath },
    produces: MEDIA_TYPES,
    replies: { 200: Binary },
    errors: ['PERMISSION_DENIED', 'OUT_OF_TERRITORY', 'NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller, reply }, app) {
      return download(reply, await openExport(app, caller, params.job_id))
    },
  }),
  route({
    spec: '4.7',
    method: 'GET',
    path: '/api/v1/jobs/{job_id}/rejeitados',
    summary: 'Baixar as linhas rejeitadas de uma importação',
    tag,
    access: loggedIn,
    input: { params: JobPath },
    produces: 'text/csv',
    replies: { 200: Binary },
    errors: ['PERMISSION_DENIED', 'OUT_OF_TERRITORY', 'NOT_FOUND', 'CONFLICT'],
    async handle({ params, caller, reply }, app) {
      return download(reply, await openRejected(app, caller, params.job_id))
    },
  }),
]

function download(reply: FastifyReply, { nome, tipo, content }: Download): Readable {
  reply
    .type(tipo)
    .header('content-disposition', `attachment; filename="${nome}"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
  return Readable.from(content, { objectMode: false })
}

const LOOK_MS = 500
const COMMENT_MS = 15_000

/**
 * One event for each change; a comment now and then, so that nobody between takes the connection for dead. Ends with the
 * job, and with the session or key it came through.
 */
async function* progressOf(
  app: App,
  request: FastifyRequest,
  id: string,
  closed: AbortSignal,
): AsyncGenerator<string> {
  const caller = request.caller as Caller
  let last = ''
  let quiet = 0
  while (!closed.aborted) {
    const known = await app.callers.findAgain(caller, app.clock.now())
    const job = known && (await findVisibleJob(app, known, id))
    if (job === null) return
    const data = JSON.stringify(toJob(job, jobReaderOf(app, request)))
    const over = job.status !== 'processing'
    if (data !== last) yield `event: ${over ? 'fim' : 'progresso'}\ndata: ${data}\n\n`
    else if (quiet >= COMMENT_MS) yield ': \n\n'
    quiet = data !== last || quiet >= COMMENT_MS ? 0 : quiet + LOOK_MS
    last = data
    if (over) return
    await sleep(LOOK_MS, undefined, { signal: closed }).catch(() => {})
  }
}
