import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { api, cache } from '../../state/session.ts'
import { sistemaTexts } from '../../state/texts/sistema.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'
import { Jobs } from './jobs.tsx'
import { Limits, Queues, Sizes } from './measures.tsx'
import '../../ui/gestao.ts'

type Health = AnswerOf<'GET', '/api/v1/health/detailed'>

const REFRESH_MS = 30_000

/** Health, queues, space, use and jobs of the service, for its administrators. */
export default function Sistema() {
  const t = texts()
  const own = sistemaTexts()
  const health = useQuery({
    queryKey: ['sistema', 'health'],
    // A failing part makes the answer a 503 with the same body.
    queryFn: ({ signal }) => api.get('/api/v1/health/detailed', {}, { signal, accepts: [503] }),
    refetchInterval: REFRESH_MS,
  })
  const measured = useQuery({
    queryKey: ['sistema', 'measured'],
    queryFn: ({ signal }) => api.get('/api/v1/sistema', {}, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const refresh = (
    <Button icon="retry" onClick={() => void cache.invalidateQueries({ queryKey: ['sistema'] })}>
      {own.refresh}
    </Button>
  )
  return (
    <Page title={t.screens.sistema} lead={own.lead} actions={refresh}>
      <div class="sections in-order">
        <Answer query={health} lines={8}>
          {(answer) => <Parts health={answer} />}
        </Answer>
        <Answer query={measured} lines={8}>
          {(sistema) => (
            <div class="sections">
              <Queues sistema={sistema} />
              <Sizes sistema={sistema} />
              <Limits sistema={sistema} />
            </div>
          )}
        </Answer>
        <Jobs />
      </div>
    </Page>
  )
}

function Parts({ health }: { health: Health }) {
  const own = sistemaTexts()
  const isHealthy = health.status === 'ok'
  const facts = [
    [own.version, health.version],
    [own.environment, own.environments[health.environment] ?? health.environment],
    [own.checkedAt, own.time(new Date(health.timestamp))],
  ] as const
  return (
    <section class="card form">
      <h2>{isHealthy ? own.healthy : own.failing}</h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{own.part}</th>
            <th scope="col">{own.state}</th>
            <th scope="col" class="number">
              {own.latency}
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(health.checks).map(([part, { status, latency_ms }]) => (
            <tr key={part}>
              <td>{own.parts[part as keyof typeof own.parts]}</td>
              <td>
                <span class={`tag ${status === 'ok' ? 'green' : 'red'}`}>
                  {status === 'ok' ? own.ok : own.error}
                </span>
              </td>
              <td class="number">{latency_ms !== undefined && own.milliseconds(latency_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
