import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { indexTerritorios } from '../../../src/brasil/territorios.ts'
import { sql } from '../../../src/db/sql.ts'
import { pageOfUsuarios, sliceOfUsuarios, USUARIOS_LIST } from '../../../src/domain/usuarios/list.ts'
import type { Filter } from '../../../src/filter.ts'
import { createTestDatabase } from '../../harness/database.ts'

/** Random accounts, of few values so that many are equal, against an evaluation in JavaScript. */
const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database
const municipios = await loadMunicipios()
const app = {
  db: pool,
  clock: { now: () => new Date() },
  municipios,
  territorios: indexTerritorios(municipios.all),
}
const EVERYWHERE = { id: 1, territorio: null }

const SEED = 20_261_116
const PLACES = ['Recife', 'RECIFE', 'São Paulo', 'sao', 'Ôlinda']
const optional = (values: string[]) => fc.option(fc.constantFrom(...values), { freq: 3 })
const account = fc.record({
  nome: fc.constantFrom('Ana', 'ANA', 'João', 'joao', 'a%b', 'a_b', 'axb', 'Zoé'),
  cidade: optional(PLACES),
  estado: optional(['PE', 'SP', 'AL']),
  instituicao: optional(PLACES),
  cargo: optional(PLACES),
  departamento: optional(PLACES),
  ultimo_acesso: optional(['2025-01-01T00:00:00Z', '2025-06-01T12:30:00.5Z']),
})
for (const [i, row] of fc.sample(account, { seed: SEED, numRuns: 60 }).entries())
  await pool.run(sql`
    insert into usuarios (nome, email, senha_hash, cidade, estado, instituicao, cargo, departamento, ultimo_acesso)
    select nome, ${`p${i}@exemplo.example`}, 'x', cidade, estado, instituicao, cargo, departamento, ultimo_acesso
      from jsonb_populate_record(null::usuarios, ${JSON.stringify(row)}::jsonb)`)

const ALL: Filter = { kind: 'and', of: [] }
const everybody = (await sliceOfUsuarios(app, ALL, { size: 1_000, offset: 0 })).items

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const keyOf = (value: unknown) =>
  value instanceof Date ? value.getTime() : typeof value === 'string' ? plain(value) : Number(value)

describe('pages of users', () => {
  for (const sort of USUARIOS_LIST.sortable)
    it(`hold everybody once in the order of ${sort}, without a value last, equal ones by id`, async () => {
      for (const order of ['asc', 'desc'] as const) {
        const sign = order === 'asc' ? 1 : -1
        const field = sort as keyof (typeof everybody)[number]
        const expected = everybody.toSorted((a, b) => {
          const [x, y] = [a[field], b[field]]
          if (x === null || y === null) return Number(x === null) - Number(y === null) || sign * (a.id - b.id)
          const [k, l] = [keyOf(x), keyOf(y)]
          return sign * (k < l ? -1 : k > l ? 1 : a.id - b.id)
        })
        const seen = []
        for (let page = 1; page <= 5; page++) {
          const found = await pageOfUsuarios(app, EVERYWHERE, { page, size: 15, sort, order, filter: ALL })
          assert.deepEqual([found.total, found.page, found.size], [everybody.length, page, 15])
          seen.push(...found.items)
        }
        assert.deepEqual(seen, expected)
      }
    })

  it('tell the total also beyond the last row', async () => {
    for (const offset of [0, 1, everybody.length, 1_000]) {
      const { items, total } = await sliceOfUsuarios(app, ALL, { size: 10, offset })
      assert.equal(total, everybody.length)
      assert.deepEqual(items, everybody.slice(offset, offset + 10))
    }
  })
})

describe('free text', () => {
  const NARROW = ['nome', 'email'] as const
  const WIDE = [...NARROW, 'cidade', 'estado', 'instituicao'] as const

  for (const text of ['ana', 'ÃN', 'o', 'a%b', '_', 'sao paulo', 'OLÍN', 'pe', 'p5@', 'ninguém'])
    it(`finds "${text}" in name and email, or in the place and institution, too`, async () => {
      const filter: Filter = { kind: 'search', text }
      const having = (fields: readonly (typeof WIDE)[number][]) =>
        everybody.filter((one) => fields.some((field) => plain(one[field] ?? '').includes(plain(text))))
      const list = { page: 1, size: 100, sort: 'id', order: 'asc' as const, filter }
      assert.deepEqual((await pageOfUsuarios(app, EVERYWHERE, list)).items, having(NARROW))
      assert.deepEqual((await sliceOfUsuarios(app, filter, { size: 100, offset: 0 })).items, having(WIDE))
    })
})
