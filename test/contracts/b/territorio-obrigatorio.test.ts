import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { leasesOf } from '../../../src/domain/jobs/queue.ts'
import { PASSWORD, type Person } from '../../harness/app.ts'
import { PE, RECIFE, territorioApp } from './territorio-app.ts'

const { t, pool, admin, person, placesOf, missing, refused } = await territorioApp({
  env: { TERRITORIO_OBRIGATORIO: 'on' },
})
after(() => t.close())

describe('an installation where every account needs a territory', () => {
  it('lets an account without one read and manage itself alone', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    const ana = await person({}, RECIFE)
    const { body } = await t.as(gestor).get('/usuarios?page=1')
    assert.deepEqual([body.total, body.items[0].id], [1, gestor.id])
    for (const id of [ana.id, admin.id, (await t.person()).id])
      await missing(() => t.as(gestor).put(`/usuarios/${id}`, { cargo: 'Médica' }))
    assert.equal((await t.as(gestor).put(`/usuarios/${gestor.id}`, { cargo: 'Médica' })).status, 200)
  })

  it('lets it make no account, with places or without', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    for (const more of [{}, { territorios: [] }, { territorios: [RECIFE] }]) {
      const conta = { nome: 'Bia', email: 'bia@teste.local', senha: PASSWORD, ...more }
      await refused(() => t.as(gestor).post('/usuarios', conta), 403, 'OUT_OF_TERRITORY')
    }
  })

  it('has administrators give the first place, which holds from the next request on', async () => {
    const gestor = await t.person({ grupos: ['gestor'] })
    const ana = await person({}, RECIFE)
    const path = `/usuarios/${gestor.id}/territorios`
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 404)
    assert.equal((await t.as(admin).put(path, { territorios: [PE] })).status, 200)
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 200)
    assert.equal((await t.as(admin).put(path, { territorios: [] })).status, 200)
    assert.deepEqual(await placesOf(gestor), [])
    assert.equal((await t.as(gestor).get(`/usuarios/${ana.id}`)).status, 404)
  })

  it('ends the job of an administrator who is one no longer and has no place, also one that runs', async () => {
    const leases = leasesOf(t.app, 'trabalhador')
    const jobOf = async (who: Person) => {
      const { status, body, text } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
      assert.equal(status, 202, text)
      return body.job_id as string
    }
    const demote = ({ id }: Person) => pool.run(sql`update usuarios set admin = false where id = ${id}`)
    const who = await t.person({ admin: true, permissoes: ['agravos.exportar'] })
    const running = await jobOf(who)
    await leases.claim()
    assert.deepEqual(await leases.renew(running), { stop: false })
    await demote(who)
    assert.deepEqual(await leases.renew(running), { stop: true })
    assert.equal(await leases.isPermitted(running), false)
    await leases.release(running, 0, { counts: false })
    await t.jobWorker.runAll()
    const { status, message, arquivo_url } = (await t.as(who).get(`/jobs/${running}`)).body
    assert.deepEqual(
      [status, message, arquivo_url],
      ['failed', 'A conta não tem mais permissão para isto; nada foi gravado', undefined],
    )
  })

  it('ends no job of those who keep their right: administrators, and accounts with a place', async () => {
    const permissoes = ['agravos.exportar']
    for (const who of [await t.person({ admin: true }), await person({ permissoes }, PE)]) {
      const { body } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
      await t.jobWorker.runAll()
      assert.equal((await t.as(who).get(`/jobs/${body.job_id}`)).body.status, 'completed')
    }
  })
})
