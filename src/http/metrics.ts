import { createServer, type Server } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  observe(request: FastifyRequest, reply: FastifyReply): void
  /** Of a request that was refused before it was looked at. */
  countRefusal(): void
  render(): Promise<string>
  /** Answers the supervisor of several instances, which shows the sum. */
  shareWithSupervisor(): void
}

/** Requests by route and status with their latency, pool, and what prom-client knows of the process (event-loop lag). */
export function createMetrics(poolUsage: () => { total: number; idle: number; waiting: number }): Metrics {
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
  return {
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

/** Of all instances together; for their supervisor. */
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

/** The route's pattern, never the URL: bounded in number, free of personal data. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.config.route ?? 'unmatched'
}
