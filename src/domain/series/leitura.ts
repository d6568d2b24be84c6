import type { Database } from '../../db/db.ts'
import { invalid } from '../../errors/catalogue.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import type { NivelDeLugar } from '../territorios/lugar.ts'
import { canAlign, NO_VALUE, type Ponto } from './alinhamento.ts'
import { type BlocoLido, listBlocosOfEach } from './blocos.sql.ts'
import { alignAll, blocosOf, type PeriodosPedidos, type Reading, yearsOf } from './blocos-lidos.ts'
import { remembered } from './lembradas.ts'
import { depthOf, keyOfContaining, keyOfLugar, partesOf } from './lugares.ts'
import { addParts } from './partes.ts'
import type { Serie } from './serie.ts'

/** Values of a given series for one place: its own, those of its parts added up, or that of the larger place it lies in. */

export interface LeituraDoLugar {
  pontos: Ponto[]
  /** Level that the values are given for, where it is larger than the place. */
  nivel_valor: NivelDeLugar | null
  /** Keys of the places whose blocks were read. */
  lugares: string[]
}

export async function readGiven(
  app: Reading,
  db: Database,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  if (!canAlign(serie, pedido.periodo))
    throw invalid('query', ['periodo'], 'INCONSISTENT', { field: 'serie' })
  const { lugar } = alcance
  if (alcance.municipios.length === 0) return { pontos: nothing(pedido), nivel_valor: null, lugares: [] }
  const difference = depthOf(lugar.nivel) - depthOf(serie.nivel)
  if (difference >= 0) return readOwn(db, serie, alcance, pedido, difference > 0)
  return readParts(app, db, serie, alcance, pedido)
}

export const nothing = ({ first, last }: PeriodosPedidos): Ponto[] =>
  Array.from({ length: last - first + 1 }, () => NO_VALUE)

async function readOwn(
  db: Database,
  serie: Serie,
  { lugar, parcial }: LugarNoAlcance,
  pedido: PeriodosPedidos,
  isLarger: boolean,
): Promise<LeituraDoLugar> {
  const key = isLarger ? keyOfContaining(lugar, serie.nivel) : keyOfLugar(lugar)
  // A larger place is more than the caller may see of a country of persons; climate is nobody's.
  const isHidden = isLarger ? serie.dominio === 'humano' && parcial : parcial
  const blocos = isHidden ? [] : await blocosOfOne(db, serie, key, pedido)
  return {
    pontos: alignAll(serie, blocos, pedido),
    nivel_valor: isLarger ? serie.nivel : null,
    lugares: [key],
  }
}

function readParts(
  app: Reading,
  db: Database,
  serie: Serie,
  alcance: LugarNoAlcance,
  pedido: PeriodosPedidos,
): Promise<LeituraDoLugar> {
  const own = keyOfLugar(alcance.lugar)
  const partes = serie.agrega_lugar === 'nenhuma' ? [] : partesOf(app, alcance, serie.nivel)
  const keys = [...(alcance.parcial ? [] : [own]), ...partes.map(({ key }) => key)]
  const read = async () => ({
    pontos: await addParts(app, db, serie, { own, partes, keys }, pedido),
    nivel_valor: null,
    lugares: keys,
  })
  if (pedido.conhecidoEm !== null) return read()
  const { periodo, first, last } = pedido
  return remembered(db, { serie, lugares: keys, periodo, first, last }, read)
}

/** Reads of one place at a time share a statement. */
function blocosOfOne(db: Database, serie: Serie, key: string, pedido: PeriodosPedidos): Promise<BlocoLido[]> {
  if (pedido.conhecidoEm !== null) return blocosOf(db, serie, [key], pedido)
  return db.batch(listBlocosOfEach, { serie_id: serie.id, lugar: key, ...yearsOf(serie, pedido) })
}
