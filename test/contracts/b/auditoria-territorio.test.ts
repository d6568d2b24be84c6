import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PASSWORD, type Person } from '../../harness/app.ts'
import { anexosOf } from './anexos-app.ts'
import { CARUARU, OLINDA, PE, RECIFE, SP, territorioApp } from './territorio-app.ts'

/** The audit, to people who are bound to places. */
const { t, pool, admin, person, bind } = await territorioApp()
after(() => t.close())
const { caso } = anexosOf(t)

interface Registro {
  id: number
  acao: string
  recurso: string | null
  recurso_id: string | null
  ator: { id: number } | null
}

async function page(who: Person, query = ''): Promise<{ items: Registro[]; total: number }> {
  const { status, body, text } = await t.as(who).get(`/auditoria?${query}`)
  assert.equal(status, 200, text)
  return body
}
const told = ({ items }: { items: Registro[] }) => items.map(({ id, acao }) => `${id} ${acao}`)
const lastId = () => pool.value<number>(sql`select coalesce(max(id), 0) from auditoria`)

const auditor = (...lugares: (typeof PE)[]) => person({ permissoes: ['auditoria.ver'] }, ...lugares)
const RESIDENCE = {
  recife: { municipio_residencia: 'Recife', estado_residencia: 'PE' },
  santos: { municipio_residencia: 'Santos', estado_residencia: 'SP' },
}
const NOTIFIED_IN_OLINDA = { dados_especificos: { municipio_notificacao: 2_609_600 } }

/** Makes records about cases and accounts in Pernambuco and São Paulo, and about things without a place. */
async function happen() {
  const from = await lastId()
  const [here, there] = [await person({}, RECIFE), await person({}, SP)]
  const grupo = (await t.as(admin).post('/grupos', { nome: `grupo_${from}` })).body.id
  for (const { id, email } of [here, there]) {
    await t.as(admin).put(`/usuarios/${id}`, { cargo: 'Médica' })
    await t.as(admin).post(`/grupos/${grupo}/usuarios/${id}`)
    await t.anonymous.post('/auth/login', { email, senha: PASSWORD })
    await t.anonymous.post('/auth/login', { email, senha: 'Errada#123' })
  }
  await t.anonymous.post('/auth/login', { email: 'ninguem@teste.local', senha: 'Errada#123' })
  const exclude = async (more: object, by = admin) => {
    const id = await caso(by, more)
    assert.equal((await t.as(by).delete(`/agravos/casos/${id}?motivo=x`)).status, 204)
    return id
  }
  const casos = {
    recife: await exclude(RESIDENCE.recife),
    santos: await exclude(RESIDENCE.santos),
    notificado: await exclude({ ...RESIDENCE.santos, ...NOTIFIED_IN_OLINDA }),
  }
  return { from, here, there, grupo, casos }
}

describe('GET /auditoria, to somebody who is bound to places', () => {
  it('holds what was done to the accounts and cases inside, whoever did it, and nothing else', async () => {
    const who = await auditor(PE)
    const { from, here, casos } = await happen()
    const since = `size=100&id[gt]=${from}`
    const all = (await page(admin, since)).items
    const isInside = (one: Registro) =>
      (one.recurso === 'usuario' && one.recurso_id === String(here.id)) ||
      (one.recurso === 'sessao' && one.ator?.id === here.id) ||
      (one.recurso === 'caso' && [casos.recife, casos.notificado].map(String).includes(one.recurso_id ?? ''))
    const memberships = all.filter(({ acao }) => acao === 'grupo.membro_incluido')
    const expected = all.filter((one) => isInside(one) || one.id === memberships.at(-1)?.id)
    const seen = await page(who, since)
    assert.deepEqual(told(seen), told({ items: expected }))
    assert.equal(seen.total, expected.length)
    assert.deepEqual(
      new Set(seen.items.map(({ acao }) => acao)),
      new Set([
        'usuario.alterado',
        'grupo.membro_incluido',
        'login.sucesso',
        'login.falhou',
        'caso.excluido',
      ]),
    )
    assert.ok(all.length > expected.length + 5)
  })

  it('holds the own acts, also on what is outside by now', async () => {
    const who = await person({ permissoes: ['auditoria.ver', 'agravos.criar', 'agravos.deletar'] }, SP)
    const from = await lastId()
    const id = await caso(who, RESIDENCE.santos)
    await t.as(who).delete(`/agravos/casos/${id}?motivo=x`)
    await bind(who, PE)
    assert.deepEqual(
      (await page(who, `id[gt]=${from}`)).items.map(({ acao }) => acao),
      ['caso.excluido'],
    )
    await bind(who, OLINDA)
    assert.equal((await page(who, `id[gt]=${from}`)).total, 1)
  })

  it('holds the cases that the reader answers for', async () => {
    const who = await person({ permissoes: ['auditoria.ver', 'agravos.criar'] }, SP)
    const id = await caso(who, RESIDENCE.santos)
    await bind(who, PE)
    const from = await lastId()
    await t.as(admin).delete(`/agravos/casos/${id}?motivo=x`)
    assert.deepEqual(
      (await page(who, `id[gt]=${from}`)).items.map(({ acao }) => acao),
      ['caso.excluido'],
    )
  })

  it('does not hold cases and accounts that are gone: they have no place', async () => {
    const who = await auditor(PE)
    const from = await lastId()
    const [conta, id] = [await person({}, RECIFE), await caso(admin, RESIDENCE.recife)]
    await t.as(admin).put(`/usuarios/${conta.id}`, { cargo: 'Médica' })
    assert.equal((await page(who, `id[gt]=${from}`)).total, 1)
    await t.as(admin).delete(`/usuarios/${conta.id}?motivo=x&force=true`)
    await t.as(admin).delete(`/agravos/casos/${id}?motivo=x&force=true`)
    assert.equal((await page(who, `id[gt]=${from}`)).total, 0)
    assert.equal((await page(admin, `id[gt]=${from}`)).total, 3)
  })

  it('follows accounts and cases that come and go', async () => {
    const who = await auditor(RECIFE)
    const conta = await person({}, CARUARU)
    const from = await lastId()
    await t.as(admin).put(`/usuarios/${conta.id}`, { cargo: 'Médica' })
    const total = async () => (await page(who, `id[gt]=${from}`)).total
    assert.equal(await total(), 0)
    await bind(conta, RECIFE)
    assert.equal(await total(), 1)
    await bind(conta, RECIFE, SP)
    assert.equal(await total(), 0)
  })

  it('is bounded under every filter and order, and for every page', async () => {
    const who = await auditor(PE)
    const { from, here, there, casos } = await happen()
    const since = `id[gt]=${from}`
    for (const query of [
      `recurso=usuario&recurso_id=${there.id}`,
      `ator_id=${there.id}`,
      `recurso=caso&recurso_id=${casos.santos}`,
      `search=${encodeURIComponent(JSON.stringify({ or: [{ acao: 'grupo.criado' }, { ator_id: there.id }] }))}`,
    ])
      assert.deepEqual(
        await page(who, `${since}&${query}`).then(({ items, total }) => [items, total]),
        [[], 0],
        query,
      )
    assert.equal((await page(who, `${since}&ator_id=${here.id}`)).total, 1)
    const every = told(await page(who, `${since}&sort=data&order=asc`))
    const paged = []
    for (let number = 1; number <= every.length; number++)
      paged.push(...told(await page(who, `${since}&sort=data&order=asc&size=1&page=${number}`)))
    assert.deepEqual(paged, every)
  })

  it('is whole for everybody else', async () => {
    await happen()
    const [everywhere, boundAdmin] = [await auditor(), await person({ admin: true }, SP)]
    const { total } = await page(admin)
    for (const who of [everywhere, boundAdmin]) assert.equal((await page(who)).total, total)
  })
})
