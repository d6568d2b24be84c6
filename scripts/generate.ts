import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '../src/db/embedded/embedded.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool } from '../src/db/pool.ts'
import { renderClientTypes } from './client-types.ts'
import { renderErrorsDoc } from './errors-doc.ts'
import { dumpSchema } from './schema-dump.ts'

/** `npm run generate`: the files that are made from others and committed. `npm test` finds them out of date. */
const root = new URL('../', import.meta.url)

async function schema(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-generate-'))
  await using opened = new AsyncDisposableStack()
  opened.defer(() => rm(dataDir, { recursive: true, force: true }))
  // As root, PostgreSQL's own user must get through to it; else the cluster would be made, and left, elsewhere.
  await chmod(dataDir, 0o711)
  const postgres = await startEmbedded({ dataDir, settings: { fsync: 'off' }, report: () => {} })
  opened.defer(() => postgres.stop())
  const connection = { ...postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection })
  opened.defer(() => db.end())
  return await dumpSchema(db)
}

const FILES: Record<string, () => string | Promise<string>> = {
  'schema.sql': schema,
  'docs/errors.md': renderErrorsDoc,
  'clients/ts/src/gerado.ts': renderClientTypes,
}

for (const [file, make] of Object.entries(FILES)) {
  await writeFile(new URL(file, root), await make())
  console.log(file)
}
