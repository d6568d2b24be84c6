import type { LugarDoBoletim, LugarDoMapa, MunicipiosDoBoletim } from '../../dados.ts'
import { type DataTable, type DocumentBlock, figure, levelCell, paragraph, words } from '../blocks.ts'
import type { Words } from '../format.ts'

/** Ten municipalities with the highest incidence, and those that changed their level. */
export function municipiosBlocks(
  w: Words,
  lugar: LugarDoBoletim,
  { maior_incidencia, mudaram_de_nivel }: MunicipiosDoBoletim,
): DocumentBlock[] {
  const { t } = w
  if (lugar.nivel === 'municipio') return [paragraph(t.municipios.ofMunicipio)]
  const nomeOf = ({ nome, estado, codigo }: LugarDoMapa) =>
    lugar.nivel === 'pais' && codigo.length > 2 ? `${nome} (${estado})` : nome
  return [
    maior_incidencia.length === 0
      ? paragraph(t.municipios.noneHighest)
      : { kind: 'table', table: highestTable(w, maior_incidencia, nomeOf) },
    mudaram_de_nivel.length === 0
      ? paragraph(t.municipios.noneChanged)
      : { kind: 'table', table: changedTable(w, mudaram_de_nivel, nomeOf) },
  ]
}

type NomeOf = (lugar: LugarDoMapa) => string

function highestTable(w: Words, lugares: readonly LugarDoMapa[], nomeOf: NomeOf): DataTable {
  const { t } = w
  return {
    caption: t.municipios.highest,
    columns: [
      t.columns.place.municipio,
      t.columns.incidence4,
      t.columns.cases4,
      t.columns.population,
      t.columns.level,
    ],
    rows: lugares.map((lugar) => [
      words(nomeOf(lugar)),
      figure(w.cell(lugar.incidencia_4_semanas, lugar.suprimido, w.rate)),
      figure(w.cell(lugar.casos_4_semanas, lugar.suprimido)),
      figure(w.count(lugar.populacao)),
      levelCell(t.levels[lugar.nivel].word, lugar.nivel),
    ]),
    isLong: false,
  }
}

function changedTable(w: Words, lugares: readonly LugarDoMapa[], nomeOf: NomeOf): DataTable {
  const { t } = w
  const isOfStates = lugares.every(({ codigo }) => codigo.length === 2)
  return {
    caption: t.municipios.changed,
    columns: [
      t.columns.place[isOfStates ? 'estado' : 'municipio'],
      t.columns.levelBefore,
      t.columns.level,
      t.columns.cases4,
    ],
    rows: lugares.map((lugar) => [
      words(nomeOf(lugar)),
      levelCell(t.levels[lugar.nivel_anterior].word, lugar.nivel_anterior),
      levelCell(t.levels[lugar.nivel].word, lugar.nivel),
      figure(w.cell(lugar.casos_4_semanas, lugar.suprimido)),
    ]),
    isLong: false,
  }
}
