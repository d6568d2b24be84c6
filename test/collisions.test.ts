import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { type Answer, PASSWORD, testApp } from './harness/app.ts'

/** Spec 1.1: the only paths where the final slash chooses; everywhere else it does not matter. */
const SLASH_PAIRS = ['/permissoes', '/usuarios']

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const { body: caso } = await t.as(admin).post('/agravos/casos', {
  ...{ tipo_agravo: 'dengue', numero_notificacao: '1', data_notificacao: '2024-01-10' },
  ...{ paciente_nome: 'Maria da Silva', municipio_residencia: 'Recife', estado_residencia: 'PE' },
})

const info = { title: '', version: '', description: '', publicUrl: null }
const rows = describedContracts(info).contracts.flatMap((contract) => contract.rows)
const pathsOf = (method: string) =>
  rows.filter((row) => row.method === method).map((row) => row.path.replace('/api/v1', '').replace(/\/$/, ''))

/** An answer without what differs from request to request: ids, times, and the path that links repeat. */
function comparable({ status, headers, text }: Answer) {
  const { 'x-request-id': _id, date: _date, 'content-length': _length, ...others } = headers
  const body = text
    .replaceAll(/"(request_id|timestamp|calculado_em|gerado_em|inicio|fim)":"[^"]*"/g, '"$1"')
    .replaceAll(/"latency_ms":[\d.]+/g, '"latency_ms"')
    .replaceAll(/"leituras":\[[^\]]*\]/g, '"leituras"')
    .replaceAll('/?', '?')
  return { status, headers: others, body }
}

describe('the final slash chooses the description', () => {
  it('of GET /permissoes: an array with it, an object without', async () => {
    const a = await t.as(admin).get('/permissoes/')
    const b = await t.as(admin).get('/permissoes')
    assert.ok(Array.isArray(a.body))
    assert.deepEqual(Object.keys(b.body), ['total', 'categorias'])
    assert.equal(a.body.length, b.body.total)
  })

  it('also before a query, and not by a slash within it', async () => {
    assert.ok(Array.isArray((await t.as(admin).get('/permissoes/?x=1')).body))
    assert.ok(!Array.isArray((await t.as(admin).get('/permissoes?x=/')).body))
  })

  it('also for HEAD', async () => {
    const length = async (path: string) =>
      Number((await t.as(admin).request('HEAD', path)).headers['content-length'])
    for (const path of ['/permissoes/', '/permissoes'])
      assert.equal(await length(path), Buffer.byteLength((await t.as(admin).get(path)).text))
    assert.notEqual(await length('/permissoes/'), await length('/permissoes'))
  })
})

/** Parameters without which a route answers 422. */
const REQUIRED: Record<string, string> = {
  '/agravos/panorama': 'tipo_agravo=dengue&ano=2024',
  '/publico/agravos/curva': 'tipo_agravo=dengue&ano=2024',
  '/publico/agravos/indicadores': 'tipo_agravo=dengue&ano=2024',
  '/publico/agravos/alertas': 'tipo_agravo=dengue',
  '/agravos/casos/painel': 'tipo_agravo=dengue',
  '/agravos/casos/painel/partes': 'tipo_agravo=dengue&partes=niveis',
  '/agravos/casos/facetas': 'campos=sexo',
  '/agravos/casos/estatisticas/curva': 'tipo_agravo=dengue',
  '/agravos/casos/estatisticas/diagrama-controle': 'tipo_agravo=dengue',
  '/agravos/casos/estatisticas/indicadores': 'tipo_agravo=dengue',
  '/agravos/casos/estatisticas/rt': 'tipo_agravo=dengue',
  '/agravos/casos/estatisticas/nowcast': 'tipo_agravo=dengue',
  '/agravos/casos/estatisticas/atrasos': 'tipo_agravo=dengue',
  '/eventos/aovivo': 'duracao=1',
  '/agravos/pessoas/relatorio': `casos=${caso.id}&motivo=conferir`,
  '/agravos/alertas/situacao': 'tipo_agravo=dengue&nivel_lugar=pais',
  '/series/painel': 'series=temp_min',
  '/agravos/casos/estatisticas/frequencias': 'tipo_agravo=dengue&campos=febre',
  '/epizootias/proximas': 'municipio=2611606',
  '/publico/epizootias/estatisticas': 'ano=2024',
}

describe('the final slash does not matter', () => {
  const plain = [...new Set(pathsOf('GET'))].filter(
    (path) => !path.includes('{') && !SLASH_PAIRS.includes(path),
  )

  for (const path of plain) {
    it(`to GET ${path}`, async () => {
      const query = REQUIRED[path] ?? ''
      const without = comparable(await t.as(admin).get(`${path}?${query}`))
      assert.equal(without.status, 200)
      assert.deepEqual(comparable(await t.as(admin).get(`${path}/?${query}`)), without)
      assert.deepEqual(
        comparable(await t.as(admin).get(`${path}/?page=1`)),
        comparable(await t.as(admin).get(`${path}?page=1`)),
      )
    })
    it(`to GET ${path} when it is refused`, async () => {
      const headers = { authorization: 'Bearer x' }
      const without = comparable(await t.anonymous.get(path, { headers }))
      assert.deepEqual(comparable(await t.anonymous.get(`${path}/`, { headers })), without)
    })
  }

  /** They act on an empty body: the second call would find something else. */
  const ACTING = [
    ...['/auth/logout', '/auth/mfa/enable'],
    ...['/auditoria/verificar', '/agravos/duplicidades/varredura'],
  ]
  /** An empty body asks for everything: answered, and the same each time. */
  const ASKING = ['/usuarios/buscar', '/agravos/casos/verificar']
  /** For our own pages: a client without their headers is refused whatever it sends. */
  const CLOSED = ['/auth/sessao', '/auth/oidc/segundo-fator']
  const refusing = [...new Set(pathsOf('POST'))].filter(
    (path) => !path.includes('{') && !ACTING.includes(path),
  )
  for (const path of refusing)
    it(`to POST ${path}`, async () => {
      const without = comparable(await t.as(admin).post(path, {}))
      const expected = ASKING.includes(path) ? [200] : CLOSED.includes(path) ? [403] : [422, 415]
      assert.ok(expected.includes(without.status), String(without.status))
      assert.deepEqual(comparable(await t.as(admin).post(`${path}/`, {})), without)
    })

  for (const [method, path, body] of [
    ['GET', '/grupos/1'],
    ['GET', '/grupos/1/usuarios'],
    ['GET', '/grupos/999999'],
    ['PUT', '/grupos/1', { nome: 'outro' }],
    ['PATCH', '/grupos/2', {}],
    ['DELETE', '/grupos/1'],
    ['PUT', '/grupos/4/permissoes', {}],
    ['POST', '/grupos/4/permissoes/12'],
    ['DELETE', '/grupos/4/permissoes/1'],
    ['POST', '/grupos/4/usuarios/1'],
    ['DELETE', '/grupos/5/usuarios/1'],
    ['POST', '/permissoes', { nome: 5 }],
    ['PUT', '/permissoes/1', { nome: 5 }],
    ['DELETE', '/permissoes/999999'],
    ['GET', '/usuarios/1/permissoes'],
    ['GET', '/usuarios/999999'],
    ['PUT', '/usuarios/1', {}],
    ['PATCH', '/usuarios/1', { telefone: 'x' }],
    ['DELETE', '/usuarios/999999'],
    ['DELETE', '/usuarios/1?motivo='],
    ['POST', '/usuarios/1/reativar'],
    ['POST', '/usuarios/999999/desativar'],
    ['PUT', '/usuarios/1/grupos', {}],
    ['DELETE', '/usuarios/1/grupos/3'],
    ['DELETE', '/usuarios/1/permissoes/4'],
    ['GET', '/usuarios/1/foto'],
    ['GET', '/noticias/999999'],
    ['PUT', '/noticias/999999', {}],
    ['PATCH', '/noticias/1', { titulo: 5 }],
    ['DELETE', '/noticias/999999'],
    ['GET', '/agravos/casos/999999'],
    ['PUT', '/agravos/casos/999999', {}],
    ['PATCH', '/agravos/casos/999999', { uti: 5 }],
    ['DELETE', '/agravos/casos/999999'],
    ['DELETE', '/agravos/casos/999999?motivo=x'],
    ['POST', '/agravos/casos/999999/restaurar'],
    ['GET', '/agravos/casos/999999/historico'],
    ['GET', '/agravos/casos/999999/anexos'],
    ['GET', '/agravos/casos/999999/anexos/1'],
    ['DELETE', '/agravos/casos/999999/anexos/1'],
    ['GET', '/agravos/importacoes/999999'],
    ['POST', '/agravos/importacoes/999999/desfazer'],
    ['POST', '/agravos/importacoes/999999/desfazer?simular=true'],
    ['POST', '/agravos/casos/exportar', { formato: 'pdf' }],
    ['POST', '/usuarios/exportar', { formato: 'pdf' }],
    ['POST', '/epizootias/exportar', { formato: 'pdf' }],
    ['POST', '/auditoria/exportar', { formato: 'pdf' }],
    ['PUT', '/notificacoes/lidas', { ate: 0 }],
    ['GET', '/jobs/job_x'],
    ['DELETE', '/jobs/job_x'],
    ['GET', '/jobs/job_x/eventos'],
    ['GET', '/jobs/job_x/arquivo'],
    ['GET', '/jobs/job_x/rejeitados'],
    ['GET', '/contas-de-servico/999999'],
    ['POST', '/contas-de-servico/999999/chaves', {}],
    ['POST', '/contas-de-servico/999999/chaves/x/renovar'],
    ['DELETE', '/contas-de-servico/999999/chaves/x'],
    ['GET', '/webhooks/wh_x'],
    ['PUT', '/webhooks/wh_x', {}],
    ['PATCH', '/webhooks/wh_x', { ativo: 'x' }],
    ['DELETE', '/webhooks/wh_x'],
    ['POST', '/webhooks/wh_x/pausar'],
    ['POST', '/webhooks/wh_x/retomar'],
    ['POST', '/webhooks/wh_x/segredo'],
    ['POST', '/webhooks/wh_x/testar'],
    ['POST', '/webhooks/wh_x/reenviar', {}],
    ['GET', '/webhooks/wh_x/entregas'],
    ['GET', '/webhooks/wh_x/entregas/1'],
    ['POST', '/webhooks/wh_x/entregas/1/reenviar'],
    ['GET', '/eventos?size=0'],
    ['TRACE', '/grupos'],
    ['OPTIONS', '/grupos'],
    ['GET', '/rota/que/nao/existe'],
    ['GET', '//docs'],
    ['GET', '//docs/docs.js'],
  ] as [string, string, object?][])
    it(`to ${method} ${path}`, async () => {
      const send = (target: string) =>
        t.as(admin).request(method, target, {
          ...(body && { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }),
        })
      const [place, query] = path.split('?')
      const slashed = (slashes: string) => `${place}${slashes}${query === undefined ? '' : `?${query}`}`
      const without = comparable(await send(path))
      assert.deepEqual(comparable(await send(slashed('/'))), without)
      assert.deepEqual(comparable(await send(slashed('//'))), without)
    })

  it('to what a request does: a login and a group made with it are like any other', async () => {
    const login = await t.anonymous.post('/auth/login/', { username: admin.email, password: PASSWORD })
    assert.equal(login.status, 200)
    const as = t.as({ ...admin, token: login.body.access_token })
    const { status, body } = await as.post('/grupos/', { nome: 'com_barra' })
    assert.equal(status, 201)
    assert.equal((await as.put(`/grupos/${body.id}/`, { ativo: false })).status, 200)
    assert.equal((await as.get(`/grupos/${body.id}`)).body.ativo, false)
    assert.equal((await as.delete(`/grupos/${body.id}/?force=true`)).status, 204)
  })
})
