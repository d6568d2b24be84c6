import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { CASO, consultaApp } from './casos-consulta-app.ts'

/** Single cases and accounts of a territory: inside, notified there, answered for, and outside. */
const { t, vigilante, newCaso, bound, read } = await consultaApp()
after(() => t.close())

const RECIFE = 2611606
const AC = { municipio_residencia: 'Rio Branco', estado_residencia: 'AC' }
const notifiedIn = (codigo: number) => ({ dados_especificos: { municipio_notificacao: codigo } })

const pernambuco = await bound(['uf:PE'])
const inside = await newCaso()
const outside = await newCaso(AC)
const notified = await newCaso({ ...AC, ...notifiedIn(RECIFE) })
const answered = await newCaso(AC)
await t.database.pool.run(sql`update casos set responsavel_id = ${pernambuco.id} where id = ${answered}`)

const get = (id: number, person: Person = pernambuco) => t.as(person).get(`/agravos/casos/${id}`)
const versionOf = (id: number) =>
  t.database.pool.value<number>(sql`select versao from casos where id = ${id}`)
/** An error without what differs from request to request. */
const told = ({ status, body }: Answer) => {
  const { request_id, timestamp, ...error } = body.error
  return { status, error }
}
const PDF = Buffer.from('%PDF-1.4\n%%EOF')
const attachment = () =>
  multipart({ field: 'arquivo', filename: 'a.pdf', content: PDF }, { field: 'tipo', content: 'exame' })

describe('A case and the territory of an account', () => {
  for (const [name, id, acesso] of [
    ['inside', inside, 'residencia'],
    ['notified inside', notified, 'notificacao'],
    ['that the account answers for', answered, 'responsavel'],
  ] as const)
    it(`opens one ${name}, and says why`, async () => {
      const { status, body } = await get(id)
      assert.deepEqual([status, body.acesso], [200, acesso])
    })

  it('opens every case to an account without a territory', async () => {
    for (const id of [inside, outside, notified, answered])
      assert.equal((await get(id, vigilante)).body.acesso, 'residencia')
  })

  it('is a case that is not there, outside: in every route that takes its id, and nothing changes', async () => {
    const before = await versionOf(outside)
    const path = `/agravos/casos/${outside}`
    const as = t.as(pernambuco)
    const answers = [
      await as.get(path),
      await as.get(`${path}?identificado=true`),
      await as.get(`${path}?em=2024-01-10T00:00:00Z`),
      await as.get(`${path}?include=anexos`),
      await as.put(path, { evolucao: 'cura' }),
      await as.put(path, { evolucao: 'cura' }, { headers: { 'if-match': '"9"' } }),
      await as.delete(`${path}?motivo=duplicado`),
      await as.get(`${path}/historico`),
      await as.get(`${path}/anexos`),
      await as.get(`${path}/anexos/1`),
      await as.delete(`${path}/anexos/1`),
      await as.request('POST', `${path}/anexos`, { headers: MULTIPART, payload: attachment() }),
      await as.post(`${path}/restaurar`),
    ]
    const missing = told(await as.get('/agravos/casos/999999'))
    assert.equal(missing.status, 404)
    for (const answer of answers) assert.deepEqual(told(answer), missing)
    assert.equal(await versionOf(outside), before)
  })

  it('is edited by those who notified it, and stays where it is', async () => {
    const { status } = await t.as(pernambuco).put(`/agravos/casos/${notified}`, { evolucao: 'cura' })
    assert.equal(status, 200)
    assert.equal((await read('/agravos/casos', { evolucao: 'cura' }, pernambuco)).total, 0)
    assert.equal((await read('/agravos/casos', { escopo: 'notificacao' }, pernambuco)).tipos[0].id, notified)
  })

  it('is not created outside, unless it was notified inside', async () => {
    const total = () => t.database.pool.value<number>(sql`select count(*) from casos`)
    const before = await total()
    const body = { ...AC, tipo_agravo: 'dengue', data_notificacao: '2024-01-10', paciente_nome: 'Ana' }
    const as = t.as(pernambuco)
    for (const [language, text] of [
      ['pt-BR', 'O lugar fica fora do seu território'],
      ['en-US', 'The place is outside of your territory'],
      ['es-ES', 'El lugar está fuera de su territorio'],
    ] as const) {
      const refused = await as.post(
        '/agravos/casos',
        { ...body, numero_notificacao: 'fora' },
        { headers: { 'accept-language': language } },
      )
      assert.equal(refused.status, 403)
      assert.match(refused.text, /OUT_OF_TERRITORY/)
      assert.match(refused.text, new RegExp(text))
    }
    assert.equal(await total(), before)
    const own = await as.post('/agravos/casos', {
      ...body,
      ...notifiedIn(RECIFE),
      numero_notificacao: 'notificado',
    })
    assert.equal(own.status, 201, own.text)
  })

  it('is refused a key that a case outside has, in the words of one inside, whether new or changed to it', async () => {
    const keys = { inside: 'chave-dentro', outside: 'chave-fora' }
    await newCaso({ numero_notificacao: keys.inside })
    await newCaso({ ...AC, numero_notificacao: keys.outside })
    const mine = await newCaso()
    const as = t.as(pernambuco)
    const total = () => t.database.pool.value(sql`select sum(versao) from casos`)
    const before = await total()
    for (const ask of [
      (numero_notificacao: string) => as.post('/agravos/casos', { ...CASO, numero_notificacao }),
      (numero_notificacao: string) => as.put(`/agravos/casos/${mine}`, { numero_notificacao }),
    ]) {
      const [here, there] = [await ask(keys.inside), await ask(keys.outside)]
      assert.deepEqual(told(there), told(here))
      assert.equal(there.status, 422)
      assert.deepEqual(there.body.error.details, [
        { field: 'numero_notificacao', message: 'Já está em uso', code: 'DUPLICATE' },
      ])
    }
    assert.equal(await total(), before)
  })

  it('is moved away only where its notification keeps it', async () => {
    const id = await newCaso()
    const as = t.as(pernambuco)
    const away = { municipio_residencia: 'Rio Branco', estado_residencia: 'AC' }
    const before = await versionOf(id)
    assert.equal((await as.put(`/agravos/casos/${id}`, away)).status, 403)
    assert.equal(await versionOf(id), before)
    const kept = await as.put(`/agravos/casos/${id}`, { ...away, ...notifiedIn(RECIFE) })
    assert.equal(kept.status, 200, kept.text)
    assert.equal((await get(id)).body.acesso, 'notificacao')
    const given = await as.put(`/agravos/casos/${id}`, notifiedIn(1200401))
    assert.equal(given.status, 403)
    assert.equal((await get(id)).body.acesso, 'notificacao')
  })

  it('belongs to its state, where its municipality is unknown', async () => {
    const id = await newCaso()
    await t.database.pool.run(sql`update casos set municipio_residencia = null where id = ${id}`)
    const recife = await bound([`municipio:${RECIFE}`])
    assert.deepEqual([(await get(id)).status, (await get(id, recife)).status], [200, 404])
    await t.database.pool.run(sql`update casos set estado_residencia = null where id = ${id}`)
    assert.deepEqual([(await get(id)).status, (await get(id, vigilante)).status], [404, 200])
  })

  it('is listed among the excluded ones inside only, and restored there', async () => {
    const [here, there] = [await newCaso(), await newCaso(AC)]
    for (const id of [here, there]) await t.as(vigilante).delete(`/agravos/casos/${id}?motivo=x`)
    const { items } = await read('/agravos/casos/excluidos', {}, pernambuco)
    const ids = items.map(({ id }: { id: number }) => id)
    assert.deepEqual([ids.includes(here), ids.includes(there)], [true, false])
    const restored = await t.as(pernambuco).post(`/agravos/casos/${there}/restaurar`)
    assert.equal(restored.status, 404)
  })

  it('takes no other scope', async () => {
    const { status, body } = await t.as(pernambuco).get('/agravos/casos?escopo=todos')
    assert.deepEqual([status, body.error.details[0].field], [422, 'escopo'])
  })
})
