import type { Caller } from '../../caller/caller.ts'
import type { App } from '../../domain/app.ts'
import { MAX_IMPORT_BYTES } from '../../domain/importacao/importacoes.ts'
import { storeImportFile } from '../../domain/importacao/upload.ts'
import { assertRoomInQueue } from '../../domain/jobs/jobs.ts'
import type { TSchema } from '../../http/type.ts'
import { MULTIPART_OVERHEAD } from '../../http/uploads.ts'
import { intoDatabase } from '../uploads.ts'

/** Upload rule of every import: into the database, for callers whose queue has room. */
export const importUpload = <F extends TSchema>(fields: F) => ({
  field: 'file',
  maxBytes: MAX_IMPORT_BYTES,
  fields,
  admit: (caller: Caller | null, { db }: App, bytes: number) =>
    assertRoomInQueue(db, (caller as Caller).id, bytes),
  ...intoDatabase,
  store: (content: AsyncIterable<Buffer>, app: App, name: string) => storeImportFile(app, content, name),
})

export const IMPORT_BODY_LIMIT = MAX_IMPORT_BYTES + MULTIPART_OVERHEAD
