import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testApp } from '../../harness/app.ts'

const t = await testApp()
after(() => t.close())

/** Spec 1.2 and 2.2, in the order of their ids. */
const PERMISSOES = [
  'usuarios.listar',
  'usuarios.criar',
  'usuarios.editar',
  'usuarios.deletar',
  'usuarios.gerenciar_grupos',
  'usuarios.gerenciar_permissoes',
  'usuarios.exportar',
  'grupos.listar',
  'grupos.criar',
  'grupos.editar',
  'grupos.deletar',
  'agravos.listar',
  'agravos.criar',
  'agravos.editar',
  'agravos.deletar',
  'agravos.importar',
  'agravos.estatisticas',
  'agravos.panorama',
  'agravos.exportar',
  'agravos.extrair',
  'agravos.duplicidades',
  'agravos.identificar',
  'relatorios.gerar',
  'relatorios.exportar',
  'noticias.listar',
  'noticias.criar',
  'noticias.editar',
  'noticias.deletar',
  'dashboard.visualizar',
  'webhooks.gerenciar',
  'auditoria.ver',
  'admin',
  'chaves.gerenciar',
  'series.listar',
  'series.importar',
  'series.definir',
  'agravos.definir',
  'epizootias.listar',
  'epizootias.registrar',
  'epizootias.deletar',
]

describe('GET /permissoes/', () => {
  it('answers a bare array of all permissions to anyone who is logged in', async () => {
    const { status, body } = await t.as(await t.person()).get('/permissoes/')
    assert.equal(status, 200)
    assert.ok(Array.isArray(body))
    assert.deepEqual(
      body.map(({ nome }) => nome),
      PERMISSOES,
    )
    for (const item of body) {
      assert.deepEqual(Object.keys(item), ['id', 'nome', 'descricao'])
      assert.ok(Number.isInteger(item.id))
      assert.ok(item.descricao.length > 0)
    }
  })

  it('refuses a request without a token', async () => {
    const { status, body } = await t.anonymous.get('/permissoes/')
    assert.equal(status, 401)
    assert.equal(body.error.code, 'UNAUTHORIZED')
  })
})
