import cluster from 'node:cluster'
import type { Tuning } from '../app.ts'
import type { Config } from '../config/config.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openForService } from '../db/open.ts'
import { makeFolder } from '../system/folder.ts'
import type { Logger } from '../system/logging.ts'
import { defineCommand, usageError } from './command.ts'
import { loadKeys } from './data-key.ts'
import { mendable } from './mendable.ts'
import { stopWithParent } from './parent.ts'
import { holdPorts } from './ports.ts'
import type { Start } from './serving.ts'
import { onSignal } from './signals.ts'

const USAGE = `npm start

Prepares everything and serves until a signal. Environment variables configure it: see README.md.

  --stop-with-parent   stops when the process that started it is gone`

export const serve = defineCommand({
  usage: USAGE,
  options: {
    'stop-with-parent': { type: 'boolean', default: false },
    // Not in the usage: tests shorten limits instead of waiting for them. Forked instances inherit it.
    tuning: { type: 'string', default: '{}' },
  },
  async run(config, log, { options }) {
    const tuning = readTuning(options.tuning)
    if (options['stop-with-parent']) stopWithParent()
    await startService(config, log, tuning)
  },
})

function readTuning(text: string): Tuning {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError('--tuning is not JSON', USAGE)
  }
}

/**
 * Starts the service and leaves it running until a signal: alone in this process, or as several instances that share
 * the port under this one. What was opened is closed in reverse order.
 */
async function startService(config: Config, log: Logger, tuning: Tuning): Promise<void> {
  // Before it listens there is nothing to finish.
  onSignal(() => process.exit(0))
  const opened = new AsyncDisposableStack()
  try {
    if (cluster.isWorker) {
      const { serveAsOneOfMany } = await loadServing()
      await serveAsOneOfMany({ config, log, tuning }, opened)
    } else await serveAsOwner({ config, log, tuning }, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Prepares ports, folder, database and keys before most of the code is loaded: a refused start needs none of it. */
async function serveAsOwner(start: Start, opened: AsyncDisposableStack): Promise<void> {
  const { config, log } = start
  const ports = opened.use(new AsyncDisposableStack())
  await holdPorts(config, ports)
  await mendable(() => makeFolder(config.dataDir, 0o711), 'DATA_DIR')
  const database = await openForService(config, (message) => log.info(message))
  opened.defer(() => database.close())
  const { connection } = database
  const keys = await loadKeys(config, connection)
  const applied = await migrate(connection, await readMigrations())
  if (applied.length > 0) log.info({ applied }, 'migrations applied')
  const { serveOnDatabase } = await loadServing()
  await serveOnDatabase({ ...start, keys, connection }, ports, opened)
}

const loadServing = () => import('./serving.ts')
