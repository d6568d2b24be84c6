import type { EfeitoPorSemana } from '../../../../src/domain/casos/bulk/efeito.ts'
import { importacoesTexts } from '../../state/texts/importacoes.ts'

type Semana = EfeitoPorSemana['semanas'][number]

const WIDTH = 340
const HEIGHT = 150
const LEFT = 40
const TOP = 10
const FLOOR = 126
/** More bars than this cannot be told apart; the table has them all. */
const MAX_BARS = 53

/** Cases by week before and after: what is there today, and what the import adds or takes away. */
export function Efeito({ efeito }: { efeito: EfeitoPorSemana }) {
  const t = importacoesTexts().effect
  const { semanas, sem_semana } = efeito
  if (semanas.length === 0) return <p class="note">{t.none}</p>
  const shown = semanas.slice(-MAX_BARS)
  const [added, removed] = [
    sumOf(semanas, ({ antes, depois }) => Math.max(0, depois - antes)),
    sumOf(semanas, ({ antes, depois }) => Math.max(0, antes - depois)),
  ]
  return (
    <>
      <Bars semanas={shown} label={t.summary(semanas.length, added, removed)} />
      <ul class="effect-legend">
        <li>
          <i class="antes" aria-hidden="true" />
          {t.today}
        </li>
        <li>
          <i class="soma" aria-hidden="true" />
          {t.added}
        </li>
        {removed > 0 && (
          <li>
            <i class="perda" aria-hidden="true" />
            {t.removed}
          </li>
        )}
      </ul>
      {sem_semana > 0 && <p class="note">{t.withoutWeek(sem_semana)}</p>}
      <details class="weeks">
        <summary>{t.table}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys */}
        <section class="scroll-box" aria-label={t.table} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.week}</th>
                <th scope="col" class="number">
                  {t.before}
                </th>
                <th scope="col" class="number">
                  {t.after}
                </th>
              </tr>
            </thead>
            <tbody>
              {semanas.map(({ semana, antes, depois }) => (
                <tr key={semana}>
                  <td>{t.weekName(semana)}</td>
                  <td class="number">{t.number(antes)}</td>
                  <td class="number">{t.number(depois)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  )
}

const sumOf = (semanas: Semana[], of: (semana: Semana) => number) =>
  semanas.reduce((sum, semana) => sum + of(semana), 0)

function Bars({ semanas, label }: { semanas: Semana[]; label: string }) {
  const t = importacoesTexts().effect
  const highest = Math.max(1, ...semanas.map(({ antes, depois }) => Math.max(antes, depois)))
  const step = tickStep(highest)
  const ticks = Array.from({ length: Math.floor(highest / step) + 1 }, (_, at) => at * step)
  const y = (value: number) => FLOOR - (value / highest) * (FLOOR - TOP)
  const slot = (WIDTH - LEFT - 4) / semanas.length
  const width = Math.min(22, slot * 0.84)
  const every = Math.max(1, Math.ceil(semanas.length / 4))
  return (
    <svg class="effect" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g key={tick}>
          <path class="grid-line" d={`M${LEFT} ${y(tick)}H${WIDTH - 4}`} />
          <text x={LEFT - 5} y={y(tick) + 4} text-anchor="end">
            {t.number(tick)}
          </text>
        </g>
      ))}
      {semanas.map(({ semana, antes, depois }, at) => {
        const x = LEFT + slot * at + (slot - width) / 2
        const kept = Math.min(antes, depois)
        const top = Math.max(antes, depois)
        return (
          <g key={semana}>
            <rect class="antes" x={x} width={width} y={y(kept)} height={FLOOR - y(kept)} />
            <rect
              class={depois >= antes ? 'soma' : 'perda'}
              x={x}
              width={width}
              y={y(top)}
              height={y(kept) - y(top)}
            />
            {at % every === 0 && (
              <text x={x + width / 2} y={143} text-anchor={at === 0 ? 'start' : 'middle'}>
                {t.shortWeek(semana)}
              </text>
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** 1, 2 or 5 times a power of ten, so that there are three to six lines. */
function tickStep(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  const step = [0.2, 0.5, 1, 2].map((times) => times * power).find((one) => highest / one <= 5) ?? power
  return Math.max(1, step)
}
