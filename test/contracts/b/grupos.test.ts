import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

const admin = await t.administrador()

describe('GET /grupos', () => {
  it('lists the default groups with their permissions', async () => {
    const { status, body } = await t.as(admin).get('/grupos?sort=nome')
    assert.equal(status, 200)
    assert.deepEqual(
      body.grupos.map((g: { nome: string }) => g.nome),
      ['admin', 'analista', 'gestor', 'usuario', 'visualizador'],
    )
  })
})
