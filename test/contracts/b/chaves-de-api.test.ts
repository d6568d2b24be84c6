import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { recordRecusas } from '../../../src/domain/auditoria/recusas.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { newChave } from '../../../src/domain/sessoes/chave.ts'
import { type Answer, testApp } from '../../harness/app.ts'
import { servicos } from './servico.ts'

/** Requests that carry a key instead of an access token. */
const t = await testApp()
after(() => t.close())
const admin = await t.administrador()
const { conta, chave, by, idsOf } = servicos(t, admin)
const DAY = 86_400_000

const ofAll = ['agravos.listar', 'agravos.criar', 'usuarios.editar', 'usuarios.listar']
async function keyed(escopos: string[], more: object = {}, permissoes = ofAll) {
  const { id } = await conta(permissoes)
  const made = await chave(id, escopos, more)
  return { id, chaveId: made.id, chave: made.chave, as: by(made.chave) }
}
function refused(answer: Answer, status: number, code: string) {
  assert.deepEqual([answer.status, answer.body.error.code], [status, code])
  if (status === 401) assert.equal(answer.headers['www-authenticate'], 'Bearer')
}

describe('A request with a key', () => {
  it('is its account’s, with the scopes of the key alone', async () => {
    const one = await keyed(['agravos.listar'])
    const { body: me } = await one.as.get('/usuarios/me')
    assert.equal(me.id, one.id)
    assert.equal((await one.as.get('/agravos/casos')).status, 200)
    const denied = await one.as.post('/agravos/casos', {})
    refused(denied, 403, 'PERMISSION_DENIED')
    assert.equal(denied.body.error.required_permission, 'agravos.criar')
  })

  it('loses a scope with the right of the account, at the next request', async () => {
    const one = await keyed(['agravos.listar'])
    assert.equal((await one.as.get('/agravos/casos')).status, 200)
    const [permissao] = await idsOf(['agravos.listar'])
    assert.equal((await t.as(admin).delete(`/usuarios/${one.id}/permissoes/${permissao}`)).status, 204)
    refused(await one.as.get('/agravos/casos'), 403, 'PERMISSION_DENIED')
  })

  it('holds nothing by the permission `admin` of its account', async () => {
    const one = await keyed(['agravos.listar'])
    const [permissao] = await idsOf(['admin'])
    await t.as(admin).post(`/usuarios/${one.id}/permissoes/${permissao}`)
    refused(await one.as.get('/sistema'), 403, 'PERMISSION_DENIED')
    refused(await one.as.post('/agravos/casos', {}), 403, 'PERMISSION_DENIED')
  })

  it('stays within the territory of its account', async () => {
    const one = await keyed(['agravos.listar'])
    const caso = (municipio: string, estado: string) =>
      t.as(admin).post('/agravos/casos', {
        ...{ tipo_agravo: 'dengue', numero_notificacao: `t-${municipio}`, data_notificacao: '2024-01-10' },
        ...{ paciente_nome: 'Maria da Silva', municipio_residencia: municipio, estado_residencia: estado },
      })
    assert.equal((await caso('Recife', 'PE')).status, 201)
    assert.equal((await caso('Campinas', 'SP')).status, 201)
    assert.equal((await one.as.get('/agravos/casos')).body.total, 2)
    const territorios = [{ nivel: 'uf', codigo: 'PE' }]
    await t.as(admin).put(`/usuarios/${one.id}/territorios`, { territorios })
    assert.equal((await one.as.get('/agravos/casos')).body.total, 1)
  })

  it('is told why a key that was one does not work, and nothing of one that never was', async () => {
    const revoked = await keyed(['agravos.listar'])
    assert.equal((await revoked.as.get('/agravos/casos')).status, 200)
    await t.as(admin).delete(`/contas-de-servico/${revoked.id}/chaves/${revoked.chaveId}`)
    refused(await revoked.as.get('/agravos/casos'), 401, 'API_KEY_REVOKED')
    const elsewhere = await keyed(['agravos.listar'], { redes: ['203.0.113.0/24', '2001:db8::/32'] })
    refused(await elsewhere.as.get('/agravos/casos'), 401, 'API_KEY_NETWORK')
    refused(await by(newChave()).get('/agravos/casos'), 401, 'UNAUTHORIZED')
    refused(await by(`${revoked.chave}x`).get('/agravos/casos'), 401, 'UNAUTHORIZED')
    refused(await by('vgk_').get('/agravos/casos'), 401, 'UNAUTHORIZED')
    const switchedOff = await keyed(['agravos.listar'])
    await t.as(admin).put(`/usuarios/${switchedOff.id}`, { ativo: false })
    refused(await switchedOff.as.get('/agravos/casos'), 401, 'UNAUTHORIZED')
  })

  it('is accepted from the networks of its key, behind a proxy by the address that it forwards', async () => {
    const here = await keyed(['agravos.listar'], { redes: ['127.0.0.0/8'] })
    assert.equal((await here.as.get('/agravos/casos')).status, 200)
    const lab = await keyed(['agravos.listar'], { redes: ['203.0.113.0/24'] })
    const { database, dataKey } = t
    const proxied = await testApp({ database, dataKey, env: { TRUST_PROXY: '127.0.0.1' } })
    const from = (ip: string) =>
      proxied
        .as({ id: 0, email: '', token: lab.chave })
        .get('/agravos/casos', { headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': ip } })
    assert.equal((await from('203.0.113.9')).status, 200)
    refused(await from('198.51.100.1'), 401, 'API_KEY_NETWORK')
    refused(await from('unknown'), 401, 'API_KEY_NETWORK')
    await proxied.close()
  })

  it('notes its last use, at most once a minute, and refusals as one record for each minute', async () => {
    const one = await keyed(['agravos.listar'])
    const lastUse = async () =>
      (await t.as(admin).get(`/contas-de-servico/${one.id}`)).body.chaves[0].ultimo_uso_em
    assert.equal(await lastUse(), null)
    await one.as.get('/agravos/casos')
    const first = await lastUse()
    assert.ok(first)
    await one.as.get('/agravos/casos')
    assert.equal(await lastUse(), first)
    t.clock.advance(61_000)
    const fresh = await t.administrador()
    await one.as.get('/agravos/casos')
    const { body } = await t.as(fresh).get(`/contas-de-servico/${one.id}`)
    assert.ok(body.chaves[0].ultimo_uso_em > first)
    assert.equal(body.chaves[0].ultimo_uso_ip, '127.0.0.1')
    await t.as(fresh).delete(`/contas-de-servico/${one.id}/chaves/${one.chaveId}`)
    for (let i = 0; i < 3; i++) await one.as.get('/agravos/casos')
    t.clock.advance(70_000)
    await recordRecusas(t.app)
    const recorded = await t.database.pool.first<{ total: number }>(sql`
      select (detalhes ->> 'total')::integer as total from auditoria where acao = 'chave.recusada'
       order by id desc limit 1`)
    assert.equal(recorded?.total, 3)
  })

  it('is recorded in the audit with the first characters of the key', async () => {
    const one = await keyed(['agravos.criar', 'agravos.listar'])
    const { body, status, text } = await one.as.post('/webhooks', {
      ...{ url: 'https://lab.example/vigia', eventos: ['agravo.criado'] },
    })
    assert.equal(status, 201, text)
    const record = await t.database.pool.first<{ chave: string; ator_id: number }>(sql`
      select detalhes ->> 'chave_usada' as chave, ator_id from auditoria where recurso = 'webhook' and recurso_id = ${body.id}`)
    assert.equal(record?.ator_id, one.id)
    assert.equal(record?.chave, one.chave.slice(0, 12))
    assert.ok(!t.logs.join('').includes(one.chave.slice(12)))
  })

  for (const [method, path] of [
    ['POST', '/auth/logout'],
    ['DELETE', '/auth/sessao'],
    ['POST', '/auth/change-password'],
    ['POST', '/auth/mfa/enable'],
    ['POST', '/auth/mfa/verify'],
    ['POST', '/auth/mfa/disable'],
    ['POST', '/auth/mfa/codigos'],
    ['GET', '/auth/sessions'],
    ['DELETE', '/auth/sessions/x'],
    ['GET', '/auth/security-metrics'],
    ['GET', '/contas-de-servico'],
    ['POST', '/contas-de-servico'],
    ['GET', '/contas-de-servico/1'],
    ['POST', '/contas-de-servico/1/chaves'],
    ['DELETE', '/contas-de-servico/1/chaves/x'],
    ['POST', '/contas-de-servico/1/chaves/x/renovar'],
  ] as const)
    it(`does not reach ${method} ${path}, which is for people`, async () => {
      const one = await keyed(['agravos.listar'])
      const answer = await one.as.request(method, path)
      assert.equal(answer.status, 403, answer.text)
      assert.match(answer.body.error.code, /^(PERSON_ONLY|CONSOLE_ONLY)$/)
    })

  it('reads its own account, and changes it only with the permission for that', async () => {
    const one = await keyed(['agravos.listar'])
    assert.equal((await one.as.get(`/usuarios/${one.id}`)).status, 200)
    refused(await one.as.put(`/usuarios/${one.id}`, { nome: 'Outro' }), 403, 'PERMISSION_DENIED')
  })

  it('does not give its account more than the key holds', async () => {
    const one = await keyed(['usuarios.gerenciar_permissoes'], {}, [
      'usuarios.gerenciar_permissoes',
      'agravos.listar',
    ])
    const [permissao] = await idsOf(['agravos.identificar'])
    const answer = await one.as.post(`/usuarios/${one.id}/permissoes/${permissao}`)
    refused(answer, 403, 'PERMISSION_DENIED')
  })

  it('works with the old and the new key until the overlap ends', async () => {
    const old = await keyed(['agravos.listar'])
    const fresh = await t.administrador()
    const { body } = await t
      .as(fresh)
      .post(`/contas-de-servico/${old.id}/chaves/${old.chaveId}/renovar`, { sobreposicao_horas: 1 })
    assert.equal((await old.as.get('/agravos/casos')).status, 200)
    assert.equal((await by(body.chave).get('/agravos/casos')).status, 200)
    t.clock.advance(3_600_001)
    refused(await old.as.get('/agravos/casos'), 401, 'API_KEY_EXPIRED')
    assert.equal((await by(body.chave).get('/agravos/casos')).status, 200)
  })

  it('ends with the life of the key, of which 90 days later nothing is kept', async () => {
    const fresh = await t.administrador()
    const mine = servicos(t, fresh)
    const { id } = await mine.conta(['agravos.listar'])
    const made = await mine.chave(id, ['agravos.listar'], { validade_dias: 1 })
    t.clock.advance(DAY - 1000)
    assert.equal((await by(made.chave).get('/agravos/casos')).status, 200)
    t.clock.advance(1001)
    refused(await by(made.chave).get('/agravos/casos'), 401, 'API_KEY_EXPIRED')
    t.clock.advance(91 * DAY)
    await cleanUp(t.app)
    refused(await by(made.chave).get('/agravos/casos'), 401, 'UNAUTHORIZED')
  })

  it('is counted for its account, like every request', async () => {
    const { database, dataKey } = t
    const limited = await testApp({ database, dataKey, env: { RATE_LIMITS: 'on' } })
    const person = await limited.administrador()
    const { conta, chave } = servicos(limited, person)
    const { id } = await conta(['agravos.listar'])
    const made = await chave(id, ['agravos.listar'])
    const verbs = limited.as({ id, email: '', token: made.chave })
    const left = async () => Number((await verbs.get('/agravos/casos')).headers['x-ratelimit-remaining'])
    const before = await left()
    assert.equal(await left(), before - 1)
    await limited.close()
  })
})
