import { createPool } from '../../src/db/pool.ts'
import { createMailWorker } from '../../src/domain/emails/worker.ts'

/** An instance that claims a mail, tells so and never comes to the end of sending it: to be killed. */
const db = createPool({ connection: JSON.parse(process.env.CONNECTION ?? '') })
const worker = createMailWorker({
  db,
  clock: { now: () => new Date() },
  publicUrl: 'https://vigia.example',
  transport: {
    send() {
      process.stdout.write('sending\n')
      return new Promise(() => {})
    },
  },
  onError: (error) => process.stderr.write(String(error)),
})
worker.start()
