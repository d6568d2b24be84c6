import { dateInBrazil, timeInBrazil } from '../../brasil/calendar.ts'
import { anoOfWeek, firstWeekOf, semanaAt, weekOf, weeksIn } from '../../brasil/epi-week.ts'
import type { App } from '../app.ts'
import { paisOf } from './contagem.ts'
import {
  type ChaveDoRetrato,
  claimRetrato,
  countCasos,
  findRetrato,
  type LugarRetratado,
  listRetratos,
  type Retrato,
  readRetrato,
  replaceLugares,
} from './retratos.sql.ts'

/**
 * Daily snapshot of public numbers. A disease and a year are counted and suppressed as a whole, so that all places are of one
 * moment, and kept in the database, so that all instances answer the same until 04:00 in Brasília of the next day.
 */

export type PublicoNeeds = Pick<
  App,
  'db' | 'clock' | 'municipios' | 'territorios' | 'populacao' | 'publico' | 'agravos'
>

const HOUR_MS = 3_600_000
const FIRST_HOUR = 4

/** Day whose numbers are shown: it begins at 04:00. */
export const diaPublico = (now: Date) => dateInBrazil(new Date(now.getTime() - FIRST_HOUR * HOUR_MS))

/** Seconds until the next day begins. */
export function secondsToNextRetrato(now: Date): number {
  const [hours, minutes, seconds] = timeInBrazil(new Date(now.getTime() - FIRST_HOUR * HOUR_MS))
    .slice(11)
    .split(':')
    .map(Number) as [number, number, number]
  return 24 * 3600 - (hours * 3600 + minutes * 60 + seconds)
}

/** Numbers of some places, made first where there are none of the day. */
export async function numerosDoDia(
  app: PublicoNeeds,
  chave: ChaveDoRetrato,
  lugares: readonly string[],
): Promise<{ retrato: Retrato; lugares: LugarRetratado[] }> {
  const dia = diaPublico(app.clock.now())
  const found = await readRetrato(app.db, chave, lugares)
  if (found !== null && found.retrato.dia >= dia) return found
  await makeOnce(app, chave, dia)
  const made = await readRetrato(app.db, chave, lugares)
  if (made === null) throw new Error('a snapshot was made and is not there')
  return made
}

async function makeOnce(app: PublicoNeeds, chave: ChaveDoRetrato, dia: string): Promise<void> {
  const { making } = app.publico
  const key = `${chave.tipo_agravo} ${chave.ano} ${dia}`
  const running = making.get(key) ?? make(app, chave, dia).finally(() => making.delete(key))
  making.set(key, running)
  await running
}

async function make(app: PublicoNeeds, chave: ChaveDoRetrato, dia: string): Promise<void> {
  const feito_em = app.clock.now()
  const semanas = weeksBegun(chave.ano, dateInBrazil(feito_em))
  const first = firstWeekOf(chave.ano)
  const periodo = { inicio: semanaAt(first).inicio, fim: semanaAt(first + semanas - 1).fim }
  const counted = semanas === 0 ? [] : await countCasos(app.db, chave, periodo)
  const { minimo, suppress } = app.publico
  const numeros = await suppress(paisOf(app, counted, { ano: chave.ano, semanas }), minimo)
  await app.db.transaction(async (tx) => {
    if (await claimRetrato(tx, chave, { dia, feito_em, semanas, minimo }))
      await replaceLugares(tx, chave, numeros)
  })
}

/** Weeks of a year up to that of a day. */
function weeksBegun(ano: number, today: string): number {
  const current = weekOf(today)
  if (anoOfWeek(current) < ano) return 0
  return Math.min(weeksIn(ano), current - firstWeekOf(ano) + 1)
}

/** Makes the day's snapshots of the current year and of all that were asked for before. */
export async function refreshRetratos(app: PublicoNeeds): Promise<void> {
  const now = app.clock.now()
  const dia = diaPublico(now)
  const ano = anoOfWeek(weekOf(dateInBrazil(now)))
  const known = (await listRetratos(app.db)).filter((retrato) => retrato.dia < dia)
  for (const tipo_agravo of app.agravos.vigentes().codigos) {
    const chave = { tipo_agravo, ano }
    if ((await findRetrato(app.db, chave)) === null) await makeOnce(app, chave, dia)
  }
  for (const { tipo_agravo, ano } of known) await makeOnce(app, { tipo_agravo, ano }, dia)
}
