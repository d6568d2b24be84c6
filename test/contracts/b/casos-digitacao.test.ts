import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { dateInBrazil } from '../../../src/brasil/calendar.ts'
import type { Caller } from '../../../src/caller/caller.ts'
import { sql } from '../../../src/db/sql.ts'
import { createCaso } from '../../../src/domain/casos/create.ts'
import type { CasoInput } from '../../../src/domain/casos/input.ts'
import { refusalsOf } from '../refusals.ts'
import { minimo } from './casos-app.ts'
import { csv, importacoesApp, type Linha, linha, sinan } from './importacoes-app.ts'

const { t, gestor, analista, importar, stored } = await importacoesApp()
after(() => t.close())
const { pool } = t.database
const { invalid } = refusalsOf(stored)
const CAMPO = 'dados_especificos.data_digitacao'

const typedOn = (data_digitacao: string | null) => ({ dados_especificos: { data_digitacao } })

async function newCaso(input: object = {}): Promise<number> {
  const { status, body, text } = await t.as(gestor).post('/agravos/casos', { ...minimo(), ...input })
  assert.equal(status, 201, text)
  return body.id
}

/** As a case by itself and the list show it. */
async function shownOf(id: number): Promise<string | undefined> {
  const { body } = await t.as(gestor).get(`/agravos/casos/${id}`)
  const list = await t.as(gestor).get(`/agravos/casos?numero_notificacao=${body.numero_notificacao}`)
  assert.deepEqual(list.body.tipos[0].dados_especificos, body.dados_especificos)
  return body.dados_especificos.data_digitacao
}

const put = (id: number, input: object) => t.as(gestor).put(`/agravos/casos/${id}`, input)

const idOf = ({ numero_notificacao, NU_NOTIFIC }: Linha): Promise<number> =>
  pool.value(sql`select id from casos where numero_notificacao = ${numero_notificacao ?? NU_NOTIFIC}`)

describe('The day on which a record was first typed in', () => {
  it('is that of the creation in Brazil where it is not sent, also late in the evening', async () => {
    const today = dateInBrazil(t.clock.now())
    for (const input of [{}, typedOn(null)]) assert.equal(await shownOf(await newCaso(input)), today)
    const caller = { id: gestor.id, nome: 'Ana', territorio: null } as Caller
    for (const [moment, day] of [
      ['2024-03-20T02:59:59Z', '2024-03-19'],
      ['2024-03-20T03:00:00Z', '2024-03-20'],
    ] as const) {
      const then = { ...t.app, clock: { now: () => new Date(moment) } }
      const { id } = await createCaso(then, caller, minimo() as CasoInput)
      assert.equal(await shownOf(id), day)
    }
  })

  it('is what was sent, also before the notification', async () => {
    for (const day of ['2024-03-20', '2024-03-01', '1999-12-31'])
      assert.equal(await shownOf(await newCaso(typedOn(day))), day)
    const future = { ...minimo(), ...typedOn('2999-01-01') }
    assert.deepEqual(await invalid(() => t.as(gestor).post('/agravos/casos', future)), [`${CAMPO} IN_FUTURE`])
  })

  it('is refused in a change unless it is the same, and nothing changes', async () => {
    const id = await newCaso(typedOn('2024-03-20'))
    for (const other of ['2024-03-21', null]) {
      const input = { ...typedOn(other), bairro_residencia: 'Pina' }
      assert.deepEqual(await invalid(() => put(id, input)), [`${CAMPO} NOT_EDITABLE`])
    }
    const same = await put(id, { ...typedOn('2024-03-20'), bairro_residencia: 'Pina' })
    assert.deepEqual(same.body.campos_alterados, ['bairro_residencia'])
    assert.equal(await shownOf(id), '2024-03-20')
  })

  it('is unknown of an imported row without one, and stays so', async () => {
    const row = sinan({ DT_DIGITA: '' })
    await importar(csv(row))
    const id = await idOf(row)
    assert.equal(await shownOf(id), undefined)
    assert.deepEqual(await invalid(() => put(id, typedOn('2024-05-01'))), [`${CAMPO} NOT_EDITABLE`])
    assert.equal((await put(id, { bairro_residencia: 'Pina' })).status, 200)
    const again = await importar(csv({ ...row, DT_DIGITA: '2024-05-01' }))
    assert.deepEqual([again.atualizados, again.inalterados], [0, 1])
    assert.equal(await shownOf(id), undefined)
  })

  it('is that of the first import in both layouts, whatever later ones and their undo say', async () => {
    const rows: [Linha, string, Linha][] = [
      [sinan({ DT_DIGITA: '2024-05-02' }), 'DT_DIGITA', { NM_BAIRRO: 'Pina' }],
      [linha({ data_digitacao: '2024-05-02' }), 'data_digitacao', { bairro_residencia: 'Pina' }],
    ]
    for (const [row, column, change] of rows) {
      await importar(csv(row))
      const id = await idOf(row)
      assert.equal(await shownOf(id), '2024-05-02')
      const later = await importar(csv({ ...row, [column]: '2024-06-30', ...change }))
      assert.equal(later.atualizados, 1)
      assert.equal(await shownOf(id), '2024-05-02')
      const { body } = await t.as(gestor).get(`/agravos/casos/${id}/historico`)
      const named = body.items[0].detalhes.alteracoes.map(({ campo }: { campo: string }) => campo)
      assert.ok(named.includes('bairro_residencia') && !named.includes(CAMPO), named.join())
      await t.as(analista).post(`/agravos/importacoes/${later.importacao_id}/desfazer`)
      await t.jobWorker.runAll()
      assert.equal(await shownOf(id), '2024-05-02')
    }
  })
})
