import { dateInBrazil } from '../../brasil/calendar.ts'
import { sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Db } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import {
  countMunicipios,
  countWeeks,
  countWeeksKnownAt,
  type RecorteDeEpizootias,
} from '../epizootias/contagens.ts'
import { align, canAlign, type FaixaDePeriodos, type Ponto, sourceRange } from './alinhamento.ts'
import type { PeriodosPedidos, Reading } from './blocos-lidos.ts'
import { type LeituraDoLugar, nothing } from './leitura.ts'
import type { Derivada, Serie } from './serie.ts'

/**
 * Series of events in animals: their number by week of occurrence, from the counters, so that it is never stored twice; as known at
 * an earlier moment, from the history of the events. A week without an event is zero, one that is still to come has no value.
 */

export type DerivadaDeEpizootias = Extract<Derivada, { tipo: 'epizootias' }>

interface Semanas {
  first: number
  last: number
}

export async function readEpizootias(
  app: Reading,
  db: Db,
  serie: Serie,
  derivada: DerivadaDeEpizootias,
  { lugares }: Pick<LugarNoAlcance, 'lugares'>,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  const source = sourceOf(serie, pedido)
  if (lugares?.length === 0) return { pontos: nothing(pedido), nivel_valor: null, lugares: [] }
  const recorte = recorteOf(derivada, lugares, source)
  const { conhecidoEm } = pedido
  const rows = await (conhecidoEm === null
    ? countWeeks(db, recorte)
    : countWeeksKnownAt(db, recorte, conhecidoEm))
  const faixa = faixaOf(conhecidoEm ?? app.clock.now(), source, rows)
  const { periodo, first, last } = pedido
  return { pontos: align(serie, faixa, periodo, first, last), nivel_valor: null, lugares: [] }
}

/** Every municipality, by one statement. */
export async function readEpizootiasByMunicipio(
  app: Reading,
  db: Db,
  serie: Serie,
  derivada: DerivadaDeEpizootias,
  { lugares }: Pick<LugarNoAlcance, 'lugares'>,
  pedido: PeriodosPedidos,
): Promise<(municipio: number) => Ponto[]> {
  const source = sourceOf(serie, pedido)
  const rows = await countMunicipios(db, recorteOf(derivada, lugares, source))
  const byMunicipio = Map.groupBy(rows, ({ municipio }) => municipio)
  const { periodo, first, last } = pedido
  const pontosOf = (own: readonly { domingo: string; eventos: number }[]) =>
    align(serie, faixaOf(app.clock.now(), source, own), periodo, first, last)
  const without = pontosOf([])
  return (municipio) => {
    const own = byMunicipio.get(municipio)
    return own === undefined ? without : pontosOf(own)
  }
}

function sourceOf(serie: Serie, { periodo, first, last }: PeriodosPedidos): Semanas {
  if (!canAlign(serie, periodo)) throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  return sourceRange(serie, periodo, first, last)
}

const recorteOf = (
  { especie_grupo = undefined, suspeita = undefined, classificacao = undefined }: DerivadaDeEpizootias,
  lugares: RecorteDeEpizootias['lugares'],
  { first, last }: Semanas,
): RecorteDeEpizootias => ({
  lugares,
  especie_grupo: especie_grupo ?? null,
  suspeita: suspeita ?? null,
  classificacao: classificacao ?? null,
  inicio: sundayOfWeek(first),
  fim: saturdayOf(last),
})

const saturdayOf = (week: number): string =>
  new Date(Date.parse(`${sundayOfWeek(week + 1)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10)

function faixaOf(
  moment: Date,
  { first, last }: Semanas,
  rows: readonly { domingo: string; eventos: number }[],
): FaixaDePeriodos {
  const latest = weekOf(dateInBrazil(moment))
  const values = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    first + i > latest ? Number.NaN : 0,
  )
  for (const { domingo, eventos } of rows) values[weekOf(domingo) - first] = eventos
  return { first, values }
}
