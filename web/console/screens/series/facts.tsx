import { seriesTexts } from '../../state/texts/series.ts'
import { type Serie, withUnit } from './serie-data.ts'

/** The definition in words. */
export function Facts({ serie }: { serie: Serie }) {
  const t = seriesTexts()
  const { detail } = t
  const limit = (value: number | null) => (value === null ? detail.noLimit : t.decimal(value, 6))
  const facts: [string, string | null][] = [
    [detail.codigo, serie.codigo],
    [t.list.dominio, `${t.dominios[serie.dominio]}, ${t.temas[serie.tema]}`],
    [detail.unidade, t.unit(serie.unidade) || null],
    [detail.periodo, t.periodos[serie.periodo]],
    [detail.nivel, t.niveis[serie.nivel]],
    [detail.tempo, t.agregacoes[serie.agrega_tempo]],
    [detail.lugar, t.agregacoes[serie.agrega_lugar]],
    [
      detail.faixa,
      serie.minimo === null && serie.maximo === null
        ? null
        : detail.range(limit(serie.minimo), limit(serie.maximo)),
    ],
    [detail.validade, detail.periods(serie.validade)],
    [
      detail.limiares,
      serie.limiares
        .map(({ rotulo, operador, valor, semanas }) =>
          detail.limiar(rotulo, t.operadores[operador], withUnit(t.decimal(valor, 6), serie), semanas),
        )
        .join('; ') || null,
    ],
    [detail.atribuicao, serie.atribuicao],
    [detail.publica, serie.publica ? detail.yes : detail.no],
  ]
  return (
    <section class="card facts-card" aria-label={detail.facts}>
      <dl class="facts">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        <div>
          <dt>{detail.fonte}</dt>
          <dd>
            {serie.fonte_url === null ? (
              serie.fonte
            ) : (
              <a href={serie.fonte_url} rel="noopener noreferrer" target="_blank">
                {serie.fonte}
              </a>
            )}
          </dd>
        </div>
        <div>
          <dt>{detail.licenca}</dt>
          <dd>{serie.licenca}</dd>
        </div>
      </dl>
    </section>
  )
}
