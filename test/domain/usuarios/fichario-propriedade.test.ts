import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../../src/db/sql.ts'
import { createFichario } from '../../../src/domain/usuarios/fichario/fichario.ts'
import { pageOfUsuarios, sliceOfUsuarios, USUARIOS_LIST } from '../../../src/domain/usuarios/list.ts'
import { type FieldValue, type Filter, type Operator, operatorsOf } from '../../../src/filter.ts'
import { createTestDatabase } from '../../harness/database.ts'

/**
 * Random accounts under random filters, orders and pages: what is found in memory is what PostgreSQL finds by itself,
 * which is asked in its own words and knows nothing of the other.
 */
const SEED = 20_261_116
const RUNS = 400

const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values)
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3 })

/** Accents, what `like` takes for itself, what becomes that without accents, pairs, and characters around those in order. */
const NOMES = [
  ...[
    'Ana',
    'ANA',
    'aña',
    'Anā Ção',
    'João',
    'joao',
    'a%b',
    'a_b',
    'axb',
    'a\\b',
    'a％b',
    'a＿b',
    'a＼b',
    'a﹪b',
  ],
  ...[
    'Æsir',
    'ß',
    'ss',
    'ﬁm',
    '\u0301',
    '𝒜na',
    '\u{1f600}',
    '\uffee',
    '\ue000',
    'Z',
    'z',
    '¼',
    '℀',
    'İ',
    'ı',
  ],
]
const LUGARES = ['Recife', 'RECIFE', 'São Paulo', 'sao', 'Ôlinda', '']
const MOMENTOS = [
  ...[
    '2025-01-01T00:00:00Z',
    '2025-01-01T00:00:00.000001Z',
    '2025-01-01T03:00:00Z',
    '2024-12-31T21:00:00-03:00',
  ],
  ...['2025-06-01T12:30:00.5Z', '2026-01-01T00:00:00Z'],
]
const VALUES: Record<string, readonly FieldValue[]> = {
  id: [0, 1, 2, 17, 60, 100, 2_147_483_647],
  nome: [...NOMES, 'a', 'n', ''],
  email: ['p1@a.org', 'P2@A.ORG', '@', 'a.ORG', 'p', ''],
  cpf: ['00000000001', '000.000.000-02', '3'],
  cidade: LUGARES,
  estado: ['PE', 'SP', 'p', ''],
  instituicao: LUGARES,
  cargo: LUGARES,
  departamento: LUGARES,
  admin: [true, false],
  ativo: [true, false],
  plano: ['basico', 'premium', 'outro'],
  email_verificado: [true, false],
  mfa_habilitado: [true, false],
  grupo_id: [1, 2, 3, 4, 99],
  criado_em: [...MOMENTOS, '2025-01-01 00:00 America/Sao_Paulo'],
  atualizado_em: MOMENTOS,
  ultimo_acesso: MOMENTOS,
}

const test = oneOf(Object.keys(VALUES)).chain((field): fc.Arbitrary<Filter> => {
  const value = oneOf(VALUES[field] as FieldValue[])
  return oneOf(operatorsOf(USUARIOS_LIST.fields[field] as never)).chain(
    (op: Operator): fc.Arbitrary<Filter> =>
      op === 'in'
        ? fc.array(value, { maxLength: 3 }).map((values) => ({ kind: 'test', field, op, value: values }))
        : value.map((one) => ({ kind: 'test', field, op, value: one })),
  )
})
const search: fc.Arbitrary<Filter> = oneOf([...NOMES, ...LUGARES, '@a', 'a b'])
  .filter((text) => text !== '')
  .map((text) => ({ kind: 'search', text }))
const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    test,
    search,
    fc.record({ kind: oneOf(['and', 'or'] as const), of: fc.array(tie('filter'), { maxLength: 3 }) }),
  ),
})).filter

const conta = fc.record({
  nome: oneOf(NOMES),
  cidade: orNull(oneOf(LUGARES)),
  estado: orNull(oneOf(['PE', 'SP', 'AL'])),
  instituicao: orNull(oneOf(LUGARES)),
  cargo: orNull(oneOf(LUGARES)),
  departamento: orNull(oneOf(LUGARES)),
  admin: fc.boolean(),
  plano: oneOf(['basico', 'premium', 'enterprise']),
  email_verificado: fc.boolean(),
  mfa_ativado_em: orNull(oneOf(MOMENTOS)),
  desativado_em: orNull(oneOf(MOMENTOS)),
  criado_em: oneOf(MOMENTOS),
  atualizado_em: oneOf(MOMENTOS),
  ultimo_acesso: orNull(oneOf(MOMENTOS)),
  grupos: fc.uniqueArray(oneOf([1, 2, 3, 4]), { maxLength: 3 }),
})

for (const [i, { grupos, ...columns }] of fc.sample(conta, { seed: SEED, numRuns: 120 }).entries()) {
  const row = { ...columns, email: i % 2 ? `p${i}@a.org` : `P${i}@Á.org`, cpf: String(i).padStart(11, '0') }
  await pool.run(sql`
    with conta as (
      insert into usuarios (nome, email, senha_hash, cpf, cidade, estado, instituicao, cargo, departamento, admin, plano,
                            email_verificado, mfa_ativado_em, desativado_em, criado_em, atualizado_em, ultimo_acesso)
      select nome, email, 'x', cpf, cidade, estado, instituicao, cargo, departamento, admin, plano, email_verificado,
             mfa_ativado_em, desativado_em, criado_em, atualizado_em, ultimo_acesso
        from jsonb_populate_record(null::usuarios, ${JSON.stringify(row)}::jsonb)
      returning id
    )
    insert into usuarios_grupos (usuario_id, grupo_id) select id, unnest(${grupos}::int[]) from conta`)
}

const inMemory = { db: pool, fichario: createFichario(pool) }
const inDatabase = { db: pool, fichario: createFichario(pool, { most: 0 }) }

const order = oneOf(['asc', 'desc'] as const)
const list = fc.record({
  filter,
  page: fc.integer({ min: 1, max: 3 }),
  size: oneOf([1, 7, 200]),
  sort: oneOf(USUARIOS_LIST.sortable),
  order,
  thenBy: fc.array(fc.record({ field: oneOf(USUARIOS_LIST.sortable), order }), { maxLength: 2 }),
})

it('finds in memory the pages that the database finds', async () => {
  let found = 0
  await fc.assert(
    fc.asyncProperty(list, async (one) => {
      const expected = await pageOfUsuarios(inDatabase, one)
      found += expected.items.length
      assert.deepEqual(await pageOfUsuarios(inMemory, one), expected)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(found > RUNS, 'hardly anything was found')
})

it('finds in memory what the wider search of the database finds', async () => {
  await fc.assert(
    fc.asyncProperty(filter, fc.nat(100), async (one, offset) => {
      const window = { size: 20, offset }
      assert.deepEqual(
        await sliceOfUsuarios(inMemory, one, window),
        await sliceOfUsuarios(inDatabase, one, window),
      )
    }),
    { seed: SEED, numRuns: RUNS },
  )
})
