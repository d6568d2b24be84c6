import { checkHealth } from '../../domain/health/health.ts'
import { anyone } from '../../http/access.ts'
import { DateTime, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { route } from '../route.ts'

const health = {
  status: OneOf(['ok', 'error']),
  version: Type.String({ examples: ['0.1.0'] }),
  environment: Type.String({ examples: ['sandbox'] }),
  timestamp: DateTime,
}
const Check = Type.Object(
  { status: OneOf(['ok', 'error']), latency_ms: Type.Optional(Type.Number()) },
  { title: 'Check' },
)
const Health = Type.Object(health, { title: 'Health' })
const HealthDetailed = Type.Object(
  {
    ...health,
    checks: Type.Object({ database: Check, migrations: Check, jobs: Check, webhooks: Check, disk: Check }),
  },
  { title: 'HealthDetailed' },
)

export const healthRoutesB = [
  route({
    spec: '4.3',
    method: 'GET',
    path: '/api/v1/health',
    summary: 'O serviço responde?',
    tag: 'Serviço',
    access: anyone,
    forMonitors: true,
    input: {},
    replies: { 200: Health },
    errors: [],
    async handle(_context, { version, ambiente, clock }) {
      return { status: 'ok' as const, version, environment: ambiente, timestamp: clock.now().toISOString() }
    },
  }),
  route({
    spec: '4.3',
    method: 'GET',
    path: '/api/v1/health/detailed',
    summary: 'O estado de cada parte do serviço',
    tag: 'Serviço',
    access: anyone,
    input: {},
    replies: { 200: HealthDetailed, 503: HealthDetailed },
    errors: [],
    async handle({ reply }, app) {
      const checks = await checkHealth(app)
      const status = Object.values(checks).every((check) => check.status === 'ok')
        ? ('ok' as const)
        : ('error' as const)
      if (status === 'error') reply.code(503).header('retry-after', '5')
      return {
        status,
        version: app.version,
        environment: app.ambiente,
        timestamp: app.clock.now().toISOString(),
        checks,
      }
    },
  }),
]
