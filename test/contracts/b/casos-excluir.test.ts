import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { tally } from '../refusals.ts'
import { casosApp, minimo, UNKNOWN_ID } from './casos-app.ts'

const app = await casosApp()
const { t, admin, gestor, leitor, path, create, newCaso, read, change, exclude } = app
const { missing, denied, invalid, refused, registros } = app
after(() => t.close())

const remove = (id: number, query: Record<string, string>, who = gestor) =>
  t.as(who).delete(path(id, `?${new URLSearchParams(query)}`))
const restore = (id: number, who = gestor) => t.as(who).post(path(id, '/restaurar'))
const excluidos = async (query = '') => {
  const { status, body, text } = await t.as(gestor).get(`/agravos/casos/excluidos?${query}`)
  assert.equal(status, 200, text)
  return body
}
const kept = (id: number) =>
  t.database.pool.first<{ casos: number; historico: number }>(sql`
    select (select count(*) from casos where id = ${id}) as casos,
           (select count(*) from casos_historico where caso_id = ${id}) as historico`)

describe('DELETE /agravos/casos/{id}', () => {
  it('takes the case out of every list and count, keeps it, and records who did it', async () => {
    const id = await newCaso()
    const { status, text } = await remove(id, { motivo: 'Digitado em duplicidade' })
    assert.equal(status, 204)
    assert.equal(text, '')
    await missing(() => t.as(gestor).get(path(id)))
    assert.equal((await t.as(gestor).get(`/agravos/casos?id=${id}`)).body.total, 0)
    assert.deepEqual(await kept(id), { casos: 1, historico: 1 })
    const [entry] = await registros(id)
    assert.deepEqual([entry?.acao, entry?.ator_id], ['caso.excluido', gestor.id])
  })

  for (const [what, query] of [
    ['no reason', {}],
    ['an empty reason', { motivo: '' }],
    ['a blank reason', { motivo: ' \t\n\u00a0' }],
  ] as [string, Record<string, string>][])
    it(`refuses ${what} with 400 MISSING_REASON, soft or for good`, async () => {
      const id = await newCaso()
      await refused(() => remove(id, query), 400, 'MISSING_REASON')
      await refused(() => remove(id, { ...query, force: 'true' }, admin), 400, 'MISSING_REASON')
      assert.equal((await read(id)).versao, 1)
    })

  for (const [what, motivo, expected] of [
    ['a reason of 501 characters', 'x'.repeat(501), 'motivo TOO_LONG'],
    ['a reason with NUL', 'a\0b', 'motivo INVALID_FORMAT'],
  ] as const)
    it(`refuses ${what}`, async () => {
      const id = await newCaso()
      assert.deepEqual(await invalid(() => remove(id, { motivo })), [expected])
    })

  it('refuses two reasons, and a force that is no flag', async () => {
    const id = await newCaso()
    assert.deepEqual(await invalid(() => t.as(gestor).delete(path(id, '?motivo=a&motivo=b'))), [
      'motivo INVALID_TYPE',
    ])
    assert.deepEqual(await invalid(() => remove(id, { motivo: 'x', force: 'talvez' })), [
      'force INVALID_TYPE',
    ])
  })

  it('takes 500 characters of reason, also of those that take two places', async () => {
    for (const motivo of ['x'.repeat(500), '😀'.repeat(500), ` ${'x'.repeat(500)} `])
      assert.equal((await remove(await newCaso(), { motivo })).status, 204)
  })

  it('answers 404 for an unknown case and for one already excluded', async () => {
    const id = await newCaso()
    await exclude(id)
    for (const gone of [UNKNOWN_ID, id]) await missing(() => remove(gone, { motivo: 'x' }))
    await missing(() => remove(UNKNOWN_ID, { motivo: 'x', force: 'true' }, admin))
  })

  it('frees the key for another case', async () => {
    const one = minimo()
    await exclude(await newCaso(one))
    await newCaso(one)
  })

  it('of ten simultaneous ones deletes once', async () => {
    const id = await newCaso()
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(id, { motivo: 'x' })))
    assert.deepEqual(tally(answers), { 204: 1, 404: 9 })
    assert.deepEqual(await kept(id), { casos: 1, historico: 1 })
  })
})

describe('DELETE /agravos/casos/{id}?force=true', () => {
  it('is for administrators alone', async () => {
    const id = await newCaso()
    assert.equal(await denied(() => remove(id, { motivo: 'x', force: 'true' })), 'admin')
    assert.equal(await denied(() => remove(id, { force: 'true' })), 'admin')
    assert.equal((await read(id)).versao, 1)
  })

  it('removes the case with its history, whether it was excluded before or not; the audit remembers', async () => {
    for (const before of [false, true]) {
      const id = await newCaso()
      await change(id, { evolucao: 'cura' })
      if (before) await exclude(id)
      await exclude(id, { motivo: 'Ordem judicial', force: 'true' })
      assert.deepEqual(await kept(id), { casos: 0, historico: 0 })
      const registro = (await registros(id)).at(-1)
      assert.equal(registro?.acao, 'caso.removido')
      assert.ok(!JSON.stringify(registro?.detalhes).includes('judicial'), 'the reason is sealed')
      const [read] = (await t.as(admin).get(`/auditoria?recurso=caso&recurso_id=${id}&acao=caso.removido`))
        .body.items
      assert.deepEqual(read.detalhes, { motivo: 'Ordem judicial', casos: [id] })
      await missing(() => restore(id))
    }
  })
})

describe('GET /agravos/casos/excluidos', () => {
  it('lists what was excluded, the newest first, with initials and who did it', async () => {
    const sent = minimo()
    const first = await newCaso(sent)
    const second = await newCaso()
    await exclude(first)
    t.clock.advance(1000)
    await exclude(second)
    const { items, total, page, size } = await excluidos()
    assert.equal(page, 1)
    assert.equal(size, 50)
    assert.ok(total >= 2)
    assert.deepEqual(
      items.slice(0, 2).map(({ id }: { id: number }) => id),
      [second, first],
    )
    const { excluido_em, ...item } = items[1]
    assert.ok(Math.abs(Date.parse(excluido_em) - t.clock.now().getTime()) < 60_000)
    assert.deepEqual(item, {
      id: first,
      versao: 2,
      tipo_agravo: 'dengue',
      numero_notificacao: sent.numero_notificacao,
      data_notificacao: '2024-03-12T00:00:00-03:00',
      paciente: { nome: 'M. S. S.' },
      excluido_por: { id: admin.id, nome: items[1].excluido_por.nome },
    })
  })

  it('counts exactly, pages, filters and sorts', async () => {
    const ids = []
    for (let i = 0; i < 3; i++) ids.push(await newCaso({ tipo_agravo: 'chikungunya' }))
    for (const id of ids) await exclude(id)
    const query = 'tipo_agravo=chikungunya&sort=id&order=asc'
    const only = (body: { items: { id: number }[] }) => body.items.map(({ id }) => id)
    assert.deepEqual(only(await excluidos(query)), ids)
    const paged = await excluidos(`${query}&size=2&page=2`)
    assert.deepEqual([paged.total, paged.pages, only(paged)], [3, 2, ids.slice(2)])
    assert.deepEqual(await invalid(() => t.as(gestor).get('/agravos/casos/excluidos?paciente_nome[eq]=x')), [
      'paciente_nome[eq] UNKNOWN_FIELD',
    ])
  })

  it('does not list what lives, what was restored, or what was removed for good', async () => {
    const [living, restored, removed] = [await newCaso(), await newCaso(), await newCaso()]
    for (const id of [restored, removed]) await exclude(id)
    await restore(restored)
    await exclude(removed, { motivo: 'x', force: 'true' })
    for (const id of [living, restored, removed]) assert.equal((await excluidos(`id=${id}`)).total, 0)
  })
})

describe('POST /agravos/casos/{id}/restaurar', () => {
  it('brings the case back as it was, with both events in its history', async () => {
    const id = await newCaso({ evolucao: 'cura', logradouro_residencia: 'Rua da Aurora' })
    const before = await app.identify(id)
    await exclude(id)
    const { status, body, headers } = await restore(id)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['id', 'message', 'status', 'atualizado_em'])
    assert.equal(body.status, 'em_investigacao')
    assert.equal(headers.etag, '"3"')
    const { historico, versao, atualizado_em, ...caso } = await app.identify(id)
    const { historico: _h, versao: _v, atualizado_em: _a, ...then } = before
    assert.deepEqual(caso, then)
    assert.equal(versao, 3)
    assert.equal(atualizado_em, body.atualizado_em)
    assert.deepEqual(
      historico.map(({ acao }: { acao: string }) => acao),
      ['restaurado', 'excluido', 'criado'],
    )
    assert.equal((await registros(id)).filter(({ acao }) => acao === 'caso.restaurado').length, 1)
  })

  it('needs agravos.deletar', async () => {
    const id = await newCaso()
    await exclude(id)
    for (const who of [leitor, await t.person({ grupos: ['analista'] })])
      assert.equal(await denied(() => restore(id, who)), 'agravos.deletar')
  })

  it('is refused while another case has its key, on the key’s field', async () => {
    const one = minimo()
    const id = await newCaso(one)
    await exclude(id)
    const other = await newCaso(one)
    assert.deepEqual(await invalid(() => restore(id)), ['numero_notificacao DUPLICATE'])
    await exclude(other)
    assert.equal((await restore(id)).status, 200)
    assert.deepEqual(await invalid(() => create(one)), ['numero_notificacao DUPLICATE'])
  })

  it('answers 404 for a case that is not excluded, or not there', async () => {
    const id = await newCaso()
    for (const which of [id, UNKNOWN_ID]) await missing(() => restore(which))
  })

  it('of simultaneous ones restores once, and leaves one of two cases with one key', async () => {
    const one = minimo()
    const first = await newCaso(one)
    await exclude(first)
    const second = await newCaso(one)
    await exclude(second)
    const answers = await Promise.all([restore(first), restore(second)])
    assert.deepEqual(tally(answers), { 200: 1, 422: 1 })
    const third = await newCaso()
    await exclude(third)
    assert.deepEqual(tally(await Promise.all(Array.from({ length: 5 }, () => restore(third)))), {
      200: 1,
      404: 4,
    })
  })
})
