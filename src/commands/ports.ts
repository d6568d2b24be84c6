import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '../config/config.ts'
import { mendable } from './mendable.ts'

/**
 * Takes the ports until they are released for the service itself: a start that cannot listen must fail before it
 * makes a database and credentials. Connections that come meanwhile are closed.
 */
export async function holdPorts(
  { host, port, metricsPort }: Pick<Config, 'host' | 'port' | 'metricsPort'>,
  held: AsyncDisposableStack,
): Promise<void> {
  await hold(host, port, 'HOST, PORT', held)
  await hold(host, metricsPort ?? 0, 'METRICS_PORT', held)
}

async function hold(host: string, port: number, variables: string, held: AsyncDisposableStack) {
  if (port === 0) return
  const server = createServer((socket) => socket.destroy())
  server.listen(port, host)
  await mendable(() => once(server, 'listening'), variables)
  held.defer(() => new Promise<void>((released) => server.close(() => released())))
}
