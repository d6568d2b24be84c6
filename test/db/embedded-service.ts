// A service that only has a database, run by embedded.test.ts as a process of its own that it can kill.
import { startEmbedded } from '../../src/db/embedded/embedded.ts'

const dataDir = process.argv[2]
if (!dataDir) throw new Error('usage: embedded-service.ts <data folder>')

const listeners = process.listenerCount('exit')
const database = await startEmbedded({
  dataDir,
  settings: { fsync: 'off' },
  report: (line) => console.error(line),
})
process.on('SIGTERM', async () => {
  await database.stop()
  if (process.listenerCount('exit') === listeners) console.error('no exit listener is left')
  // Nothing of the database keeps the process alive: it ends by itself once the signals are let go.
  process.removeAllListeners()
})
process.on('SIGINT', () => console.error('Ctrl-C'))
process.on('SIGUSR2', () => {
  throw new Error('an error nobody caught')
})
console.log('ready')
