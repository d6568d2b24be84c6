import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { ChartCard } from '../../charts/chart-card.tsx'
import { LagBars } from '../../charts/lag-bars.tsx'
import type { TableData } from '../../charts/table-data.ts'
import { agravos } from '../../state/agravos.ts'
import { valorWords } from '../../state/filter-words.ts'
import { placeQuery } from '../../state/place-query.ts'
import { activeSeries } from '../../state/series.ts'
import { api } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { METODOS } from './recorte.ts'
import type { CardProps } from './serie.tsx'
import type { Correlacao } from './serie-data.ts'
import { SERIES } from './serie-links.ts'
import { isTooLarge } from './values-card.tsx'

const MOST_LAG = 26
const OTHER = '…'

/** Correlation with the cases of a disease, lag by lag: the season taken out before the raw one. The note is always in sight. */
export function CorrelationCard({ serie, recorte, change }: CardProps) {
  const t = seriesTexts().correlation
  const { codigo } = serie
  const isNumeric = serie.tipo_valor !== 'categoria'
  const { com, metodo, conhecidos } = recorte
  const asked = {
    ...placeQuery(recorte),
    ...(com === null ? { tipo_agravo: recorte.agravo } : { com }),
    ...(metodo !== 'spearman' && { metodo }),
    ...(conhecidos !== null && { conhecidos_em: conhecidos }),
    defasagem_max: MOST_LAG,
  }
  const query = useQuery({
    queryKey: [...SERIES, 'correlacao', codigo, asked],
    queryFn: async ({ signal }) => {
      const ask = (dessazonalizar: boolean) =>
        api.get(
          '/api/v1/series/{codigo}/correlacao',
          { params: { codigo }, query: { ...asked, dessazonalizar } as never },
          { signal },
        ) as Promise<Correlacao>
      const [shown, raw] = await Promise.all([ask(true), ask(false)])
      return { shown, raw }
    },
    enabled: isNumeric,
  })
  const [isOther, setOther] = useState(recorte.com !== null)
  const others = useQuery({ ...activeSeries(), enabled: isOther })
  const named = others.data?.find((one) => one.codigo === recorte.com)?.nome ?? recorte.com
  const choice = (
    <>
      <SelectField
        label={t.agravo}
        value={isOther ? OTHER : recorte.agravo}
        options={[
          ...agravos().map((value) => ({ value, label: valorWords(value, texts()) })),
          { value: OTHER, label: t.other },
        ]}
        onChange={(value) => {
          setOther(value === OTHER)
          if (value !== OTHER) change({ agravo: value, com: null })
        }}
      />
      {isOther && (
        <SelectField
          label={t.com}
          value={recorte.com ?? ''}
          options={[
            { value: '', label: '' },
            ...(others.data ?? [])
              .filter((one) => one.codigo !== codigo && one.tipo_valor !== 'categoria')
              .map((one) => ({ value: one.codigo, label: one.nome })),
          ]}
          onChange={(value) => value !== '' && change({ com: value })}
        />
      )}
      <SelectField
        label={t.metodo}
        value={recorte.metodo}
        options={METODOS.map((value) => ({ value, label: t.metodos[value] }))}
        onChange={(metodo) => change({ metodo })}
      />
    </>
  )
  const note = <p class="notice info">{t.note}</p>
  if (!isNumeric || query.isError || query.data === undefined)
    return (
      <section class="card chart-card correlation-card" aria-label={t.title}>
        <header>
          <h2>{t.title}</h2>
          {isNumeric && <div class="acts">{choice}</div>}
        </header>
        {!isNumeric ? (
          <p>{t.categories}</p>
        ) : isTooLarge(query.error) ? (
          <p>{seriesTexts().chart.needsPlace}</p>
        ) : (
          <Answer query={query} lines={6}>
            {() => null}
          </Answer>
        )}
        {note}
      </section>
    )
  return (
    <Drawn
      {...{ agravo: named ?? t.casesOf(valorWords(recorte.agravo, texts())), codigo, agravos: choice, note }}
      {...query.data}
    />
  )
}

interface DrawnProps {
  codigo: string
  agravo: string
  agravos: ComponentChildren
  note: ComponentChildren
  shown: Correlacao
  raw: Correlacao
}

function Drawn({ codigo, agravo, agravos, note, shown, raw }: DrawnProps) {
  const own = seriesTexts()
  const t = own.correlation
  const { maior, bruta_maior, casos_conhecidos } = shown
  const bars = shown.defasagens.map(({ defasagem, r, inferior, superior }, i) => ({
    ...{ lag: defasagem, r, low: inferior, high: superior },
    raw: raw.defasagens[i]?.r ?? null,
  }))
  const best = maior === null ? t.noBest : t.best(maior.defasagem, maior.r)
  const isEmpty = bars.every(({ r, raw }) => r === null && raw === null)
  return (
    <ChartCard
      kind="correlation-card"
      title={t.title}
      note={[
        best,
        bruta_maior !== null && t.rawBest(bruta_maior.defasagem, bruta_maior.r),
        casos_conhecidos && t.asKnown(own.period('semana', casos_conhecidos.semana)),
      ]
        .filter(Boolean)
        .join(' ')}
      actions={agravos}
      table={() => tableOf(codigo, shown, raw)}
    >
      {isEmpty ? (
        <Empty text={t.nothing} />
      ) : (
        <LagBars
          bars={bars}
          sentence={t.sentence(agravo, best)}
          axis={t.axis}
          format={(value) => own.decimal(value, 2)}
        />
      )}
      <ul class="legend">
        <li>
          <i class="r" />
          {t.shown}
        </li>
        <li>
          <i class="raw" />
          {t.raw}
        </li>
      </ul>
      {note}
      <p class="note">{own.detail.source(shown.fonte, shown.licenca)}</p>
    </ChartCard>
  )
}

function tableOf(codigo: string, shown: Correlacao, raw: Correlacao): TableData {
  const own = seriesTexts()
  const t = own.correlation
  const text = (value: number | null) => ({ text: value === null ? own.none : own.decimal(value, 3) })
  return {
    name: `${codigo}-correlacao`,
    columns: [t.lag, t.r, t.interval, t.weeks, t.effective, t.raw],
    rows: shown.defasagens.map(({ defasagem, r, inferior, superior, n, n_efetivo, motivo }, i) => [
      String(defasagem),
      motivo === null ? text(r) : { text: t.reasons[motivo] },
      {
        text:
          inferior === null || superior === null
            ? own.none
            : own.detail.range(own.decimal(inferior, 3), own.decimal(superior, 3)),
      },
      { text: own.number(n) },
      { text: n_efetivo === null ? own.none : own.decimal(n_efetivo, 1) },
      text(raw.defasagens[i]?.r ?? null),
    ]),
  }
}
