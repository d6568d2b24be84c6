import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { testApp } from '../../harness/app.ts'
import { problems, refusalsOf, tally } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const { pool } = t.database

const DAY = 86_400_000
const criador = () => t.person({ permissoes: ['agravos.criar'] })
const ana = await criador()
const path = (id: string) => `/rascunhos/${id}`
const FORM = {
  conteudo: { tipo_agravo: 'dengue', paciente_nome: 'Maria da Silva', dados: [1, null, { a: '😀' }] },
}

const stored = () => pool.rows(sql`select * from rascunhos order by usuario_id, id`)
const { refused, invalid, missing, denied } = refusalsOf(stored)

async function saved(who = ana, form: object = FORM): Promise<string> {
  const id = randomUUID()
  const { status, text } = await t.as(who).put(path(id), form)
  assert.equal(status, 200, text)
  return id
}

describe('A draft', () => {
  it('is saved under an id of the client and read again by its account', async () => {
    const id = randomUUID()
    const { status, body } = await t.as(ana).put(path(id), { ...FORM, caso_id: 7 })
    assert.equal(status, 200)
    const { criado_em, atualizado_em, expira_em, ...rest } = body
    assert.deepEqual(rest, {
      ...{ id, formulario: 'caso', caso_id: 7, epizootia_id: null },
      tamanho: Buffer.byteLength(JSON.stringify(FORM.conteudo)),
    })
    assert.equal(criado_em, atualizado_em)
    assert.equal(Date.parse(expira_em) - Date.parse(atualizado_em), 30 * DAY)
    assert.deepEqual((await t.as(ana).get(path(id))).body, { ...body, ...FORM })
  })

  it('is replaced as a whole, and lives 30 days from then', async () => {
    const id = await saved(ana, { ...FORM, caso_id: 7 })
    const first = (await t.as(ana).get(path(id))).body
    t.clock.advance(60_000)
    const { body } = await t.as(ana).put(path(id), { conteudo: { outro: true } })
    assert.equal(body.caso_id, null)
    assert.equal(body.criado_em, first.criado_em)
    assert.equal(Date.parse(body.expira_em) - Date.parse(body.atualizado_em), 30 * DAY)
    assert.ok(Date.parse(body.expira_em) - Date.parse(first.expira_em) >= 60_000)
    assert.deepEqual((await t.as(ana).get(path(id))).body.conteudo, { outro: true })
  })

  it('has one id, in whichever case it is written', async () => {
    const id = await saved()
    assert.equal((await t.as(ana).get(path(id.toUpperCase()))).body.id, id)
    assert.equal((await t.as(ana).put(path(id.toUpperCase()), { conteudo: { x: 1 } })).body.id, id)
    assert.deepEqual((await t.as(ana).get(path(id))).body.conteudo, { x: 1 })
  })

  it('is listed without its content, the latest first', async () => {
    const bia = await criador()
    const [first, second] = [await saved(bia), await saved(bia)]
    t.clock.advance(1000)
    await t.as(bia).put(path(first), FORM)
    const { body, text } = await t.as(bia).get('/rascunhos')
    assert.deepEqual(
      body.rascunhos.map(({ id }: { id: string }) => id),
      [first, second],
    )
    assert.deepEqual([body.total, body.maximo], [2, 50])
    assert.doesNotMatch(text, /conteudo|Maria/)
  })

  it('does not exist for other accounts, administrators among them, who may use the same id', async () => {
    const id = await saved()
    for (const other of [await criador(), await t.administrador()]) {
      await missing(() => t.as(other).get(path(id)))
      await missing(() => t.as(other).delete(path(id)))
      assert.equal((await t.as(other).put(path(id), { conteudo: { de: other.id } })).status, 200)
      assert.deepEqual((await t.as(other).get(path(id))).body.conteudo, { de: other.id })
      const { body } = await t.as(other).get('/rascunhos')
      assert.equal(body.total, 1)
    }
    assert.deepEqual((await t.as(ana).get(path(id))).body.conteudo, FORM.conteudo)
  })

  it('is deleted once', async () => {
    const id = await saved()
    assert.equal((await t.as(ana).delete(path(id))).status, 204)
    await missing(() => t.as(ana).get(path(id)))
    await missing(() => t.as(ana).delete(path(id)))
  })

  it('needs the right to register or to change cases', async () => {
    const editor = await t.person({ permissoes: ['agravos.editar'] })
    assert.deepEqual((await t.as(editor).get(path(await saved(editor)))).body.conteudo, FORM.conteudo)
    const leitor = await t.person({ grupos: ['visualizador'] })
    const id = randomUUID()
    for (const act of [
      () => t.as(leitor).put(path(id), FORM),
      () => t.as(leitor).get(path(id)),
      () => t.as(leitor).delete(path(id)),
      () => t.as(leitor).get('/rascunhos'),
    ])
      assert.equal(await denied(act), 'agravos.criar')
  })

  it('of an event in animals needs the right to register one, and is of no other form', async () => {
    const form = { conteudo: { numero: 'E1' }, formulario: 'epizootia', epizootia_id: 9 }
    const vigia = await t.person({ permissoes: ['epizootias.registrar'] })
    const id = await saved(vigia, form)
    const { body } = await t.as(vigia).get(path(id))
    assert.deepEqual(
      [body.formulario, body.caso_id, body.epizootia_id, body.conteudo],
      ['epizootia', null, 9, form.conteudo],
    )
    assert.equal(await denied(() => t.as(vigia).put(path(randomUUID()), FORM)), 'agravos.criar')
    assert.equal(await denied(() => t.as(ana).put(path(randomUUID()), form)), 'epizootias.registrar')
    for (const [wrong, expected] of [
      [{ ...form, caso_id: 7 }, 'caso_id INCONSISTENT'],
      [{ ...form, formulario: 'caso' }, 'epizootia_id INCONSISTENT'],
      [{ ...form, formulario: 'outro' }, 'formulario INVALID_VALUE'],
    ] as const)
      assert.deepEqual(await invalid(() => t.as(vigia).put(path(randomUUID()), wrong)), [expected])
  })

  it('of a form that its account may send no more is not there', async () => {
    const both = await t.person({ permissoes: ['agravos.criar', 'epizootias.registrar'] })
    const id = await saved(both)
    await saved(both, { conteudo: {}, formulario: 'epizootia' })
    assert.equal((await t.as(both).get('/rascunhos')).body.total, 2)
    await pool.run(sql`
      delete from usuarios_permissoes where usuario_id = ${both.id}
        and permissao_id = (select id from permissoes where nome = 'agravos.criar')`)
    const { body } = await t.as(both).get('/rascunhos')
    assert.deepEqual(
      body.rascunhos.map(({ formulario }: { formulario: string }) => formulario),
      ['epizootia'],
    )
    await missing(() => t.as(both).get(path(id)))
    await missing(() => t.as(both).delete(path(id)))
  })

  it('is stored encrypted, bound to its account and id, and named in no log', async () => {
    const [id, other] = [await saved(), await saved(ana, { conteudo: { outro: 1 } })]
    const raw = await pool.value<Buffer>(sql`select conteudo from rascunhos where id = ${id}`)
    assert.ok(!raw.includes('Maria'))
    await pool.run(sql`
      update rascunhos set conteudo = (select conteudo from rascunhos where id = ${id}) where id = ${other}`)
    assert.equal((await t.as(ana).get(path(other))).status, 500)
    assert.ok(!t.logs.join('').includes('Maria'))
  })

  it('goes with its account', async () => {
    const caio = await criador()
    const id = await saved(caio)
    await pool.run(sql`delete from usuarios where id = ${caio.id}`)
    assert.equal(await pool.value(sql`select count(*) from rascunhos where id = ${id}`), 0)
  })
})

describe('Refusals of drafts', () => {
  for (const [what, body, expected] of [
    ['nothing', {}, ['conteudo REQUIRED']],
    ['a text as content', { conteudo: 'x' }, ['conteudo INVALID_TYPE']],
    ['a list as content', { conteudo: [] }, ['conteudo INVALID_TYPE']],
    ['content that is null', { conteudo: null }, ['conteudo INVALID_TYPE']],
    ['a case that is no number', { ...FORM, caso_id: 'x' }, ['caso_id INVALID_TYPE']],
    ['case 0', { ...FORM, caso_id: 0 }, ['caso_id TOO_SMALL']],
    ['a list', [], [' INVALID_TYPE']],
  ] as const)
    it(`refuses ${what}`, async () => {
      assert.deepEqual(await invalid(() => t.as(ana).put(path(randomUUID()), body)), expected)
    })

  for (const id of [
    '1',
    'x',
    `urn:uuid:${randomUUID()}`,
    randomUUID().replaceAll('-', ''),
    `${randomUUID()}0`,
  ])
    it(`refuses the id ${id.replaceAll(/[\da-f]{4,}/g, '…')}`, async () => {
      for (const act of [
        () => t.as(ana).put(path(id), FORM),
        () => t.as(ana).get(path(id)),
        () => t.as(ana).delete(path(id)),
      ]) {
        const { details } = await refused(act, 422, 'VALIDATION_ERROR')
        assert.deepEqual(problems(details), ['uuid INVALID_FORMAT'])
      }
    })

  it('refuses more than 64 KiB, and takes as much', async () => {
    const empty = JSON.stringify({ conteudo: { x: '' } }).length
    const form = (bytes: number) => ({ conteudo: { x: 'x'.repeat(bytes - empty) } })
    await refused(() => t.as(ana).put(path(randomUUID()), form(64 * 1024 + 1)), 413, 'PAYLOAD_TOO_LARGE')
    const id = await saved(ana, form(64 * 1024))
    assert.equal((await t.as(ana).get(path(id))).body.conteudo.x.length, 64 * 1024 - empty)
  })

  it('refuses the 51st of an account, also among simultaneous ones; those that exist can be saved', async () => {
    const bia = await criador()
    const ids = Array.from({ length: 55 }, () => randomUUID())
    const answers = await Promise.all(ids.map((id) => t.as(bia).put(path(id), FORM)))
    assert.deepEqual(tally(answers), { 200: 50, 409: 5 })
    const made = ids.filter((_, i) => answers[i]?.status === 200)
    assert.equal((await t.as(bia).put(path(made[0] as string), { conteudo: {} })).status, 200)
    const error = await refused(() => t.as(bia).put(path(randomUUID()), FORM), 409, 'CONFLICT')
    assert.match(error.message, /50 rascunhos/)
    await saved(await criador())
    await t.as(bia).delete(path(made[0] as string))
    await saved(bia)
  })
})

describe('The end of a draft', () => {
  it('comes 30 days after it was saved: then it is not there, and the next cleanup deletes it', async () => {
    const bia = await criador()
    const [old, young] = [await saved(bia), await saved(bia)]
    const savedAgo = (id: string, ms: number) =>
      pool.run(sql`
        update rascunhos set atualizado_em = ${new Date(t.clock.now().getTime() - ms)} where id = ${id}`)
    await savedAgo(old, 30 * DAY)
    await savedAgo(young, 30 * DAY - 3_600_000)
    await missing(() => t.as(bia).get(path(old)))
    await missing(() => t.as(bia).delete(path(old)))
    const { body } = await t.as(bia).get('/rascunhos')
    assert.deepEqual(
      body.rascunhos.map(({ id }: { id: string }) => id),
      [young],
    )
    const kept = () =>
      pool.rows<{ id: string }>(sql`select id from rascunhos where usuario_id = ${bia.id} order by id`)
    assert.equal((await kept()).length, 2)
    await cleanUp(t.app)
    assert.deepEqual(await kept(), [{ id: young }])
  })

  it('leaves room for another, cleaned up or not', async () => {
    const bia = await criador()
    const ids = await Promise.all(Array.from({ length: 50 }, () => saved(bia)))
    assert.equal((await t.as(bia).put(path(randomUUID()), FORM)).status, 409)
    await pool.run(sql`
      update rascunhos set atualizado_em = ${new Date(t.clock.now().getTime() - 31 * DAY)} where id = ${ids[0] as string}`)
    await saved(bia)
  })
})
