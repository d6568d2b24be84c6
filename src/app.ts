import { readFile } from 'node:fs/promises'
import { type Background, createBackground } from './app/background.ts'
import { createApp } from './app/domain.ts'
import type { Parts } from './app/parts.ts'
import { createAppServer, type ServedApp } from './app/server.ts'
import { publicUrlOf } from './config/public-url.ts'
import type { App } from './domain/app.ts'
import { createMailWorker, type MailWorker } from './domain/emails/worker.ts'
import { createMeasures } from './domain/health/measures.ts'
import type { Metrics } from './http/metrics.ts'

export type { Parts, Tuning } from './app/parts.ts'

export interface Service extends ServedApp, Background {
  app: App
  metrics: Metrics | null
  mailWorker: MailWorker
}

/** The composition root: what the domain is given, the work beside the requests, and the server. */
export async function buildService(parts: Parts): Promise<Service> {
  const metrics = await metricsOf(parts)
  const mailWorker = createMails(parts, metrics)
  const app = await createApp(parts, {
    mailer: mailWorker,
    jobs: { wake: () => background.jobWorker.wake() },
    version: await packageVersion(),
  })
  const background = createBackground(app, parts)
  return { app, metrics, mailWorker, ...background, ...(await createAppServer(app, parts, metrics)) }
}

/** Its library is loaded only where there is a port for it. */
async function metricsOf({ config, db }: Parts): Promise<Metrics | null> {
  if (config.metricsPort === null) return null
  const { createMetrics } = await import('./http/metrics.ts')
  return createMetrics({ poolUsage: db.usage, measurements: createMeasures(db) })
}

function createMails(
  { config, db, clock, log, mailTransport, tuning = {} }: Parts,
  metrics: Metrics | null,
): MailWorker {
  return createMailWorker({
    db,
    clock,
    transport: mailTransport,
    publicUrl: publicUrlOf(config),
    ...(tuning.mail && { timing: tuning.mail }),
    onError: (error, email) => {
      if (email?.gaveUp) metrics?.countMailGivenUp()
      log[email?.gaveUp ? 'error' : 'warn']({ err: error, email }, 'a mail could not be sent')
    },
  })
}

async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}
