import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Person } from '../../harness/app.ts'
import { openConsole } from '../../harness/console.ts'
import { enrol } from '../../harness/totp.ts'
import { gruposApp } from './grupos-app.ts'

const { t, admin, permissao } = await gruposApp()
after(() => t.close())

let made = 0
async function grupo(fields: object = {}): Promise<{ id: number; exige_mfa: boolean }> {
  const { status, body, text } = await t.as(admin).post('/grupos', { nome: `fator_${++made}`, ...fields })
  assert.equal(status, 201, text)
  return body
}
const join = (id: number, { id: usuario }: Person) => t.as(admin).post(`/grupos/${id}/usuarios/${usuario}`)
const codeOfMe = async (who: Person) => (await t.as(who).get('/usuarios/me')).body.error?.code ?? null
const REQUIRED = 'MFA_ENROLMENT_REQUIRED'

describe('A group that requires a second factor', () => {
  it('is stored, shown and changed; without a word it does not', async () => {
    const [plain, strict] = [await grupo(), await grupo({ exige_mfa: true })]
    assert.deepEqual([plain.exige_mfa, strict.exige_mfa], [false, true])
    await t.as(admin).put(`/grupos/${plain.id}`, { exige_mfa: true })
    assert.equal((await t.as(admin).get(`/grupos/${plain.id}`)).body.exige_mfa, true)
    await t.as(admin).put(`/grupos/${plain.id}`, { descricao: 'Outra' })
    assert.equal((await t.as(admin).get(`/grupos/${plain.id}`)).body.exige_mfa, true)
    assert.equal((await t.as(admin).put(`/grupos/${plain.id}`, { exige_mfa: 'sim' })).status, 422)
    assert.equal((await t.as(admin).put(`/grupos/${plain.id}`, { exige_mfa: null })).status, 422)
  })

  it('leads its members to the second factor before anything else, from the next request on', async () => {
    const { id } = await grupo({ exige_mfa: true })
    const ana = await t.person({ permissoes: ['agravos.listar'] })
    assert.equal(await codeOfMe(ana), null)
    await join(id, ana)
    assert.equal(await codeOfMe(ana), REQUIRED)
    assert.equal((await t.as(ana).get('/agravos/casos')).body.error.code, REQUIRED)
    assert.equal((await t.as(ana).get(`/usuarios/${ana.id}`)).status, 403)
    await enrol(t, ana)
    assert.equal(await codeOfMe(ana), null)
    assert.equal((await t.as(ana).get('/agravos/casos')).status, 200)
    await t.as(admin).delete(`/usuarios/${ana.id}/mfa`)
  })

  it('asks nothing of members once it is switched off, does not require it, or they leave', async () => {
    const { id } = await grupo({ exige_mfa: true })
    const ana = await t.person()
    await join(id, ana)
    assert.equal(await codeOfMe(ana), REQUIRED)
    await t.as(admin).put(`/grupos/${id}`, { ativo: false })
    assert.equal(await codeOfMe(ana), null)
    await t.as(admin).put(`/grupos/${id}`, { ativo: true, exige_mfa: false })
    assert.equal(await codeOfMe(ana), null)
    await t.as(admin).put(`/grupos/${id}`, { exige_mfa: true })
    assert.equal(await codeOfMe(ana), REQUIRED)
    await t.as(admin).delete(`/grupos/${id}/usuarios/${ana.id}`)
    assert.equal(await codeOfMe(ana), null)
  })

  it('asks for it again after an administrator ended it', async () => {
    const { id } = await grupo({ exige_mfa: true })
    const ana = await t.person()
    await enrol(t, ana)
    await join(id, ana)
    assert.equal(await codeOfMe(ana), null)
    assert.equal(
      (await t.as(admin).get(`/usuarios/${ana.id}?include=situacao`)).body.situacao.exige_mfa,
      true,
    )
    await t.as(admin).delete(`/usuarios/${ana.id}/mfa`)
    const console = await openConsole(t, ana.email)
    assert.equal((await console.send('GET', '/usuarios/me')).body.error.code, REQUIRED)
    assert.equal((await console.send('POST', '/auth/mfa/enable', {})).status, 200)
  })

  it('comes after a password that has to be changed', async () => {
    const { id } = await grupo({ exige_mfa: true })
    const ana = await t.person()
    await join(id, ana)
    const senha = { nova_senha: 'Outra#Senha9', forcar_troca: true }
    await t.as(admin).post(`/usuarios/${ana.id}/alterar-senha`, senha)
    const login = await t.anonymous.post('/auth/login', { email: ana.email, senha: 'Outra#Senha9' })
    const again = { ...ana, token: login.body.access_token }
    assert.equal(await codeOfMe(again), 'PASSWORD_CHANGE_REQUIRED')
    assert.equal((await t.as(again).post('/auth/mfa/enable')).body.error.code, 'PASSWORD_CHANGE_REQUIRED')
    const change = {
      senha_atual: 'Outra#Senha9',
      senha_nova: 'Mais#Senha77',
      confirmar_senha: 'Mais#Senha77',
    }
    assert.equal((await t.as(again).post('/auth/change-password', change)).status, 200)
    assert.equal(await codeOfMe(again), REQUIRED)
  })

  it('is made so only by those who hold as much as its members', async () => {
    const { id } = await grupo({ permissoes_ids: [permissao('agravos.listar')] })
    await join(id, await t.person({ permissoes: ['auditoria.ver'] }))
    const gestor = await t.person({ grupos: ['gestor'] })
    const answer = await t.as(gestor).put(`/grupos/${id}`, { exige_mfa: true })
    assert.deepEqual([answer.status, answer.body.error.required_permission], [403, 'auditoria.ver'])
    assert.equal((await t.as(admin).get(`/grupos/${id}`)).body.exige_mfa, false)
  })
})
