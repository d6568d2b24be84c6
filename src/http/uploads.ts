import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../caller/caller.ts'
import { AppError, type Problem, problem } from '../errors/catalogue.ts'
import type { Static, TSchema } from './type.ts'
import type { Validate } from './validation.ts'

/** A form with one file: in which field, up to how many bytes, with which other fields, and where the file goes. */
export interface UploadRule<App, Stored, F extends TSchema = TSchema> {
  field: string
  maxBytes: number
  fields?: F
  /** True for a form that needs no file; `stored` is undefined then. */
  withoutFile?(fields: Record<string, unknown>): boolean
  /** Rejects before the body is read; `bytes`: lower bound of the file's size, from `Content-Length`. */
  admit?(caller: Caller | null, app: App, bytes: number): Promise<void>
  /** Takes the file as it comes: it is never in memory as a whole, unless that is what this does. */
  store(content: AsyncIterable<Buffer>, app: App, name: string): Promise<Stored>
  /** Undoes `store`, where the form or what the handler does with it fails. */
  discard?(stored: Stored, app: App): Promise<void>
  /** Compares the file with that of an earlier request (`Idempotency-Key`). */
  digest?(stored: Stored): string
}

// biome-ignore lint/suspicious/noExplicitAny: a row's own rule is checked where the row is made
export type AnyUploadRule = UploadRule<any, any>

export interface Upload<R> {
  stored: R extends { store(...args: never[]): Promise<infer Stored> }
    ? R extends { withoutFile: unknown }
      ? Stored | undefined
      : Stored
    : never
  fields: R extends { fields: infer F extends TSchema } ? Static<F> : object
}

/** Around the file: boundaries, part headers, other fields. */
export const MULTIPART_OVERHEAD = 16 * 1024

export function acceptUploads(server: FastifyInstance): void {
  server.register(multipart, {
    limits: { fields: 20, fieldSize: 4096, files: 1, parts: 21, headerPairs: 50 },
  })
}

/** The whole file in memory: only for small ones. */
export async function collect(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of content) parts.push(part)
  return Buffer.concat(parts)
}

/** Reads the form to its end and hands the file over on the way. Whatever fails, nothing of it is kept. */
export async function readUpload<App>(
  request: FastifyRequest,
  rule: AnyUploadRule,
  validateFields: Validate | undefined,
  app: App,
): Promise<Upload<AnyUploadRule>> {
  const bytes = Number(request.headers['content-length'] ?? 0) - MULTIPART_OVERHEAD
  if (bytes > rule.maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
  // With a key it may repeat a request that was accepted, whose answer is stored.
  if (request.headers['idempotency-key'] === undefined)
    await rule.admit?.(request.caller, app, Math.max(bytes, 0))
  const form: Form = { fields: {}, problems: [], kept: null }
  try {
    if (request.isMultipart()) await readForm(request, rule, form, app)
    const { fields, problems } = form
    if (form.kept === null && problems.length === 0 && !rule.withoutFile?.(fields))
      problems.push(problem('body', [rule.field], 'REQUIRED', {}))
    problems.push(...(validateFields?.(fields, 'body') ?? []))
    if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
    return { stored: form.kept?.stored as never, fields }
  } catch (error) {
    if (form.kept !== null) await rule.discard?.(form.kept.stored, app)
    throw error
  }
}

interface Form {
  fields: Record<string, unknown>
  problems: Problem[]
  kept: { stored: unknown } | null
}

/** To the end, or to a second file: a form that is broken behind the file is broken, too. */
async function readForm<App>(
  request: FastifyRequest,
  { field, maxBytes, store }: AnyUploadRule,
  form: Form,
  app: App,
): Promise<void> {
  for await (const part of readable(request.parts({ limits: { files: 2, fileSize: maxBytes } }))) {
    if (part.type === 'field') form.fields[part.fieldname] = part.value
    else if (form.kept !== null) {
      form.problems.push(problem('body', [field], 'TOO_MANY', { limit: 1 }))
      return
    } else if (part.fieldname === field) {
      form.kept = { stored: await store(readable<Buffer>(part.file), app, part.filename) }
      // A stream that was cut at the limit ends like any other.
      if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
    } else part.file.resume()
  }
}

/** Turns the parser's errors without a status (a form that is cut off, or none at all) into MALFORMED_REQUEST. */
async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw (error as { statusCode?: number }).statusCode === undefined
      ? new AppError('MALFORMED_REQUEST')
      : error
  }
}
