import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { askForAlertas } from '../../../src/domain/alertas/agenda.ts'
import { alertasApp } from './alertas-app.ts'

const app = await alertasApp()
const { t, pool, outbreak, compute, stored } = app
const admin = await t.administrador()
after(() => t.close())

const marks = () => pool.value<number>(sql`select count(*)::integer from casos_lugares_mudados`)
const dengue = async () => (await t.as(admin).get('/agravos/tipos/dengue')).body.definicao
const change = async (more: object) => {
  const { status, text } = await t
    .as(admin)
    .put('/agravos/tipos/dengue', { ...(await dengue()), ...more, ativar: true })
  assert.equal(status, 200, text)
}
/** Of the municipality, by week. */
const chances = async () =>
  (await stored()).filter(({ lugar }) => lugar === '2611606').map(({ p_rt_maior_1 }) => p_rt_maior_1)

await outbreak([4, 6, 5, 7, 8, 7, 9, 11])
await compute()

describe('A definition', () => {
  it('that changes its generation interval has the levels of its places computed again, at once', async () => {
    const before = await chances()
    assert.equal(await askForAlertas(t.app), false, 'nothing is due')
    const { epidemiologia } = await dengue()
    await change({ epidemiologia: { ...epidemiologia, intervalo_geracao: { media: 6, desvio: 1 } } })
    assert.equal(await marks(), 1)
    assert.equal(await askForAlertas(t.app), true)
    await compute()
    assert.notDeepEqual(await chances(), before)
    assert.equal(await marks(), 0)
  })

  it('that changes anything else leaves them alone', async () => {
    await change({ descricao: 'Outras palavras' })
    assert.equal(await marks(), 0)
  })

  it('whose levels are computed from now on has them for cases of before', async () => {
    const { epidemiologia } = await dengue()
    await change({ epidemiologia: { ...epidemiologia, alertas: false } })
    await pool.run(sql`delete from alertas_niveis`)
    assert.equal(await marks(), 0)
    await change({ epidemiologia: { ...epidemiologia, alertas: true } })
    assert.equal(await marks(), 1)
    await compute()
    assert.ok((await chances()).length > 0)
  })
})
