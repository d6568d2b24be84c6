import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PASSWORD, type Person, testApp } from '../../harness/app.ts'
import { enrol } from '../../harness/totp.ts'

const t = await testApp()
after(() => t.close())
const admin = await t.administrador()

const MINUTE = 60_000
const logIn = (email: string, senha = PASSWORD) => t.anonymous.post('/auth/login', { email, senha })
async function lock({ email }: Person): Promise<void> {
  for (let i = 0; i < 5; i++) await logIn(email, 'Errada#Senha1')
}
const found = async (query: string) => {
  const { status, body, text } = await t.as(admin).get(`/usuarios?${query}`)
  assert.equal(status, 200, text)
  return body.items.map(({ id }: { id: number }) => id)
}
const detail = async (id: number, who: Person = admin, include = 'situacao') =>
  (await t.as(who).get(`/usuarios/${id}?include=${include}`)).body

describe('GET /usuarios?bloqueado', () => {
  it('finds accounts whose login is locked, until the lock is over or ended', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    assert.deepEqual(await found('bloqueado=true'), [])
    await lock(ana)
    assert.deepEqual(await found('bloqueado=true'), [ana.id])
    const { items } = (await t.as(admin).get('/usuarios?size=100')).body
    assert.deepEqual(
      items.filter(({ bloqueado }: { bloqueado?: true }) => bloqueado).map(({ id }: { id: number }) => id),
      [ana.id],
    )
    const others = await found('bloqueado=false&size=100')
    assert.ok(others.includes(bia.id) && !others.includes(ana.id))
    await t.as(admin).post(`/usuarios/${ana.id}/desbloquear`)
    assert.deepEqual(await found('bloqueado=true'), [])
    await lock(ana)
    t.clock.advance(16 * MINUTE)
    assert.deepEqual(await found('bloqueado=true'), [])
  })

  it('finds nobody for an address without an account', async () => {
    for (let i = 0; i < 5; i++) await logIn('ninguem@teste.local', 'Errada#Senha1')
    assert.deepEqual(await found('bloqueado=true'), [])
  })

  it('is a part of the tree of POST /usuarios/buscar, and refuses what is no boolean', async () => {
    const ana = await t.person()
    await lock(ana)
    const filtros = { and: [{ campo: 'bloqueado', operador: 'eq', valor: true }] }
    const { body } = await t.as(admin).post('/usuarios/buscar', { filtros })
    assert.deepEqual(
      body.items.map(({ id }: { id: number }) => id),
      [ana.id],
    )
    assert.equal((await t.as(admin).get('/usuarios?bloqueado=talvez')).status, 422)
    await t.as(admin).post(`/usuarios/${ana.id}/desbloquear`)
  })
})

describe('GET /usuarios?servico', () => {
  it('tells accounts of machines from those of people', async () => {
    const ana = await t.person()
    const {
      body: conta,
      status,
      text,
    } = await t.as(admin).post('/contas-de-servico', { nome: 'Integração', descricao: 'Laboratório' })
    assert.equal(status, 201, text)
    assert.ok((await found('servico=true&size=100')).includes(conta.id))
    assert.ok(!(await found('servico=true&size=100')).includes(ana.id))
    assert.ok(!(await found('servico=false&size=100')).includes(conta.id))
    const { body } = await t.as(admin).get(`/usuarios?id=${conta.id}`)
    assert.equal(body.items[0].servico, true)
  })
})

describe('GET /usuarios?nunca_entrou', () => {
  it('finds accounts that nobody has logged in to', async () => {
    const ana = await t.person()
    assert.ok((await found('nunca_entrou=true&size=100')).includes(ana.id))
    assert.equal((await logIn(ana.email)).status, 200)
    assert.ok(!(await found('nunca_entrou=true&size=100')).includes(ana.id))
    assert.ok((await found('nunca_entrou=false&size=100')).includes(ana.id))
  })
})

describe('GET /usuarios/{id}', () => {
  it('tells those who may list accounts the state of password, lock, sessions and second factor', async () => {
    const ana = await t.person()
    const fresh = { trocar_senha: false, bloqueado_ate: null, codigos_backup: 0, exige_mfa: false }
    assert.deepEqual((await detail(ana.id)).situacao, { ...fresh, sessoes_ativas: 1 })
    await enrol(t, ana)
    await lock(ana)
    await t.as(admin).post(`/usuarios/${ana.id}/alterar-senha`, {
      nova_senha: 'Outra#Senha9',
      forcar_troca: true,
    })
    const { bloqueado_ate, ...rest } = (await detail(ana.id)).situacao
    assert.deepEqual(rest, { trocar_senha: true, sessoes_ativas: 0, codigos_backup: 10, exige_mfa: false })
    assert.ok(Date.parse(bloqueado_ate) > t.clock.now().getTime())
  })

  it('tells the account alone which address waits for its confirmation', async () => {
    const ana = await t.person()
    const waiting = async (who: Person) => (await detail(ana.id, who)).situacao.email_pendente
    assert.equal(await waiting(ana), null)
    await t.as(ana).put(`/usuarios/${ana.id}`, { email: 'nova@saude.example' })
    assert.equal(await waiting(ana), 'nova@saude.example')
    assert.equal(await waiting(admin), undefined)
    await t.as(ana).put(`/usuarios/${ana.id}`, { email: ana.email })
    assert.equal(await waiting(ana), null, 'the present address, sent again, takes it back')
  })

  it('tells others nothing of it', async () => {
    const [ana, bia] = [await t.person(), await t.person()]
    const body = await detail(ana.id, bia, 'situacao,sessoes,desativacao')
    assert.deepEqual([body.situacao, body.sessoes, body.desativacao], [undefined, undefined, undefined])
  })

  it('lists sessions to oneself and to those who may end them, not to those who only list accounts', async () => {
    const ana = await t.person()
    const reader = await t.person({ permissoes: ['usuarios.listar'] })
    const editor = await t.person({ permissoes: ['usuarios.listar', 'usuarios.editar'] })
    assert.equal((await detail(ana.id, reader, 'sessoes')).sessoes, undefined)
    assert.equal((await detail(ana.id, editor)).sessoes, undefined)
    const [seen] = (await detail(ana.id, editor, 'sessoes')).sessoes
    assert.equal(seen.current, false)
    const [own] = (await detail(ana.id, ana, 'sessoes')).sessoes
    assert.deepEqual([own.id, own.current], [seen.id, true])
  })

  it('tells what a deactivation would do, which is what it then does', async () => {
    const ana = await t.person({ grupos: ['analista', 'usuario'] })
    const caso = {
      tipo_agravo: 'dengue',
      data_notificacao: '2026-11-10',
      municipio_notificacao: '2611606',
      numero_notificacao: '1234567',
      paciente_nome: 'Maria da Silva',
      municipio_residencia: '2611606',
      estado_residencia: 'PE',
    }
    const { status, text } = await t.as(ana).post('/agravos/casos', caso)
    assert.equal(status, 201, text)
    await logIn(ana.email)
    const { desativacao } = await detail(ana.id, admin, 'desativacao')
    assert.deepEqual(desativacao, { sessoes_encerradas: 2, grupos_removidos: 2, casos: 1 })
    const { body } = await t.as(admin).delete(`/usuarios/${ana.id}?motivo=Saiu&transferir_para=${admin.id}`)
    assert.deepEqual(body.acoes_realizadas, {
      usuario_desativado: true,
      sessoes_encerradas: 2,
      casos_transferidos: 1,
      grupos_removidos: 2,
    })
    assert.equal((await detail(ana.id, admin, 'desativacao')).desativacao.casos, 0)
  })

  it('refuses an include that it does not know', async () => {
    assert.equal((await t.as(admin).get(`/usuarios/${admin.id}?include=segredos`)).status, 422)
  })
})

describe('POST /usuarios with forcar_troca', () => {
  it('lets the new account do nothing before it has another password', async () => {
    const conta = { nome: 'Nova', email: 'nova@saude.example', senha: PASSWORD, forcar_troca: true }
    assert.equal((await t.as(admin).post('/usuarios', conta)).status, 201)
    const { body } = await logIn(conta.email)
    const nova = { id: 0, email: conta.email, token: body.access_token }
    assert.equal((await t.as(nova).get('/usuarios/me')).body.error.code, 'PASSWORD_CHANGE_REQUIRED')
  })
})
