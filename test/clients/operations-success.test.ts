import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createVigia, type Vigia, type VigiaOptions } from '../../clients/ts/src/index.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { consoleService } from '../harness/console-service.ts'
import { fromBase32, STEP, totp } from '../harness/totp.ts'

/**
 * Successful answers, read by the client, of operations that `operations.test.ts` sees refused alone. Left out: `/auth/sessao` and
 * `/auth/oidc/segundo-fator`, which are the console's alone, and rejected rows, which `cli-importar.test.ts` reads.
 */
const service = await consoleService({ PUBLIC_URL: 'https://vigia.example' })
after(() => service[Symbol.asyncDispose]())
const { t, origin: url, ca } = service
const NEW = 'Outra#Senha9'

const open = (options: Partial<VigiaOptions> = {}) => createVigia({ url, ca, attempts: 1, ...options })
const admin = open({ email: ADMIN_EMAIL, senha: PASSWORD })
async function newAccount(): Promise<{ id: number; email: string; vigia: Vigia }> {
  const { id, email } = await t.person()
  return { id, email, vigia: open({ email, senha: PASSWORD }) }
}

/** To the middle of the next step: no code was used in it. */
function codeOf(secret: string): string {
  service.advance(STEP - (t.clock.now().getTime() % STEP) + STEP / 3)
  return totp(fromBase32(secret), t.clock.now().getTime())
}

/** The token of the newest mail to the address with a link to that page. */
async function tokenTo(email: string, page: string): Promise<string> {
  await t.mailWorker.runOnce()
  const link = new RegExp(`^https://vigia\\.example/${page}#token=([\\w-]{43})$`, 'm')
  const found = t.mails.filter(({ to }) => to === email).map(({ text }) => link.exec(text)?.[1])
  const token = found.findLast(Boolean)
  assert.ok(token, `a link to ${page}`)
  return token
}

describe('The client reads', () => {
  it('logins, renewals and the end of sessions, of both contracts', async () => {
    const { email } = await newAccount()
    const { access_token, refresh_token } = await open().post('/auth/login', {
      body: { username: email, password: PASSWORD },
    })
    assert.equal((await open({ token: access_token }).get('/usuarios/me')).email, email)
    const renewed = await open().post('/auth/refresh', { body: { refresh_token } })
    assert.equal(renewed.user.email, email)
    const formal = await open().post('/usuarios/login', { body: { email, password: PASSWORD } })
    const again = await open().post('/usuarios/refresh-token', {
      query: { refresh_token: formal.refresh_token },
    })
    assert.equal(again.user.email, email)
    const ended = await open({ token: again.access_token }).post('/usuarios/logout', {
      query: { refresh_token: again.refresh_token },
    })
    assert.ok(ended.message)
    const vigia = open({ token: renewed.access_token })
    const { items } = await vigia.get('/auth/sessions')
    const session_id = items[0]?.id as string
    assert.equal(await vigia.delete('/auth/sessions/{session_id}', { params: { session_id } }), undefined)
  })

  it('a second factor: begun, confirmed, asked for at a login, new backup codes, ended by oneself and by others', async () => {
    const { id, email, vigia } = await newAccount()
    const { secret } = await vigia.post('/auth/mfa/enable')
    assert.equal((await vigia.post('/auth/mfa/verify', { body: { code: codeOf(secret) } })).mfa_enabled, true)
    await assert.rejects(open({ email, senha: PASSWORD }).get('/usuarios/me'), { code: 'MFA_REQUIRED' })
    const { items } = await open({ email, senha: PASSWORD, codigo: codeOf(secret) }).get('/auth/sessions')
    assert.ok(items.length > 0)
    const given = () => ({ body: { senha: PASSWORD, code: codeOf(secret) } })
    assert.equal((await vigia.post('/auth/mfa/codigos', given())).backup_codes.length, 10)
    assert.ok((await vigia.post('/auth/mfa/disable', given())).message)
    const next = await vigia.post('/auth/mfa/enable')
    await vigia.post('/auth/mfa/verify', { body: { code: codeOf(next.secret) } })
    assert.ok((await admin.delete('/usuarios/{id}/mfa', { params: { id } })).message)
  })

  it('passwords: changed, asked for anew, set by the link', async () => {
    const { email, vigia } = await newAccount()
    const changed = { senha_atual: PASSWORD, senha_nova: NEW, confirmar_senha: NEW }
    assert.ok((await vigia.post('/auth/change-password', { body: changed })).message)
    assert.ok((await open().post('/auth/forgot-password', { body: { email } })).message)
    const token = await tokenTo(email, 'redefinir-senha')
    const body = { token, senha_nova: PASSWORD, confirmar_senha: PASSWORD }
    assert.ok((await open().post('/auth/reset-password', { body })).message)
    assert.ok((await open().post('/usuarios/reset-password', { query: { email } })).message)
  })

  it('another address: confirmed by its link, taken back by the one to the old address', async () => {
    const { id, email, vigia } = await newAccount()
    await vigia.put('/usuarios/{id}', { params: { id }, body: { email: 'outro@teste.local' } })
    const undo = await tokenTo(email, 'nao-fui-eu')
    const token = await tokenTo('outro@teste.local', 'verificar-email')
    assert.ok((await open().post('/auth/verificar-email', { body: { token } })).message)
    assert.ok((await open().post('/auth/nao-fui-eu', { body: { token: undo } })).message)
  })

  it('rules of alerts, the system, the audit, permissions', async () => {
    const body = { tipo_agravo: 'dengue', casos_vermelho: 20 } as const
    assert.equal((await admin.put('/agravos/alertas/regras', { body })).casos_vermelho, 20)
    const { casos_vermelho } = await admin.patch('/agravos/alertas/regras', {
      body: { ...body, casos_vermelho: 30 },
    })
    assert.equal(casos_vermelho, 30)
    assert.ok((await admin.get('/agravos/alertas/regras')).regras.length > 0)
    assert.ok(Object.keys(await admin.get('/sistema')).length > 0)
    const { job_id } = await admin.post('/auditoria/verificar')
    await t.jobWorker.runAll()
    assert.equal((await admin.job(job_id).fim()).status, 'completed')
    const { id } = await admin.post('/permissoes', { body: { nome: 'criada.aqui' } })
    const renamed = await admin.put('/permissoes/{id}', { params: { id }, body: { nome: 'outra.aqui' } })
    assert.equal(renamed.nome, 'outra.aqui')
    assert.equal(await admin.delete('/permissoes/{id}', { params: { id } }), undefined)
  })

  it('the report of a person', async () => {
    const { id } = await admin.post('/agravos/casos', {
      body: {
        ...{ tipo_agravo: 'dengue', numero_notificacao: 'pessoa-1', data_notificacao: '2026-03-12' },
        ...{ paciente_nome: 'Maria de Palmas', municipio_residencia: 'Palmas', estado_residencia: 'TO' },
      } as never,
    })
    const { casos } = await admin.get('/agravos/pessoas/relatorio', {
      query: { casos: String(id), motivo: 'Pedido da pessoa' },
    })
    assert.equal(casos.length, 1)
  })
})
