import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import type { Db } from '../../../src/db/db.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { countCasos, type Selection, selectionOf } from '../../../src/domain/casos/counters/counters.sql.ts'
import { foldContagens, verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import { CLASSIFICACOES_FILTRADAS, TIPOS_AGRAVO } from '../../../src/domain/casos/enumeracoes.ts'
import { countPlaces, countWeeks } from '../../../src/domain/casos/painel/painel.sql.ts'
import { listCasos } from '../../../src/domain/casos/reading/page.sql.ts'
import { findPage } from '../../../src/domain/casos/reading/page.ts'
import {
  countAll,
  countBy,
  countTotals,
  type GroupKey,
} from '../../../src/domain/casos/statistics/estatisticas.sql.ts'
import { countCells } from '../../../src/domain/casos/statistics/mapa.sql.ts'
import type { Filter, ListQuery } from '../../../src/filter.ts'
import { createTestDatabase } from '../../harness/database.ts'

/** Every number and every page that the counters give is the one that the cases give, whatever was added up so far. */
const SEED = 20_240_107
/** `PROPERTY_RUNS` asks for more filters than a test run should take. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60)
const CASES = 3_000
const municipios = await loadMunicipios()
const database = await createTestDatabase()
const { pool } = database
after(() => database.drop())

/** Places known, known only in part and unknown; days around turns of months; a few days with very many cases. */
const fill = (from: number, to: number) =>
  pool.run(sql`
    insert into casos (tipo_agravo, numero_notificacao, data_notificacao, data_inicio_sintomas, paciente_idade,
      paciente_sexo, municipio_residencia, estado_residencia, classificacao_final, evolucao, hospitalizacao, status,
      criado_em, atualizado_em, excluido_em)
    select (array['dengue', 'dengue', 'zika', 'chikungunya'])[1 + i % 4], i::text, dia,
      case when i % 5 > 0 then dia - case when i % 77 = 0 then 400 else i % 40 end end, case when i % 6 > 0 then i % 97 end,
      (array['F', 'M', null])[1 + i % 3], (array[2611606, 2609600, 3550308, null])[1 + i % 4],
      (array['PE', 'PE', 'SP', case when i % 8 > 3 then 'AC' end])[1 + i % 4],
      (array['dengue_grave', 'confirmado', 'descartado', 'inconclusivo', null, null])[1 + i % 6],
      case when i % 50 = 0 then 'obito' end, i % 9 = 0, 'encerrado', now(), now(), case when i % 31 = 0 then now() end
    from (
      select i, case when i % 3 = 0 then date '2024-01-31' + i % 2 else date '2023-11-20' + (i * 7919) % 150 end as dia
      from generate_series(${from}::integer, ${to}::integer) i
    ) numbered`)

before(async () => {
  await fill(1, CASES / 2)
  await foldContagens(pool)
  await fill(CASES / 2 + 1, CASES)
  // What was counted goes and changes while it waits.
  await pool.run(sql`delete from casos where id % 17 = 0`)
  await pool.run(
    sql`update casos set classificacao_final = 'descartado', hospitalizacao = true where id % 13 = 0`,
  )
  await pool.run(sql`update casos set excluido_em = null where id % 2 = 0`)
  await pool.run(sql`analyze`)
})

const test = (field: string, op: string, value: fc.Arbitrary<string | string[]>) =>
  value.map((one) => ({ kind: 'test', field, op, value: one }) as Filter)
const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const some = (values: readonly string[]) => fc.subarray([...values], { minLength: 1, maxLength: 3 })
const dia = fc.nat(170).map((n) => new Date(Date.UTC(2023, 10, 10 + n)).toISOString().slice(0, 10))
const filtro: fc.Arbitrary<Filter> = fc
  .array(
    fc.oneof(
      test('tipo_agravo', 'in', some(TIPOS_AGRAVO)),
      test('estado', 'eq', oneOf(['PE', 'SP', 'AC'])),
      test('estado', 'in', some(['PE', 'SP', 'AC', 'RR'])),
      test('municipio', 'in', some(['Recife', 'Olinda', '3550308', 'Natal'])),
      test('classificacao', 'in', some(CLASSIFICACOES_FILTRADAS)),
      test('data_inicio', 'eq', dia),
      test('data_fim', 'eq', dia),
      test('data_notificacao', 'gte', oneOf(['2023-12-01', '2024-01-01', '2024-02-01'])),
      test('data_notificacao', 'lte', oneOf(['2023-12-31', '2024-02-29'])),
      test('semana_epidemiologica', 'eq', oneOf(['202351', '202405', '202453'])),
      test('semana_epidemiologica_sintomas', 'eq', oneOf(['202351', '202405', '202453'])),
      test('semana_epidemiologica_sintomas', 'gte', oneOf(['202345', '202353', '202403'])),
      test('semana_epidemiologica_sintomas', 'lte', oneOf(['202352', '202353', '202410'])),
      test('regiao_saude', 'in', some(['26010', '26011', '35016'])),
    ),
    { maxLength: 4 },
  )
  .map((of) => ({ kind: 'and', of }))

const GROUP_KEYS: GroupKey[] = [
  'mes',
  'data_notificacao',
  'data_inicio_sintomas',
  'tipo_agravo',
  'sexo',
  'faixa_etaria',
  'estado',
  'municipio',
]

async function numbersOf(selection: Selection) {
  const groups = []
  for (const key of GROUP_KEYS) groups.push([key, await countBy(pool, key, selection)])
  return {
    total: await countCasos(pool, selection),
    totals: await countTotals(pool, selection),
    all: await countAll(pool, selection),
    groups,
    cells: await countCells(pool, 'municipio', selection),
    weeks: [await countWeeks(pool, 'sintomas', selection), await countWeeks(pool, 'notificacao', selection)],
    places: await countPlaces(pool, 'sintomas', 'estado', selection),
  }
}

async function compareAll(runs: number) {
  let hits = 0
  const property = fc.asyncProperty(filtro, async (filter) => {
    const selection = selectionOf(filter, municipios)
    assert.notEqual(selection.scope, null, 'the counters know it')
    const counted = await numbersOf(selection)
    assert.deepEqual(counted, await numbersOf({ ...selection, scope: null }))
    if (counted.total > 0) hits++
  })
  await fc.assert(property, { numRuns: runs, seed: SEED })
  assert.ok(hits > runs / 2, `filters that chose some cases: ${hits}`)
}

async function comparePages(filter: Filter, order: 'asc' | 'desc', size: number) {
  const selection = selectionOf(filter, municipios)
  const list = { filter, sort: 'data_notificacao', order, size }
  const total = await countCasos(pool, selection)
  const pages = Math.ceil(total / size) + 1
  for (let page = 1; page <= pages; page++) {
    const found = await findPage(pool, { ...list, page }, selection)
    const items = await listCasos(pool, { ...list, page }, selection.columns)
    assert.deepEqual(found, { total, items }, `page ${page} of ${JSON.stringify(list)}`)
  }
  return pages
}

const LISTS: Filter[] = [
  { kind: 'and', of: [] },
  { kind: 'test', field: 'estado', op: 'eq', value: 'PE' },
  { kind: 'test', field: 'municipio', op: 'eq', value: 'Recife' },
  { kind: 'test', field: 'classificacao', op: 'in', value: ['em_investigacao', 'descartado'] },
  { kind: 'test', field: 'semana_epidemiologica_sintomas', op: 'lte', value: '202408' },
  {
    kind: 'and',
    of: [
      { kind: 'test', field: 'data_inicio', op: 'eq', value: '2023-11-25' },
      { kind: 'test', field: 'data_fim', op: 'eq', value: '2024-03-10' },
    ],
  },
  // Most of the first and of the last month, but not all.
  {
    kind: 'and',
    of: [
      { kind: 'test', field: 'municipio', op: 'in', value: ['Recife', 'Olinda'] },
      { kind: 'test', field: 'tipo_agravo', op: 'in', value: ['dengue', 'zika'] },
      { kind: 'test', field: 'data_inicio', op: 'eq', value: '2023-12-05' },
      { kind: 'test', field: 'data_fim', op: 'eq', value: '2024-03-28' },
    ],
  },
]

for (const [state, prepare] of [
  ['half added up', async () => {}],
  ['all added up', () => foldContagens(pool)],
] as const)
  describe(`With changes ${state}, the counters`, () => {
    before(prepare)

    it('are those of the cases', async () => {
      assert.deepEqual(await verifyContagens(pool), [])
    })

    it('give every number that the cases give', () => compareAll(RUNS))

    for (const filter of LISTS)
      for (const order of ['asc', 'desc'] as const)
        it(`find every page of ${JSON.stringify(filter)} ${order}`, async () => {
          assert.ok((await comparePages(filter, order, 70)) > 8)
        })
  })

describe('Pages that are asked for at the same moment', () => {
  const listOf = (filter: Filter, page = 1) => ({
    filter,
    sort: 'data_notificacao',
    order: 'desc' as const,
    size: 20,
    page,
  })
  const both = (...of: Filter[]): Filter => ({ kind: 'and', of })
  const is = (field: string, value: string): Filter => ({ kind: 'test', field, op: 'eq', value })

  it('are each their own', async () => {
    const filters = ['2023-12', '2024-01', '2024-02'].flatMap((month) =>
      ['PE', 'SP', 'AC', 'RR'].map((estado) =>
        both(is('estado', estado), is('data_inicio', `${month}-01`), is('data_fim', `${month}-25`)),
      ),
    )
    const lists = filters.flatMap((filter) => [listOf(filter), listOf(filter, 2)])
    const found = await Promise.all(
      lists.map((list) => findPage(pool, list, selectionOf(list.filter, municipios))),
    )
    for (const [i, list] of lists.entries()) {
      const { columns } = selectionOf(list.filter, municipios)
      assert.deepEqual(found[i]?.items, await listCasos(pool, list, columns), JSON.stringify(list))
    }
    assert.ok(found.filter(({ items }) => items.length === 20).length > 6)
  })
})

describe('A page far away', () => {
  it('is whole although its rows were deleted after they were counted', async () => {
    const filter: Filter = { kind: 'and', of: [] }
    const selection = selectionOf(filter, municipios)
    const list = { filter, sort: 'data_notificacao', order: 'desc' as const, size: 50, page: 20 }
    const deleting = {
      ...pool,
      // Between the look at the counters and the look at the cases.
      async first<T>(query: Parameters<typeof pool.first>[0]) {
        const found = await pool.first<T>(query)
        await pool.run(
          sql`delete from casos where id in (select id from casos where excluido_em is null limit 100)`,
        )
        return found
      },
    }
    const { items } = await findPage(deleting, list, selection)
    assert.equal(new Set(items.map(({ id }) => id)).size, 50)
    assert.deepEqual(await verifyContagens(pool), [])
  })

  it('past the end is empty', async () => {
    const filter: Filter = { kind: 'and', of: [] }
    const list = { filter, sort: 'data_notificacao', order: 'desc' as const, size: 50, page: 20_000_000 }
    const selection = selectionOf(filter, municipios)
    assert.deepEqual((await findPage(pool, list, selection)).items, [])
  })

  it('is not looked for where there is nothing, nor beyond what there is', async () => {
    // What an import stores at the moment is there, and nobody may see it: to look for more means to read all of it.
    const counted = (total: number) => {
      const statements: Sql[] = []
      const value = async <T>(query: Sql) => {
        if (statements.push(query) === 1) return total as T
        return total === 0 ? assert.fail('the cases were read') : pool.value<T>(query)
      }
      return { ...pool, value }
    }
    const filter: Filter = { kind: 'and', of: [] }
    const selection = selectionOf(filter, municipios)
    for (const sort of ['id', 'data_notificacao']) {
      const list: ListQuery = { filter, sort, order: 'desc', size: 50, page: 1 }
      assert.deepEqual(await findPage(counted(0), list, selection), { total: 0, items: [] })
      assert.equal((await findPage(counted(3), list, selection)).items.length, 3)
    }
  })

  it('is not looked for in the order of days either', async () => {
    const filter: Filter = { kind: 'test', field: 'estado', op: 'eq', value: 'RR' }
    const list = { filter, sort: 'data_notificacao', order: 'desc' as const, size: 50, page: 1 }
    const statements: Sql[] = []
    const noting = {
      ...pool,
      value<T>(query: Sql) {
        statements.push(query)
        return pool.value<T>(query)
      },
    }
    await pool.transaction(async (tx) => {
      await tx.run(sql`
        insert into casos (tipo_agravo, numero_notificacao, data_notificacao, status, estado_residencia, criado_em, atualizado_em)
        select 'dengue', 'RR' || n, '2024-01-01', 'em_investigacao', 'RR', now(), now() from generate_series(1, 100) n`)
      const found = await findPage(noting, list, selectionOf(filter, municipios))
      assert.deepEqual(found, { total: 0, items: [] })
      assert.equal(statements.length, 1)
      assert.doesNotMatch((statements[0] as Sql).text, /from casos\b(?!_)/)
      await tx.run(sql`delete from casos where estado_residencia = 'RR'`)
    })
  })

  it('costs the planner the same whatever the place, disease and period, so that it keeps its plan', async () => {
    const costsOf = async (estado: string, tipo: string, [from, to]: [string, string]) => {
      const statements: Sql[] = []
      const noted = <T>(answer: (query: Sql) => Promise<T>) => {
        return (query: Sql) => {
          statements.push(query)
          return answer(query)
        }
      }
      const db = { ...pool, value: noted(pool.value) } as Db
      const filter: Filter = {
        kind: 'and',
        of: [
          { kind: 'test', field: 'estado', op: 'eq', value: estado },
          { kind: 'test', field: 'tipo_agravo', op: 'eq', value: tipo },
          { kind: 'test', field: 'data_inicio', op: 'eq', value: from },
          { kind: 'test', field: 'data_fim', op: 'eq', value: to },
        ],
      }
      const list = { filter, sort: 'data_notificacao', order: 'desc' as const, size: 5, page: 1 }
      const selection = selectionOf(filter, municipios)
      await findPage(db, list, selection)
      assert.ok(statements.every(({ name }) => name !== undefined))
      const costs: number[] = []
      for (const statement of statements) {
        const [plan] = await pool.rows<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
          sql`explain (format json) ${statement}`,
        )
        costs.push(plan?.['QUERY PLAN'][0]?.Plan['Total Cost'] as number)
      }
      return costs
    }
    const few = await costsOf('SP', 'zika', ['2023-12-01', '2023-12-31'])
    const many = await costsOf('PE', 'dengue', ['2023-11-01', '2024-03-31'])
    assert.equal(few.length, 2)
    assert.deepEqual(few, many)
  })
})
