import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { identifier, sql } from '../../../../src/db/sql.ts'
import { askForDuplicidades } from '../../../../src/domain/casos/duplicidades/agenda.ts'
import { PESOS } from '../../../../src/domain/casos/duplicidades/escore.ts'
import { runDuplicidades } from '../../../../src/domain/casos/duplicidades/pendentes.ts'
import { runVarredura } from '../../../../src/domain/casos/duplicidades/varredura.ts'
import type { JobTask } from '../../../../src/domain/jobs/queue.ts'
import { duplicidadesApp, RITA, RITA_DE_NOVO } from '../../../contracts/b/duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, caso, search, pares } = app
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
})

const waiting = () => pool.value<number>(sql`select count(*) from duplicidades_pendentes`)
const keys = (id: number) => pool.value<number>(sql`select count(*) from casos_chaves where caso_id = ${id}`)
const queued = () => pool.value<number>(sql`select count(*) from jobs_fila`)

/** A task that dies at this step; `from`: the one before, whose place it goes on from. */
function taskOf({ at, from }: { at: number; from?: JobTask }): JobTask {
  let steps = at
  const job = { ponto: from?.job.ponto ?? null, usuario_id: null, territorios: null }
  return {
    job,
    proceed() {
      if (steps-- === 0) throw new Error('killed')
    },
    checkpoint: async (_tx: unknown, ponto: unknown) => {
      Object.assign(job, { ponto })
    },
    progress: async () => {},
    authorise: async () => {},
    finish: async () => {},
  } as unknown as JobTask
}

describe('Cases that wait to be compared', () => {
  it('are those that are new or changed, and have a name', async () => {
    const id = await caso()
    assert.equal(await waiting(), 1)
    await search()
    await t.as(gestor).put(`/agravos/casos/${id}`, { bairro_residencia: 'Boa Viagem' })
    assert.equal(await waiting(), 1)
    await search()
    await t.as(gestor).delete(`/agravos/casos/${id}?motivo=engano`)
    assert.equal(await waiting(), 1)
  })

  it('are compared by one job of the service, asked for once however many instances look', async () => {
    await caso()
    t.clock.advance(60_000)
    const asked = await Promise.all([
      askForDuplicidades(t.app),
      askForDuplicidades(t.app),
      askForDuplicidades(t.app),
    ])
    assert.deepEqual(asked.sort(), [false, false, true])
    assert.equal(await queued(), 1)
    await t.jobWorker.runAll()
    assert.equal(await waiting(), 0)
    await caso()
    assert.equal(await askForDuplicidades(t.app), false, 'within half a minute')
    t.clock.advance(30_000)
    assert.equal(await askForDuplicidades(t.app), true)
    await t.jobWorker.runAll()
    assert.equal((await t.as(await t.administrador()).get('/jobs')).body.total, 0)
  })

  it('are compared at once where there are many', async () => {
    await search()
    await pool.run(sql`insert into duplicidades_pendentes select generate_series(1, 500)`)
    assert.equal(await askForDuplicidades(t.app), true)
    await t.jobWorker.runAll()
    assert.equal(await waiting(), 0)
  })
})

describe('The comparison', () => {
  it('finds two notifications of one person, however the name was written', async () => {
    const ids = [await caso(), await caso(RITA_DE_NOVO)]
    await search()
    assert.deepEqual(
      (await pares()).map(({ caso_1, caso_2, faixa, situacao }) => [caso_1, caso_2, faixa, situacao]),
      [[...ids, 'quase_certa', 'pendente']],
    )
  })

  it('finds no pair in another disease or beyond sixty days', async () => {
    await caso()
    await caso({ ...RITA_DE_NOVO, tipo_agravo: 'zika' })
    await caso({ ...RITA_DE_NOVO, data_notificacao: '2026-05-02' })
    await search()
    assert.deepEqual(await pares(), [])
  })

  it('puts twins no higher than the lowest band', async () => {
    await caso()
    await caso({ ...RITA_DE_NOVO, paciente_nome: 'Vera Pacheco Lobato' })
    await caso({ ...RITA_DE_NOVO, paciente_nome: 'Vera da Silva Santos' })
    await search()
    for (const { faixa } of await pares()) assert.equal(faixa, 'possivel')
  })

  it('finds one on the sixtieth day', async () => {
    await caso()
    await caso({ ...RITA_DE_NOVO, data_notificacao: '2026-05-01' })
    await search()
    assert.equal((await pares()).length, 1)
  })

  it('follows changes: of names, of exclusions and of restorations', async () => {
    const [, second] = [await caso(), await caso(RITA_DE_NOVO)]
    await search()
    await t.as(gestor).put(`/agravos/casos/${second}`, { paciente_nome: 'Joana Outra Pessoa' })
    await search()
    assert.deepEqual(await pares(), [])
    await t.as(gestor).put(`/agravos/casos/${second}`, { paciente_nome: RITA.paciente_nome })
    await search()
    assert.equal((await pares()).length, 1)
    await t.as(gestor).delete(`/agravos/casos/${second}?motivo=engano`)
    await search()
    assert.deepEqual(await pares(), [])
    assert.equal(await keys(second), 0)
    await t.as(gestor).post(`/agravos/casos/${second}/restaurar`)
    await search()
    assert.equal((await pares()).length, 1)
  })

  it('leaves nothing of a case that is removed', async () => {
    const [first, second] = [await caso(), await caso(RITA_DE_NOVO)]
    await search()
    const admin = t.as(await t.administrador())
    assert.equal((await admin.delete(`/agravos/casos/${second}?motivo=engano&force=true`)).status, 204)
    assert.deepEqual(await pares(), [])
    assert.equal(await keys(second), 0)
    assert.ok((await keys(first)) > 0)
  })

  it('stores nothing readable of a person', async () => {
    await caso()
    await caso(RITA_DE_NOVO)
    await search()
    for (const table of ['casos_identidade', 'casos_chaves', 'nomes_frequencia', 'duplicidades'])
      for (const { row } of await pool.rows<{ row: string }>(
        sql`select to_jsonb(x)::text as row from ${identifier(table)} x`,
      ))
        assert.doesNotMatch(row, /rit|pacheco|lobat|1990-/i)
  })
})

describe('A comparison that is killed', () => {
  it('leaves what was done and what waits as they were, and the next one finds each pair once', async () => {
    for (let i = 0; i < 6; i++) await caso({ data_notificacao: `2026-03-0${i + 1}` })
    for (const at of [0, 1]) await assert.rejects(runDuplicidades(t.app, taskOf({ at })), /killed/)
    await runDuplicidades(t.app, taskOf({ at: -1 }))
    assert.equal((await pares()).length, 15)
    assert.equal(await waiting(), 0)
  })

  it('and a second one beside it write no pair twice and miss none', async () => {
    for (let i = 0; i < 8; i++) await caso({ data_notificacao: `2026-03-0${i + 1}` })
    await Promise.all([1, 2, 3].map(() => runDuplicidades(t.app, taskOf({ at: -1 }))))
    assert.equal((await pares()).length, 28)
  })
})

describe('A comparison beside changes of the same cases', () => {
  it('fails none of them, and leaves the keys that a new scan makes', async () => {
    const ids: number[] = []
    for (let i = 0; i < 6; i++) ids.push(await caso({ data_notificacao: `2026-03-0${i + 1}` }))
    const names = ['Rita Pacheco Lobato', 'Vera Pacheco Lobato', 'Rita Quadros']
    for (let round = 0; round < 6; round++) {
      const paciente_nome = names[round % names.length]
      const changes = ids.map((id) => t.as(gestor).put(`/agravos/casos/${id}`, { paciente_nome }))
      const jobs = [0, 1].map(() => runDuplicidades(t.app, taskOf({ at: -1 })))
      const scans = round % 2 === 0 ? [runVarredura(t.app, taskOf({ at: -1 }))] : []
      for (const { status, text } of await Promise.all(changes)) assert.equal(status, 200, text)
      await Promise.all([...jobs, ...scans])
    }
    await runDuplicidades(t.app, taskOf({ at: -1 }))
    const stored = () => pool.rows(sql`select chave::text, dia, caso_id from casos_chaves order by 3, 1`)
    const before = await stored()
    await pool.run(sql`truncate casos_identidade, casos_chaves`)
    await runVarredura(t.app, taskOf({ at: -1 }))
    assert.deepEqual(before, await stored())
  })
})

describe('POST /agravos/duplicidades/varredura', () => {
  const scan = async () => {
    const { status, body } = await t.as(gestor).post('/agravos/duplicidades/varredura')
    assert.equal(status, 202)
    await t.jobWorker.runAll()
    const { body: job } = await t.as(gestor).get(`/jobs/${body.job_id}`)
    assert.deepEqual(
      [job.status, job.tipo, job.trabalho, job.progress],
      ['completed', 'varredura_duplicidades', 'varredura', 100],
    )
    return job.result
  }

  it('compares all cases, those that wait among them, and tells how many pairs there are', async () => {
    await caso()
    await caso(RITA_DE_NOVO)
    assert.deepEqual(await scan(), {
      duplicidades: { quase_certas: 1, provaveis: 0, possiveis: 0 },
      versao_pesos: PESOS.versao,
    })
    assert.equal(await waiting(), 0)
    const found = await pares()
    await scan()
    assert.deepEqual(await pares(), found)
  })

  it('gives undecided pairs of other weights their new score, and leaves decided ones', async () => {
    for (const day of ['01', '02', '03']) await caso({ data_notificacao: `2026-03-${day}` })
    await scan()
    const [decided] = await pool.rows<{ id: number }>(sql`select id from duplicidades order by id limit 1`)
    await t.as(gestor).post(`/agravos/duplicidades/${decided?.id}/decidir`, { decisao: 'outra_pessoa' })
    await pool.run(sql`update duplicidades set versao_pesos = 0, escore = 1, faixa = 'possivel'`)
    await scan()
    const versions = await pool.rows(sql`select situacao, versao_pesos, faixa from duplicidades order by id`)
    assert.deepEqual(versions, [
      { situacao: 'outra_pessoa', versao_pesos: 0, faixa: 'possivel' },
      { situacao: 'pendente', versao_pesos: PESOS.versao, faixa: 'quase_certa' },
      { situacao: 'pendente', versao_pesos: PESOS.versao, faixa: 'quase_certa' },
    ])
  })

  it('goes on where it was killed', async () => {
    for (const day of ['01', '02', '03']) await caso({ data_notificacao: `2026-03-${day}` })
    let task = taskOf({ at: 0 })
    for (const at of [1, 0]) {
      await assert.rejects(runVarredura(t.app, task), /killed/)
      task = taskOf({ at, from: task })
    }
    assert.deepEqual(task.job.ponto, { fase: 'pares', feitas: 0, partes: 1 })
    await runVarredura(t.app, taskOf({ at: -1, from: task }))
    assert.equal((await pares()).length, 3)
  })

  it('passes over a case that got its keys while it was read', async () => {
    const [one, other] = [await caso(), await caso(RITA_DE_NOVO)]
    let begun = 0
    // The second transaction writes what was read before it.
    const transaction: typeof pool.transaction = async (work) => {
      if (++begun === 2) await pool.run(sql`insert into casos_identidade values (${one})`)
      return pool.transaction(work)
    }
    const db = { ...t.app.db, transaction }
    await runVarredura({ ...t.app, db }, taskOf({ at: -1 }))
    assert.ok(begun > 2)
    assert.deepEqual([await keys(one), (await keys(other)) > 0], [0, true])
    const casos = sql`select total from nomes_frequencia where chave = 0`
    assert.equal(await pool.value(casos), 1, 'counted once, by the one who gave it keys')
  })

  it('leaves keys that are there already', async () => {
    const ids = [await caso(), await caso(RITA_DE_NOVO)]
    await runVarredura(t.app, taskOf({ at: -1 }))
    const all = sql`select chave::text, dia, caso_id from casos_chaves order by chave, caso_id`
    const before = await pool.rows(all)
    await pool.run(sql`delete from casos_identidade`)
    await pool.run(sql`
      delete from casos_chaves where caso_id = ${ids[0]} and chave = (select min(chave) from casos_chaves where caso_id = ${ids[0]})`)
    await runVarredura(t.app, taskOf({ at: -1 }))
    assert.deepEqual(await pool.rows(all), before)
    assert.equal((await pares()).length, 1)
  })

  it('passes over gaps between ids, up to the largest', async () => {
    const first = await caso()
    await pool.run(sql`alter table casos alter column id restart with 2147483647`)
    const second = await caso(RITA_DE_NOVO)
    await pool.run(sql`alter table casos alter column id restart with 1000`)
    await scan()
    const found = await pool.rows<{ caso_1: number; caso_2: number }>(
      sql`select caso_1, caso_2 from duplicidades`,
    )
    assert.deepEqual(found, [{ caso_1: first, caso_2: second }])
    assert.equal(second, 2_147_483_647)
  })

  it('drops undecided pairs that other weights had joined, and those whose days are too far apart now', async () => {
    const [rita, other] = [await caso(), await caso({ paciente_nome: 'Zulmira Quaresma Vidal' })]
    const far = await caso({ data_notificacao: '2026-07-01' })
    await scan()
    await pool.run(sql`
      insert into duplicidades (caso_1, caso_2, escore, faixa, sinais, versao_pesos, encontrada_em)
      values (${rita}, ${other}, 7, 'provavel', '{}', 0, now()), (${rita}, ${far}, 7, 'provavel', '{}', 0, now())`)
    await scan()
    assert.deepEqual(await pares(), [])
  })

  it('drops pairs of cases that have no name any more, and keys of cases that are gone', async () => {
    const [first] = [await caso(), await caso(RITA_DE_NOVO)]
    await scan()
    await pool.run(sql`insert into casos_identidade values (2000000000)`)
    await pool.run(sql`update casos set sigilo = null where id = ${first}`)
    await scan()
    assert.deepEqual(await pares(), [])
    assert.equal(await pool.value(sql`select count(*) from casos_identidade where caso_id = 2000000000`), 0)
  })
})
