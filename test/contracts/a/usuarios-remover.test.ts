import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { denied, missing, tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database

const admin = await t.administrador()
const remover = await t.person({ permissoes: ['usuarios.deletar'] })
const editor = await t.person({ permissoes: ['usuarios.editar'] })

const exists = async (id: number) => (await pool.first(sql`select from usuarios where id = ${id}`)) !== null
const state = async (id: number) =>
  pool.first<{ ativo: boolean; desativado_em: Date | null }>(
    sql`select ativo, desativado_em from usuarios where id = ${id}`,
  )
const live = async (person: Person) => (await t.as(person).get('/usuarios/me')).status === 200
const records = (acao: string, id: number) =>
  t
    .as(admin)
    .get(`/auditoria?acao=${acao}&recurso_id=${id}`)
    .then(({ body }) => body.items)

describe('DELETE /usuarios/{id} without motivo', () => {
  it('removes the account for good, with its sessions, groups, permissions and tokens', async () => {
    const ana = await t.person({ grupos: ['usuario'], permissoes: ['auditoria.ver'] })
    const login = await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    await t.anonymous.post('/auth/forgot-password', { email: ana.email })
    const { status, body } = await t.as(admin).delete(`/usuarios/${ana.id}`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['message'])
    assert.equal(await exists(ana.id), false)
    assert.equal(await live(ana), false)
    const { refresh_token } = login.body
    assert.equal((await t.anonymous.post('/auth/refresh', { refresh_token })).status, 401)
    assert.equal((await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })).status, 401)
    assert.equal((await t.as(admin).get(`/usuarios/${ana.id}`)).status, 404)
    const left = await pool.first<{ n: number }>(sql`
      select (select count(*) from sessoes where usuario_id = ${ana.id})
           + (select count(*) from usuarios_grupos where usuario_id = ${ana.id})
           + (select count(*) from usuarios_permissoes where usuario_id = ${ana.id})
           + (select count(*) from tokens_de_email where usuario_id = ${ana.id})
           + (select count(*) from emails_pendentes where usuario_id = ${ana.id}) as n`)
    assert.equal(left?.n, 0)
  })

  it('leaves the audit readable: what they did names them, and so does their removal', async () => {
    const ana = await t.person({ admin: true })
    const row = await pool.first<{ nome: string }>(sql`select nome from usuarios where id = ${ana.id}`)
    const { body: group } = await t.as(ana).post('/grupos', { nome: `feito_por_${ana.id}` })
    assert.equal((await t.as(admin).delete(`/usuarios/${ana.id}`)).status, 200)
    const [made] = await records('grupo.criado', group.id)
    assert.deepEqual(made.ator, { id: ana.id, nome: row?.nome })
    const [removal, ...others] = await records('usuario.removido', ana.id)
    assert.deepEqual(others, [])
    assert.deepEqual(
      [removal.ator.id, removal.recurso, removal.detalhes],
      [admin.id, 'usuario', { nome: row?.nome }],
    )
    assert.equal((await t.as(admin).get('/auditoria')).status, 200)
  })

  it('leaves the accounts that they made or changed, with no author', async () => {
    const [author, made] = [await t.person({ admin: true }), await t.person()]
    await pool.run(sql`
      update usuarios set criado_por_id = ${author.id}, atualizado_por_id = ${author.id} where id = ${made.id}`)
    assert.equal((await t.as(admin).delete(`/usuarios/${author.id}`)).status, 200)
    const { status, body } = await t.as(made).get(`/usuarios/${made.id}`)
    assert.deepEqual([status, body.criado_por_id, body.atualizado_por_id], [200, null, null])
  })

  it('frees the address for a new account', async () => {
    const ana = await t.person()
    await t.as(admin).delete(`/usuarios/${ana.id}`)
    const body = { nome: 'Outra', email: ana.email, senha: PASSWORD }
    assert.equal((await t.as(admin).post('/usuarios', body)).status, 201)
  })

  it('twice is 404 the second time, and at once exactly one succeeds', async () => {
    const ana = await t.person()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => t.as(admin).delete(`/usuarios/${ana.id}`)),
    )
    assert.deepEqual(tally(answers), { 200: 1, 404: 4 })
    assert.equal((await records('usuario.removido', ana.id)).length, 1)
  })

  it('is 404 for nobody and 422 in this form for an id that is none', async () => {
    await missing(t, () => t.as(admin).delete('/usuarios/999999'))
    const { status, body } = await t.as(admin).delete('/usuarios/abc')
    assert.deepEqual([status, body.detail[0].loc], [422, ['path', 'id']])
  })

  it('needs usuarios.deletar, also for oneself', async () => {
    assert.equal(await denied(t, () => t.as(editor).delete(`/usuarios/${editor.id}`)), 'usuarios.deletar')
  })

  it('of someone who holds more is 403, and of someone who does not is 200', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    assert.ok(await denied(t, () => t.as(remover).delete(`/usuarios/${gestor.id}`)))
    assert.equal(await denied(t, () => t.as(gestor).delete(`/usuarios/${admin.id}`)), 'admin')
    const ana = await t.person()
    assert.equal((await t.as(remover).delete(`/usuarios/${ana.id}`)).status, 200)
  })

  it('of the last active administrator is 422 in this form, and nothing changes', async () => {
    const { status, body } = await t.as(admin).delete(`/usuarios/${admin.id}`)
    assert.equal(status, 422)
    assert.deepEqual(body.detail[0].loc, ['path', 'id'])
    assert.equal(body.detail[0].type, 'value_error.last_admin')
    assert.ok((await exists(admin.id)) && (await live(admin)))
  })

  it('of the two last administrators by each other, at once, leaves one', async () => {
    const other = await testApp()
    const [one, two] = [await other.administrador(), await other.person({ admin: true })]
    const answers = await Promise.all([
      other.as(one).delete(`/usuarios/${two.id}`),
      other.as(two).delete(`/usuarios/${one.id}`),
    ])
    const { n } = (await other.database.pool.first<{ n: number }>(
      sql`select count(*) as n from usuarios where admin and ativo`,
    )) as { n: number }
    await other.close()
    assert.equal(n, 1)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { status } of answers) assert.ok([200, 401, 404, 422].includes(status), String(status))
  })
})

describe('POST /usuarios/{id}/desativar', () => {
  it('keeps the record, sets desativado_em once, and ends the sessions', async () => {
    const ana = await t.person({ grupos: ['usuario'] })
    const { status, body } = await t.as(admin).post(`/usuarios/${ana.id}/desativar`)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['message'])
    const first = await state(ana.id)
    assert.equal(first?.ativo, false)
    assert.ok(Math.abs(Number(first?.desativado_em) - t.clock.now().getTime()) < 10_000)
    assert.equal(await live(ana), false)
    const login = await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })
    assert.deepEqual([login.status, login.body.error.code], [403, 'ACCOUNT_INACTIVE'])
    t.clock.advance(5000)
    assert.equal((await t.as(admin).post(`/usuarios/${ana.id}/desativar`)).status, 200)
    assert.deepEqual(await state(ana.id), first, 'again changes nothing')
    assert.equal((await records('usuario.alterado', ana.id)).length, 1)
  })

  it('needs usuarios.deletar, and not holding less than the other', async () => {
    const ana = await t.person()
    assert.equal(
      await denied(t, () => t.as(editor).post(`/usuarios/${ana.id}/desativar`)),
      'usuarios.deletar',
    )
    assert.equal(await denied(t, () => t.as(remover).post(`/usuarios/${admin.id}/desativar`)), 'admin')
    assert.ok(await denied(t, () => t.as(remover).post(`/usuarios/${editor.id}/desativar`)))
    assert.equal((await t.as(remover).post(`/usuarios/${ana.id}/desativar`)).status, 200)
  })

  it('of the last active administrator is 422 in this form, and nothing changes', async () => {
    const { status, body } = await t.as(admin).post(`/usuarios/${admin.id}/desativar`)
    assert.equal(status, 422)
    assert.deepEqual([body.detail[0].loc, body.detail[0].type], [['path', 'id'], 'value_error.last_admin'])
    assert.equal((await state(admin.id))?.ativo, true)
    assert.ok(await live(admin))
  })
})

describe('POST /usuarios/{id}/reativar', () => {
  it('makes the account active again, with desativado_em null, and changes nothing when it is', async () => {
    const ana = await t.person()
    await t.as(admin).post(`/usuarios/${ana.id}/desativar`)
    for (const _ of [1, 2]) {
      const { status, body } = await t.as(editor).post(`/usuarios/${ana.id}/reativar`)
      assert.deepEqual([status, Object.keys(body)], [200, ['message']])
      assert.deepEqual(await state(ana.id), { ativo: true, desativado_em: null })
    }
    assert.equal((await records('usuario.alterado', ana.id)).length, 2)
    assert.equal(await live(ana), false, 'the ended sessions stay ended')
    assert.equal((await t.anonymous.post('/auth/login', { email: ana.email, senha: PASSWORD })).status, 200)
  })

  it('needs usuarios.editar, and not holding less than the other', async () => {
    const boss = await t.person({ admin: true })
    await t.as(admin).post(`/usuarios/${boss.id}/desativar`)
    assert.equal(
      await denied(t, () => t.as(remover).post(`/usuarios/${boss.id}/reativar`)),
      'usuarios.editar',
    )
    assert.equal(await denied(t, () => t.as(editor).post(`/usuarios/${boss.id}/reativar`)), 'admin')
  })
})

describe('desativar and reativar', () => {
  for (const verb of ['desativar', 'reativar']) {
    it(`${verb} is 404 for nobody`, () => missing(t, () => t.as(admin).post(`/usuarios/999999/${verb}`)))

    it(`${verb} is 422 in this form for an id that is none`, async () => {
      const { status, body } = await t.as(admin).post(`/usuarios/x/${verb}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['path', 'id']])
    })
  }
})
