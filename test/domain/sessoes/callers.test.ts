import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Db, Notices } from '../../../src/db/db.ts'
import { createPool } from '../../../src/db/pool.ts'
import { type Sql, sql } from '../../../src/db/sql.ts'
import { createCallers } from '../../../src/domain/sessoes/callers.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
const db = t.database.pool
const elsewhere = createPool({ connection: t.database.connection, max: 1 })
after(async () => {
  await elsewhere.end()
  await t.close()
})

/** No account of these tests has a territory. */
const EVERYWHERE = { of: () => null, required: false }

/** A pool that tells how often it was asked. */
function counted(pool: Db & Notices) {
  const asked = { times: 0 }
  const first: Db['first'] = (query) => {
    asked.times++
    return pool.first(query)
  }
  return { asked, callers: createCallers({ ...pool, first }, EVERYWHERE) }
}

async function newSessao(permissoes = ['grupos.listar']) {
  const { id } = await t.person({ permissoes })
  const row = await db.first<{ id: string }>(sql`select id from sessoes where usuario_id = ${id}`)
  return { id: row?.id as string, usuario_id: id }
}

const grupoOf = async (usuarioId: number) => {
  const grupo = await db.first<{ id: number }>(
    sql`insert into grupos (nome) values (${`g${usuarioId}`}) returning id`,
  )
  await db.run(sql`insert into usuarios_grupos values (${usuarioId}, ${grupo?.id})`)
  await db.run(
    sql`insert into grupos_permissoes select ${grupo?.id}, id from permissoes where nome = 'agravos.listar'`,
  )
  return grupo?.id
}

/** How each part of what an account may do can end, and how one sees that it did. */
const CHANGES: [string, (usuarioId: number, grupoId: unknown) => Sql, RegExp][] = [
  [
    'the end of the session',
    (id) => sql`update sessoes set encerrada_em = now() where usuario_id = ${id}`,
    /^null$/,
  ],
  ['the removal of the session', (id) => sql`delete from sessoes where usuario_id = ${id}`, /^null$/],
  ['deactivation', (id) => sql`update usuarios set desativado_em = now() where id = ${id}`, /^null$/],
  ['the removal of the account', (id) => sql`delete from usuarios where id = ${id}`, /^null$/],
  ['the admin flag', (id) => sql`update usuarios set admin = true where id = ${id}`, /"holdsAll":true/],
  [
    'another plan',
    (id) => sql`update usuarios set plano = 'enterprise' where id = ${id}`,
    /"plano":"enterprise"/,
  ],
  [
    'a password to be changed',
    (id) => sql`update usuarios set trocar_senha = true where id = ${id}`,
    /"mustChangePassword":true/,
  ],
  ['another name', (id) => sql`update usuarios set nome = 'Outro' where id = ${id}`, /"nome":"Outro"/],
  [
    'a permission taken away',
    (id) => sql`delete from usuarios_permissoes where usuario_id = ${id}`,
    /"permissoes":\["agravos.listar"\]/,
  ],
  [
    'a permission given',
    (id) =>
      sql`insert into usuarios_permissoes select ${id}, id from permissoes where nome = 'usuarios.listar'`,
    /usuarios.listar/,
  ],
  [
    'another territory',
    (id) => sql`insert into usuarios_territorios values (${id}, 'uf', 'PE')`,
    /"territorio":\{"lugares":\["uf:PE"\]/,
  ],
  [
    'leaving a group',
    (id) => sql`delete from usuarios_grupos where usuario_id = ${id}`,
    /"permissoes":\["grupos.listar"\]/,
  ],
  [
    'the end of a group',
    (_, grupo) => sql`update grupos set ativo = false where id = ${grupo}`,
    /"permissoes":\["grupos.listar"\]/,
  ],
  [
    'a group that may less',
    (_, grupo) => sql`delete from grupos_permissoes where grupo_id = ${grupo}`,
    /"permissoes":\["grupos.listar"\]/,
  ],
]

describe('who calls', () => {
  it('is read once for all that come within a second', async () => {
    const { asked, callers } = counted(db)
    const sessao = await newSessao()
    const now = t.clock.now()
    await Promise.all(Array.from({ length: 20 }, () => callers.find(sessao, now)))
    await callers.find(sessao, new Date(now.getTime() + 999))
    assert.equal(asked.times, 1)
    await callers.find(sessao, new Date(now.getTime() + 1_000))
    assert.equal(asked.times, 2)
  })

  it('is not the owner of another session with the same number', async () => {
    const sessao = await newSessao()
    await t.app.callers.find(sessao, t.clock.now())
    assert.equal(await t.app.callers.find({ ...sessao, usuario_id: 1 }, t.clock.now()), null)
  })

  it('is asked for again after an unknown session or a failed question', async () => {
    const { id, usuario_id } = await newSessao()
    let isAway = true
    const flaky: Db['first'] = async (query) => {
      if (isAway) throw new Error('away')
      return db.first(query)
    }
    const callers = createCallers({ ...db, first: flaky }, EVERYWHERE)
    await assert.rejects(callers.find({ id, usuario_id }, t.clock.now()), /away/)
    isAway = false
    assert.equal((await callers.find({ id, usuario_id }, t.clock.now()))?.id, usuario_id)
  })

  for (const [what, change, expected] of CHANGES) {
    it(`is known anew after ${what}, from the next request on`, async () => {
      const sessao = await newSessao()
      const grupo = await grupoOf(sessao.usuario_id)
      assert.doesNotMatch(await told(sessao), expected)
      await db.run(change(sessao.usuario_id, grupo))
      assert.match(await told(sessao), expected)
    })

    it(`is known anew after ${what} by another process, as soon as the word comes`, async () => {
      const sessao = await newSessao()
      const grupo = await grupoOf(sessao.usuario_id)
      assert.doesNotMatch(await told(sessao), expected)
      await elsewhere.run(change(sessao.usuario_id, grupo))
      // The clock stands still: nothing is forgotten for its age.
      for (let tries = 0; tries < 500 && !expected.test(await told(sessao)); tries++) await sleep(10)
      assert.match(await told(sessao), expected)
    })
  }

  it('is not remembered as it was before a change that came while it was read', async () => {
    const sessao = await newSessao()
    let change = async () => {}
    const slow: Db['first'] = async (query) => {
      const row = await db.first(query)
      await change()
      return row as never
    }
    const callers = createCallers({ ...db, first: slow }, EVERYWHERE)
    change = async () => {
      change = async () => {}
      await db.run(sql`update sessoes set encerrada_em = now() where id = ${sessao.id}`)
    }
    await callers.find(sessao, t.clock.now())
    assert.equal(await callers.find(sessao, t.clock.now()), null)
  })

  it('stays known when others change', async () => {
    const { asked, callers } = counted(db)
    const [one, other] = [await newSessao(), await newSessao()]
    await callers.find(one, t.clock.now())
    await db.run(sql`update usuarios set admin = true where id = ${other.usuario_id}`)
    await callers.find(one, t.clock.now())
    assert.equal(asked.times, 1)
  })
})

async function told(sessao: { id: string; usuario_id: number }): Promise<string> {
  const known = await t.app.callers.find(sessao, t.clock.now())
  return JSON.stringify(known && { ...known, permissoes: [...known.permissoes].sort() })
}
