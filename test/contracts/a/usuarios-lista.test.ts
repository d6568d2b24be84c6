import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database

const ana = await t.person()

/** nome, email, cidade, estado, instituicao, admin, ativo */
const PEOPLE: [string, string, string | null, string | null, string | null, boolean, boolean][] = [
  ['João Conceição', 'joao@hospital.example', 'São Luís', 'MA', 'Hospital Açúcar', false, true],
  ['JOANA D’ÁVILA', 'Joana@Saude.example', 'São Paulo', 'SP', 'Secretaria de Saúde', true, true],
  ['Zé 100% Silva', 'ze_silva@saude.example', 'Olinda', 'PE', null, false, false],
  ['Zeca Silvaa', 'zecasilva@saude.example', 'Belém', 'PA', 'Fundação 50_anos', false, true],
  ['Ñandu Müller', 'nandu@outro.example', null, null, null, true, false],
  ['Barra \\ Invertida', 'barra@outro.example', 'Ipê', 'RS', 'Casa do Zé', false, true],
]
const ids: number[] = []
for (const [nome, email, cidade, estado, instituicao, admin, ativo] of PEOPLE) {
  const row = await pool.first<{ id: number }>(sql`
    insert into usuarios (nome, email, senha_hash, cidade, estado, instituicao, admin, desativado_em)
    values (${nome}, ${email}, 'x', ${cidade}, ${estado}, ${instituicao}, ${admin}, ${ativo ? null : new Date('2026-01-02T03:04:05Z')})
    returning id`)
  ids.push(row?.id ?? 0)
}
await pool.run(
  sql`insert into usuarios_permissoes (usuario_id, permissao_id) values (${ids[0]}, 1), (${ids[0]}, 3)`,
)

const total = (await pool.first<{ n: number }>(sql`select count(*) as n from usuarios`))?.n ?? 0
const list = (query: Record<string, string> | string = {}, slash = '/') => {
  const text = new URLSearchParams(query).toString()
  return t.as(ana).get(`/usuarios${slash}${text && `?${text}`}`)
}
/** Which of PEOPLE the list answers, by their place in the table. */
const found = async (query: Record<string, string>) => {
  const { status, body, text } = await list(query)
  assert.equal(status, 200, text)
  const places = body.usuarios.map(({ id }: { id: number }) => ids.indexOf(id)).filter((i: number) => i >= 0)
  assert.equal(body.total, body.usuarios.length, 'total is exact')
  return places
}

const ITEM = [
  'id',
  'nome',
  'email',
  'admin',
  'ativo',
  'telefone',
  'estado',
  'cidade',
  'funcao',
  'instituicao',
  'permissoes',
  'territorios',
  'desativado_em',
]

describe('GET /usuarios/', () => {
  it('answers exactly the fields of Paginated users and of a List item, to anyone logged in', async () => {
    const { status, body } = await list()
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['total', 'limit', 'offset', 'usuarios'])
    assert.deepEqual([body.total, body.limit, body.offset, body.usuarios.length], [total, 50, 0, total])
    for (const item of body.usuarios) assert.deepEqual(Object.keys(item), ITEM)
  })

  it('answers the stored values, null where there is none, direct permissions as records', async () => {
    const { body } = await list()
    const item = (place: number) => body.usuarios.find(({ id }: { id: number }) => id === ids[place])
    const { permissoes, ...joao } = item(0)
    assert.deepEqual(joao, {
      id: ids[0],
      nome: 'João Conceição',
      email: 'joao@hospital.example',
      admin: false,
      ativo: true,
      telefone: null,
      estado: 'MA',
      cidade: 'São Luís',
      funcao: null,
      instituicao: 'Hospital Açúcar',
      territorios: [],
      desativado_em: null,
    })
    const rows = await pool.rows(
      sql`select id, nome, descricao from permissoes where id in (1, 3) order by id`,
    )
    assert.deepEqual(permissoes, rows)
    const { ativo, desativado_em, permissoes: none, cidade } = item(4)
    assert.deepEqual([ativo, desativado_em, none, cidade], [false, '2026-01-02T03:04:05.000Z', [], null])
  })

  it('is in the order of the ids, and limit and offset walk through it without gap or repetition', async () => {
    const all: number[] = (await list()).body.usuarios.map(({ id }: { id: number }) => id)
    assert.deepEqual(
      all,
      all.toSorted((a, b) => a - b),
    )
    const walked: number[] = []
    for (let offset = 0; offset < total; offset += 3) {
      const { body } = await list({ limit: '3', offset: String(offset) })
      assert.deepEqual([body.total, body.limit, body.offset], [total, 3, offset])
      walked.push(...body.usuarios.map(({ id }: { id: number }) => id))
    }
    assert.deepEqual(walked, all)
  })

  it('past the end is an empty list with the same total', async () => {
    const { status, body } = await list({ offset: '1000000' })
    assert.deepEqual([status, body.total, body.usuarios], [200, total, []])
  })

  for (const limit of ['1', '100'])
    it(`takes limit=${limit}`, async () => {
      const { status, body } = await list({ limit })
      assert.deepEqual([status, body.limit], [200, Number(limit)])
    })

  for (const [name, value] of [
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'x'],
    ['limit', ''],
    ['limit', '1e1'],
    ['offset', '-1'],
    ['offset', 'x'],
    ['offset', '99999999999999999999'],
    ['admin', 'talvez'],
    ['ativo', '2'],
    ['nome', 'x'.repeat(201)],
    ['search', 'a\u0000b'],
  ] as [string, string][])
    it(`refuses ${name}=${JSON.stringify(value.slice(0, 20))} with 422 in this description's form`, async () => {
      for (const slash of name === 'limit' || name === 'offset' ? ['/', ''] : ['/']) {
        const { status, body } = await list({ [name]: value }, slash)
        assert.equal(status, 422)
        assert.deepEqual(Object.keys(body), ['detail'])
        assert.deepEqual(body.detail[0].loc, ['query', name])
        assert.deepEqual(Object.keys(body.detail[0]), ['loc', 'msg', 'type'])
      }
    })

  it('tells all that is wrong at once', async () => {
    const { body } = await list({ limit: '0', offset: '-1', admin: 'x' })
    const locs = body.detail.map(({ loc }: { loc: string[] }) => loc[1])
    assert.deepEqual(locs.toSorted(), ['admin', 'limit', 'offset'])
  })

  it('ignores parameters that it does not know', async () => {
    assert.equal((await list({ page: 'x', size: 'x', sort: 'x', cor: 'azul' })).body.total, total)
  })
})

describe('a filter of GET /usuarios/', () => {
  for (const [query, places] of [
    [{ nome: 'joa' }, [0, 1]],
    [{ nome: 'JOÃO' }, [0]],
    [{ nome: 'conceicao' }, [0]],
    [{ nome: 'd’avila' }, [1]],
    [{ nome: 'nandu mu' }, [4]],
    [{ nome: 'hospital' }, []],
    [{ email: 'SAUDE' }, [1, 2, 3]],
    [{ email: 'joana@saude.example' }, [1]],
    [{ cidade: 'sao' }, [0, 1]],
    [{ cidade: 'ipe' }, [5]],
    [{ estado: 'p' }, [1, 2, 3]],
    [{ estado: 'pe' }, [2]],
    [{ admin: 'true', nome: 'n' }, [1, 4]],
    [{ admin: 'false', email: 'outro' }, [5]],
    [{ ativo: 'false' }, [2, 4]],
    [{ ativo: 'true', email: 'outro' }, [5]],
    [{ nome: '%' }, [2]],
    [{ nome: '100%' }, [2]],
    [{ email: '_' }, [2]],
    [{ email: 'e_silva' }, [2]],
    [{ nome: '\\' }, [5]],
    [{ search: 'joao' }, [0]],
    [{ search: 'outro.example' }, [4, 5]],
    [{ search: 'belem' }, [3]],
    [{ search: 'RS' }, [5]],
    [{ search: 'fundacao' }, [3]],
    [{ search: 'acucar' }, [0]],
    [{ search: 'ze' }, [2, 3, 5]],
    [{ search: '50_' }, [3]],
    [{ search: '%' }, [2]],
    [{ search: '  olinda ' }, [2]],
    [{ search: 'saude', admin: 'true' }, [1]],
    [{ search: 'saude', cidade: 'sao', estado: 'sp', nome: 'joana', email: 'joana', ativo: 'true' }, [1]],
    [{ search: 'saude', estado: 'rs' }, []],
    [{ search: '{"and":[]}' }, []],
    [{ nome: "'; drop table usuarios --" }, []],
  ] as [Record<string, string>, number[]][])
    it(`${new URLSearchParams(query)} finds ${places.length === 0 ? 'nobody' : places.map((i) => PEOPLE[i]?.[0]).join(', ')}`, async () => {
      assert.deepEqual(await found(query), places)
    })

  it('that is empty filters nothing', async () => {
    for (const name of ['nome', 'email', 'cidade', 'estado', 'search'])
      assert.equal((await list({ [name]: '' })).body.total, total, name)
  })

  it('counts with limit and offset as without', async () => {
    const { body } = await list({ search: 'ze', limit: '1', offset: '1' })
    assert.equal(body.total, 3)
    assert.deepEqual(
      body.usuarios.map(({ id }: { id: number }) => id),
      [ids[3]],
    )
  })
})

describe('GET /usuarios without the slash', () => {
  for (const query of ['limit=2', 'offset=1', 'limit=2&offset=1&nome=a'])
    it(`?${query} answers as with the slash, to anyone logged in`, async () => {
      const without = await list(query, '')
      assert.equal(without.status, 200)
      assert.deepEqual(Object.keys(without.body), ['total', 'limit', 'offset', 'usuarios'])
      assert.deepEqual(without.body, (await list(query)).body)
    })

  for (const query of ['', 'page=1', 'size=2', 'limit=2&page=1', 'offset=0&size=1', 'nome=a'])
    it(`?${query} is the other description's list: usuarios.listar, items`, async () => {
      const refused = await list(query, '')
      assert.equal(refused.status, 403)
      assert.equal(refused.body.error.required_permission, 'usuarios.listar')
      const gestor = await t.person({ permissoes: ['usuarios.listar'] })
      const { status, body } = await t.as(gestor).get(`/usuarios?${query}`)
      assert.equal(status, 200)
      assert.ok(Array.isArray(body.items) && !('usuarios' in body))
    })
})
