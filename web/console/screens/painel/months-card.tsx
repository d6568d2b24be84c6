import { Bars } from '../../charts/bars.tsx'
import { ChartCard } from '../../charts/chart-card.tsx'
import { texts } from '../../state/texts.ts'
import { weeksByMonth } from './figures.ts'
import { casosPath, duringWeeks } from './links.ts'
import type { PartProps } from './painel.tsx'

const CLASSES = ['confirmado', 'inconclusivo', 'em_investigacao', 'descartado'] as const
type Classe = (typeof CLASSES)[number]

/** Classification by month, of all cases whatever classification is asked for. */
export function MonthsCard({ painel, state: { filters, rules } }: PartProps) {
  const t = texts()
  const weeks = weeksByMonth(painel.semanas)
  const months = painel.classificacao_por_mes
  const linkOf = (mes: string, classificacao: Classe) => {
    const [first, last] = [weeks.get(mes)?.[0], weeks.get(mes)?.at(-1)]
    if (first === undefined || last === undefined) return undefined
    return casosPath({ ...duringWeeks(filters, first, last), classificacao }, rules)
  }
  const names = CLASSES.map((key) => ({ key, name: t.painel.classes[key] }))
  return (
    <ChartCard
      kind="months-card"
      title={t.painel.months}
      note={t.painel.monthsNote}
      table={() => ({
        name: 'classificacao',
        columns: [t.painel.month, ...names.map(({ name }) => name)],
        rows: months.map((month) => [
          t.painel.monthName(month.mes),
          ...CLASSES.map((classe) => {
            const href = linkOf(month.mes, classe)
            return { text: t.painel.number(month[classe]), ...(href !== undefined && { href }) }
          }),
        ]),
      })}
    >
      <Bars
        bars={months.map(({ mes, ...values }) => ({ label: t.painel.monthTick(mes), values }))}
        parts={names}
        sentence={t.painel.monthsSentence}
        format={t.painel.number}
      />
    </ChartCard>
  )
}
