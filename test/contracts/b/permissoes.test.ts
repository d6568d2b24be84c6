import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const pessoa = await t.person()

type Item = { id: number; nome: string; descricao: string | null; categoria: string }

describe('GET /permissoes', () => {
  it('answers every permission under the module before its dot', async () => {
    const { status, body } = await t.as(pessoa).get('/permissoes')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['total', 'categorias'])
    const sizes = Object.entries<Item[]>(body.categorias).map(([categoria, items]) => [
      categoria,
      items.length,
    ])
    assert.deepEqual(Object.fromEntries(sizes), {
      usuarios: 7,
      grupos: 4,
      agravos: 12,
      relatorios: 2,
      noticias: 4,
      dashboard: 1,
      webhooks: 1,
      auditoria: 1,
      chaves: 1,
      geral: 1,
      series: 3,
      epizootias: 3,
    })
    assert.equal(body.total, 40)
    for (const [categoria, items] of Object.entries<Item[]>(body.categorias))
      for (const item of items) {
        assert.deepEqual(Object.keys(item), ['id', 'nome', 'descricao', 'categoria'])
        assert.equal(item.categoria, categoria)
        assert.ok(categoria === 'geral' ? item.nome === 'admin' : item.nome.startsWith(`${categoria}.`))
      }
  })

  it('holds the same records as the array of the other description', async () => {
    const { body: array } = await t.as(pessoa).get('/permissoes/')
    const { body } = await t.as(pessoa).get('/permissoes')
    const flat = Object.values<Item[]>(body.categorias).flat()
    assert.deepEqual(
      flat.map(({ id, nome, descricao }) => ({ id, nome, descricao })).sort((a, b) => a.id - b.id),
      array,
    )
  })

  it('shows a permission without description, of a module of its own, in both', async () => {
    await t.database.pool.run(sql`insert into permissoes (nome) values ('constructor.__proto__')`)
    const { body } = await t.as(pessoa).get('/permissoes')
    const { id, ...item } = body.categorias.constructor[0]
    assert.deepEqual(item, { nome: 'constructor.__proto__', descricao: null, categoria: 'constructor' })
    const { body: array } = await t.as(pessoa).get('/permissoes/')
    assert.deepEqual(array.at(-1), { id, nome: 'constructor.__proto__', descricao: null })
  })

  it('refuses a request without a token', async () => {
    const { status, body } = await t.anonymous.get('/permissoes')
    assert.equal(status, 401)
    assert.equal(body.error.code, 'UNAUTHORIZED')
  })
})
