import { boxAround, type Fit, fitOf, type Place, SEAT_PX } from '../../../../charts/outlines.ts'
import { middleOf, outlinePath, symbolPath } from '../../../../charts/symbols.ts'
import { NIVEIS_DE_ALERTA } from '../../../alertas/nivel.ts'
import type { LugarDoMapa, MapaDoBoletim } from '../../dados.ts'
import { type DataTable, type DocumentBlock, figure, levelCell, paragraph, words } from '../blocks.ts'
import { placesOf } from '../contornos.ts'
import { area, type Drawing, isNarrow, type LegendEntry, NIVEL_LOOK, type PathShape } from '../drawing.ts'
import type { Words } from '../format.ts'
import { barsBlock } from './barras.ts'

/** Drawn near the coast (`src/brasil/malha.ts`). */
const NORONHA = '2605459'
const BORDER = '#68777c'
/** Height of a map by its width, at most; on paper a chart stands above it. */
const MOST_HEIGHT = { narrow: 0.92, wide: 0.62 }
/** Signs grow with the room that a place has, within these limits. */
const SIGN = { share: 0.17, least: 1.7, most: 5 }

type MapaDeLugares = Exclude<MapaDoBoletim, { tipo: 'bairro' }>
type MapaDeBairros = Extract<MapaDoBoletim, { tipo: 'bairro' }>

/** Map of the parts of a place by level; of a municipality, its bairros. */
export const mapaBlocks = (w: Words, mapa: MapaDoBoletim, minimo: number): DocumentBlock[] =>
  mapa.tipo === 'bairro' ? bairroBlocks(w, mapa, minimo) : lugarBlocks(w, mapa)

function lugarBlocks(w: Words, { tipo, lugares }: MapaDeLugares): DocumentBlock[] {
  const { t } = w
  const counts = NIVEIS_DE_ALERTA.toReversed()
    .map((nivel) => ({ nivel, count: lugares.filter((one) => one.nivel === nivel).length }))
    .filter(({ count }) => count > 0)
    .map(({ nivel, count }) => t.map.count(t.levels[nivel].word, t.map.places[tipo](w.count(count))))
  const sentence = t.map.sentence(w.list(counts))
  const places = placesOf(tipo, lugares)
  const moved = lugares.some(({ codigo }) => codigo === NORONHA) ? [paragraph(t.map.moved)] : []
  return [
    paragraph(sentence),
    {
      kind: 'chart',
      chart: {
        caption: t.map.caption[tipo],
        alt: `${t.map.caption[tipo]}. ${sentence}`,
        draw: (width) => drawMapa(w, places, lugares, width),
        legend: levelLegend(w),
        table: tableOf(w, tipo, lugares),
      },
    },
    ...moved,
  ]
}

function drawMapa(
  w: Words,
  places: readonly Place[],
  lugares: readonly LugarDoMapa[],
  width: number,
): Drawing {
  if (places.length === 0) return { width, height: 1, shapes: [] }
  const [left, top, right, bottom] = boxAround(places)
  const ratio = (bottom - top) / Math.max(right - left, 1e-6)
  const most = isNarrow(width) ? MOST_HEIGHT.narrow : MOST_HEIGHT.wide
  const height = Math.round(width * Math.min(most, Math.max(0.3, ratio + 0.03)))
  const fit = fitOf([left, top, right, bottom], width, height)
  const byCodigo = new Map(lugares.map((lugar) => [lugar.codigo, lugar]))
  const room = Math.sqrt((width * height) / places.length)
  const radius = Math.min(SIGN.most, Math.max(SIGN.least, SIGN.share * room))
  const drawn = places.map((place) => ({ place, lugar: byCodigo.get(place.id) as LugarDoMapa }))
  return {
    width,
    height,
    shapes: [
      ...drawn.map(({ place, lugar }): PathShape => {
        const { fill } = NIVEL_LOOK[lugar.nivel]
        const title = `${lugar.nome}: ${w.t.levels[lugar.nivel].word.toLowerCase()}`
        return { ...area(pathOf(place, fit), fill), stroke: BORDER, width: 0.5, title }
      }),
      ...drawn
        .filter(({ lugar }) => lugar.nivel !== 'verde')
        .map(({ place, lugar }) => {
          const { symbol, sign, fill } = NIVEL_LOOK[lugar.nivel]
          // An edge in the colour of the level: signs of small places reach beyond their outline.
          return {
            ...area(symbolPath(symbol, inDrawing(place, fit), radius), sign),
            stroke: fill,
            width: 1.2,
          }
        }),
    ],
  }
}

function inDrawing({ rings, box }: Place, { scale, x, y }: Fit): [number, number] {
  const [px, py] = rings.length === 0 ? box : middleOf(rings)
  return [x + scale * px, y + scale * py]
}

const pathOf = (place: Place, fit: Fit) =>
  place.rings.length === 0
    ? symbolPath('circle', inDrawing(place, fit), SEAT_PX)
    : outlinePath(place.rings, fit)

/** Every level, also those that no place has: the scale is known only as a whole. */
function levelLegend({ t }: Words): LegendEntry[] {
  return NIVEIS_DE_ALERTA.map((nivel) => {
    const { fill, sign, symbol } = NIVEL_LOOK[nivel]
    const box: PathShape = { ...area('M0.5 0.5h25v11h-25Z', fill), stroke: BORDER, width: 0.5 }
    const inside = nivel === 'verde' ? [] : [area(symbolPath(symbol, [13, 6], 3.6), sign)]
    const { word, meaning } = t.levels[nivel]
    return { label: `${word}: ${meaning}`, sample: [box, ...inside] }
  })
}

function tableOf(w: Words, tipo: 'estado' | 'municipio', lugares: readonly LugarDoMapa[]): DataTable {
  const { t } = w
  return {
    caption: t.map.caption[tipo],
    columns: [t.columns.place[tipo], t.columns.level, t.columns.cases4, t.columns.incidence4],
    rows: lugares.map(({ nome, nivel, casos_4_semanas, incidencia_4_semanas, suprimido }) => [
      words(nome),
      levelCell(t.levels[nivel].word, nivel),
      figure(w.cell(casos_4_semanas, suprimido)),
      figure(w.cell(incidencia_4_semanas, suprimido, w.rate)),
    ]),
    isLong: true,
  }
}

/** Bairros have no outlines: bars instead of a map. */
function bairroBlocks(w: Words, { bairros, demais }: MapaDeBairros, minimo: number): DocumentBlock[] {
  const { t } = w
  const bars = [
    ...bairros.map(({ nome, casos_4_semanas, suprimido }) => ({
      name: nome,
      value: casos_4_semanas,
      text: w.cell(casos_4_semanas, suprimido),
    })),
    { name: t.map.others, value: demais.valor, text: w.value(demais) },
  ]
  const block = barsBlock({
    caption: t.map.bairros,
    bars,
    columns: [t.columns.place.bairro, t.columns.cases4],
    isLong: bars.length > 30,
  })
  return [...(bairros.length === 0 ? [paragraph(t.map.noBairros(minimo))] : []), block]
}
