import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Database, Db } from '../../../src/db/db.ts'
import { createPool } from '../../../src/db/pool.ts'
import { sql } from '../../../src/db/sql.ts'
import {
  foldContagens,
  rebuildContagens,
  verifyContagens,
} from '../../../src/domain/casos/counters/counters.ts'
import { addPending, countPending, QUEUES } from '../../../src/domain/casos/counters/rollup.sql.ts'
import { csv, importacoesApp, linha } from '../../contracts/b/importacoes-app.ts'

const SEED = 20_240_107
const app = await importacoesApp()
const { t, admin, gestor, analista } = app
const { pool } = t.database
after(() => t.close())

/** In which queues something waits. */
async function pendingIn(db: Db) {
  const pending: string[] = []
  for (const queue of QUEUES) if ((await countPending(db, queue, 1)) > 0) pending.push(queue)
  return pending
}
const BOTH = ['gerais', 'detalhes']

/** The counters are those of the cases, and the list tells their number. */
async function agrees(about: string) {
  assert.deepEqual(await verifyContagens(pool), [], about)
  const row = await pool.first<{ n: number }>(sql`select count(*) as n from casos where excluido_em is null`)
  const { body } = await t.as(gestor).get('/agravos/casos')
  assert.equal(body.total, row?.n, about)
}

const RECIFE = { municipio_residencia: 'Recife', estado_residencia: 'PE' }
const LUGARES = [
  RECIFE,
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
  { municipio_residencia: 'Olinda', estado_residencia: 'PE' },
]
const orNull = <T>(...values: T[]) => fc.constantFrom<T | null>(...values, null)
/** What is counted of a case, and something that is not. */
const campos = fc.record(
  {
    tipo_agravo: fc.constantFrom('dengue', 'zika', 'chikungunya'),
    data_notificacao: fc.constantFrom('2023-12-31', '2024-01-01', '2024-01-31', '2024-02-01', '2024-02-29'),
    data_inicio_sintomas: orNull('2023-12-20', '2023-12-31'),
    classificacao_final: orNull('confirmado', 'descartado', 'inconclusivo'),
    evolucao: orNull('obito', 'cura'),
    hospitalizacao: orNull(true, false),
    paciente_sexo: orNull('F', 'M'),
    paciente_idade: orNull(0, 4, 40, 90),
    bairro_residencia: orNull('Pina'),
  },
  { requiredKeys: ['tipo_agravo', 'data_notificacao'] },
)
const lugar = fc.constantFrom(...LUGARES)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('create' as const), campos, lugar }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('change' as const), campos, which: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('exclude' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restore' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('import' as const),
      linhas: fc.array(campos, { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('fold' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

const imports: number[] = []
let made = 0

async function pick(which: number, excluded: boolean): Promise<number | null> {
  const rows = await pool.rows<{ id: number }>(sql`
    select id from casos where (excluido_em is not null) = ${excluded} order by id`)
  return rows[which % rows.length]?.id ?? null
}

/** Whether something was done. */
async function perform(one: Step): Promise<boolean> {
  switch (one.do) {
    case 'create': {
      const body = {
        ...one.campos,
        ...one.lugar,
        numero_notificacao: `C${++made}`,
        paciente_nome: 'Ana Souza',
      }
      return (await t.as(gestor).post('/agravos/casos', body)).status === 201
    }
    case 'change': {
      const id = await pick(one.which, false)
      return id !== null && (await t.as(gestor).put(`/agravos/casos/${id}`, one.campos)).status === 200
    }
    case 'exclude': {
      const id = await pick(one.which, false)
      return id !== null && (await t.as(gestor).delete(`/agravos/casos/${id}?motivo=teste`)).status === 204
    }
    case 'restore': {
      const id = await pick(one.which, true)
      return id !== null && (await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)).status === 200
    }
    case 'remove': {
      const id = await pick(one.which, false)
      const path = `/agravos/casos/${id}?motivo=teste&force=true`
      return id !== null && (await t.as(admin).delete(path)).status === 204
    }
    case 'import': {
      // Some rows are of cases that are there already.
      const rows = one.linhas.map(({ data_notificacao, tipo_agravo, paciente_sexo }, i) =>
        linha({
          numero_notificacao: `L${(made + i) % 7}`,
          data_notificacao,
          tipo_agravo,
          paciente_sexo: paciente_sexo ?? '',
        }),
      )
      const { importacao_id } = await app.importar(csv(...rows), { ignorar_erros: 'true' })
      imports.push(importacao_id)
      return true
    }
    case 'undo': {
      const id = imports[one.which % imports.length]
      if (id === undefined) return false
      const { status } = await t.as(analista).post(`/agravos/importacoes/${id}/desfazer`)
      await t.jobWorker.runAll()
      return status === 202
    }
    case 'fold':
      await foldContagens(pool)
      assert.deepEqual(await pendingIn(pool), [])
      return true
  }
}

describe('The counters of cases', () => {
  it('agree after each of many changes, added up or not', async () => {
    const done = new Map<string, number>()
    for (const [i, one] of fc.sample(step, { numRuns: 200, seed: SEED }).entries()) {
      if (await perform(one)) done.set(one.do, (done.get(one.do) ?? 0) + 1)
      await agrees(`step ${i}: ${JSON.stringify(one)}`)
    }
    for (const name of ['create', 'change', 'exclude', 'restore', 'remove', 'import', 'undo', 'fold'])
      assert.ok((done.get(name) ?? 0) >= 3, `${name}: ${done.get(name)}`)
  })

  it('have totals and pages added up when an import and its undo commit, details later', async () => {
    await foldContagens(pool)
    const { importacao_id } = await app.importar(csv(linha({ numero_notificacao: 'G1' })))
    assert.deepEqual(await pendingIn(pool), ['detalhes'])
    await agrees('imported')
    await foldContagens(pool)
    assert.deepEqual(await pendingIn(pool), [])
    await agrees('imported and added up')
    await t.as(analista).post(`/agravos/importacoes/${importacao_id}/desfazer`)
    await t.jobWorker.runAll()
    assert.deepEqual(await pendingIn(pool), ['detalhes'])
    await agrees('undone')
  })

  it('are added up to an end although cases are written all the while', async () => {
    const write = () =>
      t.as(gestor).post('/agravos/casos', {
        tipo_agravo: 'dengue',
        data_notificacao: '2024-03-01',
        numero_notificacao: `W${written++}`,
        paciente_nome: 'Ana Souza',
        ...RECIFE,
      })
    let written = 0
    const busy: Database = {
      ...pool,
      async transaction(work) {
        const result = await pool.transaction(work)
        await write()
        return result
      },
    }
    await write()
    assert.equal(await foldContagens(busy), true)
    assert.equal(written, 1 + QUEUES.length)
    await agrees('added up while written')
  })

  it('leave no long queue behind, however much was added up', async () => {
    // Five batches and a little: what the last leaves at the end of a long table is easily passed over.
    await pool.run(sql`
      insert into casos_contagens_pendentes
      select 'dengue', '', '2024-01-01', 'PE', 0, '', '', '', case when n % 2 = 0 then 1 else -1 end, 0, 0, '-infinity', -1, 0
      from generate_series(1, 100300) n`)
    await foldContagens(pool)
    const size = await pool.first(sql`select pg_relation_size('casos_contagens_pendentes') as bytes`)
    assert.deepEqual(size, { bytes: 0 })
    await agrees('swept')
  })

  it('leave nothing behind where what changed is not counted', async () => {
    await foldContagens(pool)
    await pool.run(sql`update casos set bairro_residencia = 'Boa Vista', versao = versao + 1`)
    assert.deepEqual(await pendingIn(pool), [])
  })

  it('agree at every moment while twenty write and others add up', async () => {
    let writing = true
    const folding = Array.from({ length: 2 }, async () => {
      while (writing) await foldContagens(pool)
    })
    const watching = (async () => {
      let looks = 0
      for (; writing; looks++) assert.deepEqual(await verifyContagens(pool), [])
      return looks
    })()
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let i = 0; i < 10; i++) {
        const data_notificacao = `2024-03-0${1 + (i % 9)}`
        const { status, body } = await t.as(gestor).post('/agravos/casos', {
          tipo_agravo: 'dengue',
          data_notificacao,
          numero_notificacao: `P${writer}-${i}`,
          paciente_nome: 'Ana Souza',
          ...LUGARES[writer % LUGARES.length],
        })
        assert.equal(status, 201)
        if (i % 3 === 0) await t.as(gestor).put(`/agravos/casos/${body.id}`, { hospitalizacao: true })
        if (i % 4 === 0) await t.as(gestor).delete(`/agravos/casos/${body.id}?motivo=teste`)
      }
    })
    await Promise.all(writers).finally(() => {
      writing = false
    })
    await Promise.all(folding)
    assert.ok((await watching) > 1)
    await agrees('at the end')
  })

  it('lose nothing when whoever adds up is killed', async () => {
    await perform({
      do: 'create',
      campos: { tipo_agravo: 'zika', data_notificacao: '2024-01-01' },
      lugar: RECIFE,
    })
    const victim = createPool({ connection: t.database.connection, max: 1 })
    const killed = victim.transaction(async (tx) => {
      for (const queue of QUEUES) assert.ok((await addPending(tx, queue, 1_000)) > 0)
      assert.deepEqual(await pendingIn(tx), [])
      await tx.run(sql`select pg_terminate_backend(pg_backend_pid())`)
    })
    await assert.rejects(killed)
    await victim.end()
    assert.deepEqual(await pendingIn(pool), BOTH)
    await agrees('after the kill')
    await foldContagens(pool)
    await agrees('after the next')
  })

  it('do not wait for a change that is not committed, nor does it wait for them', async () => {
    await foldContagens(pool)
    await pool.transaction(async (tx) => {
      await tx.run(sql`update casos set hospitalizacao = not coalesce(hospitalizacao, false)`)
      await perform({
        do: 'create',
        campos: { tipo_agravo: 'zika', data_notificacao: '2024-01-01' },
        lugar: RECIFE,
      })
      await foldContagens(pool)
      await agrees('meanwhile')
    })
    assert.deepEqual(await pendingIn(pool), BOTH)
    await agrees('afterwards')
  })

  it('are told apart from the cases when somebody tampers with them, and can be rebuilt', async () => {
    await foldContagens(pool)
    const broken = await pool.first<{ inicio: string }>(sql`
      update casos_contagens set total = total + 1
      where (lugar, serie, inicio, tipo_agravo, classe, valor) in (
        select lugar, serie, inicio, tipo_agravo, classe, valor from casos_contagens where serie = 'dia' limit 1)
      returning lugar, serie, inicio, tipo_agravo, classe, valor, -1 as total, 0 as hospitalizados, 0 as obitos`)
    assert.ok(broken)
    assert.deepEqual(await verifyContagens(pool), [broken])
    await pool.run(sql`delete from casos_contagens where serie = 'sexo'`)
    assert.ok((await verifyContagens(pool)).length > 1)
    await rebuildContagens(pool)
    assert.deepEqual(await pendingIn(pool), [])
    await agrees('rebuilt')
  })

  it('are empty when the cases were truncated, also while somebody adds up', async () => {
    await perform({
      do: 'create',
      campos: { tipo_agravo: 'zika', data_notificacao: '2024-01-01' },
      lugar: RECIFE,
    })
    await Promise.all([foldContagens(pool), pool.run(sql`truncate casos cascade`)])
    assert.deepEqual(await verifyContagens(pool), [])
    assert.deepEqual(await pool.rows(sql`select from casos_contagens`), [])
    await agrees('truncated')
  })
})
