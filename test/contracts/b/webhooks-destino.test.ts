import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { webhooksApp } from './webhooks-app.ts'

/** Outside the sandbox: nothing but public HTTPS. */
const app = await webhooksApp({ env: { AMBIENTE: 'staging' } })
const { t, analista, create, newWebhook, refused } = app
after(() => t.close())

const BAD: [url: string, text: RegExp][] = [
  ['http://lab.example/', /https/],
  ['https://127.0.0.1/', /rede interna/],
  ['https://10.1.2.3/', /rede interna/],
  ['https://192.168.0.1:8443/', /rede interna/],
  ['https://169.254.169.254/latest/meta-data', /rede interna/],
  ['https://[::1]/', /rede interna/],
  ['https://[::ffff:10.0.0.1]/', /rede interna/],
  ['https://0x7f000001/', /rede interna/],
  ['https://2130706433/', /rede interna/],
  ['https://localhost/', /rede interna/],
  ['https://banco.internal/', /rede interna/],
  ['https://intranet/', /rede interna/],
  ['https://ana:senha@lab.example/', /usuário/],
  ['https://lab.example@10.0.0.1/', /usuário/],
  ['https://lab.example:22/', /porta/],
  ['https://lab.example:6667/', /porta/],
  ['https://lab exemplo.example/', /bem formado/],
  ['https:\\\\lab.example/', /bem formado/],
]

describe('an address that leads inside, or may be misread', () => {
  for (const [url, text] of BAD)
    it(`is refused: ${url}`, async () => {
      const { details } = await refused(() => create({ url }, analista), 422, 'VALIDATION_ERROR')
      const [{ field, code, message }, ...more] = details
      assert.deepEqual([field, code, more], ['url', 'FORBIDDEN_TARGET', []])
      assert.match(message, text)
      assert.ok(!/ana:|10\.|exemplo/.test(message), 'a refusal quotes nothing')
    })

  it('is refused to a webhook that exists', async () => {
    const { id } = await newWebhook({ url: 'https://lab.example:8443/vigia' }, analista)
    const change = () => t.as(analista).put(`/webhooks/${id}`, { url: 'https://10.0.0.1/' })
    await refused(change, 422, 'VALIDATION_ERROR')
  })

  it('is not called, even when it is stored', async () => {
    const { id } = await newWebhook({ url: 'https://lab.example/vigia' }, analista)
    await t.database.pool.run(sql`update webhooks set url = 'https://127.0.0.1:8443/' where id = ${id}`)
    const { body } = await t.as(analista).post(`/webhooks/${id}/testar`)
    assert.deepEqual([body.estado, body.erro, body.status_http], ['falhou', 'refused_target', null])
  })
})

describe('a network that the configuration lists', () => {
  it('may be named in production, over HTTPS; its neighbours may not', async () => {
    const listed = await webhooksApp({ env: { AMBIENTE: 'staging', WEBHOOK_NETWORKS: '10.1.0.0/16' } })
    await listed.newWebhook({ url: 'https://10.1.2.3:8443/vigia' }, listed.analista)
    for (const url of [
      'https://10.2.0.1/',
      'http://10.1.2.3/',
      'https://[64:ff9b::a02:1]/',
      'https://[2002:a02:1::]/',
    ])
      await listed.refused(() => listed.create({ url }, listed.analista), 422, 'VALIDATION_ERROR')
    await listed.t.close()
  })
})
