import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadMunicipios } from '../src/brasil/municipios.ts'
import { loadPopulacao } from '../src/brasil/populacao.ts'
import { indexTerritorios } from '../src/brasil/territorios.ts'
import { serverProcesses } from '../src/db/embedded/process.ts'
import { migrate, readMigrations } from '../src/db/migrate.ts'
import { createPool } from '../src/db/pool.ts'
import { type Sql, sql } from '../src/db/sql.ts'
import { calcularAlertas } from '../src/domain/alertas/calculo.ts'
import { situacao } from '../src/domain/alertas/situacao.ts'
import { CONHECIDAS, fixedAgravos } from '../src/domain/casos/agravos/registro.ts'
import { foldContagens } from '../src/domain/casos/counters/counters.ts'
import { nowcast } from '../src/domain/epidemiologia/nowcast-do-lugar.ts'
import { createTerritories } from '../src/domain/territorios/conta.ts'
import { measureDelivery } from './alertas-entrega.ts'
import { prepare } from './comparison/prepare.ts'
import { cpuOf } from './comparison/processes.ts'

/**
 * Early warning against its bars: levels of everything from nothing, with nothing changed, after 10,000 changed cases (of one
 * state; of the whole country), nowcasts of one place, and the time from an import to the delivery of its alert. Twice: at a
 * quiet time, and in the week of the largest epidemic of the demo's cases, when most places need a nowcast of their own.
 * `npx node bench/alertas.ts [cases [imports]]`; exit code 1 where a bar is missed. Times beside other work say little: CPU is
 * told, too.
 */
const CASES = Number(process.argv[2] ?? 1_000_000)
const IMPORTS = Number(process.argv[3] ?? 10)
const MOMENTS = { quiet: '2026-10-01T12:00:00Z', epidemic: '2024-04-10T12:00:00Z' }
const CHANGED = 10_000
const PLACES = 60
const BARS = { nothing: 60, changed: 5, known: 30, estimated: 250, delivered: 30 }

const folder = join(process.env.BENCH_DIR ?? join(tmpdir(), 'vigia-bench'), String(CASES))
const stack = new AsyncDisposableStack()
const missed: string[] = []
const judge = (name: string, value: number, bar: number) => {
  if (value > bar) missed.push(`${name}: ${value.toFixed(1)}, wanted ${bar}`)
}

try {
  const ground = await prepare(folder, CASES)
  stack.defer(() => ground.postgres.stop())
  stack.defer(() => ground.client.end())
  const connection = { ...ground.postgres.connection, ssl: false }
  await migrate(connection, await readMigrations())
  const db = createPool({ connection, max: 3, statementTimeoutMs: 3_600_000 })
  stack.defer(() => db.end())
  const [municipios, populacao] = await Promise.all([loadMunicipios(), loadPopulacao()])
  const territorios = indexTerritorios(municipios.all)
  const reference = {
    municipios,
    populacao,
    territorios,
    territories: createTerritories({ municipios, territorios }, { required: false }),
    agravos: fixedAgravos(CONHECIDAS),
  }

  for (const [moment, now] of Object.entries(MOMENTS)) {
    console.log(`\nLevels, ${moment} (${now.slice(0, 10)})`)
    const app = { db, clock: { now: () => new Date(now) }, ...reference }
    const compute = () => calcularAlertas(app, { proceed() {}, async done() {} }, async () => {})
    const change = async (name: string, where: Sql) => {
      const toggle = () => db.run(changeCases(now.slice(0, 10), where))
      await toggle()
      await timed(`  ${name}, counters`, async () => {
        await foldContagens(db)
        return undefined
      })
      judge(name, await timed(`  ${name}, levels`, compute), BARS.changed)
      // The cases are as they were, for the next run.
      await toggle()
      await foldContagens(db)
      await compute()
    }
    await forgetLevels()
    await timed('  situation of a state that is not stored', async () => {
      const asked = { tipo_agravo: 'dengue', estado: 'SP', nivel_lugar: 'municipio', detalhe: false } as const
      const { lugares } = await situacao(app, { territorio: null }, asked)
      return { lugares: lugares.length }
    })
    judge(`from nothing, ${moment}`, await timed('  from nothing', compute), BARS.nothing)
    await timed('  nothing changed', compute)
    await db.run(sql`update alertas_execucao set semana_completa = null`)
    await timed('  all again, the same numbers', compute)
    await change(`${CHANGED} cases of one state`, sql`estado_residencia = 'SP'`)
    await change(`${CHANGED} cases of the country`, sql`true`)
    await measureNowcasts(app)
  }

  async function forgetLevels(): Promise<void> {
    await db.run(
      sql`truncate alertas_niveis, alertas, nowcast_parametros, casos_lugares_mudados, casos_mudancas_em_massa`,
    )
    await db.run(sql`update alertas_execucao set semana_completa = null`)
  }

  /** Places with the most cases, one by one, as a request computes them. */
  async function measureNowcasts(app: Parameters<typeof nowcast>[0]): Promise<void> {
    const places = await db.rows<{ municipio: string }>(sql`
      select substr(lugar, 3) as municipio from casos_contagens where serie = 'sempre' and length(lugar) > 2 and tipo_agravo = 'dengue'
      group by lugar order by sum(total) desc limit ${PLACES}`)
    await db.run(sql`truncate nowcast_parametros`)
    for (const known of [false, true]) {
      const times: number[] = []
      const cpu = cpuMeter()
      for (const { municipio } of places) {
        const begun = performance.now()
        const pedido = {
          ...({ tipo_agravo: 'dengue', casos: 'notificados', intervalos: [50, 80, 95] } as const),
          ...{ municipio, semanas: 10, avaliar: false },
        }
        const { metodo } = await nowcast(app, { territorio: null }, pedido)
        if (metodo === 'modelo') times.push(performance.now() - begun)
      }
      const name = known ? 'known hyperparameters' : 'estimated hyperparameters'
      if (times.length === 0) {
        console.log(`  nowcast, ${name}: no place has enough cases`)
        continue
      }
      const p50 = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
      console.log(
        `  nowcast, ${name}: p50 ${p50.toFixed(1)} ms of ${times.length} places, ${cpu()} for ${PLACES}`,
      )
      judge(`nowcast, ${name}`, p50, known ? BARS.known : BARS.estimated)
    }
  }

  const delivered = await measureDelivery(ground, IMPORTS, () => forgetLevels())
  judge('import to delivery, p95 s', delivered, BARS.delivered)
} finally {
  await sleep(100)
  await stack.disposeAsync()
}
for (const one of missed) console.log(`MISSED ${one}`)
process.exit(missed.length === 0 ? 0 : 1)

/** Removes some of the cases of the last year, or brings them back. */
function changeCases(day: string, where: Sql): Sql {
  return sql`
    update casos set excluido_em = case when excluido_em is null then now() end
    where id in (
      select id from casos where data_notificacao between ${day}::date - 365 and ${day}::date and ${where}
      order by id * 7919::bigint % 1000003 limit ${CHANGED})`
}

/** Seconds of CPU from here on, of this process and of the database, as text. */
function cpuMeter(): () => string {
  const ofDatabase = () => cpuOf(serverProcesses(join(folder, 'postgres')), { ended: true })
  const [database, own] = [ofDatabase(), process.cpuUsage()]
  return () => {
    const { user, system } = process.cpuUsage(own)
    return `CPU ${((user + system) / 1e6).toFixed(1)} + ${(ofDatabase() - database).toFixed(1)} s`
  }
}

async function timed(name: string, work: () => Promise<object | undefined>): Promise<number> {
  const [cpu, begun] = [cpuMeter(), performance.now()]
  const result = await work()
  const seconds = (performance.now() - begun) / 1_000
  const load = `load ${loadavg()[0]?.toFixed(1)}`
  console.log(`${name}: ${seconds.toFixed(1)} s, ${cpu()}, ${load} ${JSON.stringify(result) ?? ''}`)
  return seconds
}
