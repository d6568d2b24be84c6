import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { loadCertificate } from '../../src/http/listener/certificate.ts'
import { tlsListener } from '../../src/http/listener/listener.ts'
import { PASSWORD, type TestApp, testApp } from './app.ts'
import { createTestDatabase } from './database.ts'

/** The real service with the console, over HTTPS: its cookie needs that. */
export interface ConsoleService extends AsyncDisposable {
  readonly origin: string
  /** Its own certificate, PEM, for clients that check it. */
  readonly ca: string
  /** The present one. */
  readonly t: TestApp
  /** Moves the service's clock, over restarts too. */
  advance(ms: number): void
  /** Ends the service; its database stays. */
  stop(): Promise<void>
  /** Another one on the same port, database and key. */
  start(): Promise<void>
}

export async function consoleService(env: Record<string, string> = {}): Promise<ConsoleService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'vigia-console-'))
  const certificate = await loadCertificate({ dataDir, hosts: [] })
  const database = await createTestDatabase()
  const build = (dataKey?: Buffer) =>
    testApp({
      env,
      database,
      ...(dataKey && { dataKey }),
      listener: tlsListener({
        certificate,
        renderClientError: () => '{}',
        refusePlain: () => ({ status: 403, headers: {}, body: '{}' }),
      }),
    })
  let t = await build()
  await t.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = t.server.server.address() as AddressInfo
  let [ahead, isRunning] = [0, true]

  const stop = async () => {
    if (isRunning) await t.close()
    isRunning = false
  }
  return {
    origin: `https://127.0.0.1:${port}`,
    ca: await readFile(join(dataDir, 'tls', 'cert.pem'), 'utf8'),
    get t() {
      return t
    },
    advance(ms) {
      ahead += ms
      t.clock.advance(ms)
    },
    stop,
    async start() {
      t = await build(t.dataKey)
      t.clock.advance(ahead)
      await t.server.listen({ host: '127.0.0.1', port })
      isRunning = true
    },
    async [Symbol.asyncDispose]() {
      await stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** By the form, as people do. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Senha', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}
