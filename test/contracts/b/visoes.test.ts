import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
const { pool } = t.database
after(() => t.close())
const ana = await t.person({ grupos: ['analista'] })
const bia = await t.person({ grupos: ['analista'] })
const caio = await t.person({ grupos: ['visualizador'] })
const grupo = await pool.value<number>(sql`select id from grupos where nome = 'analista'`)
const outro = await pool.value<number>(sql`select id from grupos where nome = 'gestor'`)

const VISAO = { nome: 'Óbitos', tela: 'casos', consulta: 'agravo=dengue&evolucao=obito&colunas=numero,uf' }
const save = (who: Person, more: object = {}) => t.as(who).post('/visoes', { ...VISAO, ...more })
const names = async (who: Person) =>
  (await t.as(who).get('/visoes')).body.visoes.map((one: { nome: string }) => one.nome)
const stored = () => pool.rows(sql`select * from visoes order by id`)

beforeEach(() => pool.run(sql`delete from visoes`))

describe('POST /visoes', () => {
  it('keeps the filter of a screen under a name', async () => {
    const { status, body } = await save(ana)
    assert.equal(status, 201)
    const { id, criado_em, ...rest } = body
    assert.ok(id > 0 && Date.parse(criado_em) > 0)
    assert.deepEqual(rest, {
      ...VISAO,
      grupo: null,
      usuario: { id: ana.id, nome: 'Pessoa 1' },
      propria: true,
    })
    const list = await t.as(ana).get('/visoes')
    assert.deepEqual(list.body, { total: 1, maximo: 50, visoes: [body] })
    assert.deepEqual(await names(bia), [])
  })

  it('shares with a group of the account, whose members read it and no more', async () => {
    const { body } = await save(ana, { grupo_id: grupo })
    assert.deepEqual(body.grupo, { id: grupo, nome: 'analista' })
    const [seen] = (await t.as(bia).get('/visoes')).body.visoes
    assert.deepEqual([seen.nome, seen.propria, seen.usuario.id], ['Óbitos', false, ana.id])
    assert.deepEqual(await names(caio), [])
    assert.equal((await t.as(bia).delete(`/visoes/${body.id}`)).status, 404)
    await pool.run(sql`delete from usuarios_grupos where usuario_id = ${bia.id}`)
    assert.deepEqual(await names(bia), [])
    await pool.run(sql`insert into usuarios_grupos (usuario_id, grupo_id) values (${bia.id}, ${grupo})`)
  })

  it('refuses wrong, missing and long values, a name twice and a foreign group, and stores nothing', async () => {
    await save(ana)
    const before = await stored()
    for (const [more, field, code] of [
      [{ nome: undefined }, 'nome', 'REQUIRED'],
      [{ nome: ' ' }, 'nome', 'INVALID_FORMAT'],
      [{ nome: 'x'.repeat(81) }, 'nome', 'TOO_LONG'],
      [{ nome: 7 }, 'nome', 'INVALID_TYPE'],
      [{ tela: 'sistema' }, 'tela', 'INVALID_VALUE'],
      [{ consulta: 'x'.repeat(2001) }, 'consulta', 'TOO_LONG'],
      [{ consulta: null }, 'consulta', 'INVALID_TYPE'],
      [{}, 'nome', 'DUPLICATE'],
      [{ nome: 'Outra', grupo_id: outro }, 'grupo_id', 'UNKNOWN'],
      [{ nome: 'Outra', grupo_id: 2_000_000_000 }, 'grupo_id', 'UNKNOWN'],
      [{ nome: 'Outra', grupo_id: 'x' }, 'grupo_id', 'INVALID_TYPE'],
    ] as const) {
      const answer = await save(ana, more)
      assert.equal(answer.status, 422, JSON.stringify(more).slice(0, 60))
      assert.deepEqual(problems(answer.body.error.details), [`${field} ${code}`])
    }
    assert.deepEqual(await stored(), before)
    assert.equal((await save(bia)).status, 201, 'the same name of another account')
  })

  it('takes fifty of an account, also among simultaneous requests', async () => {
    await pool.run(sql`
      insert into visoes (usuario_id, tela, nome, consulta, criado_em)
      select ${ana.id}, 'casos', 'v' || n, '', now() from generate_series(1, 48) n`)
    const answers = await Promise.all([1, 2, 3, 4].map((n) => save(ana, { nome: `nova ${n}` })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 422, 422])
    assert.deepEqual(
      answers.filter(({ status }) => status === 422).flatMap(({ body }) => problems(body.error.details)),
      ['visoes TOO_MANY', 'visoes TOO_MANY'],
    )
  })
})

describe('DELETE /visoes/{id}', () => {
  it('takes it from everybody', async () => {
    const { body } = await save(ana, { grupo_id: grupo })
    assert.equal((await t.as(ana).delete(`/visoes/${body.id}`)).status, 204)
    assert.deepEqual(await names(bia), [])
    assert.deepEqual(await stored(), [])
  })

  it('finds only the own', async () => {
    for (const id of ['0', 'um', '2147483648'])
      assert.equal((await t.as(ana).delete(`/visoes/${id}`)).status, 422)
    assert.equal((await t.as(ana).delete('/visoes/2000000000')).status, 404)
  })
})
