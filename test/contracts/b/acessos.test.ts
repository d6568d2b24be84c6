import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { bind } from '../../harness/bound.ts'
import { duplicidadesApp, RITA } from './duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, caso } = app
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
})

const MOTIVO = 'Visita domiciliar a Rita Lobato'
const editor = await t.person({ permissoes: ['agravos.listar', 'agravos.editar'] })
const auditor = await t.person({ permissoes: ['auditoria.ver'] })
const reader = await t.person({ permissoes: ['agravos.listar'] })

const identify = (id: number, query = '', by = gestor) =>
  t.as(by).get(`/agravos/casos/${id}?identificado=true${query}`)
const withReason = (id: number) => identify(id, `&motivo=${encodeURIComponent(MOTIVO)}`)

describe('GET /agravos/casos/{id}?identificado=true&motivo=', () => {
  it('records the reason with the reading, sealed, for readers of the audit who may identify patients', async () => {
    const id = await caso()
    const { status, body } = await withReason(id)
    assert.deepEqual([status, body.paciente.nome], [200, RITA.paciente_nome])
    const query = `/auditoria?acao=caso.identificado&recurso_id=${id}`
    const admin = await t.administrador()
    assert.equal((await t.as(admin).get(query)).body.items[0].detalhes.motivo, MOTIVO)
    assert.equal((await t.as(auditor).get(query)).body.items[0].detalhes.motivo, null)
    const stored = await pool.value<string>(
      sql`select string_agg(a::text, '') from auditoria a where recurso_id = ${String(id)}`,
    )
    assert.doesNotMatch(stored, /visita|lobato/i)
  })

  it('is optional, and is refused without the identification or where it says nothing or too much', async () => {
    const id = await caso()
    assert.equal((await identify(id)).status, 200)
    for (const query of [
      'motivo=visita',
      'identificado=false&motivo=visita',
      'identificado=true&motivo=',
      'identificado=true&motivo=%20',
      `identificado=true&motivo=${'a'.repeat(301)}`,
    ]) {
      const { status, body } = await t.as(gestor).get(`/agravos/casos/${id}?${query}`)
      assert.deepEqual([status, body.error.details[0].field], [422, 'motivo'], query)
    }
    const { total } = (await t.as(auditor).get(`/auditoria?acao=caso.identificado&recurso_id=${id}`)).body
    assert.equal(total, 1)
  })
})

describe('GET /agravos/casos/{id}/acessos', () => {
  it('tells who read the identity when and why, newest first, to those who edit cases or read the audit', async () => {
    const id = await caso()
    await caso()
    await identify(id)
    t.clock.advance(1_000)
    await withReason(id)
    await t.as(gestor).get(`/agravos/casos/${id}`)
    const nome = await pool.value<string>(sql`select nome from usuarios where id = ${gestor.id}`)
    const usuario = { id: gestor.id, nome }
    const expected = (motivo: string | null) => [
      { acao: 'caso.identificado', usuario, motivo },
      { acao: 'caso.identificado', usuario, motivo: null },
    ]
    for (const [by, motivo] of [
      [gestor, MOTIVO],
      [editor, null],
      [auditor, null],
    ] as const) {
      const { status, body } = await t.as(by).get(`/agravos/casos/${id}/acessos`)
      assert.equal(status, 200)
      const told = body.items.map(({ id: _, data: __, ...rest }: { id: number; data: string }) => rest)
      assert.deepEqual(told, expected(motivo))
      assert.ok(body.items[0].data > body.items[1].data)
    }
  })

  it('names a search and a report that showed the case', async () => {
    const id = await caso()
    await t.as(gestor).get(`/agravos/pessoas/relatorio?casos=${id}&motivo=Pedido`)
    const { body } = await t.as(gestor).get(`/agravos/casos/${id}/acessos?sort=data&order=asc`)
    assert.deepEqual(
      body.items.map(({ acao, motivo }: { acao: string; motivo: string }) => [acao, motivo]),
      [
        ['pessoa.relatorio', 'Pedido'],
        ['caso.identificado', null],
        ['caso.identificado', null],
      ],
    )
  })

  it('is paged', async () => {
    const id = await caso()
    for (let i = 0; i < 3; i++) await identify(id)
    const { body } = await t.as(auditor).get(`/agravos/casos/${id}/acessos?size=2&page=2`)
    assert.deepEqual([body.total, body.pages, body.items.length], [3, 2, 1])
  })

  it('is 403 without either right, and 404 for a case that is not there, excluded or outside the territory', async () => {
    const id = await caso()
    assert.equal((await t.as(reader).get(`/agravos/casos/${id}/acessos`)).status, 403)
    const outside = await bind(t, await t.person({ permissoes: ['auditoria.ver'] }), 'municipio:1200401')
    assert.equal((await t.as(outside).get(`/agravos/casos/${id}/acessos`)).status, 404)
    assert.equal((await t.as(auditor).get('/agravos/casos/999999/acessos')).status, 404)
    await t.as(gestor).delete(`/agravos/casos/${id}?motivo=engano`)
    assert.equal((await t.as(auditor).get(`/agravos/casos/${id}/acessos`)).status, 404)
  })
})
