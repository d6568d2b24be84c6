import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../../src/brasil/calendar.ts'
import { semanaOf, sundayOfWeek } from '../../../src/brasil/epi-week.ts'
import { type Migration, readMigrations } from '../../../src/db/migrate.ts'
import { Sql, sql } from '../../../src/db/sql.ts'
import {
  foldContagens,
  rebuildContagens,
  verifyContagens,
} from '../../../src/domain/casos/counters/counters.ts'
import type { ScopePlace } from '../../../src/domain/casos/counters/scope.ts'
import {
  countsIn,
  listDelays,
  listDelaysByPlace,
  listNotifiedYears,
  sumWeeksByPlace,
  type WeekQuery,
  weeksOf,
} from '../../../src/domain/casos/counters/semanas.ts'
import { CONFIRMADOS, TIPOS_AGRAVO, type TipoAgravo } from '../../../src/domain/casos/enumeracoes.ts'
import { csv, importacoesApp, linha } from '../../contracts/b/importacoes-app.ts'

/** The weekly series, asked as routes will ask, against a computation over every case. */
const SEED = 20_261_116
const app = await importacoesApp()
const { t, admin, gestor, analista } = app
const { pool } = t.database
after(() => t.close())

const RECIFE = { uf: 'PE', codigo: 2_611_606 }
const OLINDA = { uf: 'PE', codigo: 2_609_600 }
const CAMPINAS = { uf: 'SP', codigo: 3_509_502 }
const MUNICIPIOS = [RECIFE, OLINDA, CAMPINAS]
const PLACES: readonly (readonly ScopePlace[] | null)[] = [
  null,
  [{ uf: 'PE', codigo: null }],
  [RECIFE],
  MUNICIPIOS,
  [{ uf: 'SP', codigo: null }, OLINDA],
  [{ uf: 'AC', codigo: null }],
]
const PERIODS = [
  { from: null, to: null },
  { from: '2023-12-24', to: '2024-01-14' },
  { from: '2024-01-07', to: '2024-01-07' },
]

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 })
/** Onsets around the turn of a year of 52 weeks, a year and more before, and none; entries before, with and long after them. */
const campos = fc.record({
  tipo_agravo: fc.constantFrom('dengue', 'dengue', 'zika'),
  data_notificacao: fc.nat(30).map((n) => addDays('2024-01-02', n)),
  onset: orNull(
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(20) },
      { arbitrary: fc.constantFrom(365, 366, 367, 20_000), weight: 1 },
    ),
  ),
  entry: orNull(fc.constantFrom(-40, -9, -1, 0, 1, 6, 7, 20, 100, 181, 182, 188, 189, 200, 700)),
  classificacao_final: orNull(fc.constantFrom('confirmado', 'descartado', 'inconclusivo')),
  evolucao: orNull(fc.constantFrom('obito', 'cura')),
  hospitalizacao: orNull(fc.boolean()),
  lugar: fc.constantFrom(...MUNICIPIOS),
})
type Drawn = typeof campos extends fc.Arbitrary<infer C> ? C : never

function bodyOf({ onset, entry, lugar, ...rest }: Drawn) {
  const data_inicio_sintomas = onset === null ? null : addDays(rest.data_notificacao, -onset)
  return {
    ...rest,
    data_inicio_sintomas,
    data_digitacao: entry === null ? null : addDays(rest.data_notificacao, entry),
    municipio_residencia: String(lugar.codigo),
    estado_residencia: lugar.uf,
  }
}

const which = fc.nat()
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), campos }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('change' as const), campos, which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('exclude' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      linhas: fc.array(campos, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const imports: number[] = []
let made = 0

async function pick(which: number, excluded: boolean): Promise<number | null> {
  const rows = await pool.rows<{ id: number }>(sql`
    select id from casos where (excluido_em is not null) = ${excluded} order by id`)
  return rows[which % rows.length]?.id ?? null
}

async function perform(one: Step): Promise<boolean> {
  switch (one.do) {
    case 'create': {
      const { data_digitacao, ...body } = bodyOf(one.campos)
      const more = {
        numero_notificacao: `S${++made}`,
        paciente_nome: 'Ana Souza',
        dados_especificos: { data_digitacao },
      }
      return (await t.as(gestor).post('/agravos/casos', { ...body, ...more })).status === 201
    }
    case 'change': {
      const id = await pick(one.which, false)
      const { data_digitacao: _, ...body } = bodyOf(one.campos)
      return id !== null && (await t.as(gestor).put(`/agravos/casos/${id}`, body)).status === 200
    }
    case 'exclude': {
      const id = await pick(one.which, false)
      return id !== null && (await t.as(gestor).delete(`/agravos/casos/${id}?motivo=teste`)).status === 204
    }
    case 'restore': {
      const id = await pick(one.which, true)
      return id !== null && (await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)).status === 200
    }
    case 'remove': {
      const id = await pick(one.which, false)
      const path = `/agravos/casos/${id}?motivo=teste&force=true`
      return id !== null && (await t.as(admin).delete(path)).status === 204
    }
    case 'import': {
      // Few numbers and days, so that some rows are of cases that are there already.
      const rows = one.linhas.map((drawn, i) => {
        const row = Object.entries(bodyOf(drawn)).map(([nome, value]) => [nome, String(value ?? '')])
        return linha({
          ...Object.fromEntries(row),
          numero_notificacao: `L${(made + i) % 5}`,
          data_notificacao: '2024-02-02',
        })
      })
      const { importacao_id, importados, atualizados } = await app.importar(csv(...rows), {
        ignorar_erros: 'true',
      })
      imports.push(importacao_id)
      return importados + atualizados > 0
    }
    case 'undo': {
      const id = imports[one.which % imports.length]
      if (id === undefined) return false
      const { status } = await t.as(analista).post(`/agravos/importacoes/${id}/desfazer`)
      await t.jobWorker.runAll()
      return status === 202
    }
    case 'fold':
      return foldContagens(pool)
  }
}

interface Caso {
  tipo_agravo: TipoAgravo
  classe: string | null
  notificado: string
  sintomas: string | null
  digitado: string | null
  uf: string | null
  codigo: number | null
  hospitalizado: boolean
  obito: boolean
}

const allCasos = () =>
  pool.rows<Caso>(sql`
    select tipo_agravo, classificacao_final as classe, data_notificacao as notificado, data_inicio_sintomas as sintomas,
      data_digitacao as digitado, estado_residencia as uf, municipio_residencia as codigo,
      coalesce(hospitalizacao, false) as hospitalizado, coalesce(evolucao = 'obito', false) as obito
    from casos where excluido_em is null`)

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
const sundayOf = (date: string) => semanaOf(date).inicio

function weekOf({ sintomas, notificado }: Caso): string {
  if (sintomas === null) return 'sem_data'
  return daysBetween(sintomas, notificado) > 365 ? 'inicio_implausivel' : sundayOf(sintomas)
}

function delayOf(caso: Caso): number {
  const { sintomas, digitado } = caso
  if (sintomas === null || digitado === null || weekOf(caso) === 'inicio_implausivel') return -1
  const weeks = daysBetween(sundayOf(sintomas), sundayOf(digitado)) / 7
  return weeks < 0 ? -1 : Math.min(27, weeks)
}

function grupoOf({ classe }: Caso): string {
  if (classe === null) return 'em_investigacao'
  return (CONFIRMADOS as readonly string[]).includes(classe) ? 'confirmado' : classe
}

const isAt = (lugares: WeekQuery['lugares']) => (caso: Caso) =>
  lugares === null ||
  lugares.some(({ uf, codigo }) => (codigo === null ? caso.uf === uf : caso.codigo === codigo))
const isInPeriod = (week: string, { from, to }: Pick<WeekQuery, 'from' | 'to'>) =>
  week.startsWith('2') && (from === null || week >= from) && (to === null || week <= to)

/** Sums of numbers by a key, without zeros, in the order of the keys. */
function tally<C>(casos: readonly C[], keyOf: (caso: C) => string, numberOf: (caso: C) => number = () => 1) {
  const sums = new Map<string, number>()
  for (const caso of casos) sums.set(keyOf(caso), (sums.get(keyOf(caso)) ?? 0) + numberOf(caso))
  return Object.fromEntries([...sums].filter(([, n]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Numbers of every week of an answer as `week grupo measure`. */
async function told(query: WeekQuery) {
  const { semanas, sem_data, inicio_implausivel, total } = await weeksOf(pool, query)
  assert.deepEqual(
    semanas.map(({ inicio }) => inicio),
    semanas.map(({ inicio }) => inicio).toSorted(),
  )
  const weeks = [
    ...semanas.map(({ inicio, casos }) => [inicio, casos] as const),
    ['sem_data', sem_data] as const,
    ['inicio_implausivel', inicio_implausivel] as const,
  ]
  if (query.from === null && query.to === null)
    assert.equal(
      weeks.reduce((sum, [, casos]) => sum + countsIn(casos, 'notificados').total, 0),
      total,
      'the weeks add up to all cases',
    )
  const numbers = weeks.flatMap(([week, casos]) =>
    Object.entries(casos).flatMap(([grupo, counts]) =>
      Object.entries(counts).map(([measure, n]) => [`${week} ${grupo} ${measure}`, n] as const),
    ),
  )
  return {
    total,
    numbers: tally(
      numbers,
      ([key]) => key,
      ([, n]) => n,
    ),
  }
}

function expected(casos: readonly Caso[], query: WeekQuery) {
  const there = casos.filter((caso) => caso.tipo_agravo === query.tipo && isAt(query.lugares)(caso))
  const asked = there.filter((caso) => isInPeriod(weekOf(caso), query) || !weekOf(caso).startsWith('2'))
  const key = (measure: string) => (caso: Caso) => `${weekOf(caso)} ${grupoOf(caso)} ${measure}`
  const sums = {
    ...tally(asked, key('total')),
    ...tally(asked, key('hospitalizados'), (caso) => Number(caso.hospitalizado)),
    ...tally(asked, key('obitos'), (caso) => Number(caso.obito)),
  }
  return {
    total: there.length,
    numbers: tally(
      Object.entries(sums),
      ([name]) => name,
      ([, n]) => n,
    ),
  }
}

/** Asks in turns: all places of one disease in one period, and every other time delays and the rest. */
async function compare(about: string, turn: number) {
  const casos = await allCasos()
  assert.deepEqual(await verifyContagens(pool), [], about)
  const tipo = TIPOS_AGRAVO[turn % 2] as TipoAgravo
  for (const lugares of PLACES) {
    const query = { tipo, lugares, ...(PERIODS[turn % PERIODS.length] as (typeof PERIODS)[number]) }
    assert.deepEqual(await told(query), expected(casos, query), `${about}: ${JSON.stringify(query)}`)
  }
  if (turn % 2 === 0) await compareOthers(casos, about)
}

/** Delays, all municipalities at once, and weeks of notification. */
async function compareOthers(casos: readonly Caso[], about: string) {
  const tipo = 'dengue'
  const dengue = casos.filter((caso) => caso.tipo_agravo === tipo)
  for (const lugares of PLACES) {
    const query = { tipo, lugares, from: '2023-12-24', to: '2024-01-21' } as const
    const there = dengue.filter((caso) => isAt(lugares)(caso) && isInPeriod(weekOf(caso), query))
    const rows = await listDelays(pool, query)
    assert.deepEqual(
      tally(
        rows,
        ({ inicio, situacao, atraso }) => `${inicio} ${situacao} ${atraso}`,
        ({ total }) => total,
      ),
      tally(there, (caso) => `${weekOf(caso)} ${caso.classe === 'descartado' ? 'd' : 'p'} ${delayOf(caso)}`),
      about,
    )
  }
  await checkPlacesApart(dengue)
  for (const ufs of [null, ['PE', 'SP', 'AC']]) {
    const sundays = Array.from({ length: 8 }, (_, i) => addDays('2023-12-24', 7 * i))
    const keys = new Set(
      dengue.map(({ uf, notificado }) => `${ufs === null ? '' : uf} ${sundayOf(notificado)}`),
    )
    const weekly = sundays.map((inicio, ano) => ({ ano, inicio, semanas: 1 }))
    const rows = await listNotifiedYears(pool, { tipo, ufs, spans: weekly, atLeast: 1 })
    assert.deepEqual(
      rows.map(({ lugar, ano }) => `${lugar} ${sundays[ano]}`),
      [...keys].sort(),
      about,
    )
    const whole = [{ ano: 2024, inicio: '2023-12-24', semanas: 8 }]
    for (const atLeast of [2, 3, 5]) {
      const found = await listNotifiedYears(pool, { tipo, ufs, spans: whole, atLeast })
      const weeksOf = (lugar: string) => [...keys].filter((key) => key.startsWith(`${lugar} `)).length
      const expected = (ufs ?? ['']).filter((lugar) => weeksOf(lugar) >= atLeast).toSorted()
      assert.deepEqual(
        found.map(({ lugar }) => lugar),
        expected,
        about,
      )
    }
  }
}

describe('Weeks of onset and delays', () => {
  it('are those of the cases after each of many changes, added up or not', async () => {
    const done = new Map<string, number>()
    for (const [i, one] of fc.sample(step, { numRuns: 150, seed: SEED }).entries()) {
      if (await perform(one)) done.set(one.do, (done.get(one.do) ?? 0) + 1)
      await compare(`step ${i}: ${JSON.stringify(one)}`, i)
    }
    for (const name of ['create', 'change', 'exclude', 'restore', 'remove', 'import', 'undo', 'fold'])
      assert.ok((done.get(name) ?? 0) >= 3, `${name}: ${done.get(name)}`)
    const casos = await allCasos()
    const seen = new Set([...casos.map(weekOf), ...casos.map(delayOf)])
    for (const wanted of ['sem_data', 'inicio_implausivel', -1, 0, 27])
      assert.ok(seen.has(wanted), `${wanted}`)
  })

  it('are rebuilt by the recount', async () => {
    await pool.run(
      sql`delete from casos_contagens where serie in ('semana_sintomas', 'semana_notificacao', 'atraso')`,
    )
    assert.ok((await verifyContagens(pool)).length > 0)
    await rebuildContagens(pool)
    for (let turn = 0; turn < 6; turn++) await compare('rebuilt', turn)
  })

  it('of notification come from the counted days when a database is upgraded, beside what still waits', async () => {
    await pool.run(sql`update casos set data_notificacao = data_notificacao - 9 where id % 3 = 0`)
    await pool.run(sql`delete from casos_contagens where serie = 'semana_notificacao'`)
    assert.ok((await verifyContagens(pool)).length > 0)
    const migrations = await readMigrations()
    const { sql: text } = migrations.find(({ nome }) => nome.endsWith('semanas_notificadas.sql')) as Migration
    await pool.run(new Sql([text], []))
    assert.deepEqual(await verifyContagens(pool), [])
    await foldContagens(pool)
    assert.deepEqual(await verifyContagens(pool), [])
  })
})

/** Places of each level one by one: states and the country hold cases without a municipality, too. */
async function checkPlacesApart(dengue: readonly Caso[]): Promise<void> {
  const ufs = [...new Set(MUNICIPIOS.map(({ uf }) => uf))].map((uf) => ({ uf, codigo: null }))
  const levels = [
    { nivel: 'municipio', lugares: MUNICIPIOS, keyOf: ({ uf, codigo }: Caso) => `${uf}${codigo}` },
    { nivel: 'estado', lugares: ufs, keyOf: ({ uf }: Caso) => uf },
    { nivel: 'pais', lugares: null, keyOf: () => '' },
  ] as const
  for (const { nivel, lugares, keyOf } of levels) {
    const query = { tipo: 'dengue', lugares, from: '2023-12-24', to: '2024-01-21' } as const
    const inPeriod = dengue.filter((caso) => isInPeriod(weekOf(caso), query))
    const thereAt = (lugar: string) => inPeriod.filter((caso) => keyOf(caso) === lugar)
    for (const { lugar, ...weeks } of await sumWeeksByPlace(pool, nivel, query)) {
      const there = thereAt(lugar)
      const numbers = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
      assert.deepEqual(
        tally(there, weekOf),
        Object.fromEntries(weeks.semanas.map((week, i) => [sundayOfWeek(week), weeks.notificados[i]])),
        `${nivel} ${lugar}`,
      )
      assert.equal(numbers(weeks.provaveis), there.filter(({ classe }) => classe !== 'descartado').length)
      assert.equal(numbers(weeks.confirmados), there.filter((caso) => grupoOf(caso) === 'confirmado').length)
    }
    for (const { lugar, inicios, atrasos, totais } of await listDelaysByPlace(pool, nivel, query))
      assert.deepEqual(
        tally(
          [...inicios.keys()],
          (i) => `${inicios[i]} ${atrasos[i]}`,
          (i) => totais[i] as number,
        ),
        tally(thereAt(lugar), (caso) => `${weekOf(caso)} ${delayOf(caso)}`),
        `${nivel} ${lugar}`,
      )
  }
}
