import type { Caller } from '../../caller/caller.ts'
import type { Page } from '../../filter.ts'
import { withinCaller } from '../casos/statistics/alcance.ts'
import { type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import { countImagens, type Imagem, listImagens } from './blocos.sql.ts'
import { keyOfLugar } from './lugares.ts'
import { firstDayOfPeriod, periodAt } from './periodos.ts'
import type { Serie } from './serie.ts'
import { getSerie } from './series.ts'
import { type ReadingNeeds, shownValue, type ValorMostrado } from './valores.ts'

/** Changes of the values of one place, the newest first. */

export interface Revisao {
  ano: number
  revisao: number
  ate: Date
  usuario: string | null
  importacao_id: number | null
  alterados: { inicio: string; antes: ValorMostrado; depois: ValorMostrado }[]
}

export async function revisoesDaSerie(
  app: ReadingNeeds,
  caller: Pick<Caller, 'territorio'>,
  codigo: string,
  pedido: LugarPedido & { page: number; size: number },
): Promise<Page<Revisao>> {
  const serie = await getSerie(app.db, codigo)
  const { lugar, parcial } = withinCaller(app, caller, lugarOf(app, pedido))
  const { page, size } = pedido
  if (parcial) return { total: 0, page, size, items: [] }
  const key = keyOfLugar(lugar)
  const [images, total] = await Promise.all([
    listImagens(app.db, serie.id, key, { size, offset: (page - 1) * size }),
    countImagens(app.db, serie.id, key),
  ])
  return { total, page, size, items: images.map((image) => toRevisao(serie, image)) }
}

function toRevisao(serie: Serie, image: Imagem): Revisao {
  const { antes, depois, ano, revisao, ate, usuario_nome, importacao_id } = image
  const slots = Math.max(antes?.length ?? 0, depois?.length ?? 0)
  const alterados = Array.from({ length: slots }, (_, slot) => slot).flatMap((slot) => {
    const [before, after] = [antes?.[slot] ?? null, depois?.[slot] ?? null]
    const index = periodAt(serie.periodo, ano, slot)
    if (Object.is(before, after) || index === null) return []
    const inicio = firstDayOfPeriod(serie.periodo, index)
    return [{ inicio, antes: shownValue(serie, before), depois: shownValue(serie, after) }]
  })
  return { ano, revisao: revisao + 1, ate, usuario: usuario_nome, importacao_id, alterados }
}
