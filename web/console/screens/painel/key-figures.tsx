import { Sparkline } from '../../charts/sparkline.tsx'
import { texts } from '../../state/texts.ts'
import { CasesLink } from './cases-link.tsx'
import { comparisonOf, trendOf } from './figures.ts'
import { casosPath, DIED, HOSPITALIZED, INVESTIGATED, narrowed, ofConfirmados } from './links.ts'
import type { PartProps } from './painel.tsx'

interface FigureProps {
  name: string
  value: string
  href: string | undefined
  children?: preact.ComponentChildren
}

function Figure({ name, value, href, children }: FigureProps) {
  return (
    <div class="figure">
      <h2>{name}</h2>
      <strong>
        <CasesLink href={href}>{value}</CasesLink>
      </strong>
      <p>{children}</p>
    </div>
  )
}

/** Five numbers of the recorte; each leads to its cases. */
export function KeyFigures({ painel, state: { filters, rules } }: PartProps) {
  const t = texts()
  const { numeros, anterior, semanas, populacao_ano } = painel
  const share = (part: number) => (numeros.casos === 0 ? null : (100 * part) / numeros.casos)
  // Of the year before there is one number: of a year that still goes on it would be compared with a part.
  const isOver =
    filters.periodo.kind !== 'datas' && comparisonOf(semanas, rules.today)?.until === semanas.at(-1)
  const link = (of: typeof filters | null) => casosPath(of, rules)
  const ofCases = (part: number) => {
    const found = share(part)
    return found === null ? null : t.painel.ofCases(found)
  }
  return (
    <section class="figures" aria-label={t.painel.keyFigures}>
      <Figure
        name={t.painel.casos[filters.classificacao] ?? t.painel.casosNow}
        value={t.painel.number(numeros.casos)}
        href={link(filters)}
      >
        <Change {...{ painel, filters, today: rules.today }} />
        <Sparkline values={semanas.map(({ casos }) => casos)} filled />
      </Figure>
      <Figure
        name={t.painel.incidencia}
        value={numeros.incidencia === null ? t.painel.unknown : t.painel.rate(numeros.incidencia)}
        href={link(filters)}
      >
        {populacao_ano === null ? t.painel.noResidents : t.painel.residentsOf(populacao_ano)}
      </Figure>
      <Figure
        name={t.painel.confirmados}
        value={t.painel.number(numeros.confirmados)}
        href={link(ofConfirmados(filters))}
      >
        {ofCases(numeros.confirmados)}
      </Figure>
      <Figure
        name={t.painel.hospitalizados}
        value={t.painel.number(numeros.hospitalizados)}
        href={link(narrowed(filters, HOSPITALIZED))}
      >
        {ofCases(numeros.hospitalizados)}
        {isOver && ` ${t.painel.before(anterior.hospitalizados)}`}
      </Figure>
      <Figure
        name={t.painel.obitos}
        value={t.painel.number(numeros.obitos)}
        href={link(narrowed(filters, DIED))}
      >
        {numeros.obitos_em_investigacao > 0 && (
          <CasesLink kind="harm" href={link(narrowed(filters, INVESTIGATED))}>
            {t.painel.investigated(numeros.obitos_em_investigacao)}
          </CasesLink>
        )}
        {numeros.obitos_em_investigacao === 0 && t.painel.noneInvestigated}
      </Figure>
    </section>
  )
}

/** Days of another year are not in a filter by dates: there is nothing to compare with then. */
function Change({
  painel: { semanas, anterior },
  filters,
  today,
}: Pick<PartProps, 'painel'> & { filters: PartProps['state']['filters']; today: string }) {
  const t = texts().painel
  const found = filters.periodo.kind === 'datas' ? null : comparisonOf(semanas, today)
  if (found === null) return <>{t.notCompared}</>
  return (
    <>
      <span class={`change ${trendOf(found.pct)}`}>{t.change(found.pct)}</span>{' '}
      {t.over(Number(anterior.periodo.semana_fim.slice(0, 4)), Number(found.until.semana.slice(4)))}
    </>
  )
}
