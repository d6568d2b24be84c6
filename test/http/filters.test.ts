import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { where } from '../../src/db/where.ts'
import { type FieldType, type Filter, type ListRules, OPERATORS } from '../../src/filter.ts'
import { MAX_DEPTH, MAX_TESTS, parseFilters } from '../../src/http/filters.ts'

const RULES: ListRules = {
  fields: {
    texto: { type: 'text' },
    trecho: { type: 'text', plain: 'like' },
    inteiro: { type: 'integer' },
    numero: { type: 'number' },
    logico: { type: 'boolean' },
    dia: { type: 'date' },
    momento: { type: 'datetime' },
  },
  sortable: ['inteiro'],
  defaultSort: { field: 'inteiro', order: 'asc' },
}

const parse = (raw: Record<string, unknown>) => parseFilters(raw, RULES)
const search = (json: unknown) => parse({ search: JSON.stringify(json) })
const and = (...of: unknown[]) => ({ kind: 'and', of })
const or = (...of: unknown[]) => ({ kind: 'or', of })
const is = (field: string, op: string, value: unknown) => ({ kind: 'test', field, op, value })

function assertRefused(raw: Record<string, unknown>, field: string, code: string) {
  const { problems } = parse(raw)
  assert.deepEqual(
    problems.map((problem) => [problem.at, problem.path, problem.code]),
    [['query', [field], code]],
  )
}

describe('A parameter becomes a test', () => {
  const ACCEPTED: [name: string, value: unknown, filter: unknown][] = [
    ['texto', 'Ana', is('texto', 'eq', 'Ana')],
    ['texto', '', is('texto', 'eq', '')],
    ['texto', "'; drop table casos; --", is('texto', 'eq', "'; drop table casos; --")],
    ['trecho', 'an', is('trecho', 'like', 'an')],
    ['trecho[eq]', 'an', is('trecho', 'eq', 'an')],
    ['texto[like]', '100%_\\', is('texto', 'like', '100%_\\')],
    ['texto[in]', 'a, b ,c', is('texto', 'in', ['a', 'b', 'c'])],
    ['texto[in]', ['a', 'b, c'], is('texto', 'in', ['a', 'b, c'])],
    ['inteiro', '7', is('inteiro', 'eq', 7)],
    ['inteiro', '-2147483647', is('inteiro', 'eq', -2147483647)],
    ['inteiro[gt]', '007', is('inteiro', 'gt', 7)],
    ['inteiro[in]', '1,2', is('inteiro', 'in', [1, 2])],
    ['numero[lte]', '-1.25', is('numero', 'lte', -1.25)],
    ['logico', 'true', is('logico', 'eq', true)],
    ['logico', '0', is('logico', 'eq', false)],
    ['logico[ne]', '1', is('logico', 'ne', true)],
    ['dia[gte]', '2024-02-29', is('dia', 'gte', '2024-02-29')],
    ['dia', '0001-01-01', is('dia', 'eq', '0001-01-01')],
    ['momento[lt]', '2024-01-31T23:59:59Z', is('momento', 'lt', '2024-01-31T23:59:59Z')],
    ['momento', '2024-01-31T10:00-03:00', is('momento', 'eq', '2024-01-31T10:00-03:00')],
    ['momento', '2024-01-31T10:00:00.123456+05:30', is('momento', 'eq', '2024-01-31T10:00:00.123456+05:30')],
    // A date alone is the first moment of that day in Brazil.
    ['momento[gte]', '2024-01-31', is('momento', 'gte', '2024-01-31 00:00 America/Sao_Paulo')],
  ]
  for (const [name, value, filter] of ACCEPTED)
    it(`${name}=${value}`, () => {
      assert.deepEqual(parse({ [name]: value }), { filter: and(filter), problems: [] })
    })

  const COMPARABLE = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in']
  const ALLOWED: Record<FieldType, [field: string, value: string, operators: string[]]> = {
    text: ['texto', 'a', [...COMPARABLE, 'like']],
    integer: ['inteiro', '1', COMPARABLE],
    number: ['numero', '1', COMPARABLE],
    boolean: ['logico', 'true', ['eq', 'ne', 'in']],
    date: ['dia', '2024-01-01', COMPARABLE],
    datetime: ['momento', '2024-01-01T00:00:00Z', COMPARABLE],
  }
  for (const [type, [field, value, operators]] of Object.entries(ALLOWED))
    it(`${type}: ${operators.join(', ')} and no other operator`, () => {
      for (const op of OPERATORS) {
        if (!operators.includes(op)) {
          assertRefused({ [`${field}[${op}]`]: value }, `${field}[${op}]`, 'UNKNOWN_OPERATOR')
          continue
        }
        const { filter, problems } = parse({ [`${field}[${op}]`]: value })
        assert.deepEqual(problems, [])
        assert.equal((filter as { of: { op: string }[] }).of[0]?.op, op)
      }
    })

  it('several mean "and", and none means everything', () => {
    assert.deepEqual(
      parse({ texto: 'a', 'inteiro[gt]': '1', 'inteiro[lt]': '9' }).filter,
      and(is('texto', 'eq', 'a'), is('inteiro', 'gt', 1), is('inteiro', 'lt', 9)),
    )
    assert.deepEqual(parse({}), { filter: and(), problems: [] })
  })
})

describe('A parameter is refused', () => {
  const NO_NUMBER = ['', ' ', '1 ', 'x', '1,5', '--1', '+1', '0x10', '1e3', 'NaN', 'Infinity', 'null', 'true']
  const NO_DATE = [
    'today',
    'now',
    'infinity',
    '-infinity',
    'epoch',
    'tomorrow',
    '2023-02-30',
    '2023-02-29',
    '2023-13-01',
    '2023-00-10',
    '2023-01-00',
    '0000-01-01',
    '2023-1-1',
    '20230101',
    '01/02/2023',
    '2023-01-01 BC',
    ' 2023-01-01',
    '٢٠٢٣-٠١-٠١',
    '12023-01-01',
    '-2023-01-01',
  ]
  const NO_MOMENT = [
    ...NO_DATE,
    '2023-01-01T10:00:00',
    '2023-01-01 10:00:00Z',
    '2023-01-01T25:00:00Z',
    '2023-01-01T10:60:00Z',
    '2023-01-01T10:00:61Z',
    '2023-02-30T10:00:00Z',
    '2023-01-01T10:00:00+24:00',
    '2023-01-01T10:00:00+16:00',
    '2023-01-01T10:00:00.1234567890Z',
    '2023-01-01T10:00:00Zjunk',
    'allballsZ',
  ]
  const REFUSED: [field: string, code: string, values: unknown[]][] = [
    [
      'inteiro',
      'INVALID_TYPE',
      [...NO_NUMBER, '1.5', '2147483648', '-2147483648', '99999999999', '9'.repeat(50)],
    ],
    ['numero', 'INVALID_TYPE', [...NO_NUMBER, '1.', '.5', '9'.repeat(16), `0.${'1'.repeat(16)}`, '1.2.3']],
    ['logico', 'INVALID_TYPE', ['', 'sim', 'TRUE', 'yes', '2', 't', ' true']],
    ['dia', 'INVALID_FORMAT', ['', ...NO_DATE, '2023-01-01T00:00:00Z']],
    ['momento', 'INVALID_FORMAT', ['', ...NO_MOMENT]],
    ['texto', 'TOO_LONG', ['x'.repeat(201)]],
    ['texto', 'INVALID_FORMAT', ['a\0b', '\ud800', 'a\udc00']],
    // Given twice.
    ['texto', 'INVALID_TYPE', [['a', 'b']]],
    ['inteiro', 'INVALID_TYPE', [['1', '2']]],
    ['dia', 'INVALID_FORMAT', [['2023-01-01', '2023-01-02']]],
  ]
  for (const [field, code, values] of REFUSED)
    for (const value of values)
      it(`${field}=${JSON.stringify(value).slice(0, 40)} with ${code}`, () =>
        assertRefused({ [field]: value }, field, code))

  it('texto of 200 characters is still accepted', () => {
    assert.deepEqual(parse({ texto: 'x'.repeat(200) }).problems, [])
  })

  const OPERATORS_UNKNOWN = ['', 'EQ', 'between', 'regex', 'constructor', '__proto__', 'toString', 'eq ']
  for (const op of OPERATORS_UNKNOWN)
    it(`texto[${op}] with UNKNOWN_OPERATOR`, () =>
      assertRefused({ [`texto[${op}]`]: 'a' }, `texto[${op}]`, 'UNKNOWN_OPERATOR'))

  const FIELDS_UNKNOWN = [
    'senha',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'texto.a',
    'TEXTO',
  ]
  for (const field of FIELDS_UNKNOWN)
    it(`${field}[eq] with UNKNOWN_FIELD, which names the fields there are`, () => {
      assertRefused(Object.fromEntries([[`${field}[eq]`, 'a']]), `${field}[eq]`, 'UNKNOWN_FIELD')
      const [problem] = parse(Object.fromEntries([[`${field}[eq]`, 'a']])).problems
      assert.deepEqual(problem?.params, { allowed: Object.keys(RULES.fields).join(', ') })
    })

  it('a plain name that is no field, telling every name there is; further parameters of the route are none of its business', () => {
    const names = ['textos', '__proto__', 'constructor', 'toString', '', 'a]b', '[', '[eq]', 'texto[eq]x']
    for (const name of names) assertRefused(Object.fromEntries([[name, 'a']]), name, 'UNKNOWN_FIELD')
    const { problems } = parseFilters({ textos: 'a', nivel: 'b', page: '0' }, RULES, ['nivel'])
    const allowed = ['page', 'size', 'sort', 'order', 'nivel', 'search', ...Object.keys(RULES.fields)].join(
      ', ',
    )
    assert.deepEqual(
      problems.map(({ path, params }) => [path, params]),
      [[['textos'], { allowed }]],
    )
  })

  it('each bad member of a list of `in`, and a list over 100', () => {
    assert.deepEqual(
      parse({ 'inteiro[in]': '1,x,,2147483648' }).problems.map(({ code }) => code),
      ['INVALID_TYPE', 'INVALID_TYPE', 'INVALID_TYPE'],
    )
    assert.deepEqual(parse({ 'inteiro[in]': Array(100).fill('1').join(',') }).problems, [])
    assertRefused({ 'inteiro[in]': Array(101).fill('1').join(',') }, 'inteiro[in]', 'TOO_MANY')
  })

  it('all problems are told at once', () => {
    const { problems } = parse({ inteiro: 'x', 'texto[foo]': '1', 'nada[eq]': '1', search: '{"nada":1}' })
    assert.deepEqual(
      problems.map(({ path, code }) => `${path} ${code}`),
      [
        'inteiro INVALID_TYPE',
        'texto[foo] UNKNOWN_OPERATOR',
        'nada[eq] UNKNOWN_FIELD',
        'search UNKNOWN_FIELD',
      ],
    )
  })
})

describe('`search`', () => {
  it('is free text unless it begins like a JSON object', () => {
    for (const text of ['dengue', ' dengue ', '100%', '[1]', '"a"', 'a{b}'])
      assert.deepEqual(parse({ search: text }), {
        filter: and({ kind: 'search', text: text.trim() }),
        problems: [],
      })
    for (const text of ['', '   ']) assert.deepEqual(parse({ search: text }), { filter: and(), problems: [] })
  })

  it('that is text obeys the limits of text', () => {
    assertRefused({ search: 'x'.repeat(201) }, 'search', 'TOO_LONG')
    assertRefused({ search: 'a\0' }, 'search', 'INVALID_FORMAT')
    assertRefused({ search: ['a', 'b'] }, 'search', 'INVALID_TYPE')
  })

  const NESTED: [json: unknown, filter: unknown][] = [
    [{}, and()],
    [{ texto: 'a' }, and(is('texto', 'eq', 'a'))],
    [{ trecho: 'a' }, and(is('trecho', 'like', 'a'))],
    [{ inteiro: 5, logico: true }, and(is('inteiro', 'eq', 5), is('logico', 'eq', true))],
    [{ inteiro: '5' }, and(is('inteiro', 'eq', 5))],
    [{ inteiro: { gte: 1, lt: 9 } }, and(and(is('inteiro', 'gte', 1), is('inteiro', 'lt', 9)))],
    [{ texto: { in: ['a ', 'b,c'] } }, and(and(is('texto', 'in', ['a ', 'b,c'])))],
    [{ texto: { in: 'a , b' } }, and(and(is('texto', 'in', ['a', 'b'])))],
    [{ inteiro: { in: [] } }, and(and(is('inteiro', 'in', [])))],
    [{ or: [] }, and(or())],
    [
      { or: [{ texto: 'a' }, { and: [{ inteiro: 1 }, { dia: { lt: '2024-01-01' } }] }] },
      and(
        or(
          and(is('texto', 'eq', 'a')),
          and(and(and(is('inteiro', 'eq', 1)), and(and(is('dia', 'lt', '2024-01-01'))))),
        ),
      ),
    ],
  ]
  for (const [json, filter] of NESTED)
    it(`understands ${JSON.stringify(json)}`, () => {
      assert.deepEqual(search(json), { filter: and(filter), problems: [] })
    })

  const REFUSED: [text: string, code: string][] = [
    ['{', 'INVALID_FORMAT'],
    ["{'texto':'a'}", 'INVALID_FORMAT'],
    ['{"and":{}}', 'INVALID_FORMAT'],
    ['{"and":[1]}', 'INVALID_FORMAT'],
    ['{"or":[null]}', 'INVALID_FORMAT'],
    ['{"or":[[]]}', 'INVALID_FORMAT'],
    ['{"or":"texto"}', 'INVALID_FORMAT'],
    ['{"nada":1}', 'UNKNOWN_FIELD'],
    ['{"not":[]}', 'UNKNOWN_FIELD'],
    ['{"__proto__":1}', 'UNKNOWN_FIELD'],
    ['{"__proto__":{"eq":1}}', 'UNKNOWN_FIELD'],
    ['{"constructor":{"eq":1}}', 'UNKNOWN_FIELD'],
    ['{"toString":"a"}', 'UNKNOWN_FIELD'],
    ['{"texto":{"between":"a"}}', 'UNKNOWN_OPERATOR'],
    ['{"texto":{"__proto__":"a"}}', 'UNKNOWN_OPERATOR'],
    ['{"logico":{"gt":true}}', 'UNKNOWN_OPERATOR'],
    ['{"texto":1}', 'INVALID_TYPE'],
    ['{"texto":null}', 'INVALID_TYPE'],
    ['{"texto":["a"]}', 'INVALID_TYPE'],
    ['{"texto":{"eq":{"eq":"a"}}}', 'INVALID_TYPE'],
    ['{"texto":{"like":["a"]}}', 'INVALID_TYPE'],
    ['{"inteiro":1.5}', 'INVALID_TYPE'],
    ['{"inteiro":1e10}', 'INVALID_TYPE'],
    ['{"inteiro":true}', 'INVALID_TYPE'],
    ['{"numero":1e400}', 'INVALID_TYPE'],
    ['{"logico":1}', 'INVALID_TYPE'],
    ['{"inteiro":{"in":[[1]]}}', 'INVALID_TYPE'],
    ['{"inteiro":{"in":null}}', 'INVALID_TYPE'],
    ['{"dia":"today"}', 'INVALID_FORMAT'],
    ['{"texto":"a\\u0000"}', 'INVALID_FORMAT'],
    ['{"texto":"\\ud800"}', 'INVALID_FORMAT'],
  ]
  for (const [text, code] of REFUSED)
    it(`refuses ${text} with ${code}`, () => assertRefused({ search: text }, 'search', code))

  it('has a limit of depth', () => {
    const nested = (depth: number): unknown => (depth === 1 ? { inteiro: 1 } : { and: [nested(depth - 1)] })
    assert.deepEqual(search(nested(MAX_DEPTH)).problems, [])
    assertRefused({ search: JSON.stringify(nested(MAX_DEPTH + 1)) }, 'search', 'TOO_DEEP')
    assertRefused({ search: JSON.stringify(nested(2_000)) }, 'search', 'TOO_DEEP')
  })

  it('has a limit of tests, parameters counted in', () => {
    const tests = (count: number) => Array.from({ length: count }, (_, i) => ({ inteiro: i }))
    assert.deepEqual(search({ or: tests(MAX_TESTS) }).problems, [])
    assertRefused({ search: JSON.stringify({ or: tests(MAX_TESTS + 1) }) }, 'search', 'TOO_MANY')
    assertRefused({ search: JSON.stringify({ or: tests(MAX_TESTS) }), texto: 'a' }, 'texto', 'TOO_MANY')
    const spread = { and: [{ or: tests(30) }, { or: tests(30) }] }
    assert.ok(search(spread).problems.every(({ code }) => code === 'TOO_MANY'))
    assert.equal(search(spread).problems.length, 10)
  })
})

describe('where()', () => {
  const columns = { fields: {}, search: () => assert.fail('not asked for') }

  it('never takes a name that the feature did not list, prototype names included', () => {
    for (const field of ['nada', '__proto__', 'constructor', 'toString'])
      assert.throws(() => where({ kind: 'test', field, op: 'eq', value: 1 } as Filter, columns), /no column/)
  })

  it('puts every value beside the statement, not into it', () => {
    const { filter } = parse({ texto: "x'); drop table a; --", 'trecho[like]': '%', 'texto[in]': "a',b" })
    const fields = Object.fromEntries(
      ['texto', 'trecho'].map((name) => [name, where(and() as Filter, columns)]),
    )
    const { text, parameters } = where(filter, { ...columns, fields })
    assert.doesNotMatch(text, /drop|'/)
    assert.deepEqual(parameters, ["x'); drop table a; --", '%\\%%', ["a'", 'b']])
  })
})
