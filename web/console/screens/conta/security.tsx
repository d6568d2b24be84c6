import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { Answer } from '../../ui/states.tsx'
import { CONTA } from './conta-data.ts'

/** Score from which an account counts as well protected. */
const GOOD = 80

type Metrics = AnswerOf<'GET', '/api/v1/auth/security-metrics'>

/** Score of the account's security, what it is made of, and what would raise it. */
export function SecurityCard() {
  const own = contaTexts().security
  const query = useQuery({
    queryKey: [...CONTA, 'seguranca'],
    queryFn: ({ signal }) => api.get('/api/v1/auth/security-metrics', {}, { signal }),
  })
  return (
    <section class="card form unsized">
      <h2>{own.title}</h2>
      <Answer query={query} lines={4}>
        {(metrics) => <Score metrics={metrics} />}
      </Answer>
    </section>
  )
}

function Score({ metrics }: { metrics: Metrics }) {
  const t = contaTexts()
  const own = t.security
  const { security_score, password_strength, password_age_days, login_attempts } = metrics
  const rows = [
    [own.strength, own.strengths[password_strength]],
    [own.age, own.days(password_age_days)],
    [own.logins, t.number(login_attempts.successful)],
    [own.failed, t.number(login_attempts.failed)],
  ] as const
  return (
    <div class="form">
      <div class="score">
        <b>{own.score(security_score)}</b>
        {/* Without a low end: what is missing is "not yet", never harm. */}
        <meter
          min={0}
          max={100}
          high={GOOD}
          optimum={100}
          value={security_score}
          aria-label={own.scoreLabel}
        />
      </div>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Advice title={own.suspicious} items={metrics.suspicious_activities} />
      {metrics.recommendations.length === 0 ? (
        <p class="note">{own.fine}</p>
      ) : (
        <Advice title={own.advice} items={metrics.recommendations} />
      )}
    </div>
  )
}

/** In the words of the service, which are Portuguese. */
function Advice({ title, items }: { title: string; items: readonly string[] }) {
  if (items.length === 0) return null
  return (
    <div>
      <h3>{title}</h3>
      <ul class="advice" lang="pt-BR">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  )
}
