import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../../../src/contracts/service.routes.ts'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, PASSWORD, type Person } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { picture } from '../a/pictures.ts'
import { anexosOf } from './anexos-app.ts'
import { CARUARU, type Lugar, OLINDA, PE, RECIFE, REGIAO, SP, territorioApp } from './territorio-app.ts'

/** Managers whose territory is a part of the country. */
const app = await territorioApp()
const { t, pool, admin, person, bind, placesOf, denied, invalid, missing, refused } = app
after(() => t.close())

const gestor = await person({ grupos: ['gestor'] }, PE)
const idOf = (table: 'grupos' | 'permissoes', nome: string) =>
  pool.value<number>(
    table === 'grupos'
      ? sql`select id from grupos where nome = ${nome}`
      : sql`select id from permissoes where nome = ${nome}`,
  )
const GRUPO = await idOf('grupos', 'analista')
const PERMISSAO = await idOf('permissoes', 'agravos.listar')
const member = () => ({ grupos: ['analista'], permissoes: ['agravos.listar'] })

/** Accounts that a manager of Pernambuco does not reach. */
const OUTSIDE: Record<string, () => Promise<{ id: number }>> = {
  'in another state': () => person(member(), SP),
  'in a part of another state, too': () =>
    person(member(), RECIFE, { nivel: 'municipio', codigo: '3550308' }),
  'of the whole country': () => person(member()),
  'who is an administrator': () => person({ ...member(), admin: true }, RECIFE),
  'who holds the permission admin': () => person({ grupos: ['analista', 'admin'] }, RECIFE),
  'that does not exist': async () => ({ id: 999_999 }),
}

const png = await picture('png')
const file = {
  headers: MULTIPART,
  payload: multipart({ field: 'file', filename: 'foto.png', type: 'image/png', content: png }),
}

type Act = (who: Person, id: number) => Promise<Answer>
/** Every route that names an account, each with a request that is right. */
const ROUTES: Record<string, Act> = {
  'GET /usuarios/{id}': (who, id) => t.as(who).get(`/usuarios/${id}`),
  'PUT /usuarios/{id}': (who, id) => t.as(who).put(`/usuarios/${id}`, { cargo: 'Médica' }),
  'PATCH /usuarios/{id}': (who, id) => t.as(who).patch(`/usuarios/${id}`, { cpf: '529.982.247-25' }),
  'a PUT /usuarios/{id}': (who, id) =>
    t.as(who).put(`/usuarios/${id}`, { usuario: { nome: 'Ana', email: `a${id}@exemplo.example` } }),
  'POST /usuarios/{id}/desativar': (who, id) => t.as(who).post(`/usuarios/${id}/desativar`),
  'POST /usuarios/{id}/reativar': (who, id) => t.as(who).post(`/usuarios/${id}/reativar`),
  'POST /usuarios/{id}/foto-perfil': (who, id) =>
    t.as(who).request('POST', `/usuarios/${id}/foto-perfil`, file),
  'GET /usuarios/{id}/foto': (who, id) => t.as(who).get(`/usuarios/${id}/foto`),
  'POST /usuarios/{id}/alterar-senha': (who, id) =>
    t.as(who).post(`/usuarios/${id}/alterar-senha`, { nova_senha: 'Outra#Senha9' }),
  'POST /usuarios/{id}/desbloquear': (who, id) => t.as(who).post(`/usuarios/${id}/desbloquear`),
  'POST /usuarios/{id}/convite': (who, id) => t.as(who).post(`/usuarios/${id}/convite`),
  'DELETE /usuarios/{id}/mfa': (who, id) => t.as(who).delete(`/usuarios/${id}/mfa`),
  'DELETE /usuarios/{id}/sessoes': (who, id) => t.as(who).delete(`/usuarios/${id}/sessoes`),
  'GET /usuarios/{id}/identidades': (who, id) => t.as(who).get(`/usuarios/${id}/identidades`),
  'DELETE /usuarios/{id}/identidades/{identidade_id}': (who, id) =>
    t.as(who).delete(`/usuarios/${id}/identidades/${id}`),
  'DELETE /usuarios/{id}/grupos/{grupo_id}': (who, id) => t.as(who).delete(`/usuarios/${id}/grupos/${GRUPO}`),
  'POST /usuarios/{id}/grupos/{grupo_id}': (who, id) => t.as(who).post(`/usuarios/${id}/grupos/${GRUPO}`),
  'PUT /usuarios/{id}/grupos': (who, id) => t.as(who).put(`/usuarios/${id}/grupos`, { grupos_ids: [] }),
  'PATCH /usuarios/{id}/grupos': (who, id) =>
    t.as(who).patch(`/usuarios/${id}/grupos`, { grupos_ids: [GRUPO] }),
  'DELETE /usuarios/{id}/permissoes/{permissao_id}': (who, id) =>
    t.as(who).delete(`/usuarios/${id}/permissoes/${PERMISSAO}`),
  'POST /usuarios/{id}/permissoes/{permissao_id}': (who, id) =>
    t.as(who).post(`/usuarios/${id}/permissoes/${PERMISSAO}`),
  'GET /usuarios/{id}/permissoes': (who, id) => t.as(who).get(`/usuarios/${id}/permissoes`),
  'GET /usuarios/{id}/territorios': (who, id) => t.as(who).get(`/usuarios/${id}/territorios`),
  'PUT /usuarios/{id}/territorios': (who, id) =>
    t.as(who).put(`/usuarios/${id}/territorios`, { territorios: [RECIFE] }),
  'PATCH /usuarios/{id}/territorios': (who, id) =>
    t.as(who).patch(`/usuarios/${id}/territorios`, { territorios: [OLINDA] }),
  'DELETE /grupos/{grupo_id}/usuarios/{usuario_id}': (who, id) =>
    t.as(who).delete(`/grupos/${GRUPO}/usuarios/${id}`),
  'POST /grupos/{grupo_id}/usuarios/{usuario_id}': (who, id) =>
    t.as(who).post(`/grupos/${GRUPO}/usuarios/${id}`),
  'DELETE /usuarios/{id}': (who, id) => t.as(who).delete(`/usuarios/${id}?motivo=Saiu`),
  'a DELETE /usuarios/{id}': (who, id) => t.as(who).delete(`/usuarios/${id}`),
}

describe('every route that names an account', () => {
  it('is in the table', () => {
    const info = { title: '', version: '', description: '', publicUrl: null }
    const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
    const named = rows
      .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`)
      .filter((route) => route.includes(' /usuarios/{id}') || route.includes('{usuario_id}'))
    const listed = new Set(Object.keys(ROUTES).map((route) => route.replace(/^a /, '')))
    assert.deepEqual([...new Set(named)].toSorted(), [...listed].toSorted())
  })

  it('lets in a manager of the place, one after the other', async () => {
    const inside = await person(member(), RECIFE)
    for (const [route, act] of Object.entries(ROUTES)) {
      const { status, text } = await act(gestor, inside.id)
      // A CPF cannot be changed, which only those may learn who reach the account.
      if (route === 'PATCH /usuarios/{id}') assert.equal(status, 422, text)
      // Nor is there a second factor to end.
      else if (route === 'DELETE /usuarios/{id}/mfa') assert.equal(status, 409, text)
      // Nor an identity to unlink: 404, as for an account out of reach.
      else if (route === 'DELETE /usuarios/{id}/identidades/{identidade_id}') assert.equal(status, 404, text)
      else assert.ok(status < 300, `${route} ${text}`)
    }
  })

  for (const [who, make] of Object.entries(OUTSIDE))
    it(`is 404 for an account ${who}, whatever is asked, and changes nothing`, async () => {
      const { id } = await make()
      if (id < 999_999) await ROUTES['POST /usuarios/{id}/foto-perfil']?.(admin, id)
      for (const [route, act] of Object.entries(ROUTES)) {
        const error = await refused(() => act(gestor, id), 404, 'NOT_FOUND').catch((cause) => {
          throw new Error(route, { cause })
        })
        const nobody = await act(gestor, 888_888)
        assert.deepEqual(
          { ...error, request_id: 0, timestamp: 0 },
          { ...nobody.body.error, request_id: 0, timestamp: 0 },
        )
      }
    })

  it('lets in managers without a territory, and administrators who are bound to one', async () => {
    const everywhere = await t.person({ grupos: ['gestor'] })
    const boundAdmin = await person({ admin: true }, SP)
    for (const who of [everywhere, boundAdmin]) {
      const { id } = await person(member(), SP, PE)
      for (const route of ['GET /usuarios/{id}', 'PUT /usuarios/{id}', 'POST /usuarios/{id}/desbloquear'])
        assert.equal((await ROUTES[route]?.(who, id))?.status, 200, route)
    }
  })

  it('knows oneself, whatever the own territory is', async () => {
    for (const route of ['GET /usuarios/{id}', 'PUT /usuarios/{id}', 'GET /usuarios/{id}/permissoes'])
      assert.equal((await ROUTES[route]?.(gestor, gestor.id))?.status, 200, route)
  })

  it('takes the whole of a region for the region, a region for its parts, and a state for no list of its places', async () => {
    const parts = t.app.territorios
      .municipiosOfRegiao(26010)
      .map(({ codigo }) => ({ nivel: 'municipio', codigo: String(codigo) }))
    const all = t.app.territorios
      .municipiosOf('PE')
      .map(({ codigo }) => ({ nivel: 'municipio', codigo: String(codigo) }))
    const CASES: [Lugar[], Lugar[], number][] = [
      [parts, [REGIAO], 200],
      [parts.slice(1), [REGIAO], 404],
      [[REGIAO], parts, 200],
      [[REGIAO], [CARUARU], 404],
      [all, [PE], 404],
      [[PE], all, 200],
      [[PE, SP], [RECIFE, { nivel: 'municipio', codigo: '3550308' }], 200],
    ]
    for (const [own, theirs, expected] of CASES) {
      const [who, whom] = [await person({ grupos: ['gestor'] }, ...own), await person({}, ...theirs)]
      assert.equal((await t.as(who).get(`/usuarios/${whom.id}/territorios`)).status, expected)
    }
  })
})

describe('a manager with a territory', () => {
  let people = 0
  const conta = () => ({ nome: 'Bia', email: `nova${++people}@teste.local`, senha: PASSWORD })
  const create = (who: Person, input: object = {}) => t.as(who).post('/usuarios', { ...conta(), ...input })

  it('makes accounts with the own territory, or a part of it', async () => {
    const whole = await create(gestor)
    assert.equal(whole.status, 201, whole.text)
    assert.deepEqual(await placesOf(whole.body), ['uf:PE'])
    const part = await create(gestor, { territorios: [RECIFE, REGIAO] })
    assert.deepEqual(await placesOf(part.body), ['municipio:2611606', 'regiao_saude:26010'])
    assert.equal((await t.as(gestor).get(`/usuarios/${part.body.id}`)).status, 200)
  })

  for (const [what, territorios] of Object.entries({
    'another state': [SP],
    'more than the own': [RECIFE, SP],
    'the whole country': [],
  })) {
    it(`makes none with ${what}`, async () => {
      await refused(() => create(gestor, { territorios }), 403, 'OUT_OF_TERRITORY')
    })

    it(`gives nobody ${what}`, async () => {
      const ana = await person({}, RECIFE)
      const put = () => t.as(gestor).put(`/usuarios/${ana.id}/territorios`, { territorios })
      await refused(put, 403, 'OUT_OF_TERRITORY')
    })
  }

  it('gives what lies inside', async () => {
    const ana = await person({}, RECIFE)
    const territorios = [PE, CARUARU]
    assert.equal((await t.as(gestor).put(`/usuarios/${ana.id}/territorios`, { territorios })).status, 200)
    assert.deepEqual(await placesOf(ana), ['municipio:2604106', 'uf:PE'])
  })

  it('says it in the language of the caller', async () => {
    for (const [language, text] of [
      ['en-US', 'The place is outside of your territory'],
      ['es-ES', 'El lugar está fuera de su territorio'],
      ['pt-BR', 'O lugar fica fora do seu território'],
    ] as const) {
      const body = { ...conta(), territorios: [SP] }
      const answer = await t.as(gestor).post('/usuarios', body, { headers: { 'accept-language': language } })
      assert.equal(answer.body.error.message, text)
    }
  })

  it('hands cases over only to accounts of the place', async () => {
    const [ana, outside] = [await person({}, RECIFE), await person({}, SP)]
    const path = (heir: { id: number }) => `/usuarios/${ana.id}?motivo=Saiu&transferir_para=${heir.id}`
    assert.deepEqual(await invalid(() => t.as(gestor).delete(path(outside))), ['transferir_para UNKNOWN'])
    assert.equal((await t.as(gestor).delete(path(await person({}, CARUARU)))).status, 200)
  })

  it('hands no case over that the heir would reach by that alone, and then none at all', async () => {
    const caso = anexosOf(t).caso
    const [recife, olinda] = [
      { municipio_residencia: 'Recife', estado_residencia: 'PE' },
      { municipio_residencia: 'Olinda', estado_residencia: 'PE' },
    ]
    const ana = await person({ permissoes: ['agravos.criar'] }, PE)
    const ids = [
      await caso(ana, recife),
      await caso(ana, { ...olinda, dados_especificos: { municipio_notificacao: 2_611_606 } }),
      await caso(ana, olinda),
    ]
    const give = (heir: { id: number }, by = gestor) =>
      t.as(by).delete(`/usuarios/${ana.id}?motivo=Saiu&transferir_para=${heir.id}`)
    const owners = () =>
      pool.rows(sql`select responsavel_id, versao from casos where id = any(${ids}) order by id`)
    const before = await owners()
    const bia = await person({}, RECIFE)
    for (const by of [gestor, admin]) await refused(() => give(bia, by), 403, 'OUT_OF_TERRITORY')
    assert.deepEqual(await owners(), before)
    await t.as(admin).delete(`/agravos/casos/${ids[2]}?motivo=x`)
    await refused(() => give(bia), 403, 'OUT_OF_TERRITORY')
    const { status, body, text } = await give(await person({}, RECIFE, OLINDA))
    assert.deepEqual([status, body.acoes_realizadas?.casos_transferidos], [200, 3], text)
  })

  it('may, if an administrator, hand cases over to accounts of the whole country and other administrators', async () => {
    for (const heir of [
      await person({}),
      await person({ admin: true }, SP),
      await person({ grupos: ['admin'] }, SP),
    ]) {
      const ana = await person({ permissoes: ['agravos.criar'] }, PE)
      await anexosOf(t).caso(ana, { numero_notificacao: `H${heir.id}` })
      const { status, body } = await t
        .as(admin)
        .delete(`/usuarios/${ana.id}?motivo=x&transferir_para=${heir.id}`)
      assert.deepEqual([status, body.acoes_realizadas?.casos_transferidos], [200, 1])
    }
  })

  it('loses an account that leaves, from the next request on', async () => {
    const ana = await person({}, RECIFE)
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 200)
    await t.as(admin).put(`/usuarios/${ana.id}/territorios`, { territorios: [RECIFE, SP] })
    await missing(() => t.as(gestor).put(`/usuarios/${ana.id}`, { cargo: 'Médica' }))
  })

  it('is bound at once, and free again at once', async () => {
    const who = await t.person({ grupos: ['gestor'] })
    const ana = await person({}, SP)
    const status = async () => (await t.as(who).get(`/usuarios/${ana.id}`)).status
    const put = (territorios: Lugar[]) => t.as(admin).put(`/usuarios/${who.id}/territorios`, { territorios })
    assert.equal(await status(), 200)
    await put([PE])
    assert.equal(await status(), 404)
    await put([])
    assert.equal(await status(), 200)
  })

  it('still may not act on an account above', async () => {
    const auditor = await person({ permissoes: ['auditoria.ver'] }, RECIFE)
    assert.equal(await denied(() => t.as(gestor).post(`/usuarios/${auditor.id}/desativar`)), 'auditoria.ver')
  })
})

describe('lists and counts of a manager with a territory', () => {
  it('hold the accounts of the place and the own, and no trace of others', async () => {
    const who = await person({ grupos: ['gestor'] }, REGIAO)
    await pool.run(
      sql`delete from usuarios_territorios where usuario_id <> all(${[who.id, gestor.id]}::int[])`,
    )
    const [um, dois] = [await person(member(), RECIFE), await person(member(), OLINDA, RECIFE)]
    await person(member(), CARUARU)
    await person({ ...member(), admin: true }, RECIFE)
    const expected = [who.id, um.id, dois.id].toSorted()
    const ids = (items: { id: number }[]) => items.map(({ id }) => id).toSorted()
    const list = (await t.as(who).get('/usuarios?page=1&size=100')).body
    assert.deepEqual([ids(list.items), list.total], [expected, 3])
    const a = (await t.as(who).get('/usuarios/?limit=100')).body
    assert.deepEqual([ids(a.usuarios), a.total], [expected, 3])
    assert.equal((await t.as(who).get('/usuarios/?limit=10&offset=90')).body.total, 3)
    const busca = (await t.as(who).post('/usuarios/buscar', { filtros: { or: [] } })).body
    assert.equal(busca.total, 0)
    const any = { or: [{ campo: 'id', operador: 'gt', valor: 0 }] }
    assert.deepEqual(ids((await t.as(who).post('/usuarios/buscar', { filtros: any })).body.items), expected)
    const membros = (await t.as(who).get(`/grupos/${GRUPO}/usuarios`)).body
    assert.deepEqual([ids(membros.usuarios), membros.total], [[um.id, dois.id].toSorted(), 2])
  })

  it('are those of an account without any permission, too', async () => {
    const ana = await person({}, { nivel: 'municipio', codigo: '2605459' })
    const { body } = await t.as(ana).get('/usuarios/?limit=100')
    assert.deepEqual([body.total, body.usuarios[0].id], [1, ana.id])
  })

  it('count what the lists hold', async () => {
    const who = await person({ grupos: ['gestor'] }, CARUARU)
    await pool.run(sql`delete from usuarios_territorios where codigo = '2604106' and usuario_id <> ${who.id}`)
    const ana = await person({ grupos: ['analista'] }, CARUARU)
    await pool.run(sql`update usuarios set estado = 'PE', departamento = 'Vigilância' where id = ${ana.id}`)
    await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    await t.anonymous.post('/auth/login', { email: ana.email, senha: 'Errada#123' })
    await t.anonymous.post('/auth/login', { email: admin.email, senha: 'Errada#123' })
    await t.anonymous.post('/auth/login', { email: 'ninguem@teste.local', senha: 'Errada#123' })
    const { body } = await t.as(who).get('/usuarios/estatisticas?agrupar_por=departamento')
    assert.deepEqual(
      [body.total_usuarios, body.usuarios_ativos, body.usuarios_inativos, body.novos_usuarios_periodo],
      [2, 2, 0, 2],
    )
    assert.deepEqual([body.por_grupo.gestor, body.por_grupo.analista, body.por_grupo.admin], [1, 1, 0])
    assert.deepEqual(body.por_estado, { PE: 1, nao_informado: 1 })
    assert.deepEqual(body.por_departamento, { Vigilância: 1, nao_informado: 1 })
    assert.deepEqual(body.acessos, { logins: 1, usuarios_distintos: 1 })
    assert.deepEqual([body.seguranca.administradores, body.seguranca.logins_falhos], [0, 1])
  })

  it('are what an export writes', async () => {
    const who = await person({ grupos: ['gestor'] }, OLINDA)
    await bind(await t.person(), OLINDA)
    const { body: list } = await t.as(who).get('/usuarios?page=1&size=100')
    const { status, body } = await t.as(who).post('/usuarios/exportar', { formato: 'json', campos: ['id'] })
    assert.equal(status, 202)
    await t.jobWorker.runAll()
    const { text } = await t.as(who).get(`/jobs/${body.job_id}/arquivo`)
    const exported = text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id as number)
    assert.deepEqual(
      exported,
      list.items.map(({ id }: { id: number }) => id),
    )
    assert.ok(exported.length >= 2)
  })
})
