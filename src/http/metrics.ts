import { createServer, type Server } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { routeOf } from './server.ts'

export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** All changes up to that moment are in the counters. */
  countersComplete(until: Date): void
  /** Counts a mail that will not be retried. */
  countMailGivenUp(): void
  /** Counts a request refused by load shedding. */
  countRefusal(): void
  render(): Promise<string>
  /** Answers the supervisor of several instances, which shows the sum. */
  shareWithSupervisor(): void
}

/** A gauge read at scrape time. All instances report the same value, so their maximum is shown. */
export interface Measurement {
  name: string
  help: string
  labelNames: string[]
  read(): Promise<{ labels: Record<string, string>; value: number }[]>
}

export interface MetricsNeeds {
  poolUsage(): { total: number; idle: number; waiting: number }
  measurements: Measurement[]
}

/** Latency of requests by route and status, pool, background work, and prom-client's metrics of the process. */
export function createMetrics({ poolUsage, measurements }: MetricsNeeds): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'vigia_http_request_seconds',
    help: 'Requests by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const refusals = new Counter({
    name: 'vigia_http_refused_excess_total',
    help: 'Requests refused at the door because too many waited',
    registers: [registry],
  })
  new Gauge({
    name: 'vigia_db_connections',
    help: 'Database connections of this process, and requests waiting for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(poolUsage())) this.set({ state }, count)
    },
  })
  const complete = new Gauge({
    name: 'vigia_counters_complete_timestamp_seconds',
    help: 'Up to when all changes of cases are added up in the counters',
    aggregator: 'max',
    registers: [registry],
  })
  const givenUp = new Counter({
    name: 'vigia_mails_given_up_total',
    help: 'Mails that this process gave up after their last attempt',
    registers: [registry],
  })
  for (const measurement of measurements) registerMeasurement(registry, measurement)
  return {
    countersComplete: (until) => complete.set(until.getTime() / 1000),
    countMailGivenUp: () => givenUp.inc(),
    observe(request, reply) {
      const labels = { method: request.method, route: routeOf(request), status: reply.statusCode }
      durations.observe(labels, reply.elapsedTime / 1000)
    },
    countRefusal: () => refusals.inc(),
    render: () => registry.metrics(),
    shareWithSupervisor() {
      AggregatorRegistry.setRegistries(registry)
      new AggregatorRegistry()
    },
  }
}

/** Well below Prometheus' default scrape time-out of 10 s. */
const READ_TIMEOUT_MS = 2_000

/** Leaves out measurements that cannot be read in time: the others are needed most when the database is away. */
function registerMeasurement(registry: Registry, { name, help, labelNames, read }: Measurement): void {
  new Gauge({
    name,
    help,
    labelNames,
    aggregator: 'max',
    registers: [registry],
    async collect() {
      // A reset without labels would report 0; removed, the value is absent.
      if (labelNames.length === 0) this.remove()
      else this.reset()
      const tooLate = new Promise<never[]>((resolve) => setTimeout(resolve, READ_TIMEOUT_MS, []).unref())
      const values = await Promise.race([read(), tooLate]).catch(() => [])
      for (const { labels, value } of values) this.set(labels, value)
    },
  })
}

/** Sums the metrics of all instances, for their supervisor. */
export function sumOfInstances(): () => Promise<string> {
  const registry = new AggregatorRegistry()
  return () => registry.clusterMetrics()
}

/** Plain HTTP on a port of its own, for the monitoring network only. */
export function metricsServer(render: () => Promise<string>): Server {
  return createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return response.writeHead(404).end()
    try {
      const text = await render()
      response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
    } catch {
      // An instance went away while it was asked.
      response.writeHead(503).end()
    }
  })
}
