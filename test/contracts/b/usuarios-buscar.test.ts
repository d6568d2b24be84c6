import assert from 'node:assert/strict'
import { after, describe, it, mock } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { invalid } from '../refusals.ts'
import { gruposApp, nomes } from './grupos-app.ts'

const { t, admin, padrao } = await gruposApp()
after(() => t.close())
const { pool } = t.database

const buscar = (body: unknown) => t.as(admin).post('/usuarios/buscar', body)
const FIELDS = [
  ...['id', 'nome', 'email', 'cpf', 'telefone', 'avatar_url', 'cargo', 'departamento', 'cidade', 'estado'],
  ...['admin', 'ativo', 'plano', 'email_verificado', 'mfa_habilitado', 'criado_em', 'atualizado_em'],
  'ultimo_acesso',
  'territorios',
]

/** Beside the administrator (z). */
const ids = new Map([[admin.id, 'z']])
const id: Record<string, number> = { z: admin.id }
for (const [letter, nome, estado, cidade, grupo, cpf, criado_em, ativo] of [
  ['a', 'Ana', 'PE', 'Recife', 'usuario', '52998224725', '2025-01-10T12:00:00Z', true],
  ['b', 'Bia', 'PE', 'Olinda', 'usuario', null, '2025-01-20T12:00:00Z', false],
  ['c', 'Cacá', 'SP', 'São Paulo', 'analista', null, '2025-01-30T12:00:00Z', true],
  ['d', 'Davi', null, null, 'gestor', null, '2025-01-30T12:00:00Z', true],
] as const) {
  const person = await t.person({ grupos: [grupo], permissoes: letter === 'a' ? ['auditoria.ver'] : [] })
  ids.set(person.id, letter)
  id[letter] = person.id
  await pool.run(sql`
    update usuarios set nome = ${nome}, estado = ${estado}, cidade = ${cidade}, cpf = ${cpf}, criado_em = ${criado_em},
           desativado_em = ${ativo ? null : '2025-05-01'}::timestamptz where id = ${person.id}`)
}
await pool.run(
  sql`update usuarios set nome = 'Zulu', criado_em = '2024-01-01T00:00:00Z' where id = ${admin.id}`,
)

const initials = (items: { id: number }[]) => items.map((item) => ids.get(item.id)).join('')
async function found(body: object): Promise<string> {
  const answer = await buscar(body)
  assert.equal(answer.status, 200, answer.text)
  return initials(answer.body.items)
}
const test = (campo: string, operador: string | undefined, valor: unknown) => ({
  campo,
  ...(operador !== undefined && { operador }),
  valor,
})

describe('POST /usuarios/buscar', () => {
  it('answers the common envelope, without links since no address holds a body', async () => {
    const { status, body } = await buscar({})
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['items', 'links', 'meta', 'page', 'pages', 'size', 'total'])
    assert.deepEqual([body.total, body.page, body.size, body.pages], [5, 1, 50, 1])
    assert.deepEqual(body.links, { first: null, prev: null, next: null, last: null })
    assert.equal(initials(body.items), 'zabcd')
    for (const item of body.items) assert.deepEqual(Object.keys(item).sort(), FIELDS.toSorted())
  })

  it('includes what is asked for', async () => {
    const one = { filtros: test('id', 'eq', id.a) }
    const keys = async (incluir: string[]) => {
      const [item] = (await buscar({ ...one, incluir })).body.items
      return Object.keys(item).filter((key) => !FIELDS.includes(key))
    }
    assert.deepEqual(await keys([]), [])
    assert.deepEqual(await keys(['grupos']), ['grupos'])
    assert.deepEqual(await keys(['permissoes']), ['permissoes_diretas', 'permissoes_efetivas'])
    const { body } = await buscar({ ...one, incluir: ['permissoes', 'grupos'] })
    const [{ grupos, permissoes_diretas, permissoes_efetivas }] = body.items
    assert.deepEqual([nomes(grupos), nomes(permissoes_diretas)], [['usuario'], ['auditoria.ver']])
    const { body: rights } = await t.as(admin).get(`/usuarios/${id.a}/permissoes`)
    assert.deepEqual(permissoes_efetivas, rights.permissoes_efetivas)
  })

  it('takes the same number of queries however many users it finds', async () => {
    const calls = [mock.method(pool, 'rows'), mock.method(pool, 'first'), mock.method(pool, 'run')]
    const queries = async (tamanho: number) => {
      for (const call of calls) call.mock.resetCalls()
      await found({ paginacao: { tamanho }, incluir: ['grupos', 'permissoes'] })
      // Whose token it is, is remembered for a moment.
      const texts = calls.flatMap(({ mock: { calls: made } }) =>
        made.map(({ arguments: [query] }) => query.text),
      )
      return texts.filter((text) => !text.includes('sessoes')).length
    }
    for (const tamanho of [1, 2, 100]) assert.ok([1, 2].includes(await queries(tamanho)))
    mock.restoreAll()
  })

  it('pages through its results', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4].map((pagina) =>
        buscar({ paginacao: { pagina, tamanho: 2 }, ordenacao: [{ campo: 'nome' }] }),
      ),
    )
    assert.deepEqual(
      pages.map(({ body }) => initials(body.items)),
      ['ab', 'cd', 'z', ''],
    )
    assert.deepEqual(
      pages.map(({ body }) => [body.page, body.pages]),
      [
        [1, 3],
        [2, 3],
        [3, 3],
        [4, 3],
      ],
    )
    assert.equal(await found({ paginacao: { pagina: 1_000_000_000, tamanho: 100 } }), '')
  })
})

describe('POST /usuarios/buscar orders by', () => {
  for (const [what, ordenacao, expected] of [
    ['nothing: the id', [], 'zabcd'],
    ['a name', [{ campo: 'nome' }], 'abcdz'],
    ['a name downwards', [{ campo: 'nome', direcao: 'desc' }], 'zdcba'],
    [
      'state, then name downwards, nulls last',
      [{ campo: 'estado' }, { campo: 'nome', direcao: 'desc' }],
      'baczd',
    ],
    ['date downwards, then name', [{ campo: 'criado_em', direcao: 'desc' }, { campo: 'nome' }], 'cdbaz'],
    ['date, then name downwards', [{ campo: 'criado_em' }, { campo: 'nome', direcao: 'desc' }], 'zabdc'],
    [
      'activity, state and id',
      [{ campo: 'ativo' }, { campo: 'estado' }, { campo: 'id', direcao: 'desc' }],
      'bacdz',
    ],
    ['equal keys: the id, downwards with the first key', [{ campo: 'admin', direcao: 'desc' }], 'zdcba'],
    ['the same key twice', [{ campo: 'nome' }, { campo: 'nome', direcao: 'desc' }], 'abcdz'],
  ] as const)
    it(what, async () => {
      assert.equal(await found({ ordenacao }), expected)
    })
})

describe('POST /usuarios/buscar finds by', () => {
  const PE = test('estado', 'eq', 'PE')
  for (const [filtros, expected] of [
    [{}, 'zabcd'],
    [PE, 'ab'],
    [test('estado', undefined, 'PE'), 'ab'],
    [test('estado', 'ne', 'PE'), 'zcd'],
    [test('nome', 'like', 'CACA'), 'c'],
    [test('nome', 'like', '%'), ''],
    [test('nome', 'eq', 'ana'), ''],
    [test('nome', 'in', ['Ana', 'Davi']), 'ad'],
    [test('nome', 'in', 'Ana,Davi'), 'ad'],
    [test('cidade', 'in', ['São Paulo']), 'c'],
    [test('id', 'gt', id.b), 'cd'],
    [test('id', 'gte', id.b), 'bcd'],
    [test('id', 'lt', id.b), 'za'],
    [test('id', 'lte', id.b), 'zab'],
    [test('ativo', 'eq', false), 'b'],
    [test('admin', 'ne', true), 'abcd'],
    [test('cpf', 'eq', '529.982.247-25'), 'a'],
    [test('grupo_id', 'eq', padrao('usuario')), 'ab'],
    [test('grupo_id', 'in', [padrao('gestor'), padrao('analista')]), 'cd'],
    [test('criado_em', 'gte', '2025-01-30T09:00:00-03:00'), 'cd'],
    [test('criado_em', 'lt', '2025-01-20'), 'za'],
    [{ and: [] }, 'zabcd'],
    [{ or: [] }, ''],
    [{ and: [PE, test('ativo', 'eq', true)] }, 'a'],
    [{ or: [test('nome', 'eq', 'Ana'), test('nome', 'eq', 'Davi')] }, 'ad'],
    [{ and: [PE], or: [test('nome', 'eq', 'Ana'), test('nome', 'eq', 'Davi')] }, 'a'],
    [{ ...PE, or: [test('ativo', 'eq', false)] }, 'b'],
    [{ or: [{ and: [PE, test('ativo', 'eq', false)] }, { and: [test('estado', 'eq', 'SP')] }] }, 'bc'],
    [
      { and: [{ or: [PE, { and: [{ or: [test('estado', 'eq', 'SP')] }] }] }, test('ativo', 'ne', false)] },
      'ac',
    ],
  ] as const)
    it(JSON.stringify(filtros), async () => {
      assert.equal(await found({ filtros }), expected)
    })

  it('the same as the list with the same filters', async () => {
    for (const [query, filtros] of [
      ['?nome[like]=a&estado[eq]=PE', { and: [test('nome', 'like', 'a'), PE] }],
      ['?ativo=true&id[gt]=1', { and: [test('ativo', 'eq', true), test('id', 'gt', 1)] }],
      [
        `?grupo_id[in]=${padrao('usuario')},${padrao('gestor')}`,
        test('grupo_id', 'in', [padrao('usuario'), padrao('gestor')]),
      ],
      [
        `?search=${JSON.stringify({ or: [{ estado: { eq: 'SP' } }, { admin: true }] })}`,
        { or: [test('estado', 'eq', 'SP'), test('admin', 'eq', true)] },
      ],
    ] as const) {
      const list = await t.as(admin).get(`/usuarios${query}`)
      const search = await buscar({ filtros, incluir: ['grupos', 'permissoes'] })
      assert.equal(search.body.total, list.body.total)
      const plain = ({ total_permissoes: _total, ...item }: { total_permissoes: number }) => item
      const same = ({ permissoes_efetivas: _efetivas, ...item }: { permissoes_efetivas: string[] }) => item
      assert.deepEqual(search.body.items.map(same), list.body.items.map(plain))
    }
  })
})

describe('POST /usuarios/buscar refuses', () => {
  const deep = (levels: number): object =>
    levels === 0 ? test('nome', 'eq', 'a') : { and: [deep(levels - 1)] }
  const many = (n: number) => Array.from({ length: n }, () => test('id', 'gt', 0))
  const F = (code: string) => [`filtros ${code}`]

  for (const [what, body, expected] of [
    ['an unknown field', { filtros: test('senha_hash', 'like', 'a') }, F('UNKNOWN_FIELD')],
    ['a field of objects', { filtros: test('__proto__', 'eq', 'a') }, F('UNKNOWN_FIELD')],
    ['an unknown operator', { filtros: test('nome', 'regex', 'a') }, F('UNKNOWN_OPERATOR')],
    ['an operator the field has not', { filtros: test('grupo_id', 'ne', 1) }, F('UNKNOWN_OPERATOR')],
    ['an operator of objects', { filtros: test('nome', 'constructor', 'a') }, F('UNKNOWN_OPERATOR')],
    ['a field that is no text', { filtros: { campo: { toString: 1 }, valor: 1 } }, F('UNKNOWN_FIELD')],
    [
      'an operator that is no text',
      { filtros: { campo: 'nome', operador: { toString: 1 }, valor: 'a' } },
      F('UNKNOWN_OPERATOR'),
    ],
    ['a field named as a list', { filtros: test('and', 'eq', []) }, F('INVALID_FORMAT')],
    ['no field', { filtros: { operador: 'eq' } }, F('UNKNOWN_FIELD')],
    ['anything beside a condition', { filtros: { ...test('nome', 'eq', 'a'), xor: [] } }, F('UNKNOWN_FIELD')],
    ['no value', { filtros: { campo: 'nome', operador: 'eq' } }, F('INVALID_TYPE')],
    ['null as a value', { filtros: test('cidade', 'eq', null) }, F('INVALID_TYPE')],
    ['a value of another type', { filtros: test('ativo', 'eq', 'talvez') }, F('INVALID_TYPE')],
    ['an object as a value', { filtros: test('nome', 'eq', { a: 1 }) }, F('INVALID_TYPE')],
    ['a date that is none', { filtros: test('criado_em', 'gt', 'infinity') }, F('INVALID_FORMAT')],
    ['NUL in a value', { filtros: test('nome', 'eq', 'a\0') }, F('INVALID_FORMAT')],
    ['half of a surrogate pair', { filtros: test('nome', 'like', '\ud800') }, F('INVALID_FORMAT')],
    ['a far too long value', { filtros: test('nome', 'eq', 'a'.repeat(201)) }, F('TOO_LONG')],
    [
      '101 values',
      {
        filtros: test(
          'id',
          'in',
          Array.from({ length: 101 }, (_, i) => i),
        ),
      },
      F('TOO_MANY'),
    ],
    ['a list that is none', { filtros: { and: test('estado', 'eq', 'PE') } }, F('INVALID_FORMAT')],
    ['an item that is no condition', { filtros: { or: ['nome'] } }, F('INVALID_FORMAT')],
    ['a sixth level', { filtros: deep(5) }, F('TOO_DEEP')],
    ['a thirtieth level', { filtros: deep(30) }, F('TOO_DEEP')],
    ['51 conditions in a list', { filtros: { and: many(51) } }, F('TOO_MANY')],
    ['51 conditions in two lists', { filtros: { and: many(30), or: many(21) } }, F('TOO_MANY')],
    ['filters as a list', { filtros: [] }, ['filtros INVALID_TYPE']],
    ['filters as text', { filtros: '{}' }, ['filtros INVALID_TYPE']],
    ['an unknown sort field', { ordenacao: [{ campo: 'senha_hash' }] }, ['ordenacao.0.campo INVALID_VALUE']],
    ['a sort without field', { ordenacao: [{ direcao: 'asc' }] }, ['ordenacao.0.campo REQUIRED']],
    [
      'a third direction',
      { ordenacao: [{ campo: 'nome', direcao: 'x' }] },
      ['ordenacao.0.direcao INVALID_VALUE'],
    ],
    [
      'six sort keys',
      { ordenacao: Array.from({ length: 6 }, () => ({ campo: 'id' })) },
      ['ordenacao TOO_MANY'],
    ],
    ['page 0', { paginacao: { pagina: 0 } }, ['paginacao.pagina TOO_SMALL']],
    ['page 1.5', { paginacao: { pagina: 1.5 } }, ['paginacao.pagina INVALID_TYPE']],
    ['a page too far', { paginacao: { pagina: 1_000_000_001 } }, ['paginacao.pagina TOO_LARGE']],
    ['101 on a page', { paginacao: { tamanho: 101 } }, ['paginacao.tamanho TOO_LARGE']],
    ['none on a page', { paginacao: { tamanho: 0 } }, ['paginacao.tamanho TOO_SMALL']],
    ['an unknown include', { incluir: ['senhas'] }, ['incluir.0 INVALID_VALUE']],
    ['a list instead of an object', [], [' INVALID_TYPE']],
  ] as [string, object, string[]][])
    it(what, async () => {
      assert.deepEqual(await invalid(t, () => buscar(body)), expected)
    })

  it('a tree of very many empty conditions', async () => {
    const wide = (levels: number): object =>
      levels === 0 ? {} : { and: Array.from({ length: 40 }, () => wide(levels - 1)) }
    const found = await invalid(t, () => buscar({ filtros: wide(3) }))
    assert.deepEqual([...new Set(found)], F('TOO_MANY'))
    assert.ok(found.length <= 100)
  })

  it('but takes five levels and fifty conditions', async () => {
    assert.equal(await found({ filtros: deep(4) }), '')
    assert.equal(await found({ filtros: { and: many(50) } }), 'zabcd')
  })
})
