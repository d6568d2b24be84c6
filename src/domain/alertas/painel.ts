import { dateInBrazil } from '../../brasil/calendar.ts'
import { semanaAt, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { type Painel, type PainelPedido, painelOf } from '../casos/painel/painel.ts'
import type { LugarDoRecorte } from '../casos/statistics/recorte.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { type AlertasNeeds, chaveOf } from './dados.ts'
import { findNivel, type NivelRow } from './niveis.sql.ts'

/** Level of the painel's place and disease, of all its probable cases, whatever else the recorte asks for. */
export interface AlertaDoPainel extends Omit<NivelRow, 'lugar' | 'semana'> {
  semana: string
}

/** Numbers of a recorte, with the stored level of its place: one look into an index. */
export async function painelComAlerta(
  app: Parameters<typeof painelOf>[0] & AlertasNeeds,
  caller: Caller,
  pedido: PainelPedido,
): Promise<Painel & { alerta: AlertaDoPainel | null }> {
  const painel = await painelOf(app, caller, pedido)
  return { ...painel, alerta: await alertaOf(app, caller, pedido, painel.lugar) }
}

/** Null for several places, for weeks long past, for a place that is not seen as a whole, and where no level is stored. */
async function alertaOf(
  app: AlertasNeeds,
  caller: Caller,
  { tipo, last }: PainelPedido,
  recorte: LugarDoRecorte,
): Promise<AlertaDoPainel | null> {
  const ended = weekOf(dateInBrazil(app.clock.now())) - 1
  const lugar = placeOf(app, recorte)
  if (last < ended || lugar === null || !seesWhole(caller, lugar)) return null
  // The week before, as long as the last one is not computed yet.
  const found = await findNivel(app.db, { tipo, semanas: [ended, ended - 1], lugar: chaveOf(lugar) })
  if (found === null) return null
  const { lugar: _lugar, semana, ...nivel } = found
  return { ...nivel, semana: semanaAt(semana).codigo }
}

function placeOf(app: AlertasNeeds, { nivel, codigo }: LugarDoRecorte): Lugar | null {
  if (nivel === 'varios') return null
  return lugarOf(app, codigo === null ? {} : { [nivel]: codigo })
}
