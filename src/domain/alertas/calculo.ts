import { setTimeout as sleep } from 'node:timers/promises'
import { dateInBrazil } from '../../brasil/calendar.ts'
import { weekOf } from '../../brasil/epi-week.ts'
import type { Database, Db } from '../../db/db.ts'
import { lazily } from '../../system/lazily.ts'
import type { App } from '../app.ts'
import {
  foldContagens,
  type LugarMudado,
  listCounted,
  listMarks,
  removeMarks,
  takeBulkChanges,
} from '../casos/counters/counters.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { keepParametros } from '../epidemiologia/parametros.ts'
import { intervaloOf } from '../epidemiologia/rt.ts'
import { type Lugar, lugarOf } from '../territorios/lugar.ts'
import { isWeekDue } from './agenda.ts'
import { avaliar } from './avaliacao.ts'
import { type NivelAtual, tell } from './aviso.ts'
import {
  type AlertasNeeds,
  type Cobertura,
  chaveOf,
  type DadosDoLugar,
  readCobertura,
  readDados,
} from './dados.ts'
import { findExecucao, markComplete } from './execucao.sql.ts'
import type { NivelRow } from './niveis.sql.ts'
import { type Guardados, readNiveis, storeNiveis } from './niveis.ts'
import type { Regra } from './regra.ts'
import { regras } from './regras.ts'

/**
 * Computes the levels of the last weeks, of the places whose counters changed or of all, stores them and tells what is new.
 *
 *   marks of changed places ── read ──► some regions at a time: levels, alerts and events in one transaction ──► marks removed
 *
 * One that is killed leaves the marks, and the next computes the same places again: what is stored already stays as it is, and
 * what was told is not told again.
 */

/** Weeks whose levels are computed, the last one that is over included. */
export const SEMANAS_AVALIADAS = 12

/** The work as its job sees it. */
export interface Passos {
  /** Between places; throws when the work is to stop. */
  proceed(): void
  /** In the transaction of each part; throws, which undoes it, when another has taken the work over. */
  done(tx: Db, share: number): Promise<void>
}

export interface ResumoDoCalculo {
  semana: number
  lugares: number
  niveis: number
  alertas: number
}

/** Beside its numbers, whom to tell. */
export type CalculoNeeds = AlertasNeeds & Pick<App, 'territories'>

export async function calcularAlertas(
  app: CalculoNeeds,
  passos: Passos,
  finish: (tx: Db, resumo: ResumoDoCalculo) => Promise<void>,
): Promise<ResumoDoCalculo> {
  const { db, clock } = app
  // First of all: the changes that ask for this computation are then among the ones that are folded.
  await takeBulkChanges(db)
  await foldAll(db)
  const last = weekOf(dateInBrazil(clock.now())) - 1
  const isWhole = isWeekDue(await findExecucao(db), clock.now())
  const marks = await listMarks(db)
  const parts = partsOf(app, isWhole ? [...(await listCounted(db)), ...marks] : marks)
  const byTipo = new Map((await regras(db, app)).map((regra) => [regra.tipo_agravo, regra]))
  const resumo = { semana: last, lugares: 0, niveis: 0, alertas: 0 }
  const regraOf = ({ tipo }: Parte) => byTipo.get(tipo) as Regra
  const coberturaOf = lazily((tipo: TipoAgravo) => {
    const lugares = parts.filter((part) => part.tipo === tipo).flatMap((part) => part.lugares)
    return readCobertura(app, lugares, { tipo, last, from: firstOf(last) })
  })
  const read = (part: Parte | undefined) => part && readAhead(app, part, last, coberturaOf(part.tipo))
  // The database reads the next part while this one is computed.
  let next = read(parts[0])
  for (const [i, part] of parts.entries()) {
    const lidos = (await next) as Lidos
    next = read(parts[i + 1])
    const result = await computePart(
      app,
      { ...part, regra: regraOf(part), ...lidos, last },
      {
        proceed: passos.proceed,
        done: (tx) => passos.done(tx, (i + 1) / parts.length),
      },
    )
    resumo.lugares += part.lugares.length
    resumo.niveis += result.niveis
    resumo.alertas += result.alertas
  }
  await db.transaction(async (tx) => {
    await removeMarks(tx, marks)
    if (isWhole) await markComplete(tx, last)
    await finish(tx, resumo)
  })
  return resumo
}

const FOLD_AGAIN_MS = 200

/** Another process that folds is waited for. */
async function foldAll(db: Database): Promise<void> {
  while (!(await foldContagens(db))) await sleep(FOLD_AGAIN_MS)
}

interface Parte {
  tipo: TipoAgravo
  lugares: Lugar[]
}

/** Municipalities whose numbers are read at a time: two parts are in memory, and the process of a job has 96 MB. */
const MOST_READ = 300

/** Places to compute, by disease and health region, each state behind its regions, the country last. */
function partsOf(app: AlertasNeeds, mudados: readonly LugarMudado[]): Parte[] {
  const byTipo = Map.groupBy(mudados, ({ tipo_agravo }) => tipo_agravo)
  return app.agravos.vigentes().comAlertas.flatMap((tipo) => {
    const ofTipo = byTipo.get(tipo) ?? []
    if (ofTipo.length === 0) return []
    const states = [...Map.groupBy(ofTipo, ({ estado }) => estado)].sort(([a], [b]) => (a < b ? -1 : 1))
    const parts = [...states.flatMap(([uf, places]) => partsOfState(app, uf, places)), [lugarOf(app, {})]]
    return parts.map((lugares) => ({ tipo, lugares }))
  })
}

function partsOfState(app: AlertasNeeds, uf: string, places: readonly LugarMudado[]): Lugar[][] {
  const estado = app.territorios.estados.find((one) => one.uf === uf)?.uf
  // An unknown state counts in the country alone.
  if (estado === undefined) return []
  const municipios = [...new Set(places.map(({ municipio }) => municipio))]
    .sort((a, b) => a - b)
    .flatMap((codigo) => app.municipios.byCodigo(codigo) ?? [])
    .filter((municipio) => municipio.uf === uf)
  const parts: Lugar[][] = [[]]
  let read = 0
  for (const [regiao, members] of Map.groupBy(municipios, (municipio) => municipio.regiao?.codigo ?? null)) {
    if (read >= MOST_READ) {
      parts.push([])
      read = 0
    }
    const part = parts.at(-1) as Lugar[]
    for (const { codigo } of members) part.push(lugarOf(app, { municipio: String(codigo) }))
    if (regiao !== null) part.push(lugarOf(app, { regiao_saude: String(regiao) }))
    // A region is the sum of all its municipalities.
    read += regiao === null ? members.length : app.territorios.municipiosOfRegiao(regiao).length
  }
  parts.at(-1)?.push(lugarOf(app, { estado }))
  return parts
}

/** All that is read for a part: the numbers of its places, and the levels that are stored of them. */
interface Lidos {
  dadosOf(lugar: Lugar): DadosDoLugar
  guardados: Guardados
}

const firstOf = (last: number) => last - SEMANAS_AVALIADAS + 1

/** A failure is the awaiting one's; a computation that ends before leaves it unseen. */
function readAhead(
  app: AlertasNeeds,
  { tipo, lugares }: Parte,
  last: number,
  cobertura: Promise<Cobertura>,
): Promise<Lidos> {
  const read = async (): Promise<Lidos> => {
    const from = firstOf(last)
    const pedido = { tipo, last, from, withDelays: true, cobertura: await cobertura }
    const [dadosOf, guardados] = await Promise.all([
      readDados(app, lugares, pedido),
      readNiveis(app.db, { tipo, from, to: last, lugares: lugares.map(chaveOf) }),
    ])
    return { dadosOf, guardados }
  }
  const reading = read()
  reading.catch(() => {})
  return reading
}

async function computePart(
  app: CalculoNeeds,
  { lugares, regra, dadosOf, guardados, last }: Parte & Lidos & { regra: Regra; last: number },
  { proceed, done }: { proceed(): void; done(tx: Db): Promise<void> },
): Promise<{ niveis: number; alertas: number }> {
  const { tipo_agravo: tipo, versao: regra_versao } = regra
  const intervalo = intervaloOf(app.agravos.vigentes(), tipo)
  const from = firstOf(last)
  const rows: NivelRow[] = []
  const atuais: NivelAtual[] = []
  const parametros: Parameters<typeof keepParametros>[1][number][] = []
  for (const lugar of lugares) {
    proceed()
    const { niveis, novos } = avaliar(
      dadosOf(lugar),
      { from, to: last, last, estimates: true },
      { regra, intervalo },
    )
    const chave = chaveOf(lugar)
    for (const { week: semana, ...nivel } of niveis)
      rows.push({ lugar: chave, tipo_agravo: tipo, semana, regra_versao, ...nivel })
    atuais.push({ lugar, nivel: niveis.at(-1) as (typeof niveis)[number] })
    if (novos !== null) parametros.push({ lugar: chave, tipo, casos: 'notificados', ...novos })
  }
  return app.db.transaction(async (tx) => {
    const now = app.clock.now()
    await keepParametros(tx, parametros)
    const niveis = await storeNiveis(tx, tipo, rows, { guardados, now })
    const alertas = await tell(app, tx, tipo, atuais, { regra_versao, now })
    await done(tx)
    return { niveis, alertas }
  })
}
