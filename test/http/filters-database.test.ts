import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/db/sql.ts'
import { type Columns, limit, orderBy, where } from '../../src/db/where.ts'
import type { ListRules } from '../../src/filter.ts'
import { parseFilters } from '../../src/http/filters.ts'
import { createTestDatabase } from '../harness/database.ts'

/**
 * Random filters over random rows in a real table, against an evaluation in JavaScript that shares nothing with the
 * parser or with the SQL: the text of a query goes in, the ids of rows come out.
 */
const database = await createTestDatabase()
after(() => database.drop())
const db = database.pool
await db.run(sql`
  create table linhas (id integer primary key, texto text, inteiro integer, numero numeric, logico boolean,
                       dia date, momento timestamptz)`)

const RULES: ListRules = {
  fields: {
    texto: { type: 'text' },
    inteiro: { type: 'integer' },
    numero: { type: 'number' },
    logico: { type: 'boolean' },
    dia: { type: 'date' },
    momento: { type: 'datetime' },
  },
  sortable: ['texto', 'inteiro', 'numero', 'logico', 'dia', 'momento'],
  defaultSort: { field: 'inteiro', order: 'asc' },
}
const COLUMNS: Columns = {
  fields: {
    texto: sql`texto`,
    inteiro: sql`inteiro`,
    numero: sql`numero`,
    logico: sql`logico`,
    dia: sql`dia`,
    momento: sql`momento`,
  },
  search: (contains) => sql`plain(texto) like plain(${contains})`,
}

interface Row {
  id: number
  texto: string | null
  inteiro: number | null
  numero: number | null
  logico: boolean | null
  dia: string | null
  momento: string | null
}
type Field = Exclude<keyof Row, 'id'>
type Value = string | number | boolean
type Condition = Value | Record<string, Value | Value[]>
type Tree = { and: Tree[] } | { or: Tree[] } | { [field: string]: Condition }

const FIELDS = Object.keys(RULES.fields) as Field[]

// Few values, so that filters hit; the wide forms of % _ \ are there because unaccent turns them into these.
const LETTERS = [...'aAáÃbçÇ %_\\\'",％＿＼∖﹪﹨']
const PLAIN: Record<string, string> = {
  ...{ á: 'a', Ã: 'a', ç: 'c', Ç: 'c', '％': '%', '﹪': '%', '＿': '_', '＼': '\\', '∖': '\\', '﹨': '\\' },
}
const texto = fc.string({ unit: fc.constantFrom(...LETTERS, '😀'), maxLength: 4 })
const VALUES: Record<Field, fc.Arbitrary<Value>> = {
  texto,
  inteiro: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(2147483647, -2147483647)),
  numero: fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4),
  logico: fc.boolean(),
  dia: fc.constantFrom('2023-12-31', '2024-02-29', '2024-03-01', '0001-01-01', '9999-12-31'),
  momento: fc.constantFrom(
    '2024-03-01T00:00:00Z',
    '2024-02-29T21:00:00-03:00',
    '2024-03-01T00:00:00-03:00',
    '2024-03-01T12:30:00.125+05:30',
    '2024-03-01',
  ),
}
const OPERATORS: Record<Field, string[]> = {
  texto: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like'],
  inteiro: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  numero: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  logico: ['eq', 'ne', 'in'],
  dia: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
  momento: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in'],
}

const rows: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record(
      Object.fromEntries(FIELDS.map((field) => [field, fc.option(VALUES[field], { freq: 4 })])) as Record<
        Field,
        fc.Arbitrary<Value | null>
      >,
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((drawn) => drawn.map((row, i) => ({ ...row, id: i + 1 }) as Row))

const test = fc.constantFrom(...FIELDS).chain((field) => {
  const operator = fc.constantFrom(...OPERATORS[field]).chain((op) => {
    const value = op === 'in' ? fc.array(VALUES[field], { maxLength: 3 }) : VALUES[field]
    return value.map((operand) => [op, operand] as const)
  })
  const tests = fc.array(operator, { minLength: 1, maxLength: 2 }).map(Object.fromEntries)
  return fc.oneof(VALUES[field], tests).map((condition) => ({ [field]: condition }))
})
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    test,
    fc.record({ and: fc.array(tie('tree'), { maxLength: 3 }) }),
    fc.record({ or: fc.array(tie('tree'), { maxLength: 3 }) }),
  ),
}))

function matches(row: Row, node: Tree): boolean {
  return Object.entries(node).every(([key, condition]) => {
    if (key === 'and') return (condition as Tree[]).every((child) => matches(row, child))
    if (key === 'or') return (condition as Tree[]).some((child) => matches(row, child))
    return testsOf(condition as Condition).every(([op, operand]) =>
      holds(key as Field, row[key as Field], op, operand),
    )
  })
}

/** A value alone means equality. */
const testsOf = (condition: Condition) =>
  Object.entries(typeof condition === 'object' ? condition : { eq: condition })

function holds(field: Field, value: Value | null, op: string, operand: Value | Value[]): boolean {
  // Nothing is known of an absent value, except that it is not this one.
  if (value === null) return op === 'ne'
  if (op === 'in') return (operand as Value[]).some((member) => compare(field, value, member) === 0)
  if (op === 'like') return plain(String(value)).includes(plain(String(operand)))
  const order = compare(field, value, operand as Value)
  if (op === 'ne') return order !== 0
  if (op === 'eq') return order === 0
  if (op === 'gt') return order > 0
  if (op === 'gte') return order >= 0
  return op === 'lt' ? order < 0 : order <= 0
}

function compare(field: Field, a: Value, b: Value): number {
  if (field === 'texto') return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  if (field === 'momento') return instant(String(a)) - instant(String(b))
  if (field === 'dia') return Date.parse(String(a)) - Date.parse(String(b))
  return Number(a) - Number(b)
}

const instant = (text: string) => Date.parse(text.includes('T') ? text : `${text}T00:00:00-03:00`)
const plain = (text: string) => [...text].map((letter) => PLAIN[letter] ?? letter.toLowerCase()).join('')

async function fill(drawn: Row[]): Promise<void> {
  const stored = drawn.map((row) => ({
    ...row,
    momento: row.momento && new Date(instant(row.momento)).toISOString(),
  }))
  await db.run(sql`truncate linhas`)
  await db.run(
    sql`insert into linhas select * from json_populate_recordset(null::linhas, ${JSON.stringify(stored)})`,
  )
}

async function select(query: Record<string, string>): Promise<number[]> {
  const { filter, problems } = parseFilters(query, RULES)
  assert.deepEqual(problems, [])
  const found = await db.rows<{ id: number }>(
    sql`select id from linhas where ${where(filter, COLUMNS)} order by id`,
  )
  return found.map(({ id }) => id)
}

const idsOf = (drawn: Row[], keep: (row: Row) => boolean) => drawn.filter(keep).map(({ id }) => id)

describe('A filter finds exactly the rows that it describes', () => {
  it('as nested JSON in `search`', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(tree, { minLength: 5, maxLength: 5 }), async (drawn, trees) => {
        await fill(drawn)
        for (const node of trees)
          assert.deepEqual(
            await select({ search: JSON.stringify(node) }),
            idsOf(drawn, (row) => matches(row, node)),
            JSON.stringify(node),
          )
      }),
      { numRuns: 60 },
    )
  })

  it('as parameters, alone and several together', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(test, { minLength: 1, maxLength: 3 }), async (drawn, tests) => {
        await fill(drawn)
        const { query, meant } = asParameters(tests)
        assert.deepEqual(
          await select(query),
          idsOf(drawn, (row) => matches(row, { and: meant })),
          JSON.stringify(query),
        )
      }),
      { numRuns: 150 },
    )
  })

  it('as free text, whatever characters it has', async () => {
    await fc.assert(
      fc.asyncProperty(rows, texto, async (drawn, text) => {
        await fill(drawn)
        const wanted = text.trim()
        assert.deepEqual(
          await select({ search: text }),
          idsOf(
            drawn,
            ({ texto }) => wanted === '' || (texto !== null && plain(texto).includes(plain(wanted))),
          ),
        )
      }),
      { numRuns: 100 },
    )
  })

  it('also for every character that loses its accent to a wildcard', async () => {
    const characters = await db.rows<{ character: string }>(sql`
      select chr(i) as character from generate_series(1, 65535) i
       where i not between 55296 and 57343 and unaccent('unaccent', chr(i)) ~ '[%_\\\\]'`)
    assert.ok(characters.length >= 9)
    const none = { inteiro: null, numero: null, logico: null, dia: null, momento: null }
    for (const { character } of characters) {
      await fill([
        { ...none, id: 1, texto: `a${character}b` },
        { ...none, id: 2, texto: 'ab' },
        { ...none, id: 3, texto: 'axb' },
      ])
      assert.deepEqual(await select({ 'texto[like]': character }), [1], character)
      assert.deepEqual(await select({ search: `a${character}b` }), [1], character)
    }
  })
})

/** The same tests as `field[op]=value`. A list is separated by commas; blanks around its members do not count. */
function asParameters(tests: Record<string, Condition>[]): { query: Record<string, string>; meant: Tree[] } {
  const query: Record<string, string> = {}
  const meant: Tree[] = []
  for (const [field, condition] of tests.flatMap((one) => Object.entries(one)))
    for (const [op, operand] of testsOf(condition)) {
      const name = `${field}[${op}]`
      const members = [operand].flat().map((member) => String(member).replaceAll(/[, ]/g, ''))
      if (name in query || members.length === 0) continue
      query[name] = op === 'in' ? members.join(',') : String(operand)
      meant.push({ [field]: { [op]: op === 'in' ? members.map((text) => fromText(field, text)) : operand } })
    }
  return { query, meant }
}

function fromText(field: string, text: string): Value {
  if (field === 'logico') return text === 'true'
  return field === 'inteiro' || field === 'numero' ? Number(text) : text
}

describe('Pages', () => {
  it('together hold every row once, in the order asked for, those without a value last', async () => {
    const order = fc.constantFrom('asc' as const, 'desc' as const)
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(...FIELDS),
        order,
        fc.integer({ min: 1, max: 5 }),
        async (drawn, sort, order, size) => {
          await fill(drawn)
          const seen: number[] = []
          for (let page = 1; page <= Math.ceil(drawn.length / size) + 1; page++) {
            const found = await db.rows<{ id: number }>(
              sql`select id from linhas ${orderBy({ sort, order }, COLUMNS, sql`id`)} ${limit({ page, size })}`,
            )
            assert.equal(found.length, Math.max(0, Math.min(size, drawn.length - (page - 1) * size)))
            seen.push(...found.map(({ id }) => id))
          }
          const sign = order === 'asc' ? 1 : -1
          const expected = drawn.toSorted((a, b) => {
            const [x, y] = [a[sort], b[sort]]
            if (x === null || y === null)
              return Number(x === null) - Number(y === null) || sign * (a.id - b.id)
            return sign * (compare(sort, x, y) || a.id - b.id)
          })
          assert.deepEqual(
            seen,
            expected.map(({ id }) => id),
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})
