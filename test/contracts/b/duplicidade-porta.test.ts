import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { bind } from '../../harness/bound.ts'
import { duplicidadesApp, RITA, RITA_DE_NOVO } from './duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, analista, caso, search } = app
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
})

let numero = 0
const create = (query: string, fields: object = {}, by = gestor, headers: Record<string, string> = {}) =>
  t
    .as(by)
    .post(
      `/agravos/casos${query}`,
      { numero_notificacao: `P${++numero}`, ...RITA_DE_NOVO, ...fields },
      { headers },
    )
const count = () => pool.value<number>(sql`select count(*) from casos`)

describe('POST /agravos/casos?duplicidade=', () => {
  it('looks for nothing unless it is asked to', async () => {
    await caso()
    await search()
    const { status, body } = await create('')
    assert.deepEqual([status, 'possiveis_duplicidades' in body], [201, false])
  })

  it('avisar registers the case and tells which ones it may repeat', async () => {
    const first = await caso()
    await search()
    const { status, body, text } = await create('?duplicidade=avisar')
    assert.equal(status, 201)
    const [one, ...others] = body.possiveis_duplicidades
    assert.deepEqual([one.id, one.faixa, others], [first, 'quase_certa', []])
    assert.equal(one.sinais.primeiro_nome, 'parecido')
    assert.doesNotMatch(text, /lobat|1990/i)
    assert.deepEqual(
      (await create('?duplicidade=avisar', { paciente_nome: 'Vera Quadros' })).body.possiveis_duplicidades,
      [],
    )
  })

  it('recusar answers 409 with the cases and their bands, and registers nothing', async () => {
    const first = await caso()
    await search()
    const { status, body } = await create('?duplicidade=recusar')
    assert.deepEqual([status, body.error.code], [409, 'POSSIBLE_DUPLICATE'])
    assert.deepEqual(body.error.duplicidades, [{ id: first, faixa: 'quase_certa' }])
    assert.equal(await count(), 1)
    assert.equal((await create('?duplicidade=recusar', { paciente_nome: 'Vera Quadros' })).status, 201)
  })

  it('repeats its answer to the same key', async () => {
    await caso()
    await search()
    const headers = { 'idempotency-key': 'porta-1' }
    const body = { numero_notificacao: 'igual' }
    const first = await create('?duplicidade=avisar', body, gestor, headers)
    const again = await create('?duplicidade=avisar', body, gestor, headers)
    assert.deepEqual(again.body, first.body)
    assert.equal(await count(), 2)
  })

  it('tells problems of the body first, as without it', async () => {
    await caso()
    await search()
    const { status, body } = await create('?duplicidade=recusar', { data_inicio_sintomas: '2099-01-01' })
    assert.deepEqual([status, body.error.code], [422, 'VALIDATION_ERROR'])
    assert.equal((await create('?duplicidade=talvez')).status, 422)
    assert.equal(await count(), 1)
  })

  it('needs the right to decide about pairs, since it tells of sealed names', async () => {
    const { status, body } = await create('?duplicidade=avisar', {}, analista)
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.duplicidades'])
    assert.equal(await count(), 0)
  })

  it('knows a case that was registered a moment ago, before any search', async () => {
    const first = (await create('?duplicidade=recusar')).body.id
    const again = await create('?duplicidade=recusar', RITA)
    assert.equal(again.status, 409)
    assert.deepEqual(again.body.error.duplicidades, [{ id: first, faixa: 'quase_certa' }])
    const told = await create('?duplicidade=avisar', RITA)
    assert.deepEqual(
      told.body.possiveis_duplicidades.map(({ id }: { id: number }) => id),
      [first],
    )
    assert.equal(await count(), 2)
    await search()
    assert.equal((await app.pares()).length, 1)
  })

  it('registers one of several at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        create(
          '?duplicidade=recusar',
          i % 2 === 0 ? RITA : {},
          gestor,
          i < 3 ? { 'idempotency-key': `ao-mesmo-tempo-${i}` } : {},
        ),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    assert.equal(await count(), 1)
  })

  it('knows what a case was changed to, also one that was changed or restored a moment ago', async () => {
    const id = await caso({ paciente_nome: 'Vera Quadros', paciente_data_nascimento: '1961-01-01' })
    await search()
    assert.equal((await create('?duplicidade=avisar')).body.possiveis_duplicidades.length, 0)
    await pool.run(sql`delete from casos where id <> ${id}`)
    const { paciente_nome, paciente_data_nascimento } = RITA
    await t.as(gestor).put(`/agravos/casos/${id}`, { paciente_nome, paciente_data_nascimento })
    assert.equal((await create('?duplicidade=recusar')).status, 409)
    await t.as(gestor).delete(`/agravos/casos/${id}?motivo=engano`)
    await search()
    assert.equal(await pool.value(sql`select count(*) from casos_chaves`), 0)
    await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)
    assert.equal((await create('?duplicidade=recusar')).status, 409)
  })

  it('knows a case that came back by the undoing of a merge', async () => {
    const { ids, id } = await app.par()
    const { body } = await t.as(gestor).post(`/agravos/duplicidades/${id}/decidir`, { decisao: 'mesmo_caso' })
    await search()
    await t.as(gestor).post(`/agravos/fusoes/${body.fusao_id}/desfazer`)
    const { error } = (await create('?duplicidade=recusar')).body
    assert.deepEqual(error.duplicidades.map(({ id }: { id: number }) => id).sort(), [...ids])
  })

  it('tells nothing of cases outside the territory', async () => {
    await caso({ ...RITA, municipio_residencia: 'Olinda' })
    await search()
    const person = await t.person({ permissoes: ['agravos.criar', 'agravos.duplicidades'] })
    const bound = await bind(t, person, 'municipio:2611606')
    assert.deepEqual((await create('?duplicidade=avisar', {}, bound)).body.possiveis_duplicidades, [])
    assert.equal((await create('?duplicidade=avisar', {}, gestor)).body.possiveis_duplicidades.length, 2)
  })
})
