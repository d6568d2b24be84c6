import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Db } from '../../../src/db/db.ts'
import { sql } from '../../../src/db/sql.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import type { Person } from '../../harness/app.ts'
import { casosApp, minimo } from './casos-app.ts'

const app = await casosApp()
const { t, admin, gestor, path, newCaso, read, exclude, refused, invalid } = app
after(() => t.close())

const leave = (who: Person, query: Record<string, string | number>) =>
  t.as(admin).delete(`/usuarios/${who.id}?${new URLSearchParams(query as Record<string, string>)}`)
const casosDe = async (query: Record<string, string | number>, who: Person) => {
  const { status, body, text } = await leave(who, query)
  assert.equal(status, 200, text)
  return body.acoes_realizadas.casos_transferidos
}

describe('DELETE /usuarios/{id}?transferir_para=…', () => {
  it('hands over every case of the one who leaves, counts them truly, and notes it in each history', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person({ grupos: ['analista'] })]
    const ids = [await newCaso({}, ana), await newCaso({}, ana), await newCaso({}, ana)]
    const [theirs, excluded] = [await newCaso({}, bia), ids[2] as number]
    await exclude(excluded)
    assert.equal(await casosDe({ motivo: 'Saiu', transferir_para: bia.id }, ana), 3)
    for (const id of ids.slice(0, 2)) {
      const caso = await read(id)
      assert.equal(caso.responsavel.id, bia.id)
      assert.equal(caso.versao, 2)
      const [line, creation] = caso.historico
      assert.equal(line.acao, 'transferido')
      assert.equal(line.usuario.id, admin.id)
      const [{ campo, anterior, novo }] = line.detalhes.alteracoes
      assert.deepEqual([campo, anterior.id, novo.id], ['responsavel', ana.id, bia.id])
      assert.deepEqual(Object.keys(novo), ['id', 'nome'])
      assert.equal(creation.usuario.id, ana.id, 'who created it does not change')
    }
    assert.equal((await read(theirs)).versao, 1)
    await t.as(admin).post(path(excluded, '/restaurar'))
    assert.equal((await read(excluded)).responsavel.id, bia.id)
  })

  it('hands over also when the account goes for good', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    const id = await newCaso({}, ana)
    assert.equal(await casosDe({ motivo: 'Saiu', transferir_para: bia.id, force: 'true' }, ana), 1)
    assert.equal((await read(id)).responsavel.id, bia.id)
  })

  it('leaves nobody in charge when the account goes for good and nobody is named', async () => {
    const ana = await t.person({ grupos: ['analista'] })
    const id = await newCaso({}, ana)
    assert.equal(await casosDe({ motivo: 'Saiu', force: 'true' }, ana), 0)
    assert.equal((await read(id)).responsavel, null)
  })

  it('shows who answered for the case at an earlier moment', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    const id = await newCaso({}, ana)
    t.clock.advance(1000)
    const em = t.clock.now().toISOString()
    t.clock.advance(1000)
    await casosDe({ motivo: 'Saiu', transferir_para: bia.id }, ana)
    assert.equal((await read(id, { em })).responsavel.id, ana.id)
    assert.equal((await read(id)).responsavel.id, bia.id)
  })

  it('transfers nothing when nobody is named, or there is nothing', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    const id = await newCaso({}, ana)
    assert.equal(await casosDe({ motivo: 'Saiu' }, ana), 0)
    assert.equal((await read(id)).responsavel.id, ana.id)
    assert.equal(await casosDe({ motivo: 'Saiu', transferir_para: gestor.id }, bia), 0)
  })

  it('to an heir that is unknown, deactivated or the same changes nothing', async () => {
    const [ana, bia] = [await t.person({ grupos: ['analista'] }), await t.person()]
    const id = await newCaso({}, ana)
    assert.equal((await t.as(admin).post(`/usuarios/${bia.id}/desativar`)).status, 200)
    for (const transferir_para of [999_999, bia.id, ana.id]) {
      const error = await refused(() => leave(ana, { motivo: 'x', transferir_para }), 422, 'VALIDATION_ERROR')
      assert.equal(error.details[0].field, 'transferir_para')
    }
    assert.equal((await read(id)).responsavel.id, ana.id)
    assert.equal((await t.as(ana).get(path(id))).status, 200)
  })
})

describe('The account that answers for a case', () => {
  const { pool } = t.database
  const NOBODY = 2_000_000_000
  const insert = (responsavel: number, db: Db = pool) =>
    db.run(sql`
      insert into casos (tipo_agravo, numero_notificacao, data_notificacao, status, dados, responsavel_id, criado_em, atualizado_em)
      select 'dengue', 'R' || i, '2024-03-12', 'em_investigacao', '{}', ${responsavel}::integer, now(), now()
      from generate_series(1, 3) i`)
  const hand = (from: number, to: number) =>
    pool.run(sql`update casos set responsavel_id = ${to} where responsavel_id = ${from}`)
  const namesNobody = (error: unknown) => {
    assert.ok(error instanceof AppError && error.is('VALIDATION_ERROR'))
    assert.deepEqual(error.extras.problems[0]?.path, ['responsavel_id'])
    return true
  }

  it('exists', async () => {
    const ana = await t.person({ grupos: ['analista'] })
    const id = await newCaso({}, ana)
    await assert.rejects(insert(NOBODY), namesNobody)
    await assert.rejects(hand(ana.id, NOBODY), namesNobody)
    assert.equal((await read(id)).responsavel.id, ana.id)
    assert.equal(await pool.first(sql`select from casos where numero_notificacao = 'R1'`), null)
  })

  it('is not removed under cases that are being written', async () => {
    const ana = await t.person({ grupos: ['analista'] })
    const written = Promise.withResolvers<void>()
    const writing = pool.transaction(async (tx) => {
      await insert(ana.id, tx)
      written.resolve()
      while ((await waitingForLocks()) === 0) await new Promise(setImmediate)
    })
    await written.promise
    const removed = leave(ana, { motivo: 'Saiu', force: 'true' })
    await writing
    assert.equal((await removed).status, 200)
    const { total } = (await pool.first<{ total: number }>(sql`
      select count(*) as total from casos where numero_notificacao like 'R%' and responsavel_id is null`)) as {
      total: number
    }
    assert.equal(total, 3)
  })

  async function waitingForLocks(): Promise<number> {
    const rows = await pool.rows(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length
  }
})

describe('Idempotency-Key on POST /agravos/casos', () => {
  const post = (body: object, key: string, who = gestor) =>
    t.as(who).post('/agravos/casos', body, { headers: { 'idempotency-key': key } })
  const total = async ({ numero_notificacao }: { numero_notificacao: string }) =>
    (await t.as(gestor).get(`/agravos/casos?numero_notificacao=${numero_notificacao}`)).body.total

  it('answers the first result again, and registers once', async () => {
    const sent = minimo()
    const first = await post(sent, 'uma-chave')
    assert.equal(first.status, 201)
    assert.equal(first.headers['idempotent-replay'], undefined)
    const again = await post(sent, 'uma-chave')
    assert.equal(again.status, 201)
    assert.equal(again.headers['idempotent-replay'], 'true')
    assert.deepEqual(again.body, first.body)
    assert.equal(await total(sent), 1)
  })

  it('refuses the same key with another body', async () => {
    const sent = minimo()
    await post(sent, 'outra-chave')
    assert.deepEqual(await invalid(() => post({ ...sent, evolucao: 'cura' }, 'outra-chave')), [
      'Idempotency-Key IDEMPOTENCY_KEY_REUSED',
    ])
  })

  it('belongs to its caller: the same case from somebody else is a duplicate', async () => {
    const sent = minimo()
    await post(sent, 'minha-chave')
    const other = await t.person({ grupos: ['analista'] })
    assert.deepEqual(await invalid(() => post(sent, 'minha-chave', other)), ['numero_notificacao DUPLICATE'])
  })

  it('is free again after a refusal', async () => {
    const sent = minimo()
    const bad = { ...sent, paciente_sexo: 'M', paciente_gestante: true }
    assert.deepEqual(await invalid(() => post(bad, 'recusada')), ['paciente_gestante INCONSISTENT'])
    assert.equal((await post(sent, 'recusada')).status, 201)
  })

  it('of simultaneous repetitions registers once, and none fails', async () => {
    const sent = minimo()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(sent, 'simultanea')))
    for (const { status, text } of answers) assert.ok([201, 409].includes(status), text)
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id))
    assert.equal(ids.size, 1)
    assert.equal(await total(sent), 1)
  })
})
