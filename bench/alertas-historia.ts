import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anoOfWeek, firstWeekOf, semanaAt, sundayOfWeek, weekOf, weeksIn } from '../src/brasil/epi-week.ts'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { loadPopulacao } from '../src/brasil/populacao.ts'
import { indexTerritorios } from '../src/brasil/territorios.ts'
import { UFS } from '../src/brasil/uf.ts'
import { createPool } from '../src/db/pool.ts'
import { avaliar } from '../src/domain/alertas/avaliacao.ts'
import { type Cobertura, readCobertura } from '../src/domain/alertas/dados.ts'
import type { NivelDeAlerta } from '../src/domain/alertas/nivel.ts'
import { regraOf } from '../src/domain/alertas/regras.ts'
import { CONHECIDAS, fixedAgravos } from '../src/domain/casos/agravos/registro.ts'
import { listDelaysByPlace, sumWeeksByPlace } from '../src/domain/casos/counters/semanas.ts'
import { TIPOS_AGRAVO, type TipoAgravo } from '../src/domain/casos/enumeracoes.ts'
import { sharesOf } from '../src/domain/epidemiologia/completude.ts'
import { residentsOf } from '../src/domain/epidemiologia/lugar-contado.ts'
import { NOWCAST_DELAYS, NOWCAST_ROWS } from '../src/domain/epidemiologia/nowcast.ts'
import { INTERVALO_USUAL } from '../src/domain/epidemiologia/rt.ts'
import { casosBetween, NO_CASES, type SerieSemanal, toSerie } from '../src/domain/epidemiologia/serie.ts'
import { lugarOf } from '../src/domain/territorios/lugar.ts'
import { median } from '../src/statistics/summary.ts'
import { prepare } from './comparison/prepare.ts'

/**
 * Alerts on history: the level of every week of the last years as it would have been told when the week ended, from the cases
 * that were typed in by then, for states and the country. A year with at least twice the median of cases must have been orange
 * (or red) two weeks before its peak; a year below the median must never be red.
 * `npx node bench/alertas-historia.ts [cases [disease,…]]`; prints when each level was first raised, before which peak.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const TIPOS = (process.argv[3]?.split(',') ?? TIPOS_AGRAVO) as readonly TipoAgravo[]
/** Three years before the first one judged, so that the control diagram has a base. */
const YEARS = { first: 2015, judged: 2018, last: 2025 }
const EARLY_WEEKS = 2
const FEWEST_CASES = 200

const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES))
const { postgres, client } = await prepare(folder, CASES)
const db = createPool({ connection: { ...postgres.connection, ssl: false }, statementTimeoutMs: 600_000 })
const [municipios, populacao] = await Promise.all([loadMunicipios(), loadPopulacao()])
const app = {
  municipios,
  populacao,
  territorios: indexTerritorios(municipios.all),
  agravos: fixedAgravos(CONHECIDAS),
}

interface Numeros {
  serie: SerieSemanal
  /** Cases by delay, of each week of onset. */
  atrasos: ReadonlyMap<number, readonly { atraso: number; total: number }[]>
}

const found = { epidemics: 0, early: 0, low: 0, red: 0 }
for (const tipo of TIPOS) {
  const regra = await regraOf(db, app, tipo)
  const numeros = await readAll(tipo)
  for (const uf of ['', ...UFS]) {
    const lugar = lugarOf(app, uf === '' ? {} : { estado: uf as (typeof UFS)[number] })
    const ofPlace = numeros.get(uf)
    if (ofPlace === undefined) continue
    const contado = { semPopulacao: new Map(), ...residentsOf(app, lugar.municipios) }
    const last = firstWeekOf(YEARS.last) + weeksIn(YEARS.last) - 1
    const cobertura = await coverage(lugar, tipo, last)
    const levelAt = (week: number): NivelDeAlerta => {
      const known = knownAt(ofPlace, week)
      const dados = {
        ...{ contado: { ...contado, serie: known.serie }, atrasos: known.atrasos, parametros: null },
        primeira: Math.min(...known.serie.keys()),
        sharesOfState: () => (uf === '' ? null : sharesOf(known.atrasos, week)),
        cobertos: new Set([...(cobertura.get(uf) ?? [])].filter((ano) => ano < anoOfWeek(week))),
      }
      return avaliar(
        dados,
        { from: week, to: week, last: week, estimates: false },
        { regra, intervalo: INTERVALO_USUAL },
      ).niveis[0]?.nivel as NivelDeAlerta
    }
    report(tipo, uf === '' ? 'BR' : uf, ofPlace.serie, levelAt)
  }
}
console.log(
  `years of at least twice the median: ${found.epidemics}, orange ${EARLY_WEEKS} weeks before the peak: ${found.early}; years below the median: ${found.low}, red: ${found.red}`,
)
await db.end()
await client.end()
await postgres.stop()
process.exit(found.early === found.epidemics && found.red === 0 ? 0 : 1)

function coverage(lugar: ReturnType<typeof lugarOf>, tipo: TipoAgravo, last: number): Promise<Cobertura> {
  return readCobertura({ db }, [lugar], { tipo, last: last + 60, from: firstWeekOf(YEARS.judged) })
}

/** States and the country, over all years. */
async function readAll(tipo: TipoAgravo): Promise<Map<string, Numeros>> {
  const all = {
    tipo,
    from: sundayOfWeek(firstWeekOf(YEARS.first)),
    to: sundayOfWeek(firstWeekOf(YEARS.last + 1)),
  }
  const places = UFS.map((uf) => ({ uf, codigo: null }))
  const asked = [
    ['estado', { ...all, lugares: places }],
    ['pais', { ...all, lugares: null }],
  ] as const
  const found = new Map<string, Numeros>()
  for (const [nivel, query] of asked) {
    const delays = new Map((await listDelaysByPlace(db, nivel, query)).map((row) => [row.lugar, row]))
    for (const row of await sumWeeksByPlace(db, nivel, query)) {
      const { inicios, atrasos, totais } = delays.get(row.lugar) ?? { inicios: [], atrasos: [], totais: [] }
      const cells = inicios
        .map((inicio, i) => ({
          week: weekOf(inicio),
          atraso: atrasos[i] as number,
          total: totais[i] as number,
        }))
        .filter(({ atraso }) => atraso >= 0)
      found.set(row.lugar, { serie: toSerie(row), atrasos: Map.groupBy(cells, ({ week }) => week) })
    }
  }
  return found
}

/** Counts as typed in when a week ended: of the last weeks nothing is discarded or confirmed yet. */
function knownAt({ serie, atrasos }: Numeros, last: number) {
  const known = new Map([...serie].filter(([week]) => week <= last - NOWCAST_DELAYS))
  const delays = Array.from({ length: NOWCAST_ROWS }, (_, i) => last - NOWCAST_ROWS + 1 + i).flatMap(
    (week) => {
      const entered = (atrasos.get(week) ?? []).filter(({ atraso }) => week + atraso <= last)
      const notificados = entered.reduce((sum, { total }) => sum + total, 0)
      if (week > last - NOWCAST_DELAYS && notificados > 0) known.set(week, { ...NO_CASES, notificados })
      const inicio = sundayOfWeek(week)
      return entered.map(({ atraso, total }) => ({ inicio, situacao: 'p' as const, atraso, total }))
    },
  )
  return { serie: known, atrasos: delays }
}

function report(
  tipo: string,
  nome: string,
  serie: SerieSemanal,
  levelAt: (week: number) => NivelDeAlerta,
): void {
  const years = Array.from({ length: YEARS.last - YEARS.first + 1 }, (_, i) => YEARS.first + i)
  const casosOf = (first: number, last: number) => casosBetween({ serie }, 'provaveis', first, last)
  const total = (ano: number) => casosOf(firstWeekOf(ano), firstWeekOf(ano) + weeksIn(ano) - 1)
  const middle = median(years.map(total)) as number
  if (middle < FEWEST_CASES) return
  for (const ano of years.filter((year) => year >= YEARS.judged)) {
    const weeks = Array.from({ length: weeksIn(ano) }, (_, i) => firstWeekOf(ano) + i)
    const peak = weeks.reduce((most, week) => (casosOf(week, week) > casosOf(most, most) ? week : most))
    const levels = weeks.map((week) => ({ week, nivel: levelAt(week) }))
    const firstOf = (...wanted: NivelDeAlerta[]) => levels.find(({ nivel }) => wanted.includes(nivel))?.week
    const [orange, red] = [firstOf('laranja', 'vermelho'), firstOf('vermelho')]
    const size = total(ano) / middle
    const lead = (week: number | undefined) =>
      week === undefined ? 'never' : `${semanaAt(week).codigo} (${peak - week} weeks before)`
    const isEarly = orange !== undefined && peak - orange >= EARLY_WEEKS
    if (size >= 2) {
      found.epidemics += 1
      if (isEarly) found.early += 1
    }
    if (size < 1) {
      found.low += 1
      if (red !== undefined) found.red += 1
    }
    const wrong = (size >= 2 && !isEarly) || (size < 1 && red !== undefined)
    if (size >= 2 || wrong)
      console.log(
        `${wrong ? 'MISSED ' : ''}${tipo} ${nome} ${ano}: ${size.toFixed(1)} times the median, peak ${semanaAt(peak).codigo}, orange ${lead(orange)}, red ${lead(red)} in ${levels.filter(({ nivel }) => nivel === 'vermelho').length} weeks`,
      )
  }
}
