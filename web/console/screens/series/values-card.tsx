import { useQuery } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError } from '../../api/errors.ts'
import { ChartCard } from '../../charts/chart-card.tsx'
import { LineChart, type LinePoint } from '../../charts/line.tsx'
import type { TableData } from '../../charts/table-data.ts'
import { placeQuery } from '../../state/place-query.ts'
import { api } from '../../state/session.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { Answer, Empty } from '../../ui/states.tsx'
import { daysOf, recortePath } from './recorte.ts'
import type { CardProps } from './serie.tsx'
import { codeOf, numberOf, type Serie, type Valores, valueText, withUnit } from './serie-data.ts'
import { SERIES } from './serie-links.ts'

/** The question of the chart, which the choice of a period of the map shares. */
export function useValores({ serie, recorte }: Pick<CardProps, 'serie' | 'recorte'>) {
  const { codigo } = serie
  const { anos, por, conhecidos } = recorte
  const asked = {
    ...placeQuery(recorte),
    ...daysOf(serie, anos),
    periodo: por,
    ...(conhecidos !== null && { conhecidos_em: conhecidos }),
  }
  return useQuery<Valores>({
    queryKey: [...SERIES, 'valores', codigo, asked],
    queryFn: ({ signal }) =>
      api.get(
        '/api/v1/series/{codigo}/valores',
        { params: { codigo }, query: asked },
        { signal },
      ) as Promise<Valores>,
    // Values of another series are no older answer of this one.
    placeholderData: (before) => (before?.serie === codigo ? before : undefined),
  })
}

/** True where the series has no value for a place of this size. */
export const isTooLarge = (error: unknown): boolean =>
  error instanceof ApiError && error.of('nivel') !== undefined

/** An address without a place opens, once, where there are values if the country has none; "Brasil" can be chosen after that. */
function useOpening(
  { serie, recorte, change }: CardProps,
  { data, error }: Pick<ReturnType<typeof useValores>, 'data' | 'error'>,
): void {
  const isOpening = useRef(recorte.uf === null && serie.nivel !== 'pais')
  const isEmpty = data === undefined ? isTooLarge(error) : data.sem_valor === data.valores.length
  const isAnswered = data !== undefined || error !== null
  useEffect(() => {
    if (!isAnswered || !isOpening.current) return
    isOpening.current = false
    if (!isEmpty) return
    void import('./opening.ts')
      .then(({ openingOf }) => openingOf(serie, recorte.por))
      .then(
        (place) => place !== null && change(place, true),
        () => undefined,
      )
  }, [isAnswered])
}

/** Values of one place as a line, with the weeks of its thresholds shaded. */
export function ValuesCard(props: CardProps) {
  const query = useValores(props)
  const t = seriesTexts()
  useOpening(props, query)
  if (isTooLarge(query.error))
    return (
      <section class="card">
        <Empty text={t.chart.needsPlace} />
      </section>
    )
  return (
    <div class="wide-part">
      {props.recorte.conhecidos !== null && (
        <p class="bar as-it-was" role="status">
          {t.chart.asKnown(new Date(props.recorte.conhecidos))}{' '}
          <a href={recortePath(props.serie, { ...props.recorte, conhecidos: null })}>{t.chart.backToNow}</a>
        </p>
      )}
      <Answer query={query} lines={8}>
        {(data) => <Values {...props} data={data} />}
      </Answer>
    </div>
  )
}

function Values({ serie, recorte, change, data }: CardProps & { data: Valores }) {
  const t = seriesTexts()
  const { lugar, valores, periodo, sem_valor } = data
  const [limiar] = serie.limiares
  const isMet = ({ limiares }: Valores['valores'][number]) => Object.values(limiares ?? {}).includes(true)
  const points = valores.map(
    (valor): LinePoint => ({
      label: t.period(periodo, codeOf(valor)),
      value: numberOf(serie, valor.valor),
      isCarried: valor.repetido,
      facts: [
        [t.chart.value, withUnit(valueText(serie, valor.valor), serie)],
        ...(valor.repetido
          ? [[t.chart.carried, valor.de === undefined ? '' : t.period(periodo, valor.de)] as const]
          : []),
      ],
    }),
  )
  const format = (value: number) =>
    serie.tipo_valor === 'categoria'
      ? (serie.categorias.find(({ ordem }) => ordem === value)?.rotulo ?? '')
      : t.decimal(value, serie.casas)
  const isEmpty = sem_valor === valores.length
  return (
    <ChartCard
      kind="series-card"
      title={t.chart.title(lugar.nome ?? '')}
      note={t.chart.note(t.periodos[periodo], t.detail.lastYears(recorte.anos))}
      table={() => tableOf(serie, data)}
    >
      {isEmpty ? (
        <Empty text={t.chart.nothing}>
          <p class="note">{t.chart.nothingNote}</p>
        </Empty>
      ) : (
        <LineChart
          points={points}
          shaded={valores.map(isMet)}
          sentence={t.chart.sentence(
            serie.nome,
            lugar.nome ?? '',
            valores.length - sem_valor,
            valores.length,
          )}
          walk={t.chart.walk}
          format={format}
          onOpen={(at) => {
            const valor = valores[at]
            if (valor !== undefined) change({ em: codeOf(valor) })
          }}
        />
      )}
      {!isEmpty && limiar !== undefined && periodo === 'semana' && (
        <ul class="legend">
          {serie.limiares.map(({ codigo, rotulo }) => (
            <li key={codigo}>
              <i class="threshold" />
              {t.chart.threshold(rotulo)}
            </li>
          ))}
        </ul>
      )}
      <p class="note">
        {[
          t.detail.source(data.fonte, data.licenca),
          data.atribuicao,
          data.parcial && t.chart.partial,
          data.nivel_valor !== undefined &&
            t.chart.largerPlace(t.niveis[data.nivel_valor as Serie['nivel']] ?? data.nivel_valor),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
    </ChartCard>
  )
}

function tableOf(serie: Serie, { periodo, valores, fonte, licenca }: Valores): TableData {
  const t = seriesTexts()
  const limiares = periodo === 'semana' ? serie.limiares : []
  const unit = t.unit(serie.unidade)
  const isAggregated = valores.some(({ cobertura_lugar }) => cobertura_lugar !== undefined)
  const met = (value: boolean | null | undefined) =>
    value === true ? t.chart.met.sim : value === false ? t.chart.met.nao : t.chart.met.nulo
  return {
    name: serie.codigo,
    columns: [
      t.chart.period,
      unit === '' ? t.chart.value : `${t.chart.value} (${unit})`,
      t.chart.coverage,
      ...(isAggregated ? [t.chart.placeCoverage] : []),
      t.chart.repeated,
      ...limiares.map(({ rotulo }) => rotulo),
      t.list.fonte,
    ],
    rows: valores.map((valor) => [
      t.period(periodo, codeOf(valor)),
      { text: valueText(serie, valor.valor) },
      { text: t.percent(valor.cobertura) },
      ...(isAggregated
        ? [{ text: valor.cobertura_lugar === undefined ? t.none : t.percent(valor.cobertura_lugar) }]
        : []),
      { text: !valor.repetido ? '' : valor.de === undefined ? t.chart.carried : t.period(periodo, valor.de) },
      ...limiares.map(({ codigo }) => ({ text: met(valor.limiares?.[codigo]) })),
      { text: `${fonte}; ${licenca}` },
    ]),
  }
}
