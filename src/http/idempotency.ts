import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller/caller.ts'
import type { AnyRow } from './route.ts'
import { Type } from './type.ts'

/** The header that a row with `idempotent` takes. */
export const IdempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: '^[ -~]{1,255}$',
      'x-format': 'idempotency-key',
      description:
        'Por 24 horas, o mesmo pedido com a mesma chave repete a primeira resposta, com `Idempotent-Replay: true`',
    }),
  ),
})

/** Marks a stored answer. */
export const REPLAY_HEADER = 'Idempotent-Replay'

interface KeyedRequest {
  caller: Caller
  route: string
  key: string
  /** Content by which requests with the same key are compared. */
  content: unknown
  /** The part of the body that may be stored and repeated. */
  toKept(body: unknown): unknown
}

interface KeyedAnswer {
  status: number
  body: unknown
}

/**
 * Runs the work once for each key and repeats its stored answer afterwards. The work gets an `App` whose database is the
 * key's transaction: its changes are committed or rolled back together with the key.
 */
export type AnswerOnce<App> = (
  app: App,
  request: KeyedRequest,
  work: (app: App) => Promise<KeyedAnswer>,
) => Promise<KeyedAnswer & { replayed: boolean }>

export async function answerKeyed<App>(
  row: AnyRow<App>,
  { key, content }: { key: string; content: unknown },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  answer: (app: App) => Promise<unknown>,
  { app, answerOnce }: { app: App; answerOnce: AnswerOnce<App> },
): Promise<unknown> {
  const { status, body, replayed } = await answerOnce(
    app,
    {
      caller: request.caller as Caller,
      route: `${row.method} ${row.path}`,
      key,
      content,
      toKept: typeof row.idempotent === 'object' ? row.idempotent.replay : (body) => body,
    },
    async (app) => {
      const body = await answer(app)
      return { status: reply.statusCode, body }
    },
  )
  reply.code(status)
  if (replayed) reply.header(REPLAY_HEADER, 'true')
  return body
}

/** A key belongs to a caller, and a file must be comparable. */
export function refuseUnkeyable({ method, path, access, input, idempotent }: AnyRow<never>): void {
  if (idempotent && (access.kind === 'anyone' || (input.upload && !input.upload.digest)))
    throw new Error(`${method} ${path}: a key needs a caller, and a file a digest`)
}
