import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { ADMIN_EMAIL, PASSWORD, testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()
const line = () => JSON.parse(t.logs.at(-1) as string)

describe('The log', () => {
  it('has one line for a request, with the route as it is declared and who called', async () => {
    const start = t.logs.length
    await t.as(admin).get('/grupos/2?nome=Maria', { headers: { 'x-request-id': 'pedido-1' } })
    assert.equal(t.logs.length, start + 1)
    const { request_id, method, route, status, ms, usuario_id, msg } = line()
    assert.deepEqual(
      { request_id, method, route, status, usuario_id, msg },
      {
        request_id: 'pedido-1',
        method: 'GET',
        route: '/api/v1/grupos/{id}',
        status: 200,
        usuario_id: admin.id,
        msg: 'request',
      },
    )
    assert.equal(typeof ms, 'number')
  })

  it('does not repeat the path of a request that no route answers', async () => {
    await t.anonymous.get('/paciente/maria-da-silva')
    assert.deepEqual([line().route, line().status], ['unmatched', 404])
  })

  it('has a line for a URL that cannot be decoded', async () => {
    const start = t.logs.length
    await t.anonymous.get('/maria-da-silva/%zz')
    assert.equal(t.logs.length, start + 1)
    assert.equal(line().status, 400)
  })

  it('holds no query string, token, password, e-mail, body or name, whatever is sent', async () => {
    const personal = 'Maria.da.Silva'
    const email = `${personal}@saude.example`
    const query = `nome=${personal}&search=${email}&senha=${encodeURIComponent(PASSWORD)}`
    const headers = {
      'user-agent': personal,
      referer: `https://exemplo/${personal}`,
      cookie: `a=${personal}`,
    }
    const json = { 'content-type': 'application/json', ...headers }
    await t.as(admin).get(`/grupos?${query}`, { headers })
    await t.as(admin).get(`/grupos?id=${personal}`, { headers })
    await t.as(admin).get(`/${personal}?${query}`, { headers })
    await t.as(admin).get(`/grupos/${personal}`, { headers })
    await t.as(admin).get(`/grupos/%zz?${query}`, { headers })
    await t.as(admin).post('/grupos', { nome: 'diario', descricao: personal }, { headers })
    await t.as(admin).post('/grupos', { nome: 'diario', descricao: personal }, { headers })
    await t.anonymous.request('POST', '/auth/login', { headers: json, payload: `{"username": "${email}` })
    await t.anonymous.post('/auth/login', { username: email, password: PASSWORD }, { headers })
    await t.anonymous.post('/usuarios/login', { email: ADMIN_EMAIL, password: PASSWORD }, { headers })
    await t.anonymous.get('/grupos', { headers: { authorization: `Bearer ${personal}`, ...headers } })
    const log = t.logs.join('')
    for (const secret of [
      personal,
      email,
      PASSWORD,
      ADMIN_EMAIL,
      admin.token,
      'Bearer',
      'search=',
      'exemplo',
    ])
      assert.ok(!log.toLowerCase().includes(secret.toLowerCase()), `"${secret}" is in the log`)
  })

  it('keeps the details of an unforeseen error to its own line', async (context) => {
    const start = t.logs.length
    context.mock.method(t.app.passwords, 'turn', () => Promise.reject(new Error('inesperado')))
    await t.anonymous.post('/auth/login', { username: ADMIN_EMAIL, password: PASSWORD })
    const [fault, request, ...more] = t.logs.slice(start).map((text) => JSON.parse(text))
    assert.deepEqual([fault.level, fault.msg, request.msg, more.length], [50, 'fault', 'request', 0])
    assert.equal(fault.request_id, request.request_id)
    assert.equal(request.err, undefined)
  })
})
