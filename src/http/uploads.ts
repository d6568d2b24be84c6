import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalid } from '../errors/catalogue.ts'

/** A file a route takes, in which form field, up to how many bytes. */
export interface UploadRule {
  field: string
  maxBytes: number
}

export interface Upload {
  content: Buffer
}

/** Around the file: boundaries, part headers. */
export const MULTIPART_OVERHEAD = 16 * 1024

export function acceptUploads(server: FastifyInstance): void {
  server.register(multipart, {
    limits: { fields: 20, fieldSize: 4096, files: 1, parts: 21, headerPairs: 50 },
  })
}

/** The one file of a multipart request, held in memory: only for small ones. Its name and stated type mean nothing. */
export async function readUpload(request: FastifyRequest, { field, maxBytes }: UploadRule): Promise<Upload> {
  const missing = () => invalid('body', [field], 'REQUIRED', {})
  if (!request.isMultipart()) throw missing()
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + MULTIPART_OVERHEAD)
    throw new AppError('PAYLOAD_TOO_LARGE')
  const files = await readFiles(request, maxBytes)
  if (files.length > 1) throw invalid('body', [field], 'TOO_MANY', { limit: 1 })
  const [file] = files
  if (file === undefined || file.field !== field) throw missing()
  return { content: file.content }
}

/** Reads the form to its end, or to a second file: one that is broken behind the file is broken, too. */
async function readFiles(
  request: FastifyRequest,
  maxBytes: number,
): Promise<{ field: string; content: Buffer }[]> {
  const files: { field: string; content: Buffer }[] = []
  try {
    for await (const part of request.parts({ limits: { files: 2, fileSize: maxBytes } })) {
      if (part.type === 'file') files.push({ field: part.fieldname, content: await part.toBuffer() })
      if (files.length > 1) break
    }
  } catch (error) {
    // What the parser itself throws has no status: a form that is cut off, or none at all.
    throw (error as { statusCode?: number }).statusCode === undefined
      ? new AppError('MALFORMED_REQUEST')
      : error
  }
  return files
}
