import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer } from '../../ui/states.tsx'

type Health = AnswerOf<'GET', '/api/v1/health/detailed'>

export default function Sistema() {
  const t = texts()
  const query = useQuery({
    queryKey: ['health'],
    // A failing part makes the answer a 503 with the same body.
    queryFn: ({ signal }) => api.get('/api/v1/health/detailed', {}, { signal, accepts: [503] }),
    refetchInterval: 30_000,
  })
  const refresh = (
    <Button icon="retry" onClick={() => void query.refetch()}>
      {t.sistema.refresh}
    </Button>
  )
  return (
    <Page title={t.screens.sistema} lead={t.sistema.lead} actions={refresh}>
      <Answer query={query} lines={7}>
        {(health) => <Parts health={health} />}
      </Answer>
    </Page>
  )
}

function Parts({ health }: { health: Health }) {
  const t = texts().sistema
  const isHealthy = health.status === 'ok'
  return (
    <section class="card">
      <header>
        <h2>{isHealthy ? t.healthy : t.failing}</h2>
      </header>
      <dl class="facts">
        <div>
          <dt>{t.version}</dt>
          <dd>{health.version}</dd>
        </div>
        <div>
          <dt>{t.environment}</dt>
          <dd>{health.environment}</dd>
        </div>
        <div>
          <dt>{t.checkedAt}</dt>
          <dd>{t.time(new Date(health.timestamp))}</dd>
        </div>
      </dl>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.part}</th>
            <th scope="col">{t.state}</th>
            <th scope="col" class="number">
              {t.latency}
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(health.checks).map(([part, { status, latency_ms }]) => (
            <tr key={part}>
              <td>{t.parts[part as keyof typeof t.parts]}</td>
              <td>
                <span class={`tag ${status === 'ok' ? 'green' : 'red'}`}>
                  {status === 'ok' ? t.ok : t.error}
                </span>
              </td>
              <td class="number">{latency_ms !== undefined && t.milliseconds(latency_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
