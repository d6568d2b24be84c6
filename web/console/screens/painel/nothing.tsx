import { useQuery } from '@tanstack/preact-query'
import { numbersQuery } from '../../state/divisao.ts'
import { painelOf } from '../../state/painel.ts'
import { texts } from '../../state/texts.ts'
import FirstSteps from '../../ui/first-steps.tsx'
import { Empty } from '../../ui/states.tsx'
import { painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'

const ANYWHERE = { uf: null, regiao: null, municipio: null, bairro: null, lugar: null }

/** Instead of a row of zeros: why, and where there is something. */
export default function Nothing({ painel: { dados_ate, anterior }, state: { filters, rules } }: PartProps) {
  const t = texts().painel
  const isSomewhere = Object.keys(ANYWHERE).some((name) => filters[name as keyof typeof ANYWHERE] !== null)
  const everywhere = { ...filters, ...ANYWHERE }
  const country = useQuery({
    ...painelOf(numbersQuery(everywhere, rules.today, '')),
    enabled: dados_ate !== null && isSomewhere,
    placeholderData: () => undefined,
  })
  if (dados_ate === null)
    return (
      <section class="card">
        <FirstSteps />
      </section>
    )
  const before = Number(anterior.periodo.semana_fim.slice(0, 4))
  const casos = isSomewhere ? (country.data?.numeros.casos ?? 0) : 0
  return (
    <section class="card">
      <Empty text={t.nothing}>
        <div class="row">
          {anterior.casos > 0 && (
            <a
              class="button plain"
              href={painelPath({ ...filters, periodo: { kind: 'ano', ano: before } }, rules)}
            >
              {t.nearest(before, anterior.casos)}
            </a>
          )}
          {casos > 0 && (
            <a class="button plain" href={painelPath(everywhere, rules)}>
              {t.wholeCountry} ({t.casesOf(casos)})
            </a>
          )}
        </div>
      </Empty>
    </section>
  )
}
