import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Sql } from '../../src/db/sql.ts'
import { sql } from '../../src/db/sql.ts'
import { createAuditoria } from '../../src/domain/auditoria/auditoria.ts'
import { recordRecusas } from '../../src/domain/auditoria/recusas.ts'
import { createKeyedHash } from '../../src/domain/cipher.ts'
import { type Answer, MASTER_KEY, PASSWORD, type Person, testApp } from '../harness/app.ts'

const t = await testApp({ realLogins: true })
after(() => t.close())

const { pool } = t.database
/** Without the moment of the last record. */
async function verify() {
  const found = await t.app.auditoria.verify(pool)
  return found.ok ? { ok: found.ok, total: found.total } : found
}
const admin = await t.administrador()
const ana = await t.person({ grupos: ['usuario'] })
const grupo: number = (await t.as(admin).post('/grupos', { nome: 'da_auditoria' })).body.id

const total = async () =>
  (await pool.first<{ n: number }>(sql`select count(*) as n from auditoria`))?.n as number
const logIn = (email: string, senha = PASSWORD) => t.anonymous.post('/auth/login', { email, senha })

describe('the chain', () => {
  it('is whole, and each row is sealed over the one before', async () => {
    await logIn('ninguem@teste.local')
    const result = await verify()
    assert.deepEqual(result, { ok: true, total: await total() })
    const { hashes } = (await pool.first<{ hashes: number }>(sql`
      select count(distinct hash) as hashes from auditoria`)) as { hashes: number }
    assert.equal(hashes, await total())
  })

  it('has no gap and no fork after fifty logins and ten changes at once', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => t.person()))
    const first = await total()
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, (_, i) => logIn((people[i % 5] as Person).email)),
      ...Array.from({ length: 10 }, (_, i) => t.as(admin).post('/grupos', { nome: `ao_mesmo_tempo_${i}` })),
    ])
    assert.ok(answers.every(({ status }) => status === 200 || status === 201))
    assert.deepEqual(await verify(), { ok: true, total: first + 60 })
    const rows = await pool.rows<{ id: number }>(sql`select id from auditoria order by id`)
    assert.deepEqual(
      rows.map(({ id }) => id),
      Array.from({ length: first + 60 }, (_, i) => i + 1),
    )
  })

  it('is whole over more rows than are read at once, with details of every shape', async () => {
    const before = await total()
    const detalhes = { z: 1, a: { y: [3, { c: 'ç', b: null }], x: 'não' }, n: 1.5, vazio: {}, u: undefined }
    await pool.transaction(async (tx) => {
      for (let i = 0; i < 1050; i++)
        await t.app.auditoria.record(tx, { acao: 'teste', ator: null, origin: null, detalhes })
    })
    assert.deepEqual(await verify(), { ok: true, total: before + 1050 })
  })

  it('does not verify under another DATA_KEY, nor can be continued under it', async () => {
    const stranger = createAuditoria(createKeyedHash(randomBytes(32), 'auditoria'), t.clock)
    assert.deepEqual(await stranger.verify(pool), { ok: false, id: 1, problem: 'changed' })
    const last = await total()
    const undone = new Error('undone')
    await assert.rejects(
      pool.transaction(async (tx) => {
        await stranger.record(tx, { acao: 'forjada', ator: null, origin: null })
        assert.deepEqual(await t.app.auditoria.verify(tx), { ok: false, id: last + 1, problem: 'changed' })
        throw undone
      }),
      undone,
    )
    assert.deepEqual(await verify(), { ok: true, total: last })
  })
})

describe('the table refuses', () => {
  for (const [what, statement] of [
    ['a change', sql`update auditoria set acao = 'outra' where id = 1`],
    ['a change of nothing', sql`update auditoria set acao = acao where false`],
    ['a removal', sql`delete from auditoria where id = 1`],
    ['being emptied', sql`truncate auditoria`],
  ] as [string, Sql][])
    it(what, async () => {
      const rows = await total()
      await assert.rejects(pool.run(statement), /a auditoria só aceita inclusões/)
      assert.deepEqual(await verify(), { ok: true, total: rows })
    })
})

describe('somebody who gets around the table is found out, with the first record that is not as it was:', () => {
  let last = 0
  before(async () => {
    last = await total()
    await pool.run(sql`alter table auditoria disable trigger all`)
    await pool.run(sql`create table copia as select * from auditoria`)
  })
  after(async () => {
    await pool.run(sql`drop table copia`)
    await pool.run(sql`alter table auditoria enable trigger all`)
  })

  const changed = (id: number) => ({ ok: false, id, problem: 'changed' })
  const missing = (id: number) => ({ ok: false, id, problem: 'missing' })
  const CASES: [string, Sql | (() => Sql), object | (() => object)][] = [
    ...(
      [
        ['data', sql`update auditoria set data = data + interval '1 ms' where id = 4`],
        ['ator_id', sql`update auditoria set ator_id = 77 where id = 4`],
        ['ator_id to nobody', sql`update auditoria set ator_id = null where id = 3`],
        ['ator_nome', sql`update auditoria set ator_nome = 'Outra' where id = 4`],
        ['acao', sql`update auditoria set acao = 'login.sucessO' where id = 4`],
        ['recurso', sql`update auditoria set recurso = 'grupo' where id = 4`],
        ['recurso_id', sql`update auditoria set recurso_id = '5' where id = 4`],
        ['detalhes', sql`update auditoria set detalhes = '{"x": 1}' where id = 4`],
        ['endereco_ip', sql`update auditoria set endereco_ip = '10.0.0.1' where id = 4`],
        ['endereco_ip to none', sql`update auditoria set endereco_ip = null where id = 4`],
        ['request_id', sql`update auditoria set request_id = 'outro' where id = 4`],
        ['hash', sql`update auditoria set hash = sha256('x') where id = 4`],
      ] as [string, Sql][]
    ).map(([field, statement]): [string, Sql, object] => [
      `a changed ${field}`,
      statement,
      changed(field === 'ator_id to nobody' ? 3 : 4),
    ]),
    [
      'a changed row with the hash of another',
      sql`
      update auditoria set acao = 'x', hash = (select hash from auditoria where id = 9) where id = 8`,
      changed(8),
    ],
    ['a row removed in the middle', sql`delete from auditoria where id = 7`, missing(7)],
    ['the first row removed', sql`delete from auditoria where id = 1`, missing(1)],
    [
      'a row removed and the gap closed',
      sql`
      with gone as (delete from auditoria where id = 1050)
      update auditoria set id = -id where id > 1050`,
      () => ({ ok: false, id: -last, problem: 'added' }),
    ],
    ['the last row removed', () => sql`delete from auditoria where id = ${last}`, () => missing(last)],
    [
      'the last ten rows removed',
      () => sql`delete from auditoria where id > ${last - 10}`,
      () => missing(last - 9),
    ],
    ['every row removed', sql`delete from auditoria`, missing(1)],
    [
      'a row added at the end',
      () => sql`
      insert into auditoria (id, data, acao, hash) values (${last + 1}, now(), 'login.sucesso', sha256('x'))`,
      () => changed(last + 1),
    ],
    [
      'a row added far beyond the end',
      () => sql`
      insert into auditoria (id, data, acao, hash) values (${last + 9}, now(), 'x', sha256('x'))`,
      () => missing(last + 1),
    ],
    [
      'a row added before the first',
      sql`
      insert into auditoria (id, data, acao, hash) values (0, now(), 'x', sha256('x'))`,
      { ok: false, id: 0, problem: 'added' },
    ],
    [
      'a copy of a row in the place of another',
      sql`
      update auditoria a set (data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id, hash) =
        (select data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id, hash
           from copia c where c.id = 5) where a.id = 6`,
      changed(6),
    ],
    [
      'two rows swapped',
      sql`
      update auditoria a set (data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id, hash) =
        (select data, ator_id, ator_nome, acao, recurso, recurso_id, detalhes, endereco_ip, request_id, hash
           from copia c where c.id = 11 - a.id) where a.id in (5, 6)`,
      changed(5),
    ],
    [
      'the last row of the second thousand changed',
      sql`update auditoria set acao = 'x' where id = 1060`,
      changed(1060),
    ],
    ['the note of the end removed', sql`delete from auditoria_fim`, () => missing(last + 1)],
  ]
  for (const [what, statement, expected] of CASES)
    it(what, async () => {
      const fim = await pool.first<{ ultimo_id: number; ultimo_hash: Buffer }>(
        sql`select * from auditoria_fim`,
      )
      await pool.run(typeof statement === 'function' ? statement() : statement)
      const found = await verify()
      await pool.run(sql`delete from auditoria`)
      await pool.run(sql`insert into auditoria select * from copia`)
      await pool.run(sql`delete from auditoria_fim`)
      await pool.run(sql`
        insert into auditoria_fim (ultimo_id, ultimo_hash) values (${fim?.ultimo_id}, ${fim?.ultimo_hash})`)
      assert.deepEqual(found, typeof expected === 'function' ? expected() : expected)
      assert.deepEqual(await verify(), { ok: true, total: last }, 'put back as it was')
    })
})

describe('refusals that need no account', () => {
  const MINUTE = 60_000
  /** To the beginning of the next minute, which is long enough for what a test does in it. */
  const nextMinute = () => t.clock.advance(MINUTE - (t.clock.now().getTime() % MINUTE))
  const minuteOver = () => {
    nextMinute()
    t.clock.advance(6_000)
  }
  const post = (url: string, payload: object, remoteAddress: string) =>
    t.server.inject({ method: 'POST', url: `/api/v1${url}`, payload, remoteAddress })
  const usuario = { nome: 'X', email: 'x@teste.local', senha: PASSWORD, master_key: 'errada' }
  const signUp = async (from: string, times = 1) => {
    for (let i = 0; i < times; i++)
      assert.equal((await post('/usuarios/signup', { usuario }, from)).statusCode, 403)
  }
  interface Recorded {
    acao: string
    endereco_ip: string
    total: number
    minuto: string
  }
  const recordedAfter = (id: number) =>
    pool.rows<Recorded>(sql`
      select acao, endereco_ip, (detalhes ->> 'total')::int as total, detalhes ->> 'minuto' as minuto
        from auditoria where id > ${id} order by endereco_ip, id`)

  it('are one record for each source and minute, with their number, once the minute is over', async () => {
    nextMinute()
    const [last, minuto] = [
      await total(),
      new Date(t.clock.now().getTime() - (t.clock.now().getTime() % MINUTE)),
    ]
    await signUp('198.51.100.1', 40)
    await signUp('198.51.100.2')
    for (const from of ['2001:db8::1', '2001:db8::2']) await signUp(from, 2)
    await recordRecusas(t.app)
    assert.equal(await total(), last, 'none before')
    minuteOver()
    await signUp('198.51.100.1')
    await recordRecusas(t.app)
    const row = (endereco_ip: string, total: number) => ({
      acao: 'cadastro.recusado',
      endereco_ip,
      total,
      minuto: minuto.toISOString(),
    })
    assert.deepEqual(await recordedAfter(last), [
      row('198.51.100.1', 40),
      row('198.51.100.2', 1),
      row('2001:db8::1', 4),
    ])
    minuteOver()
    await recordRecusas(t.app)
    assert.equal(await total(), last + 4, 'the next minute has its own')
    await recordRecusas(t.app)
    assert.equal(await total(), last + 4)
    assert.equal((await verify()).ok, true)
  })

  it('are counted for logins against a lock, too, whatever account they are for', async () => {
    nextMinute()
    for (let i = 0; i < 5; i++) await post('/auth/login', { email: ana.email, senha: 'x' }, '198.51.100.3')
    const last = await total()
    for (let i = 0; i < 30; i++)
      assert.equal(
        (await post('/auth/login', { email: ana.email, senha: PASSWORD }, '198.51.100.3')).statusCode,
        423,
      )
    assert.equal(await total(), last)
    minuteOver()
    await recordRecusas(t.app)
    const rows = await recordedAfter(last)
    assert.deepEqual(
      rows.map(({ acao, endereco_ip, total }) => [acao, endereco_ip, total]),
      [['login.recusado', '198.51.100.3', 30]],
    )
  })

  it('are recorded once by instances that look at the same time, and kept when they cannot be', async () => {
    nextMinute()
    for (let i = 0; i < 150; i++) await signUp(`203.0.113.${i}`)
    minuteOver()
    const last = await total()
    await pool.run(sql`
      create trigger recusa before insert on auditoria for each statement execute function recusar_alteracao()`)
    await assert.rejects(recordRecusas(t.app))
    await pool.run(sql`drop trigger recusa on auditoria`)
    await Promise.all(Array.from({ length: 4 }, () => recordRecusas(t.app)))
    const rows = await recordedAfter(last)
    assert.deepEqual([rows.length, new Set(rows.map((row) => row.endereco_ip)).size], [150, 150])
    assert.equal((await verify()).ok, true)
  })
})

describe('a change and its record are one:', () => {
  const signupBody = (email: string) => ({
    usuario: { nome: 'Nova', email, senha: PASSWORD, master_key: MASTER_KEY },
  })
  const stored = () =>
    pool.first(sql`
    select (select count(*) from auditoria) as registros, (select count(*) from sessoes) as sessoes,
           (select count(*) from sessoes where encerrada_em is null) as vivas, (select count(*) from usuarios) as usuarios,
           (select json_agg(g order by id) from grupos g) as grupos, (select json_agg(f) from falhas_de_login f) as falhas,
           (select json_agg(senha_hash order by id) from usuarios) as senhas, (select count(*) from emails_pendentes) as emails,
           (select count(*) from usuarios_grupos) as membros, (select count(*) from grupos_permissoes) as dadas,
           (select ultimo_id from auditoria_fim) as fim`)
  const senhas = (senha_atual: string, senha_nova: string) => ({
    senha_atual,
    senha_nova,
    confirmar_senha: senha_nova,
  })

  const CHANGES: Record<string, () => Promise<Answer>> = {
    'a login': () => logIn(ana.email),
    'a failed login': () => logIn(ana.email, 'Errada#123'),
    'a failed login of nobody': () => logIn('ninguem2@teste.local'),
    'a sign-up': () => t.anonymous.post('/usuarios/signup', signupBody('nova@teste.local')),
    'a new group': () => t.as(admin).post('/grupos', { nome: 'sem_registro' }),
    'a changed group': () => t.as(admin).put(`/grupos/${grupo}`, { descricao: 'outra' }),
    'a permission given to a group': () => t.as(admin).post(`/grupos/${grupo}/permissoes/1`),
    'a new member': () => t.as(admin).post(`/grupos/${grupo}/usuarios/${ana.id}`),
    'a removed group': () => t.as(admin).delete(`/grupos/${grupo}`),
    'a changed password': () => t.as(ana).post('/auth/change-password', senhas(PASSWORD, 'Outra#Senha9')),
    'a password set': () =>
      t.as(admin).post(`/usuarios/${ana.id}/alterar-senha`, { nova_senha: 'Outra#Senha9' }),
    'ended sessions': () => t.as(admin).delete(`/usuarios/${ana.id}/sessoes`),
    'an unlocked account': () => t.as(admin).post(`/usuarios/${ana.id}/desbloquear`),
    'a logout': () => t.as(ana).post('/auth/logout'),
    'a logout everywhere': () => t.as(ana).post('/auth/logout', { everywhere: true }),
  }

  for (const [what, act] of Object.entries(CHANGES))
    it(`${what} that cannot be recorded does not happen`, async () => {
      const untouched = await stored()
      await pool.run(sql`
        create trigger recusa before insert on auditoria for each statement execute function recusar_alteracao()`)
      const { status } = await act()
      await pool.run(sql`drop trigger recusa on auditoria`)
      assert.equal(status, 500)
      assert.deepEqual(await stored(), untouched)
    })

  for (const [what, status, act] of [
    [
      'a sign-up with an address that is taken',
      422,
      () => t.anonymous.post('/usuarios/signup', signupBody(ana.email)),
    ],
    ['a group whose name is taken', 422, () => t.as(admin).post('/grupos', { nome: 'gestor' })],
    ['a default group removed', 422, () => t.as(admin).delete('/grupos/1')],
    ['a group that does not exist', 404, () => t.as(admin).put('/grupos/999999', { descricao: 'x' })],
    ['a group by someone who may not', 403, () => t.as(ana).post('/grupos', { nome: 'proibido' })],
    [
      'a session that is not there',
      404,
      () => t.as(ana).delete('/auth/sessions/00000000-0000-4000-8000-000000000000'),
    ],
    [
      'a logout with a token of nobody',
      401,
      () => t.as(ana).post('/auth/logout', { refresh_token: 'x'.repeat(43) }),
    ],
    ['a weak new password', 400, () => t.as(ana).post('/auth/change-password', senhas(PASSWORD, 'fraca'))],
    [
      'a reset with a token of nobody',
      400,
      () =>
        t.anonymous.post('/auth/reset-password', {
          token: 'x'.repeat(43),
          senha_nova: 'Outra#Senha9',
          confirmar_senha: 'Outra#Senha9',
        }),
    ],
    [
      'a verification with a token of nobody',
      400,
      () => t.anonymous.post('/auth/verificar-email', { token: 'x'.repeat(43) }),
    ],
    [
      'a refresh with a token of nobody',
      401,
      () => t.anonymous.post('/auth/refresh', { refresh_token: 'x'.repeat(43) }),
    ],
    [
      'a password set for nobody',
      404,
      () => t.as(admin).post('/usuarios/999999/alterar-senha', { nova_senha: 'Outra#Senha9' }),
    ],
    ['an invitation of nobody', 404, () => t.as(admin).post('/usuarios/999999/convite')],
    ['a second factor ended that is not there', 409, () => t.as(admin).delete(`/usuarios/${ana.id}/mfa`)],
    ['an account unlocked that is not there', 404, () => t.as(admin).post('/usuarios/999999/desbloquear')],
    ['a member who is one already', 200, () => t.as(admin).post(`/grupos/4/usuarios/${ana.id}`)],
    ['a reading', 200, () => t.as(admin).get('/grupos')],
  ] as [string, number, () => Promise<Answer>][])
    it(`${what} leaves no record and changes nothing`, async () => {
      const untouched = await stored()
      const answer = await act()
      assert.equal(answer.status, status, answer.text)
      assert.deepEqual(await stored(), untouched)
    })

  it('and after all this the chain is whole', async () => {
    assert.equal((await verify()).ok, true)
  })
})
