import type { Municipio } from '../../brasil/municipios.ts'
import { type Cell, cellOf, createClosing, hideSmallCells, type Line } from '../../statistics/suppression.ts'
import { isLarge } from '../epidemiologia/suprimida.ts'
import { lugarOf } from '../territorios/lugar.ts'
import { countRecent, type Recorte } from './partes.ts'
import type { BoletimNeeds } from './secao.ts'

/**
 * Four weeks of all municipalities of a state, of its health regions and of the state, with small ones hidden and as many others as
 * it takes. Every public bulletin of the state or of a part of it asks for the same table, so that two of them do not add up to what
 * one of them hides. The country has the tables of all states.
 */
export async function recentesSuprimidos(
  app: BoletimNeeds,
  recorte: Recorte,
  minimo: number,
): Promise<(codigo: string) => boolean> {
  const { estado } = recorte.lugar
  const ufs = app.territorios.estados.map(({ uf }) => uf).filter((uf) => estado === null || uf === estado)
  const municipios = ufs.flatMap((uf) => app.territorios.municipiosOf(uf))
  const places = municipios.map(({ uf, codigo }) => ({ uf, codigo }))
  const casos = await countRecent(app, 'municipio', places, recorte)
  const totals = await countRecent(
    app,
    'estado',
    ufs.map((uf) => ({ uf, codigo: null })),
    recorte,
  )
  const cells = new Map<string, Cell>()
  const lines: { states: Line[]; regions: Line[] } = { states: [], regions: [] }
  const named = (codigo: string, cell: Cell) => {
    cells.set(codigo, cell)
    return cell
  }
  for (const uf of ufs) {
    const all = app.territorios.municipiosOf(uf)
    // A state of one municipality is what its part is.
    const isAlone = all.length === 1
    const leafOf = ({ codigo }: Municipio) =>
      named(String(codigo), cellOf(casos.get(String(codigo)) ?? 0, { isLarge: isAlone }))
    const regioes = app.territorios.regioesOf(uf).map(({ codigo }) => {
      const inside = app.territorios.municipiosOfRegiao(codigo)
      const regiao = lugarOf(app, { regiao_saude: String(codigo) })
      const large = isAlone || isLarge(regiao, app.populacao.populationOfAll(inside, recorte.ano))
      const parts = inside.map(leafOf)
      const total = named(String(codigo), cellOf(sumOf(parts), { isLarge: large }))
      lines.regions.push({ parts, total })
      return total
    })
    const outside = all.filter(({ regiao }) => regiao === null).map(leafOf)
    const total = totals.get(uf) ?? 0
    const unknown = cellOf(total - sumOf(regioes) - sumOf(outside))
    lines.states.push({
      parts: [...regioes, ...outside, unknown],
      total: named(uf, cellOf(total, { isLarge: true, isFixed: true })),
    })
  }
  const all = [...lines.states, ...lines.regions].flatMap(({ parts, total }) => [...parts, total])
  hideSmallCells(new Set(all), minimo)
  createClosing({ columns: lines.states, rows: lines.regions }, minimo).close()
  return (codigo) => cells.get(codigo)?.isHidden === true
}

const sumOf = (cells: readonly Cell[]) => cells.reduce((sum, { count }) => sum + count, 0)
