import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ListRules } from '../../src/filter.ts'
import { listParameters, listSchema, parseList } from '../../src/http/paging.ts'
import { createValidators } from '../../src/http/validation.ts'

const RULES: ListRules = {
  fields: { nome: { type: 'text', plain: 'like' }, ativo: { type: 'boolean' }, dia: { type: 'date' } },
  sortable: ['id', 'nome', 'criado_em'],
  defaultSort: { field: 'criado_em', order: 'desc' },
}
const validate = createValidators().parameters(listParameters(RULES))
const parse = (raw: Record<string, unknown>) => parseList(raw, RULES, validate, { others: [], live: null })

describe('A list', () => {
  it('asked for nothing is its first page of 50 in its own order', () => {
    assert.deepEqual(parse({}), {
      list: { page: 1, size: 50, sort: 'criado_em', order: 'desc', filter: { kind: 'and', of: [] } },
      problems: [],
    })
  })

  const ORDERS: [raw: Record<string, string>, sort: string, order: string][] = [
    // Spec 4.8: `asc` is the default of `order`; the list's own order holds when no field is asked for.
    [{ sort: 'nome' }, 'nome', 'asc'],
    [{ sort: 'criado_em' }, 'criado_em', 'asc'],
    [{ sort: 'nome', order: 'desc' }, 'nome', 'desc'],
    [{ order: 'asc' }, 'criado_em', 'asc'],
    [{ order: 'desc' }, 'criado_em', 'desc'],
  ]
  for (const [raw, sort, order] of ORDERS)
    it(`with ${JSON.stringify(raw)} is ordered by ${sort} ${order}`, () => {
      const { list, problems } = parse(raw)
      assert.deepEqual([list.sort, list.order, problems], [sort, order, []])
    })

  const SIZES: [raw: Record<string, string>, page: number, size: number][] = [
    [{ page: '1', size: '1' }, 1, 1],
    [{ page: '3', size: '100' }, 3, 100],
    [{ page: '1000000000' }, 1_000_000_000, 50],
    [{ page: '007' }, 7, 50],
  ]
  for (const [raw, page, size] of SIZES)
    it(`with ${JSON.stringify(raw)} is page ${page} of ${size}`, () => {
      const { list, problems } = parse(raw)
      assert.deepEqual([list.page, list.size, problems], [page, size, []])
    })

  const REFUSED: [name: string, code: string, values: unknown[]][] = [
    ['page', 'TOO_SMALL', ['0', '-1', '-99999999999999999999']],
    ['page', 'TOO_LARGE', ['1000000001', '9'.repeat(30)]],
    ['size', 'TOO_SMALL', ['0', '-5']],
    ['size', 'TOO_LARGE', ['101', '1000']],
    ['page', 'INVALID_TYPE', ['', ' 1', '1.5', 'x', '0x10', '1e3', 'Infinity', 'NaN', 'true', ['1', '2']]],
    ['size', 'INVALID_TYPE', ['', 'todos', 'Infinity', '-Infinity', ['1', '2']]],
    ['sort', 'INVALID_VALUE', ['', 'senha_hash', 'ID', 'id desc', 'id;', '__proto__', 'constructor']],
    ['order', 'INVALID_VALUE', ['', 'up', 'ASC', 'desc, id']],
  ]
  for (const [name, code, values] of REFUSED)
    for (const value of values)
      it(`refuses ${name}=${JSON.stringify(value)} with ${code}`, () => {
        const { problems } = parse({ [name]: value })
        assert.deepEqual(
          problems.map((problem) => [problem.at, problem.path, problem.code]),
          [['query', [name], code]],
        )
      })

  it('tells the problems of paging and of filters together', () => {
    const { problems } = parse({ page: '0', size: 'x', ativo: 'talvez', 'nome[foo]': 'a' })
    assert.deepEqual(
      problems.map(({ path, code }) => `${path} ${code}`),
      ['page TOO_SMALL', 'size INVALID_TYPE', 'ativo INVALID_TYPE', 'nome[foo] UNKNOWN_OPERATOR'],
    )
  })

  it('does not change what it was given', () => {
    const raw = Object.freeze({ page: '2', size: '5', nome: 'a' })
    assert.equal(parse(raw).list.page, 2)
    assert.deepEqual(raw, { page: '2', size: '5', nome: 'a' })
  })
})

describe('The documentation of a list', () => {
  const schema = listSchema(RULES) as unknown as {
    properties: Record<
      string,
      { description?: string; default?: unknown; anyOf?: { properties?: Record<string, { type: string }> }[] }
    >
  }

  it('names paging, search and every filter field, with a description each', () => {
    assert.deepEqual(Object.keys(schema.properties), [
      'page',
      'size',
      'sort',
      'order',
      'search',
      'nome',
      'ativo',
      'dia',
    ])
    for (const [name, { description }] of Object.entries(schema.properties)) assert.ok(description, name)
  })

  it('types exactly the operators that a field takes, and names them', () => {
    const operatorsOf = (name: string) => schema.properties[name]?.anyOf?.[1]?.properties ?? {}
    assert.deepEqual(Object.keys(operatorsOf('nome')), ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'like'])
    assert.deepEqual(
      Object.entries(operatorsOf('ativo')).map(([name, { type }]) => [name, type]),
      [
        ['eq', 'boolean'],
        ['ne', 'boolean'],
        ['in', 'string'],
      ],
    )
    assert.match(schema.properties.nome?.description ?? '', /`like`/)
    assert.doesNotMatch(schema.properties.ativo?.description ?? '', /gt|like/)
  })

  it('has no default of `sort`, which alone would mean another order', () => {
    assert.equal(schema.properties.sort?.default, undefined)
    assert.match(schema.properties.sort?.description ?? '', /sem ele, `criado_em` em ordem `desc`/)
  })
})
