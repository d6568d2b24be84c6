import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Caller } from '../../../src/caller/caller.ts'
import { createPool } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import { createCaso } from '../../../src/domain/casos/create.ts'
import type { CasoInput } from '../../../src/domain/casos/input.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
const elsewhere = createPool({ connection: t.database.connection })
after(async () => {
  await elsewhere.end()
  await t.close()
})
const { id } = await t.administrador()
const caller = { id, nome: 'Ana', territorio: null } as Caller
const casos = (prefix: string) =>
  Array.from(
    { length: 60 },
    (_, i): CasoInput => ({
      tipo_agravo: 'dengue',
      numero_notificacao: `${prefix}${i}`,
      data_notificacao: '2024-03-12',
      paciente_nome: 'Maria',
    }),
  )

describe('Cases that are registered at the same moment', () => {
  it('get each its own id and its own event', async () => {
    const all = casos('A')
    const made = await Promise.all(all.map((one) => createCaso(t.app, caller, one)))
    const rows = await t.database.pool.rows<{ id: number; numero: string }>(sql`
      select c.id, e.dados->>'numero_notificacao' as numero
      from casos c join eventos_novos e on e.chave = 'caso:' || c.id and e.dados->'id' = to_jsonb(c.id)
      where c.numero_notificacao = e.dados->>'numero_notificacao'`)
    const numeroOf = new Map(rows.map((row) => [row.id, row.numero]))
    assert.deepEqual(
      made.map((one) => numeroOf.get(one.id)),
      all.map((one) => one.numero_notificacao),
    )
  })

  it('by two instances in opposite order, are each registered once: neither waits for what the other has', async () => {
    const there = { ...t.app, db: elsewhere }
    const all = casos('B')
    const middle = all[30]?.numero_notificacao
    // Somebody holds one in the middle until both have come as far as they can.
    const holding = t.database.pool.transaction(async (tx) => {
      await tx.run(sql`
        insert into casos (tipo_agravo, numero_notificacao, data_notificacao, status, dados, criado_em, atualizado_em)
        values ('dengue', ${middle}, '2024-03-12', 'em_investigacao', '{}', now(), now())`)
      const registering = Promise.allSettled([
        ...all.map((one) => createCaso(t.app, caller, one)),
        ...all.toReversed().map((one) => createCaso(there, caller, one)),
      ])
      while ((await waiting()) < 2) await new Promise(setImmediate)
      await tx.run(sql`delete from casos where numero_notificacao = ${middle}`)
      return { registering }
    })
    const answers = await (await holding).registering
    const refusals = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as AppError] : []))
    assert.ok(refusals.every((one) => one instanceof AppError && one.is('VALIDATION_ERROR')))
    assert.equal(refusals.length, all.length)
  })

  async function waiting(): Promise<number> {
    const rows = await t.database.pool.rows(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length
  }
})
