import { dateInBrazil } from '../../brasil/calendar.ts'
import { semanaAt, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { type Painel, type PainelPedido, painelOf } from '../casos/painel/painel.ts'
import type { LugarDoRecorte } from '../casos/statistics/recorte.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { type AlertasNeeds, chaveOf } from './dados.ts'
import { listNiveis, type NivelRow } from './niveis.sql.ts'

/** Level of the painel's place and disease, of all its probable cases, whatever else the recorte asks for. */
export interface AlertaDoPainel extends Omit<NivelRow, 'lugar' | 'semana'> {
  semana: string
}

/** Cases that a week will have had when all are typed in. */
export interface EstimativaDaSemana {
  semana: string
  casos: number
}

interface Niveis {
  alerta: AlertaDoPainel | null
  /** Of the last weeks that are over, never below the known cases; none where the recorte is not all probable cases of a place by onset. */
  estimativas: EstimativaDaSemana[]
}

/** Numbers of a recorte, with the stored level of its place and the estimates behind it: one look into an index. */
export async function painelComAlerta(
  app: Parameters<typeof painelOf>[0] & AlertasNeeds,
  caller: Caller,
  pedido: PainelPedido,
): Promise<Painel & Niveis> {
  const painel = await painelOf(app, caller, pedido)
  return { ...painel, ...(await niveisOf(app, caller, pedido, painel)) }
}

const NOTHING: Niveis = { alerta: null, estimativas: [] }
/** Weeks that are still arriving when they are over. */
const ESTIMADAS = 4

/** Nothing for several places, for weeks long past, for a place that is not seen as a whole, and where no level is stored. */
async function niveisOf(
  app: AlertasNeeds,
  caller: Caller,
  pedido: PainelPedido,
  { lugar: recorte, semanas }: Painel,
): Promise<Niveis> {
  const { tipo, last } = pedido
  const ended = weekOf(dateInBrazil(app.clock.now())) - 1
  const lugar = placeOf(app, recorte)
  if (last < ended || lugar === null || !seesWhole(caller, lugar)) return NOTHING
  const asked = { tipo, from: ended - ESTIMADAS + 1, to: ended, lugares: [chaveOf(lugar)] }
  const rows = (await listNiveis(app.db, asked)).sort((one, other) => one.semana - other.semana)
  const newest = rows.at(-1)
  // The week before, as long as the last one is not computed yet.
  if (newest === undefined || newest.semana < ended - 1) return NOTHING
  const { lugar: _lugar, semana, ...nivel } = newest
  const alerta = { ...nivel, semana: semanaAt(semana).codigo }
  if (!isWhole(pedido)) return { alerta, estimativas: [] }
  const known = new Map(semanas.map((one) => [one.semana, one.casos]))
  const estimativas = rows.map((row) => {
    const { codigo } = semanaAt(row.semana)
    return { semana: codigo, casos: Math.max(row.casos_estimados, known.get(codigo) ?? 0) }
  })
  return { alerta, estimativas }
}

/** Filters by which a recorte still is the whole of a place and disease. */
const WHOLE: ReadonlySet<string> = new Set([
  ...['agravo_codigo', 'tipo_agravo', 'estado', 'regiao_saude', 'municipio', 'classificacao'],
])

function isWhole({ filter, dataBase }: PainelPedido): boolean {
  if (dataBase !== 'sintomas' || filter.kind !== 'and') return false
  const tests = filter.of.filter((one) => one.kind === 'test')
  const classes = tests.filter(({ field }) => field === 'classificacao')
  return (
    tests.length === filter.of.length &&
    tests.every(({ field }) => WHOLE.has(field)) &&
    classes.length === 1 &&
    classes.every(({ op, value }) => op === 'eq' && value === 'provavel')
  )
}

function placeOf(app: AlertasNeeds, { nivel, codigo }: LugarDoRecorte): Lugar | null {
  if (nivel === 'varios') return null
  return lugarOf(app, codigo === null ? {} : { [nivel]: codigo })
}
