import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { AppError, type Problem, problem } from '../errors/catalogue.ts'
import type { Validate } from './validation.ts'

/** A form with one file: in which field, up to how many bytes, with which other fields. */
export interface UploadRule {
  field: string
  maxBytes: number
  fields?: TSchema
}

/** Takes the file as it comes; what it keeps must vanish again when it or the form fails. */
export type Sink<T> = (content: AsyncIterable<Buffer>, name: string) => Promise<T>

type FieldsOf<R extends UploadRule> = R['fields'] extends TSchema ? Static<R['fields']> : object

/** Reads the form to its end and hands the file to the sink on the way: it is never in memory as a whole. */
export type Upload<R extends UploadRule> = <T>(sink: Sink<T>) => Promise<{ stored: T; fields: FieldsOf<R> }>

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

export function uploadReader(
  request: FastifyRequest,
  rule: UploadRule,
  validateFields: Validate | undefined,
): Upload<UploadRule> {
  return async (sink) => {
    if (Number(request.headers['content-length'] ?? 0) > rule.maxBytes + MULTIPART_OVERHEAD)
      throw new AppError('PAYLOAD_TOO_LARGE')
    const fields: Record<string, unknown> = {}
    const problems: Problem[] = []
    const kept = request.isMultipart() ? await readForm(request, rule, sink, fields, problems) : null
    if (kept === null && problems.length === 0) problems.push(problem('body', [rule.field], 'REQUIRED', {}))
    problems.push(...(validateFields?.(fields, 'body') ?? []))
    if (problems.length > 0 || kept === null) throw new AppError('VALIDATION_ERROR', { problems })
    return { stored: kept.stored, fields }
  }
}

/** To the end, or to a second file: a form that is broken behind the file is broken, too. */
async function readForm<T>(
  request: FastifyRequest,
  { field, maxBytes }: UploadRule,
  sink: Sink<T>,
  fields: Record<string, unknown>,
  problems: Problem[],
): Promise<{ stored: T } | null> {
  let kept: { stored: T } | null = null
  for await (const part of readable(request.parts({ limits: { files: 2, fileSize: maxBytes } }))) {
    if (part.type === 'field') fields[part.fieldname] = part.value
    else if (kept !== null) {
      problems.push(problem('body', [field], 'TOO_MANY', { limit: 1 }))
      return kept
    } else if (part.fieldname === field) {
      kept = { stored: await sink(readable<Buffer>(part.file), part.filename) }
      // A stream that was cut at the limit ends like any other.
      if (part.file.truncated) throw new AppError('PAYLOAD_TOO_LARGE')
    } else part.file.resume()
  }
  return kept
}

/** What the parser itself throws has no status: a form that is cut off, or none at all. */
async function* readable<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    throw (error as { statusCode?: number }).statusCode === undefined
      ? new AppError('MALFORMED_REQUEST')
      : error
  }
}
