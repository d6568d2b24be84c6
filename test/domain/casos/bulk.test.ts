import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { Linhas } from '../../../src/db/line-buffer.ts'
import { sql } from '../../../src/db/sql.ts'
import { CONHECIDAS, fixedAgravos } from '../../../src/domain/casos/agravos/registro.ts'
import {
  compare,
  insertNew,
  lineOfCaso,
  openStaging,
  writeStaged,
} from '../../../src/domain/casos/bulk/bulk.ts'
import { type Campos, EMPTY_CASE, FIELD_NAMES } from '../../../src/domain/casos/campos.ts'
import { verifyContagens } from '../../../src/domain/casos/counters/counters.ts'
import { createChaves } from '../../../src/domain/casos/sigilo.ts'
import { createCipher } from '../../../src/domain/cipher.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import { createTestDatabase } from '../../harness/database.ts'

const database = await createTestDatabase()
const { pool } = database
after(() => database.drop())

const key = Buffer.alloc(32, 7)
const app = {
  db: pool,
  clock: { now: () => new Date('2026-03-12T12:00:00Z') },
  cipher: createCipher(key),
  chaves: createChaves(key),
  agravos: fixedAgravos(CONHECIDAS),
  municipios: await loadMunicipios(),
}
const CASO: Campos = {
  ...EMPTY_CASE,
  tipo_agravo: 'dengue',
  data_notificacao: '2026-03-12',
  numero_notificacao: '1',
  status: 'em_investigacao',
}
const passo = { proceed() {}, async progress() {} }
const author = { importacao_id: 1, usuario: { id: null, nome: 'Ana' } }
const LOTE = 1
const numbers = async () =>
  (await pool.rows<{ n: string }>(sql`select numero_notificacao as n from casos order by 1`)).map(
    ({ n }) => n,
  )

const rules = { fields: FIELD_NAMES, strict: true, importer: { id: 1, identifies: true, territorio: null } }
await openStaging(pool, LOTE)
const casos = new Linhas()
for (const linha of [2, 3])
  casos.add(
    lineOfCaso(
      { ...app, hashOf: () => Buffer.alloc(16) },
      {
        campos: { ...CASO, numero_notificacao: String(linha) },
        linha,
        derivado: false,
      },
    ),
  )
await pool.transaction((tx) => writeStaged(tx, LOTE, { casos: casos.pieces(), ocorrencias: [] }))

describe('Cases in bulk', () => {
  it('are to be compared anew when somebody registers one of them meanwhile, and none is stored', async () => {
    const stored = pool.transaction(async (tx) => {
      const { novos } = await compare(app, tx, passo, { numero: LOTE, derivados: false, rules })
      assert.equal(novos, 2)
      await pool.run(sql`
        insert into casos (tipo_agravo, numero_notificacao, data_notificacao, status, criado_em, atualizado_em)
        values ('dengue', '3', '2026-03-12', 'em_investigacao', now(), now())`)
      await insertNew(app, tx, passo, { numero: LOTE, author }, { from: 66, to: 99 })
    })
    await assert.rejects(stored, (error) => error instanceof AppError && error.is('UNAVAILABLE'))
    assert.deepEqual(await numbers(), ['3'])
    assert.deepEqual(await verifyContagens(pool), [])
  })

  it('are stored the next time, without the one that is there', async () => {
    await pool.transaction(async (tx) => {
      const { novos } = await compare(app, tx, passo, { numero: LOTE, derivados: false, rules })
      assert.equal(novos, 1)
      await insertNew(app, tx, passo, { numero: LOTE, author }, { from: 66, to: 99 })
    })
    assert.deepEqual(await numbers(), ['2', '3'])
    assert.deepEqual(await verifyContagens(pool), [])
  })
})
