import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Caller } from '../../../src/caller/caller.ts'
import type { Db } from '../../../src/db/db.ts'
import { sql } from '../../../src/db/sql.ts'
import { foldContagens, verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import type { ScopePlace } from '../../../src/domain/casos/counters/scope.ts'
import { countsIn, listDelays, weeksOf } from '../../../src/domain/casos/counters/semanas.ts'
import { summarise } from '../../../src/domain/casos/statistics/resumo.ts'
import type { Filter, FilterTest } from '../../../src/filter.ts'
import { minimo } from '../../contracts/b/casos-app.ts'
import { csv, importacoesApp, linha } from '../../contracts/b/importacoes-app.ts'

/** At every moment: weeks + sem_data + inicio_implausivel = total of the summary, for every place and disease. */
const app = await importacoesApp()
const { t, gestor, analista } = app
const { pool } = t.database
after(() => t.close())

const test = (field: string, value: string): FilterTest => ({ kind: 'test', field, op: 'eq', value })
const WHERE: { lugares: ScopePlace[] | null; of: Filter[] }[] = [
  { lugares: null, of: [] },
  { lugares: [{ uf: 'PE', codigo: null }], of: [test('estado', 'PE')] },
  { lugares: [{ uf: 'PE', codigo: 2_611_606 }], of: [test('municipio', '2611606')] },
  { lugares: [{ uf: 'PE', codigo: 2_609_600 }], of: [test('municipio', '2609600')] },
]
const TIPOS = ['dengue', 'zika'] as const
const CALLER = { id: gestor.id, territorio: null } as Caller

/** Both answers in one snapshot, each made of statements of its own; returns how many cases there were. */
function lookOnce(): Promise<number> {
  return pool.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read`)
    let all = 0
    for (const tipo of TIPOS) for (const place of WHERE) all += await compare(tx, tipo, place)
    return all
  })
}

async function compare(tx: Db, tipo: (typeof TIPOS)[number], { lugares, of }: (typeof WHERE)[number]) {
  const filter: Filter = { kind: 'and', of: [test('tipo_agravo', tipo), ...of] }
  const request = {
    filter,
    agregacao: null,
    dataBase: 'notificacao' as const,
    agruparPor: [],
    incidencia: false,
  }
  const db = { ...pool, ...tx }
  const { numeros } = await summarise({ ...t.app, db }, CALLER, request)
  const everything = { tipo, lugares, from: null, to: null }
  const { semanas, sem_data, inicio_implausivel, total } = await weeksOf(tx, everything)
  const parts = [...semanas.map(({ casos }) => casos), sem_data, inicio_implausivel]
  for (const [measure, wanted] of [
    ['total', numeros.total],
    ['hospitalizados', numeros.hospitalizados],
  ] as const)
    assert.equal(
      parts.reduce((sum, casos) => sum + countsIn(casos, 'notificados')[measure], 0),
      wanted,
    )
  assert.equal(total, numeros.total)
  const delays = await listDelays(tx, everything)
  assert.equal(
    delays.reduce((sum, row) => sum + row.total, 0),
    semanas.reduce((sum, { casos }) => sum + countsIn(casos, 'notificados').total, 0),
  )
  return numeros.total
}

const ONSETS = [null, '2024-03-10', '2024-02-20', '1990-05-20']
const PLACES = ['Recife', 'Olinda']

async function register(writer: number) {
  for (let i = 0; i < 12; i++) {
    const { status, body } = await t.as(gestor).post('/agravos/casos', {
      ...minimo(),
      tipo_agravo: TIPOS[i % 2],
      data_inicio_sintomas: ONSETS[(writer + i) % ONSETS.length],
      municipio_residencia: PLACES[i % 2],
    })
    assert.equal(status, 201)
    const path = `/agravos/casos/${body.id}`
    const data_inicio_sintomas = ONSETS[(writer + i + 1) % ONSETS.length]
    if (i % 2 === 0) await t.as(gestor).put(path, { data_inicio_sintomas, hospitalizacao: true })
    if (i % 3 === 0) await t.as(gestor).put(path, { municipio_residencia: PLACES[(i + 1) % 2] })
    if (i % 4 === 0) await t.as(gestor).delete(`${path}?motivo=teste`)
    if (i % 8 === 0) await t.as(gestor).post(`${path}/restaurar`)
  }
}

/** Imports, some over the cases of the one before, and undoes every other one. */
async function importAndUndo() {
  for (let i = 0; i < 6; i++) {
    const rows = Array.from({ length: 40 }, (_, n) =>
      linha({
        numero_notificacao: `U${(i >> 1) * 20 + n}`,
        data_inicio_sintomas: ONSETS[(i + n) % ONSETS.length] ?? '',
        municipio_residencia: PLACES[(i + n) % 2] as string,
      }),
    )
    const { importacao_id } = await app.importar(csv(...rows), { ignorar_erros: 'true' })
    if (i % 2 === 0) continue
    await t.as(analista).post(`/agravos/importacoes/${importacao_id}/desfazer`)
    await t.jobWorker.runAll()
  }
}

describe('Weeks of onset', () => {
  it('add up to the summary at every moment of concurrent creations, changes, imports, undos and folds', async () => {
    let writing = true
    const whileWriting = async (work: () => Promise<unknown>) => {
      let times = 0
      for (; writing; times++) await work()
      return times
    }
    const watching = whileWriting(lookOnce)
    const folding = whileWriting(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await foldContagens(pool)
    })
    const writers = Array.from({ length: 6 }, (_, writer) => register(writer))
    await Promise.all([...writers, importAndUndo()]).finally(() => {
      writing = false
    })
    assert.ok((await watching) > 3)
    assert.ok((await folding) > 0)
    assert.ok((await lookOnce()) > 100)
    assert.deepEqual(await verifyContagens(pool), [])
  })
})
