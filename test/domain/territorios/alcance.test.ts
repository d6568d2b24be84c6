import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { indexTerritorios } from '../../../src/brasil/territorios.ts'
import { isWithin, type LugarDoTerritorio, resolveTerritorio } from '../../../src/caller/territorio.ts'
import { sql } from '../../../src/db/sql.ts'
import { assertMayBind, isWithinReach } from '../../../src/domain/territorios/alcance.ts'
import { createTerritories } from '../../../src/domain/territorios/conta.ts'
import { pageOfUsuarios } from '../../../src/domain/usuarios/list.ts'
import { createTestDatabase } from '../../harness/database.ts'

/** Reach of accounts as the database computes it, against sets of municipalities in memory. */
const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database
const municipios = await loadMunicipios()
const territorios = indexTerritorios(municipios.all)
const reference = { municipios, territorios }

const SEED = 20_261_116
/** Few places that contain each other, so that many territories do. */
const REGIAO = territorios.municipiosOfRegiao(26010).map(({ codigo }) => String(codigo))
const lugar: fc.Arbitrary<LugarDoTerritorio> = fc.oneof(
  fc.constantFrom('PE', 'SP', 'AC').map((codigo) => ({ nivel: 'uf' as const, codigo })),
  fc
    .constantFrom('26010', '26003', '35016', '12001')
    .map((codigo) => ({ nivel: 'regiao_saude' as const, codigo })),
  fc
    .constantFrom(...REGIAO.slice(0, 4), '2604106', '3550308', '1200401')
    .map((codigo) => ({ nivel: 'municipio' as const, codigo })),
)
const territory = fc.oneof(
  fc.uniqueArray(lugar, { minLength: 1, maxLength: 4, selector: ({ codigo }) => codigo }),
  // A region by its parts, perhaps with one missing.
  fc
    .integer({ min: 0, max: 1 })
    .map((left) => REGIAO.slice(left).map((codigo) => ({ nivel: 'municipio' as const, codigo }))),
)

/** Municipalities of a territory, and its states, whose cases of unknown places belong to them. */
function partsOf(lugares: readonly LugarDoTerritorio[]): Set<string> {
  return new Set(
    lugares.flatMap(({ nivel, codigo }) => {
      if (nivel === 'uf')
        return [codigo, ...territorios.municipiosOf(codigo).map((one) => String(one.codigo))]
      if (nivel === 'municipio') return [codigo]
      return territorios.municipiosOfRegiao(Number(codigo)).map((one) => String(one.codigo))
    }),
  )
}

let made = 0
async function account(lugares: readonly LugarDoTerritorio[], admin = false): Promise<number> {
  const id = await pool.value<number>(sql`
    insert into usuarios (nome, email, senha_hash, admin)
    values ('Ana', ${`alcance${++made}@teste.local`}, 'x', ${admin}) returning id`)
  for (const { nivel, codigo } of lugares)
    await pool.run(sql`insert into usuarios_territorios values (${id}, ${nivel}, ${codigo})`)
  return id
}

const samples = fc.sample(territory, { seed: SEED, numRuns: 60 })
const accounts = await Promise.all(samples.map(async (lugares) => ({ lugares, id: await account(lugares) })))
const unbound = await account([])
const administrator = await account([{ nivel: 'municipio', codigo: '2611606' }], true)

describe('the reach of an account', () => {
  it('is the accounts whose places all lie inside, in memory, by the database and in lists', async () => {
    for (const own of samples.slice(0, 25)) {
      const territorio = resolveTerritorio(reference, own)
      const caller = { id: unbound, territorio }
      const parts = partsOf(own)
      const expected = accounts.filter(({ lugares }) =>
        [...partsOf(lugares)].every((part) => parts.has(part)),
      )
      const page = {
        page: 1,
        size: 1_000,
        sort: 'id',
        order: 'asc' as const,
        filter: { kind: 'and' as const, of: [] },
      }
      const { items } = await pageOfUsuarios(
        { db: pool, clock: { now: () => new Date() }, ...reference },
        caller,
        page,
      )
      const seen = new Set(items.map(({ id }) => id))
      assert.deepEqual(seen, new Set([unbound, ...expected.map(({ id }) => id)]))
      for (const { id, lugares } of accounts) {
        const isInside = expected.some((one) => one.id === id)
        assert.equal(isWithin(resolveTerritorio(reference, lugares), territorio, reference), isInside)
        assert.equal(await isWithinReach(pool, caller, id), isInside)
        if (isInside) assertMayBind(reference, caller, lugares)
        else assert.throws(() => assertMayBind(reference, caller, lugares), /OUT_OF_TERRITORY/)
      }
    }
  })

  it('holds neither administrators nor accounts without a place, unless it has no bounds', async () => {
    const pernambuco = resolveTerritorio(reference, [{ nivel: 'uf', codigo: 'PE' }])
    for (const id of [unbound, administrator]) {
      assert.equal(await isWithinReach(pool, { id: 1, territorio: pernambuco }, id), false)
      assert.equal(await isWithinReach(pool, { id: 1, territorio: null }, id), true)
    }
  })

  it('of an account that must have a place and has none is itself', async () => {
    const caller = { id: unbound, territorio: createTerritories(reference, { required: true }).of([]) }
    assert.notEqual(caller.territorio, null)
    for (const { id } of accounts) assert.equal(await isWithinReach(pool, caller, id), false)
    assert.equal(await isWithinReach(pool, caller, unbound), true)
    for (const lugares of [[], [{ nivel: 'uf' as const, codigo: 'PE' }]])
      assert.throws(() => assertMayBind(reference, caller, lugares), /OUT_OF_TERRITORY/)
  })
})
