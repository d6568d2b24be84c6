import { semanaAt, weekOf } from '../../../../src/brasil/epi-week.ts'
import type { TableData } from '../../charts/table-data.ts'
import { NIVEIS } from '../../state/alertas.ts'
import { texts } from '../../state/texts.ts'
import { type NivelComNumeros, NivelMark, NivelTag } from '../../ui/nivel.tsx'
import { isDividedFurther } from './figures.ts'
import type { PartProps } from './painel.tsx'

/** Levels of alert of the places of the map. */

export interface LevelOfPlace extends NivelComNumeros {
  lugar: { codigo: string | null; nome: string }
}

/** Levels are of the next level of places, and of the last week that ended; of earlier periods they say nothing. */
export const hasLevels = ({ painel, state: { rules } }: PartProps): boolean =>
  !isDividedFurther(painel) && semanaAt(weekOf(rules.today) - 1).codigo <= painel.periodo.semana_fim

export const rankOf = ({ nivel }: Pick<NivelComNumeros, 'nivel'>): number => NIVEIS.indexOf(nivel)

/** The highest first. */
export const byLevel = (items: readonly LevelOfPlace[]): LevelOfPlace[] =>
  items.toSorted((one, other) => rankOf(other) - rankOf(one) || other.casos_estimados - one.casos_estimados)

export function LevelLegend({ semana }: { semana: string | undefined }) {
  const t = texts()
  return (
    <div class="map-legend">
      <ul class="levels">
        {NIVEIS.map((nivel, i) => (
          <li key={nivel}>
            <i class={`n${i}`} />
            <NivelMark nivel={nivel} /> {t.niveis.nomes[nivel]}
          </li>
        ))}
      </ul>
      <p class="note">
        {semana !== undefined && `${t.niveis.mapNote(semana)} `}
        {t.map.source}
      </p>
    </div>
  )
}

export function LevelTip({ nome, found }: { nome: string; found: LevelOfPlace | undefined }) {
  const t = texts()
  return (
    <>
      <b>{nome}</b>
      {found === undefined ? (
        <p>{t.painel.unknown}</p>
      ) : (
        <>
          <p>
            <NivelTag nivel={found.nivel} />
          </p>
          <p>{found.motivos.map((motivo) => t.niveis.motivosCurtos[motivo]).join(', ')}</p>
        </>
      )}
      <p class="note">{t.painel.goDown}</p>
    </>
  )
}

export function levelsTable(items: readonly LevelOfPlace[]): TableData {
  const t = texts()
  const { niveis } = t
  return {
    name: 'alertas',
    columns: [t.painel.place, niveis.alerta, niveis.why, niveis.known, niveis.expected],
    rows: items.map(({ lugar, nivel, motivos, casos, casos_estimados }) => [
      lugar.nome,
      { text: niveis.nomes[nivel] },
      { text: motivos.map((motivo) => niveis.motivosCurtos[motivo]).join(', ') },
      { text: niveis.number(casos) },
      { text: niveis.number(casos_estimados) },
    ]),
  }
}
