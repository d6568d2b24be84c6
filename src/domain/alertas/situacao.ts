import { setImmediate as turn } from 'node:timers/promises'
import { dateInBrazil } from '../../brasil/calendar.ts'
import { semanaAt, semanaByCodigo, sundayOfWeek, weekOf } from '../../brasil/epi-week.ts'
import type { Caller } from '../../caller/caller.ts'
import { invalid } from '../../errors/catalogue.ts'
import { type Ears, ears } from '../../statistics/ears.ts'
import { type Farrington, farrington } from '../../statistics/farrington.ts'
import { round } from '../../statistics/rounding.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import { NOWCAST_DELAYS } from '../epidemiologia/nowcast.ts'
import { intervaloOf } from '../epidemiologia/rt.ts'
import type { Lugar, LugarPedido, NivelDeLugar } from '../territorios/lugar.ts'
import { seesWhole } from '../territorios/vistos.ts'
import { type Avaliacao, avaliar } from './avaliacao.ts'
import { type AlertasNeeds, chaveOf, type DadosDoLugar, readCobertura, readDados } from './dados.ts'
import { lugaresDoNivel } from './lugares.ts'
import { listNiveis, type NivelRow } from './niveis.sql.ts'
import type { Regra } from './regra.ts'
import { regraOf } from './regras.ts'

/** Level of every place of one kind in a week: as it was stored, or from today's numbers where none is. */

export interface SituacaoPedida extends LugarPedido {
  tipo_agravo: TipoAgravo
  /** `AAAASS`; the last one that is over unless given. */
  semana?: string | undefined
  nivel_lugar: NivelDeLugar
  detalhe: boolean
}

export interface Detalhe {
  ears: Ears
  farrington: Farrington | null
}

export interface SituacaoDoLugar extends Omit<NivelRow, 'lugar' | 'semana'> {
  lugar: Lugar
  semana: string
  /** Only where it was asked for. */
  detalhe: Detalhe | null
}

export interface Situacao {
  semana: string
  lugares: SituacaoDoLugar[]
}

export async function situacao(
  app: AlertasNeeds,
  caller: Pick<Caller, 'territorio'>,
  pedido: SituacaoPedida,
): Promise<Situacao> {
  const { tipo_agravo: tipo, detalhe } = pedido
  const lugares = lugaresDoNivel(app, pedido).filter((lugar) => seesWhole(caller, lugar))
  const last = weekOf(dateInBrazil(app.clock.now())) - 1
  const week = weekAsked(pedido, last)
  const semana = semanaAt(week).codigo
  const stored = await listNiveis(app.db, { tipo, from: week, to: week, lugares: lugares.map(chaveOf) })
  const storedOf = new Map(stored.map((row) => [row.lugar, row]))
  const toRead = detalhe ? lugares : lugares.filter((lugar) => !storedOf.has(chaveOf(lugar)))
  const regra = await regraOf(app.db, app, tipo)
  const computed = await computeAll(app, toRead, regra, { week, last })
  const items = lugares.map((lugar) => {
    const found = computed.get(lugar)
    const row = storedOf.get(chaveOf(lugar)) ?? (found as Computed).row
    return {
      ...row,
      lugar,
      semana,
      detalhe: detalhe && found ? detalheOf(found, week) : null,
    }
  })
  return { semana, lugares: items }
}

function weekAsked({ semana }: Pick<SituacaoPedida, 'semana'>, last: number): number {
  if (semana === undefined) return last
  const begin = semanaByCodigo(semana)?.inicio
  if (begin === undefined) throw invalid('query', ['semana'], 'INVALID_VALUE', { allowed: 'AAAASS' })
  const week = weekOf(begin)
  if (week > last) throw invalid('query', ['semana'], 'IN_FUTURE', {})
  return week
}

interface Computed extends Avaliacao {
  row: Omit<NivelRow, 'lugar' | 'semana'>
  primeira: DadosDoLugar['primeira']
}

/** Milliseconds after which others get their turn. */
const SLICE_MS = 20

async function computeAll(
  app: AlertasNeeds,
  lugares: readonly Lugar[],
  regra: Regra,
  { week, last }: { week: number; last: number },
): Promise<Map<Lugar, Computed>> {
  const found = new Map<Lugar, Computed>()
  if (lugares.length === 0) return found
  const { tipo_agravo: tipo, versao: regra_versao } = regra
  const intervalo = intervaloOf(app.agravos.vigentes(), tipo)
  const withDelays = last - week < NOWCAST_DELAYS
  const cobertura = await readCobertura(app, lugares, { tipo, last, from: week })
  const dadosOf = await readDados(app, lugares, { tipo, last, from: week, withDelays, cobertura })
  let begun = performance.now()
  for (const lugar of lugares) {
    const dados = dadosOf(lugar)
    const avaliacao = avaliar(dados, { from: week, to: week, last, estimates: false }, { regra, intervalo })
    const [{ week: _week, ...nivel }] = avaliacao.niveis as [Avaliacao['niveis'][number]]
    found.set(lugar, {
      ...avaliacao,
      row: { tipo_agravo: tipo, regra_versao, ...nivel },
      primeira: dados.primeira,
    })
    if (performance.now() - begun > SLICE_MS) {
      await turn()
      begun = performance.now()
    }
  }
  return found
}

/** Baselines of EARS reach so many weeks back; before the first case there are none. */
const BASELINES = 12
const DECIMALS = 4

function detalheOf({ esperados, primeira }: Computed, week: number): Detalhe {
  const begin = Math.min(primeira ?? week, week - BASELINES)
  const series = Array.from({ length: week - begin + 1 }, (_, i) => esperados(begin + i))
  const t = series.length - 1
  const { c1, c2, c3 } = ears(series, t)
  const limited = ({ limite, alarme }: Ears['c1']) => ({ limite: round(limite, DECIMALS), alarme })
  // Without five years of cases there is nothing to compare with, and regressions take time.
  const second = primeira === null ? null : farrington(series, t, sundayOfWeek(week))
  return {
    ears: { c1: limited(c1), c2: limited(c2), c3: { valor: round(c3.valor, DECIMALS), alarme: c3.alarme } },
    farrington: second && {
      limite: round(second.limite, DECIMALS),
      esperado: round(second.esperado, DECIMALS),
      alarme: second.alarme,
    },
  }
}
