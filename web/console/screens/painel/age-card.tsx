import { useState } from 'preact/hooks'
import { ChartCard, Choice } from '../../charts/chart-card.tsx'
import { Pyramid, type PyramidSide } from '../../charts/pyramid.tsx'
import { texts } from '../../state/texts.ts'
import { casosPath, ofAge } from './links.ts'
import type { PartProps } from './painel.tsx'

type Measure = 'casos' | 'incidencia'

/** Age and sex, the oldest on top. */
export function AgeCard({ painel, state: { filters, rules } }: PartProps) {
  const [wanted, setMeasure] = useState<Measure>('casos')
  const t = texts()
  const { celulas, sem_sexo_ou_idade } = painel.piramide
  const hasRates = celulas.some(({ incidencia }) => incidencia !== null)
  const measure = hasRates ? wanted : 'casos'
  const faixas = [...new Set(celulas.map(({ faixa }) => faixa))].toReversed()
  const cellOf = (sexo: string, faixa: string) =>
    celulas.find((one) => one.sexo === sexo && one.faixa === faixa)
  const linkOf = (sexo: string, faixa: string) => casosPath(ofAge(filters, sexo, faixa), rules)
  const side = (sexo: 'M' | 'F', faixa: string): PyramidSide => ({
    value: cellOf(sexo, faixa)?.[measure] ?? 0,
    href: linkOf(sexo, faixa),
    name: `${t.valores[sexo]}, ${t.painel.age(faixa)}`,
  })
  const format = measure === 'casos' ? t.painel.number : t.painel.rate
  return (
    <ChartCard
      kind="age-card"
      title={t.painel.ages}
      note={sem_sexo_ou_idade === 0 ? t.painel.agesNote : t.painel.agesUnknown(sem_sexo_ou_idade)}
      actions={
        hasRates && (
          <Choice
            label={t.painel.measure}
            options={[
              ['casos', t.painel.measures.casos],
              ['incidencia', t.painel.measures.per100k],
            ]}
            value={measure}
            onChange={(chosen) => setMeasure(chosen)}
          />
        )
      }
      table={() => ({
        name: 'idade-e-sexo',
        columns: [
          t.painel.ageColumn,
          ...(['F', 'M'] as const).flatMap((sexo) => [
            t.valores[sexo],
            `${t.valores[sexo]}, ${t.painel.measures.per100k}`,
          ]),
        ],
        rows: faixas.map((faixa) => [
          t.painel.age(faixa),
          ...(['F', 'M'] as const).flatMap((sexo) => {
            const cell = cellOf(sexo, faixa)
            const href = linkOf(sexo, faixa)
            const incidencia = cell?.incidencia ?? null
            return [
              { text: t.painel.number(cell?.casos ?? 0), ...(href !== undefined && { href }) },
              { text: incidencia === null ? t.painel.unknown : t.painel.rate(incidencia) },
            ]
          }),
        ]),
      })}
    >
      <Pyramid
        rows={faixas.map((faixa) => ({ label: faixa, left: side('F', faixa), right: side('M', faixa) }))}
        names={{ left: t.valores.F, right: t.valores.M }}
        format={format}
      />
    </ChartCard>
  )
}
