import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp({ realLogins: true })
const admin = await t.administrador()
const gestor = await t.person({ grupos: ['gestor'], permissoes: ['auditoria.ver'] })
after(() => t.close())

async function verified() {
  const { status, body, text } = await t.as(admin).post('/auditoria/verificar')
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
  return (await t.as(admin).get(`/jobs/${body.job_id}`)).body
}

/** What readers of the audit are told of the last verification. */
const told = async () => (await t.as(gestor).get('/auditoria?size=1')).body.verificacao

describe('POST /auditoria/verificar', () => {
  it('is not told of before there was one', async () => {
    assert.equal(await told(), null)
  })

  it('finds an intact chain, and until when', async () => {
    const { status, trabalho, message, result } = await verified()
    assert.deepEqual([status, trabalho, message], ['completed', 'verificacao', 'Auditoria verificada'])
    const [last] = (await t.as(admin).get('/auditoria?size=1')).body.items
    assert.deepEqual(result, { integra: true, registros: last.id, ate: last.data })
    const { integra, ate, verificada_em } = await told()
    assert.deepEqual([integra, ate], [true, last.data])
    assert.ok(Date.parse(verificada_em) >= Date.parse(last.data))
  })

  it('finds a record that was changed behind its back', async () => {
    await t.database.pool.transaction(async (tx) => {
      await tx.run(sql`set local session_replication_role = replica`)
      await tx.run(sql`update auditoria set acao = 'login.outro' where id = 1`)
    })
    const { result } = await verified()
    assert.deepEqual(result, { integra: false, registro: 1, problema: 'changed' })
    const { integra, ate } = await told()
    assert.deepEqual([integra, ate], [false, null])
  })

  it('is for administrators alone', async () => {
    const { status, body } = await t.as(gestor).post('/auditoria/verificar')
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'admin')
  })
})
