import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { refusalsOf, tally } from '../refusals.ts'
import { servicos } from './servico.ts'

const t = await testApp()
after(() => t.close())
const admin = await t.administrador()
const { conta, chave, idsOf } = servicos(t, admin)
const gestor = await t.person({
  permissoes: ['chaves.gerenciar', 'agravos.listar', 'usuarios.gerenciar_permissoes', 'usuarios.editar'],
})

const stored = () =>
  t.database.pool.first(sql`
    select (select md5(json_agg(u order by u.id)::text) from usuarios u) as usuarios,
           (select md5(json_agg(c order by c.id)::text) from chaves_de_api c) as chaves,
           (select count(*) from auditoria) as auditoria, (select count(*) from eventos) as eventos`)
const { refused, invalid, denied, missing } = refusalsOf(stored)
const criar = (body: object, who: Person = admin, headers: Record<string, string> = {}) =>
  t.as(who).post('/contas-de-servico', body, { headers })
const criarChave = (id: number, body: object, who: Person = admin, headers: Record<string, string> = {}) =>
  t.as(who).post(`/contas-de-servico/${id}/chaves`, body, { headers })
const renovar = (id: number, chaveId: string, body?: object, who: Person = admin) =>
  t.as(who).post(`/contas-de-servico/${id}/chaves/${chaveId}/renovar`, body)
const revogar = (id: number, chaveId: string, who: Person = admin) =>
  t.as(who).delete(`/contas-de-servico/${id}/chaves/${chaveId}`)
const DAY = 86_400_000

describe('A service account', () => {
  it('is created with rights and places, shown with its keys, and recorded', async () => {
    const { status, body, text } = await criar({
      nome: 'Laboratório central',
      finalidade: 'Resultados de exames',
      permissoes_ids: await idsOf(['agravos.listar']),
      territorios: [{ nivel: 'uf', codigo: 'PE' }],
    })
    assert.equal(status, 201, text)
    const { body: shown } = await t.as(admin).get(`/contas-de-servico/${body.id}`)
    assert.deepEqual(shown, body)
    assert.deepEqual(
      [shown.nome, shown.finalidade, shown.permissoes_efetivas, shown.chaves, shown.chaves_ativas],
      ['Laboratório central', 'Resultados de exames', ['agravos.listar'], [], 0],
    )
    assert.deepEqual(shown.territorios, [{ nivel: 'uf', codigo: 'PE', nome: 'Pernambuco' }])
    const { body: list } = await t.as(admin).get('/contas-de-servico?search=laboratorio')
    assert.deepEqual(
      list.contas.map(({ id }: { id: number }) => id),
      [body.id],
    )
    const record = await t.database.pool.first<{ detalhes: { servico: boolean } }>(sql`
      select detalhes from auditoria where acao = 'usuario.criado' and recurso_id = ${String(body.id)}`)
    assert.equal(record?.detalhes.servico, true)
  })

  it('is created once for an Idempotency-Key: while the first is under way, the second is 409', async () => {
    const headers = { 'idempotency-key': 'conta em curso' }
    const act = () => t.as(admin).post('/contas-de-servico', { nome: 'Uma vez' }, { headers })
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const { first } = await t.database.pool.transaction(async (tx) => {
      // The key belongs to its caller, whose row is held here.
      await tx.run(sql`select from usuarios for update`)
      const first = act()
      while ((await tx.first(waiting)) === null) await sleep(10)
      assert.equal((await act()).status, 409)
      return { first }
    })
    assert.equal((await first).status, 201)
    assert.equal((await act()).headers['idempotent-replay'], 'true')
  })

  it('receives no mail and can neither sign in, be invited nor get a password', async () => {
    const { id } = await conta([])
    const { body: usuario } = await t.as(admin).get(`/usuarios/${id}`)
    assert.match(usuario.email, /^servico-[0-9a-f]{12}@servico\.invalid$/)
    await t.anonymous.post('/auth/forgot-password', { email: usuario.email })
    await t.mailWorker.runOnce()
    assert.deepEqual(
      t.mails.filter(({ to }) => to === usuario.email),
      [],
    )
    assert.equal((await t.as(admin).post(`/usuarios/${id}/convite`)).status, 409)
    const senha = 'Outra#Senha9'
    const set = () => t.as(admin).post(`/usuarios/${id}/alterar-senha`, { nova_senha: senha })
    assert.deepEqual(await invalid(set), ['id NOT_EDITABLE'])
    for (const [field, value] of [
      ['email', 'outra@saude.example'],
      ['admin', true],
    ] as const) {
      const change = () => t.as(admin).put(`/usuarios/${id}`, { [field]: value })
      assert.deepEqual(await invalid(change), [`${field} NOT_EDITABLE`])
    }
    const login = await t.anonymous.post('/auth/login', { email: usuario.email, senha })
    assert.deepEqual([login.status, login.body.error.code], [401, 'INVALID_CREDENTIALS'])
  })

  it('is not the administrator that must remain', async () => {
    const { id } = await conta([])
    const [permissao] = await idsOf(['admin'])
    const given = await t.as(admin).post(`/usuarios/${id}/permissoes/${permissao}`)
    assert.equal(given.status, 200, given.text)
    const act = () => t.as(admin).put(`/usuarios/${admin.id}`, { admin: false })
    assert.deepEqual(await invalid(act), ['admin LAST_ADMIN'])
  })

  it('gets no right that its creator lacks, no place outside, no unknown group', async () => {
    const permissoes_ids = await idsOf(['agravos.identificar'])
    assert.equal(await denied(() => criar({ nome: 'X', permissoes_ids }, gestor)), 'agravos.identificar')
    assert.equal(await denied(() => criar({ nome: 'X', plano: 'enterprise' }, gestor)), 'admin')
    assert.deepEqual(await invalid(() => criar({ nome: 'X', grupos_ids: [999_999] })), ['grupos_ids UNKNOWN'])
    assert.deepEqual(await invalid(() => criar({ nome: ' ' })), ['nome INVALID_FORMAT'])
    const bound = await t.person({ permissoes: ['chaves.gerenciar'] })
    await t
      .as(admin)
      .put(`/usuarios/${bound.id}/territorios`, { territorios: [{ nivel: 'uf', codigo: 'PE' }] })
    const outside = { nome: 'X', territorios: [{ nivel: 'uf', codigo: 'SP' }] }
    await refused(() => criar(outside, bound), 403, 'OUT_OF_TERRITORY')
    const { id } = await conta([], { territorios: [{ nivel: 'uf', codigo: 'SP' }] })
    await missing(() => t.as(bound).get(`/contas-de-servico/${id}`))
    const { body } = await t.as(bound).get('/contas-de-servico?size=100')
    assert.ok(body.contas.every((one: { id: number }) => one.id !== id))
  })

  it('is created once under an idempotency key, which serves no other request', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const first = await criar({ nome: 'Uma vez' }, admin, headers)
    assert.deepEqual((await criar({ nome: 'Uma vez' }, admin, headers)).body, first.body)
    const other = await criar({ nome: 'Outra' }, admin, headers)
    assert.equal(other.status, 422)
  })

  it('is not a person: keys are not found there', async () => {
    await missing(() => t.as(admin).get(`/contas-de-servico/${gestor.id}`))
    await missing(() => criarChave(gestor.id, { nome: 'X', escopos: ['agravos.listar'] }))
    await missing(() => renovar(gestor.id, randomUUID()))
    await missing(() => revogar(gestor.id, randomUUID()))
  })
})

describe('A key', () => {
  it('is shown once, stored as a hash, recorded and announced without its text', async () => {
    const { id } = await conta(['agravos.listar'])
    const { status, body, text } = await criarChave(id, {
      nome: 'Produção',
      escopos: ['agravos.listar'],
      redes: ['203.0.113.0/24', '2001:db8::1'],
      validade_dias: 30,
    })
    assert.equal(status, 201, text)
    assert.match(body.chave, /^vgk_[\w-]{43}$/)
    assert.equal(body.prefixo, body.chave.slice(0, 12))
    assert.equal(Date.parse(body.expira_em) - Date.parse(body.criada_em), 30 * DAY)
    const { body: shown } = await t.as(admin).get(`/contas-de-servico/${id}`)
    const { chave: _shownOnce, ...kept } = body
    assert.deepEqual(shown.chaves, [kept])
    assert.deepEqual([shown.chaves_ativas, shown.proxima_expiracao], [1, body.expira_em])
    const everything = await t.database.pool.rows(sql`
      select to_jsonb(c)::text from chaves_de_api c
      union all select to_jsonb(a)::text from auditoria a union all select to_jsonb(e)::text from eventos e`)
    assert.ok(!JSON.stringify(everything).includes(body.chave.slice(12)))
    assert.ok(!t.logs.join('').includes(body.chave.slice(12)))
  })

  it('has 90 days by default and 366 at most', async () => {
    const { id } = await conta(['agravos.listar'])
    const { body } = await criarChave(id, { nome: 'X', escopos: ['agravos.listar'] })
    assert.equal(Date.parse(body.expira_em) - Date.parse(body.criada_em), 90 * DAY)
    const long = { nome: 'X', escopos: ['agravos.listar'], validade_dias: 367 }
    assert.deepEqual(await invalid(() => criarChave(id, long)), ['validade_dias TOO_LARGE'])
  })

  for (const [why, body, expected] of [
    ['no scope', { escopos: [] }, ['escopos TOO_FEW']],
    ['a scope twice', { escopos: ['agravos.listar', 'agravos.listar'] }, ['escopos REPEATED']],
    ['a scope that the account lacks', { escopos: ['agravos.criar'] }, ['escopos UNKNOWN']],
    ['a scope that does not exist', { escopos: ['nada.disso'] }, ['escopos UNKNOWN']],
    ['everything', { escopos: ['admin'] }, ['escopos UNKNOWN']],
    [
      'a network that is none',
      { escopos: ['agravos.listar'], redes: ['300.1.1.1'] },
      ['redes.0 INVALID_FORMAT'],
    ],
    ['the whole Internet', { escopos: ['agravos.listar'], redes: ['0.0.0.0/0'] }, ['redes.0 INVALID_FORMAT']],
    ['a name as network', { escopos: ['agravos.listar'], redes: ['loopback'] }, ['redes.0 INVALID_FORMAT']],
    ['a life of no day', { escopos: ['agravos.listar'], validade_dias: 0 }, ['validade_dias TOO_SMALL']],
  ] as const)
    it(`is refused with ${why}`, async () => {
      const { id } = await conta(['agravos.listar'])
      assert.deepEqual(await invalid(() => criarChave(id, { nome: 'X', ...body })), expected)
    })

  it('holds nothing that its creator lacks, and nobody touches keys of an account above them', async () => {
    const { id } = await conta(['agravos.listar'])
    const own = await criarChave(id, { nome: 'X', escopos: ['agravos.listar'] }, gestor)
    assert.equal(own.status, 201, own.text)
    const alta = await conta(['agravos.listar', 'agravos.identificar'])
    const body = { nome: 'X', escopos: ['agravos.listar'] }
    assert.equal(await denied(() => criarChave(alta.id, body, gestor)), 'agravos.identificar')
    const { id: chaveId } = await chave(alta.id, ['agravos.identificar'])
    assert.equal(await denied(() => renovar(alta.id, chaveId, {}, gestor)), 'agravos.identificar')
    assert.equal(await denied(() => revogar(alta.id, chaveId, gestor)), 'agravos.identificar')
  })

  it('is one of five at most, also when six are asked for at once', async () => {
    const { id } = await conta(['agravos.listar'])
    const body = { nome: 'X', escopos: ['agravos.listar'] }
    const answers = await Promise.all(Array.from({ length: 8 }, () => criarChave(id, body)))
    assert.deepEqual(tally(answers), { 201: 5, 409: 3 })
    await refused(() => criarChave(id, body), 409, 'CONFLICT')
    assert.equal((await revogar(id, answers.find(({ status }) => status === 201)?.body.id)).status, 204)
    assert.equal((await criarChave(id, body)).status, 201)
  })

  it('is made once under an idempotency key; the repetition does not show it', async () => {
    const { id } = await conta(['agravos.listar'])
    const headers = { 'idempotency-key': randomUUID() }
    const body = { nome: 'X', escopos: ['agravos.listar'] }
    const first = await criarChave(id, body, admin, headers)
    const again = await criarChave(id, body, admin, headers)
    const { chave: _shownOnce, ...kept } = first.body
    assert.deepEqual([again.status, again.body], [201, kept])
  })

  it('is renewed with an overlap; a replaced, revoked or expired one is not renewed again', async () => {
    const { id } = await conta(['agravos.listar'])
    const old = await chave(id, ['agravos.listar'], { redes: ['203.0.113.7'] })
    const { status, body } = await renovar(id, old.id, { sobreposicao_horas: 2, validade_dias: 10 })
    assert.equal(status, 201)
    assert.notEqual(body.chave, old.chave)
    assert.deepEqual([body.escopos, body.redes, body.nome], [['agravos.listar'], ['203.0.113.7'], 'Produção'])
    const { body: shown } = await t.as(admin).get(`/contas-de-servico/${id}`)
    const replaced = shown.chaves.find((one: { id: string }) => one.id === old.id)
    assert.equal(Date.parse(replaced.expira_em) - Date.parse(replaced.substituida_em), 7_200_000)
    await refused(() => renovar(id, old.id), 409, 'CONFLICT')
    assert.equal((await revogar(id, body.id)).status, 204)
    await refused(() => renovar(id, body.id), 409, 'CONFLICT')
    const over = { sobreposicao_horas: 169 }
    assert.deepEqual(await invalid(() => renovar(id, old.id, over)), ['sobreposicao_horas TOO_LARGE'])
    assert.deepEqual(await invalid(() => renovar(id, 'x')), ['chave_id INVALID_FORMAT'])
    await missing(() => renovar(id, randomUUID()))
  })

  it('is replaced by exactly one of two renewals at the same time', async () => {
    const { id } = await conta(['agravos.listar'])
    const old = await chave(id, ['agravos.listar'])
    assert.deepEqual(tally(await Promise.all([renovar(id, old.id), renovar(id, old.id)])), { 201: 1, 409: 1 })
  })

  it('is revoked; again is no change', async () => {
    const { id } = await conta(['agravos.listar'])
    const { id: chaveId } = await chave(id, ['agravos.listar'])
    assert.equal((await revogar(id, chaveId)).status, 204)
    const before = await stored()
    assert.equal((await revogar(id, chaveId)).status, 204)
    assert.deepEqual(await stored(), before)
    await missing(() => revogar(id, randomUUID()))
    const other = await conta(['agravos.listar'])
    await missing(() => revogar(other.id, chaveId))
    const acoes = await t.database.pool.rows<{ acao: string }>(sql`
      select acao from auditoria where recurso = 'usuario' and recurso_id = ${String(id)} order by id`)
    assert.deepEqual(
      acoes.map(({ acao }) => acao),
      ['usuario.criado', 'chave.criada', 'chave.revogada'],
    )
  })
})
