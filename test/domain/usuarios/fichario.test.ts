import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import type { Database, Db } from '../../../src/db/db.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import type { Vista } from '../../../src/domain/usuarios/fichario/fichario.sql.ts'
import { createFichario, type Fichario } from '../../../src/domain/usuarios/fichario/fichario.ts'
import { pageOfUsuarios } from '../../../src/domain/usuarios/list.ts'
import type { Filter, ListQuery } from '../../../src/filter.ts'
import { createTestDatabase } from '../../harness/database.ts'

const database = await createTestDatabase()
after(() => database.drop())
const { pool } = database

const ALL: Filter = { kind: 'and', of: [] }
const test = (field: string, op: 'eq' | 'like' | 'gt', value: string | number | boolean): Filter => ({
  kind: 'test',
  field,
  op,
  value,
})

async function insert(db: Db, nome: string): Promise<number> {
  const row = await db.first<{ id: number }>(sql`
    insert into usuarios (nome, email, senha_hash, criado_em, atualizado_em)
    values (${nome}, ${`${nome}@exemplo.org`}, 'x', now(), now()) returning id`)
  return (row as { id: number }).id
}
const insertMany = (from: number, to: number) =>
  pool.run(sql`
    insert into usuarios (nome, email, senha_hash, criado_em, atualizado_em)
    select 'muitos', 'muitos' || i || '@exemplo.org', 'x', now(), now() from generate_series(${from}::int, ${to}::int) i`)
const remove = (id: number) => pool.run(sql`delete from usuarios where id = ${id}`)
const idsInDatabase = async () => {
  const rows = await pool.rows<{ id: number }>(sql`select id from usuarios order by id`)
  return rows.map(({ id }) => id)
}

const EVERYBODY = { sort: 'id', order: 'asc', offset: 0, size: 10_000 } as const
const idsIn = async (fichario: Fichario, filter: Filter) =>
  (await fichario.find(filter, 'name', EVERYBODY))?.ids ?? null

/** The same database, telling something else of itself. */
function disguised(disguise: () => Partial<Vista>): Database {
  const change = <T>(row: T): T =>
    row !== null && typeof row === 'object' && 'vista' in row
      ? { ...row, vista: { ...(row.vista as Vista), ...disguise() } }
      : row
  const db: Database = {
    ...pool,
    rows: async <T>(query: Sql) => (await pool.rows<T>(query)).map(change),
    first: async <T>(query: Sql) => change(await pool.first<T>(query)),
    together: async (work, item) => (await work(db, [item]))[0] as never,
  }
  return db
}

describe('what the fichario sees', () => {
  const fichario = createFichario(pool)
  const find = (filter: Filter) => idsIn(fichario, filter)
  let ana: number
  let bia: number

  beforeEach(async () => {
    await pool.run(sql`delete from usuarios where not admin`)
    ana = await insert(pool, 'ana')
    bia = await insert(pool, 'bia')
    assert.deepEqual(await find(test('nome', 'eq', 'bia')), [bia])
  })

  it('is an account that was created, removed, created again', async () => {
    const caio = await insert(pool, 'caio')
    assert.deepEqual(await find(test('admin', 'eq', false)), [ana, bia, caio])
    await remove(bia)
    assert.deepEqual(await find(test('admin', 'eq', false)), [ana, caio])
    const other = await insert(pool, 'bia')
    assert.deepEqual(await find(test('nome', 'eq', 'bia')), [other])
  })

  it('is a change of each field one can ask for', async () => {
    const changes: [Sql, Filter][] = [
      [sql`nome = 'Zoé'`, test('nome', 'like', 'zoe')],
      [sql`email = 'zoe@outra.org'`, test('email', 'like', 'ZOÉ@')],
      [sql`cpf = '52998224725'`, test('cpf', 'eq', '529.982.247-25')],
      [sql`estado = 'PE'`, test('estado', 'like', 'pe')],
      [sql`cidade = 'Olinda'`, test('cidade', 'eq', 'Olinda')],
      [sql`instituicao = 'Fiocruz'`, test('instituicao', 'like', 'cruz')],
      [sql`cargo = 'Médica'`, test('cargo', 'like', 'medi')],
      [sql`departamento = 'Imunização'`, test('departamento', 'gt', 'I')],
      [sql`admin = true, nome = 'Outra'`, test('nome', 'eq', 'Outra')],
      [sql`plano = 'premium'`, test('plano', 'eq', 'premium')],
      [sql`email_verificado = true`, test('email_verificado', 'eq', true)],
      [sql`mfa_ativado_em = now()`, test('mfa_habilitado', 'eq', true)],
      [sql`desativado_em = now()`, test('ativo', 'eq', false)],
      [sql`criado_em = '2030-01-02'`, test('criado_em', 'gt', '2030-01-01T00:00:00Z')],
      [sql`atualizado_em = '2030-01-02'`, test('atualizado_em', 'gt', '2030-01-01T00:00:00Z')],
      [sql`ultimo_acesso = '2030-01-02'`, test('ultimo_acesso', 'gt', '2030-01-01T00:00:00Z')],
    ]
    for (const [change, filter] of changes) {
      assert.deepEqual(await find(filter), [], change.text)
      await pool.run(sql`update usuarios set ${change} where id = ${ana}`)
      assert.deepEqual(await find(filter), [ana], change.text)
    }
  })

  it('is a group that was given, or taken', async () => {
    const row = await pool.first<{ id: number }>(
      sql`insert into grupos (nome, criado_em, atualizado_em) values ('plantão', now(), now()) returning id`,
    )
    const { id } = row as { id: number }
    const inGrupo = test('grupo_id', 'eq', id)
    await pool.run(
      sql`insert into usuarios_grupos (usuario_id, grupo_id) values (${ana}, ${id}), (${bia}, ${id})`,
    )
    assert.deepEqual(await find(inGrupo), [ana, bia])
    await pool.run(sql`delete from usuarios_grupos where usuario_id = ${ana}`)
    assert.deepEqual(await find(inGrupo), [bia])
  })

  it('is what is committed: not what is under way, though others began later and are done', async () => {
    const began = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const early = pool.transaction(async (tx) => {
      await insert(tx, 'cedo')
      began.resolve()
      await end.promise
    })
    await began.promise
    await insert(pool, 'tarde')
    const named = (nome: string) => find(test('nome', 'eq', nome))
    assert.equal((await named('tarde'))?.length, 1)
    assert.equal((await named('cedo'))?.length, 0)
    end.resolve()
    await early
    assert.equal((await named('cedo'))?.length, 1)
    assert.equal((await named('tarde'))?.length, 1)
    assert.deepEqual(await find(ALL), await idsInDatabase())
  })

  it('is nothing of what was rolled back', async () => {
    const failing = pool.transaction(async (tx) => {
      await insert(tx, 'nunca')
      throw new Error('not this')
    })
    await assert.rejects(failing, /not this/)
    assert.deepEqual(await find(test('nome', 'eq', 'nunca')), [])
  })

  it('is each own change, for many who change and ask at once', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `pessoa${i}`)
    await Promise.all(
      names.map(async (nome) => {
        const id = await insert(pool, nome)
        assert.deepEqual(await find(test('nome', 'eq', nome)), [id])
      }),
    )
    assert.deepEqual(await find(ALL), await idsInDatabase())
  })

  it('is every account of several drawers, in the order of their ids, wherever one is changed or removed', async () => {
    await insertMany(1, 1_500)
    assert.deepEqual(await find(ALL), await idsInDatabase())
    await insertMany(1_501, 2_400)
    await pool.run(sql`delete from usuarios where not admin and id % 7 = 0`)
    await pool.run(sql`update usuarios set nome = 'outros' where not admin and id % 5 = 0`)
    assert.deepEqual(await find(ALL), await idsInDatabase())
    const outros = await find(test('nome', 'eq', 'outros'))
    assert.ok(outros !== null && outros.length > 300)
    assert.deepEqual(await find(test('nome', 'like', 'UTRO')), outros)
    await pool.run(sql`
      update usuarios set ultimo_acesso = now() - (id * 7919 % 1201) * interval '1 minute' where id % 11 > 0`)
    const inDatabase = { db: pool, fichario: createFichario(pool, { most: 0 }) }
    // The last of these pages is too far away to be found in memory; its total is told from there.
    for (const page of [1, 3, 60])
      for (const order of ['asc', 'desc'] as const) {
        const list: ListQuery = { page, size: 20, sort: 'ultimo_acesso', order, filter: ALL }
        const expected = await pageOfUsuarios(inDatabase, list)
        assert.equal(expected.items.length, 20)
        assert.deepEqual(await pageOfUsuarios({ db: pool, fichario }, list), expected)
      }
    // A whole drawer goes, and an id comes back between others.
    const [from, to] = [outros[100] as number, outros[350] as number]
    await pool.run(sql`delete from usuarios where id between ${from} and ${to}`)
    assert.deepEqual(await find(ALL), await idsInDatabase())
    await pool.run(sql`
      insert into usuarios (id, nome, email, senha_hash, criado_em, atualizado_em) overriding system value
      values (${from + 3}, 'volta', 'volta@exemplo.org', 'x', now(), now())`)
    assert.deepEqual(await find(test('nome', 'eq', 'volta')), [from + 3])
    assert.deepEqual(await find(ALL), await idsInDatabase())
    assert.deepEqual(await idsIn(createFichario(pool), ALL), await idsInDatabase())
  })
})

describe('more than is read at once', () => {
  it('is read in several pieces, and more changes than that all the same', async () => {
    const fichario = createFichario(pool, { block: 20 })
    await insertMany(10_001, 10_050)
    assert.deepEqual(await idsIn(fichario, ALL), await idsInDatabase())
    // One fewer than are read at once, as many, one more.
    for (const [from, to] of [
      [10_051, 10_069],
      [10_070, 10_089],
      [10_090, 10_110],
    ] as const) {
      await insertMany(from, to)
      assert.deepEqual(await idsIn(fichario, ALL), await idsInDatabase())
    }
    await pool.run(sql`delete from usuarios where nome = 'muitos'`)
    assert.deepEqual(await idsIn(fichario, ALL), await idsInDatabase())
  })
})

describe('a fichario that cannot go on', () => {
  const forgetNotes = () => pool.run(sql`truncate usuarios_mudados`)

  /** The notes of a change are lost, as on another server; only reading everything tells of it. */
  async function findsLost(disguise: { of: Partial<Vista> }, becomes: Partial<Vista>): Promise<boolean> {
    const fichario = createFichario(disguised(() => disguise.of))
    await idsIn(fichario, ALL)
    const id = await insert(pool, `perdida${Math.random()}`)
    await forgetNotes()
    disguise.of = becomes
    return (await idsIn(fichario, ALL))?.includes(id) === true
  }

  it('goes on where it was on the same server', async () => {
    assert.equal(await findsLost({ of: {} }, {}), false)
  })

  it('reads everything anew on another server, or on one that began anew', async () => {
    assert.equal(await findsLost({ of: { servidor: 'a' } }, { servidor: 'b' }), true)
  })

  it('reads everything anew when it has not looked for more than an hour, or the clock went back', async () => {
    const at = Date.UTC(2026, 0, 1) * 1_000
    const HOUR = 3_600e6
    assert.equal(await findsLost({ of: { momento: at } }, { momento: at + HOUR - 1e6 }), false)
    assert.equal(await findsLost({ of: { momento: at } }, { momento: at + HOUR + 1e6 }), true)
    assert.equal(await findsLost({ of: { momento: at } }, { momento: at - 1e6 }), true)
  })

  it('begins again after a failure', async () => {
    let fails = true
    const db: Database = {
      ...pool,
      rows: async (query) => {
        if (fails) throw new Error('away')
        return pool.rows(query)
      },
      together: async (work, item) => (await work(db, [item]))[0] as never,
    }
    const fichario = createFichario(db)
    await assert.rejects(fichario.find(ALL, 'name', EVERYBODY), /away/)
    fails = false
    assert.deepEqual(await idsIn(fichario, ALL), await idsInDatabase())
    fails = true
    await assert.rejects(fichario.find(ALL, 'name', EVERYBODY), /away/)
    fails = false
    await insert(pool, `depois${Math.random()}`)
    assert.deepEqual(await idsIn(fichario, ALL), await idsInDatabase())
  })
})

describe('where the database must be asked', () => {
  const list = { page: 1, size: 100, sort: 'id', order: 'asc' as const }

  it('keeps no more accounts than it may, at first and later', async () => {
    const now = (await idsInDatabase()).length
    const none = createFichario(pool, { most: now - 1 })
    assert.equal(await idsIn(none, ALL), null)
    const full = createFichario(pool, { most: now })
    assert.equal((await idsIn(full, ALL))?.length, now)
    await insert(pool, 'alem')
    assert.equal(await idsIn(full, ALL), null)
    const { total } = await pageOfUsuarios({ db: pool, fichario: full }, { ...list, filter: ALL })
    assert.equal(total, now + 1)
  })

  it('leaves the order of texts to one that has its own', async () => {
    const fichario = createFichario(disguised(() => ({ ordem_por_codigo: false })))
    const later = test('nome', 'gt', 'a')
    assert.equal(await idsIn(fichario, { kind: 'or', of: [later] }), null)
    assert.notEqual(await idsIn(fichario, test('nome', 'eq', 'a')), null)
    assert.notEqual(await idsIn(fichario, test('criado_em', 'gt', '2020-01-01T00:00:00Z')), null)
    const there = await pageOfUsuarios({ db: pool, fichario }, { ...list, filter: later })
    const here = await pageOfUsuarios(
      { db: pool, fichario: createFichario(pool) },
      { ...list, filter: later },
    )
    assert.deepEqual(there, here)
  })
})
