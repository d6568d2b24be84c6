import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { MASTER_KEY, PASSWORD, type Person } from '../../harness/app.ts'
import { tally } from '../refusals.ts'
import { CARUARU, type Lugar, OLINDA, PE, RECIFE, REGIAO, SP, territorioApp } from './territorio-app.ts'

const { t, pool, admin, person, placesOf, denied, invalid, missing } = await territorioApp()
after(() => t.close())

const gestor = await t.person({ grupos: ['gestor'] })
const path = ({ id }: { id: number }) => `/usuarios/${id}/territorios`
const put = (who: Person, whom: { id: number }, ...territorios: unknown[]) =>
  t.as(who).put(path(whom), { territorios })

const NAMED = {
  PE: { ...PE, nome: 'Pernambuco' },
  REGIAO: { ...REGIAO, nome: 'Recife', estado: 'PE' },
  RECIFE: { ...RECIFE, nome: 'Recife', estado: 'PE' },
}

describe('GET /usuarios/{id}/territorios', () => {
  it('answers the places with their names, the largest first; none for the whole country', async () => {
    const [ana, bia] = [await person({}, RECIFE, REGIAO, PE), await t.person()]
    const { status, body } = await t.as(gestor).get(path(ana))
    assert.equal(status, 200)
    assert.deepEqual(
      body.territorios.map(({ nome: _nome, ...lugar }: Record<string, string>) => lugar),
      [PE, { ...REGIAO, estado: 'PE' }, { ...RECIFE, estado: 'PE' }],
    )
    assert.deepEqual([body.territorios[0], body.territorios[2]], [NAMED.PE, NAMED.RECIFE])
    assert.deepEqual((await t.as(gestor).get(path(bia))).body, { territorios: [] })
  })

  it('is open to the account itself, and to others with usuarios.listar only', async () => {
    const ana = await person({}, RECIFE)
    assert.deepEqual((await t.as(ana).get(path(ana))).body, { territorios: [NAMED.RECIFE] })
    assert.equal(await denied(() => t.as(ana).get(path(gestor))), 'usuarios.listar')
    await missing(() => t.as(gestor).get(path({ id: 999_999 })))
  })

  it('shows a code that no longer exists as it is stored', async () => {
    const ana = await person({}, { nivel: 'municipio', codigo: '9999999' })
    const { body } = await t.as(gestor).get(path(ana))
    assert.deepEqual(body, { territorios: [{ nivel: 'municipio', codigo: '9999999', nome: '9999999' }] })
  })
})

describe('PUT /usuarios/{id}/territorios', () => {
  it('replaces all places, and answers them with names', async () => {
    const ana = await person({}, CARUARU, RECIFE)
    const { status, body } = await put(gestor, ana, RECIFE, PE)
    assert.equal(status, 200)
    assert.deepEqual(body, { territorios: [NAMED.PE, NAMED.RECIFE] })
    assert.deepEqual(await placesOf(ana), ['municipio:2611606', 'uf:PE'])
    assert.deepEqual((await put(gestor, ana)).body, { territorios: [] })
    assert.deepEqual(await placesOf(ana), [])
  })

  it('stores a municipality with seven digits, and a place named twice once', async () => {
    const ana = await t.person()
    const six = { nivel: 'municipio', codigo: '261160' }
    assert.deepEqual((await put(gestor, ana, six, RECIFE, six)).body, { territorios: [NAMED.RECIFE] })
    assert.deepEqual(await placesOf(ana), ['municipio:2611606'])
  })

  it('is recorded with the places before and after, told of, and dated', async () => {
    const ana = await person({}, RECIFE)
    const since = t.clock.now()
    await put(gestor, ana, PE, OLINDA)
    const record = await pool.one(sql`
      select ator_id, recurso, recurso_id, detalhes from auditoria where acao = 'usuario.territorios_alterados'
       order by id desc limit 1`)
    assert.deepEqual(record, {
      ator_id: gestor.id,
      recurso: 'usuario',
      recurso_id: String(ana.id),
      detalhes: { antes: [RECIFE], depois: [PE, OLINDA] },
    })
    const usuario = await pool.one<{ atualizado_em: Date; atualizado_por_id: number }>(
      sql`select atualizado_em, atualizado_por_id from usuarios where id = ${ana.id}`,
    )
    assert.ok(usuario.atualizado_em >= since)
    assert.equal(usuario.atualizado_por_id, gestor.id)
    const { body } = await t.as(admin).get(`/usuarios/${ana.id}?include=historico`)
    assert.equal(body.historico[0].acao, 'usuario.territorios_alterados')
  })

  it('of the same places changes and records nothing', async () => {
    const ana = await person({}, RECIFE, PE)
    const before = await pool.one(sql`select count(*) as records from auditoria`)
    assert.deepEqual((await put(gestor, ana, PE, RECIFE)).body, { territorios: [NAMED.PE, NAMED.RECIFE] })
    assert.deepEqual(await pool.one(sql`select count(*) as records from auditoria`), before)
  })

  const WRONG: [unknown, string][] = [
    [{}, 'territorios REQUIRED'],
    [{ territorios: null }, 'territorios INVALID_TYPE'],
    [{ territorios: PE }, 'territorios INVALID_TYPE'],
    [{ territorios: ['PE'] }, 'territorios.0 INVALID_TYPE'],
    [{ territorios: [{ nivel: 'uf' }] }, 'territorios.0.codigo REQUIRED'],
    [{ territorios: [{ codigo: 'PE' }] }, 'territorios.0.nivel REQUIRED'],
    [{ territorios: [PE, { nivel: 'pais', codigo: 'BR' }] }, 'territorios.1.nivel INVALID_VALUE'],
    [{ territorios: [{ nivel: 'uf', codigo: 26 }] }, 'territorios.0.codigo INVALID_TYPE'],
    [{ territorios: [PE, { nivel: 'uf', codigo: 'XX' }] }, 'territorios.1.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'uf', codigo: 'pe' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'uf', codigo: '26' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'municipio', codigo: '2699999' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'municipio', codigo: '26010' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'regiao_saude', codigo: '2611606' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'regiao_saude', codigo: '26999' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'municipio', codigo: '2611606 ' }] }, 'territorios.0.codigo UNKNOWN'],
    [{ territorios: [{ nivel: 'municipio', codigo: '2'.repeat(21) }] }, 'territorios.0.codigo TOO_LONG'],
    [{ territorios: [{ nivel: 'uf', codigo: 'P\0' }] }, 'territorios.0.codigo INVALID_FORMAT'],
    [{ territorios: Array.from({ length: 1_001 }, () => PE) }, 'territorios TOO_MANY'],
  ]
  for (const [body, expected] of WRONG)
    it(`refuses ${JSON.stringify(body).slice(0, 80)}`, async () => {
      const ana = await person({}, RECIFE)
      assert.deepEqual(await invalid(() => t.as(gestor).put(path(ana), body)), [expected])
    })

  it('names every unknown place at once', async () => {
    const ana = await t.person()
    const wrong = ['XX', 'YY'].map((codigo) => ({ nivel: 'uf', codigo }))
    assert.deepEqual(await invalid(() => put(gestor, ana, wrong[0], PE, wrong[1])), [
      'territorios.0.codigo UNKNOWN',
      'territorios.2.codigo UNKNOWN',
    ])
  })

  it('needs usuarios.gerenciar_permissoes, and an account that is there', async () => {
    const ana = await t.person({ permissoes: ['usuarios.editar', 'usuarios.listar'] })
    assert.equal(await denied(() => put(ana, gestor, PE)), 'usuarios.gerenciar_permissoes')
    await missing(() => put(gestor, { id: 999_999 }, PE))
  })

  it('is not for accounts that hold more than the caller', async () => {
    const auditor = await t.person({ permissoes: ['auditoria.ver'] })
    assert.equal(await denied(() => put(gestor, auditor, PE)), 'auditoria.ver')
    assert.equal(await denied(() => put(gestor, admin, PE)), 'admin')
  })

  it('of one’s own account is refused to all but administrators, whom it does not bound', async () => {
    assert.equal(await denied(() => put(gestor, gestor, PE)), 'admin')
    const bound = await person({ grupos: ['gestor'] }, PE)
    assert.equal(await denied(() => put(bound, bound, RECIFE)), 'admin')
    const other = await t.person({ admin: true })
    assert.equal((await put(other, other, PE)).status, 200)
    assert.equal((await t.as(other).get(path(admin))).status, 200)
  })

  it('sent at the same time by several leaves the places of one of them', async () => {
    const ana = await t.person()
    const wanted: Lugar[][] = [[PE], [SP, RECIFE], [CARUARU], []]
    const answers = await Promise.all(wanted.map((lugares) => put(gestor, ana, ...lugares)))
    assert.deepEqual(tally(answers), { 200: 4 })
    const keys = wanted.map((lugares) => lugares.map(({ nivel, codigo }) => `${nivel}:${codigo}`).sort())
    const places = await placesOf(ana)
    assert.ok(
      keys.some((one) => one.join() === places.join()),
      places.join(),
    )
  })
})

describe('accounts are shown with their places', () => {
  it('in every answer about an account', async () => {
    const ana = await person({ grupos: ['gestor'] }, RECIFE)
    const shown = async (get: string, in_: (body: never) => unknown = (body) => body, who = ana) => {
      const { status, body, text } = await t.as(who).get(get)
      assert.equal(status, 200, text)
      return (in_(body as never) as { territorios: unknown }).territorios
    }
    const first = (body: { items: unknown[] }) => body.items[0]
    for (const territorios of [
      await shown('/usuarios/logado'),
      await shown('/usuarios/me'),
      await shown(`/usuarios/${ana.id}`),
      await shown(`/usuarios/${ana.id}`, undefined, await t.person()),
      await shown(`/usuarios?page=1&id=${ana.id}`, first as never),
      await shown('/usuarios/?limit=1', (body: { usuarios: unknown[] }) => body.usuarios[0] as never),
    ])
      assert.deepEqual(territorios, [NAMED.RECIFE])
    const filtros = { campo: 'id', operador: 'eq', valor: ana.id }
    const { body } = await t.as(gestor).post('/usuarios/buscar', { filtros })
    assert.deepEqual(body.items[0].territorios, [NAMED.RECIFE])
  })
})

describe('accounts are bound when they are made', () => {
  let people = 0
  const conta = () => ({ nome: 'Ana', email: `bound${++people}@teste.local`, senha: PASSWORD })
  const recorded = () =>
    pool.value(sql`
      select detalhes -> 'territorios' from auditoria where acao = 'usuario.criado' order by id desc limit 1`)

  it('by sign-up with the master key', async () => {
    const usuario = { ...conta(), master_key: MASTER_KEY }
    const six = { nivel: 'municipio', codigo: '261160' }
    const { status, body, text } = await t.anonymous.post('/usuarios/signup', {
      usuario: { ...usuario, territorios: [six] },
    })
    assert.equal(status, 201, text)
    assert.deepEqual(body.territorios, [NAMED.RECIFE])
    assert.deepEqual(await recorded(), [RECIFE])
    const everywhere = { ...conta(), master_key: MASTER_KEY }
    assert.deepEqual(
      (await t.anonymous.post('/usuarios/signup', { usuario: everywhere })).body.territorios,
      [],
    )
  })

  it('by others', async () => {
    const { status, body, text } = await t.as(gestor).post('/usuarios', { ...conta(), territorios: [PE] })
    assert.equal(status, 201, text)
    assert.deepEqual(body.territorios, [NAMED.PE])
    assert.deepEqual(await placesOf(body), ['uf:PE'])
    assert.deepEqual(await recorded(), [PE])
    assert.deepEqual((await t.as(gestor).post('/usuarios', conta())).body.territorios, [])
  })

  it('to places that exist', async () => {
    const unknown = { nivel: 'uf', codigo: 'XX' }
    const usuario = { ...conta(), master_key: MASTER_KEY, territorios: [PE, unknown] }
    const before = await pool.value(sql`select count(*) from usuarios`)
    const { status, body } = await t.anonymous.post('/usuarios/signup', { usuario })
    assert.equal(status, 422)
    assert.match(JSON.stringify(body), /usuario.{1,5}territorios.{1,5}1.{1,5}codigo/)
    assert.equal(await pool.value(sql`select count(*) from usuarios`), before)
    assert.deepEqual(
      await invalid(() => t.as(gestor).post('/usuarios', { ...conta(), territorios: [unknown] })),
      ['territorios.0.codigo UNKNOWN'],
    )
    assert.deepEqual(
      await invalid(() => t.as(gestor).post('/usuarios', { ...conta(), territorios: [{ nivel: 'x' }] })),
      ['territorios.0.codigo REQUIRED', 'territorios.0.nivel INVALID_VALUE'],
    )
  })
})

describe('the filter territorio', () => {
  it('finds accounts bound to the place, to one that contains it or to one inside; not those of the whole country', async () => {
    await pool.run(sql`delete from usuarios_territorios`)
    const people = {
      pe: await person({}, PE),
      regiao: await person({}, REGIAO),
      recife: await person({}, RECIFE),
      caruaru: await person({}, CARUARU),
      sp: await person({}, SP),
      both: await person({}, SP, OLINDA),
    }
    const nameOf = new Map(Object.entries(people).map(([name, { id }]) => [id, name]))
    const EXPECTED: Record<string, string> = {
      PE: 'pe regiao recife caruaru both',
      pe: 'pe regiao recife caruaru both',
      26010: 'pe regiao recife both',
      2611606: 'pe regiao recife',
      261160: 'pe regiao recife',
      2604106: 'pe caruaru',
      SP: 'sp both',
      BA: '',
    }
    for (const [codigo, expected] of Object.entries(EXPECTED)) {
      const { body } = await t.as(gestor).get(`/usuarios?page=1&territorio=${codigo}`)
      const ids = body.items.map(({ id }: { id: number }) => id)
      assert.equal(ids.map((id: number) => nameOf.get(id)).join(' '), expected, codigo)
      assert.equal(body.total, ids.length)
      const filtros = { campo: 'territorio', operador: 'in', valor: [codigo] }
      assert.equal((await t.as(gestor).post('/usuarios/buscar', { filtros })).body.total, ids.length)
    }
  })

  it('refuses a place that does not exist, wherever it is asked for', async () => {
    assert.deepEqual(await invalid(() => t.as(gestor).get('/usuarios?page=1&territorio=XX')), [
      'territorio UNKNOWN',
    ])
    const filtros = { or: [{ campo: 'territorio', operador: 'eq', valor: '2699999' }] }
    assert.deepEqual(await invalid(() => t.as(gestor).post('/usuarios/buscar', { filtros })), [
      'filtros UNKNOWN',
    ])
    const exported = { formato: 'csv', filtros: { territorio: '99' } }
    assert.deepEqual(await invalid(() => t.as(gestor).post('/usuarios/exportar', exported)), [
      'filtros.territorio UNKNOWN',
    ])
    assert.deepEqual(await invalid(() => t.as(gestor).get('/usuarios?page=1&territorio[ne]=PE')), [
      'territorio[ne] UNKNOWN_OPERATOR',
    ])
  })

  it('is not the field that bounds lists', async () => {
    assert.deepEqual(await invalid(() => t.as(gestor).get('/usuarios?page=1&alcance=1')), [
      'alcance UNKNOWN_FIELD',
    ])
  })
})
