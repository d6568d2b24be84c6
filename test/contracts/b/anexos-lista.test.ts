import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { testApp } from '../../harness/app.ts'
import { tally } from '../refusals.ts'
import { anexosOf, EXAME, field, file, PDF, type Stored, whileAuditFails } from './anexos-app.ts'

const t = await testApp()
after(() => t.close())

const cases = anexosOf(t)
const { caso, stored } = cases
const analista = await t.person({ grupos: ['analista'] })
const colega = await t.person({ grupos: ['analista'] })
const leitor = await t.person({ grupos: ['visualizador'] })
const gestor = await t.person({ grupos: ['gestor'] })
const admin = await t.administrador()
const identificador = await t.person({ permissoes: ['agravos.identificar'] })

const counted = ({ arquivos, partes, anexos }: Stored) => ({ arquivos, partes, anexos })

describe('GET /agravos/casos/{id}/anexos', () => {
  it('answers the common envelope, with descriptions only in an identified read', async () => {
    const id = await caso(analista)
    const { id: anexo, url } = await cases.attach(analista, id, EXAME, field('descricao', ' NS1 '), file())
    const { status, body } = await t.as(leitor).get(`/agravos/casos/${id}/anexos`)
    assert.equal(status, 200)
    const { items, links, meta, ...counts } = body
    assert.deepEqual(counts, { total: 1, page: 1, size: 50, pages: 1 })
    assert.deepEqual(Object.keys(links), ['first', 'prev', 'next', 'last'])
    assert.ok(meta.timestamp)
    const { uploaded_at, ...item } = items[0]
    const { nome } = (await t.as(analista).get('/usuarios/me')).body
    assert.deepEqual(item, {
      id: anexo,
      nome: `exame-${anexo}.pdf`,
      tipo: 'exame',
      formato: 'application/pdf',
      tamanho: PDF.length,
      descricao: null,
      enviado_por: { id: analista.id, nome },
      url,
    })
    const identified = await t.as(gestor).get(`/agravos/casos/${id}/anexos?identificado=true`)
    assert.deepEqual(identified.body.items, [{ ...item, uploaded_at, descricao: 'NS1' }])
  })

  it('filters, sorts and pages; the counts agree', async () => {
    const id = await caso(analista)
    const sent: number[] = []
    for (const [i, tipo] of ['exame', 'outro', 'exame', 'notificacao'].entries()) {
      t.clock.advance(1000)
      const content = Buffer.concat([PDF, Buffer.alloc((i * 7) % 5)])
      sent.push((await cases.attach(analista, id, field('tipo', tipo), file(content))).id)
    }
    const ask = async (query: string) => {
      const { status, body, text } = await t.as(leitor).get(`/agravos/casos/${id}/anexos?${query}`)
      assert.equal(status, 200, text)
      return {
        total: body.total,
        order: body.items.map((one: { id: number }) => sent.indexOf(one.id)),
      }
    }
    assert.deepEqual(await ask(''), { total: 4, order: [0, 1, 2, 3] })
    assert.deepEqual(await ask('tipo=exame'), { total: 2, order: [0, 2] })
    assert.deepEqual(await ask('tipo[in]=outro,notificacao&sort=id&order=desc'), { total: 2, order: [3, 1] })
    assert.deepEqual(await ask(`tamanho[gt]=${PDF.length + 1}&sort=tamanho`), { total: 2, order: [1, 2] })
    assert.deepEqual(await ask('sort=uploaded_at&order=desc'), { total: 4, order: [3, 2, 1, 0] })
    assert.deepEqual(await ask('size=3&page=2'), { total: 4, order: [3] })
    assert.deepEqual(await ask('size=3&page=9'), { total: 4, order: [] })
    for (const query of ['tipo=raio-x', 'sort=descricao', 'sort=nome', 'descricao[like]=x', 'size=0'])
      assert.equal((await t.as(leitor).get(`/agravos/casos/${id}/anexos?${query}`)).status, 422, query)
  })

  it('is in the detail of the case when asked for', async () => {
    const id = await caso(analista)
    await cases.attach(analista, id, EXAME, field('descricao', 'de Maria'), file())
    const { items } = (await t.as(leitor).get(`/agravos/casos/${id}/anexos`)).body
    const detail = await t.as(leitor).get(`/agravos/casos/${id}?include=anexos`)
    assert.deepEqual(detail.body.anexos, items)
    assert.equal((await t.as(leitor).get(`/agravos/casos/${id}`)).body.anexos, undefined)
    const identified = await t.as(gestor).get(`/agravos/casos/${id}?include=anexos&identificado=true`)
    assert.equal(identified.body.anexos[0].descricao, 'de Maria')
  })

  it('answers 404 for a case that is unknown or excluded, 403 without agravos.listar', async () => {
    const id = await caso(analista)
    await cases.attach(analista, id)
    assert.equal((await t.as(gestor).delete(`/agravos/casos/${id}?motivo=x`)).status, 204)
    for (const unknown of [id, 999_999]) {
      const { status, body } = await t.as(leitor).get(`/agravos/casos/${unknown}/anexos`)
      assert.equal(status, 404)
      assert.equal(body.error.code, 'NOT_FOUND')
    }
    const { status, body } = await t.as(identificador).get(`/agravos/casos/${id}/anexos`)
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'agravos.listar')
  })
})

describe('GET /agravos/casos/{id}/anexos/{anexo_id}', () => {
  it('answers the bytes with headers that let nobody run, guess or keep them', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id, EXAME, file(PDF, 'Maria da Silva.pdf'))
    const { status, headers, bytes } = await cases.download(gestor, id, anexo)
    assert.equal(status, 200)
    assert.ok(bytes.equals(PDF))
    assert.equal(headers['content-type'], 'application/pdf')
    assert.equal(headers['content-length'], String(PDF.length))
    assert.equal(headers['content-disposition'], `attachment; filename="exame-${anexo}.pdf"`)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['content-security-policy'], "default-src 'none'; sandbox")
    assert.equal(headers['cache-control'], 'no-store')
  })

  it('is for the one who sent it and for whoever may identify patients; each download is in the audit', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id)
    const readers = [analista, identificador, gestor, admin]
    for (const reader of readers) assert.equal((await cases.download(reader, id, anexo)).status, 200)
    assert.deepEqual(
      await cases.audit('caso.anexo_baixado', id),
      readers.map((reader) => ({ ator_id: reader.id, detalhes: { anexo_id: anexo } })),
    )
  })

  it('answers 403 to everybody else, 401 without a token; the audit stays as it was', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id)
    for (const other of [colega, leitor, await t.person()]) {
      const { status, body, text } = await t.as(other).get(`/agravos/casos/${id}/anexos/${anexo}`)
      assert.equal(status, 403)
      assert.equal(body.error.code, 'PERMISSION_DENIED')
      assert.equal(body.error.required_permission, 'agravos.identificar')
      assert.ok(!text.includes('%PDF'))
    }
    assert.equal((await cases.download(null, id, anexo)).status, 401)
    assert.deepEqual(await cases.audit('caso.anexo_baixado', id), [])
  })

  it('tells those who may not read it nothing of which attachments there are', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id)
    const [there, gone] = [
      await t.as(leitor).get(`/agravos/casos/${id}/anexos/${anexo}`),
      await t.as(leitor).get(`/agravos/casos/${id}/anexos/999999`),
    ]
    assert.equal(there.status, gone.status)
    assert.equal(there.body.error.message, gone.body.error.message)
  })

  it('answers 404 for one that is unknown, of another case, or of a case that is excluded', async () => {
    const [id, other] = [await caso(analista), await caso(analista)]
    const { id: anexo } = await cases.attach(analista, id)
    assert.equal((await cases.download(gestor, id, 999_999)).status, 404)
    assert.equal((await cases.download(gestor, other, anexo)).status, 404)
    assert.equal((await cases.download(gestor, id, 'x')).status, 422)
    assert.equal((await t.as(gestor).delete(`/agravos/casos/${id}?motivo=x`)).status, 204)
    assert.equal((await cases.download(gestor, id, anexo)).status, 404)
    assert.deepEqual(await cases.audit('caso.anexo_baixado', id), [])
    assert.equal((await t.as(gestor).post(`/agravos/casos/${id}/restaurar`)).status, 200)
    assert.equal((await cases.download(gestor, id, anexo)).status, 200)
  })

  it('answers 500 and nothing of a file whose first piece is lost or changed', async () => {
    const id = await caso(analista)
    for (const spoil of [
      sql`update arquivos_partes set conteudo = conteudo || 'x'`,
      sql`delete from arquivos_partes`,
    ]) {
      const { id: anexo } = await cases.attach(analista, id)
      await t.database.pool.run(sql`
        ${spoil} where arquivo_id = (select arquivo_id from anexos where id = ${anexo})`)
      const { status, body, text } = await t.as(gestor).get(`/agravos/casos/${id}/anexos/${anexo}`)
      assert.equal(status, 500, text)
      assert.equal(body.error.code, 'INTERNAL_ERROR')
    }
  })

  it('answers nothing of a file whose download cannot be recorded', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id)
    const { status, bytes } = await whileAuditFails(t, () => cases.download(gestor, id, anexo))
    assert.equal(status, 500)
    assert.ok(!bytes.includes('%PDF'))
    assert.equal((await cases.download(gestor, id, anexo)).status, 200)
  })
})

describe('DELETE /agravos/casos/{id}/anexos/{anexo_id}', () => {
  it('removes the attachment with all its bytes, and the history of the case tells it', async () => {
    const id = await caso(analista)
    const before = await stored()
    const large = Buffer.concat([PDF, Buffer.alloc(600_000, 'x')])
    const { id: anexo } = await cases.attach(analista, id, EXAME, file(large))
    assert.equal((await stored()).partes, before.partes + 3)
    const { versao } = (await t.as(leitor).get(`/agravos/casos/${id}`)).body
    const answer = await t.as(colega).delete(`/agravos/casos/${id}/anexos/${anexo}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(counted(await stored()), counted(before))
    assert.equal((await cases.download(gestor, id, anexo)).status, 404)
    const { body, headers } = await t.as(leitor).get(`/agravos/casos/${id}`)
    assert.equal(body.versao, versao + 1)
    assert.match(String(headers.etag), new RegExp(String(versao + 1)))
    assert.deepEqual(
      body.historico.map((one: { acao: string }) => one.acao),
      ['anexo_excluido', 'anexo_incluido', 'criado'],
    )
    assert.equal(body.historico[0].detalhes.anexo.id, anexo)
    assert.equal(body.historico[0].usuario.id, colega.id)
  })

  it('answers 404 the second time, for another case and for an excluded one; 403 without agravos.editar; nothing changes', async () => {
    const [id, other] = [await caso(analista), await caso(analista)]
    const [first, second] = [await cases.attach(analista, id), await cases.attach(analista, id)]
    assert.equal((await t.as(analista).delete(`/agravos/casos/${id}/anexos/${first.id}`)).status, 204)
    const before = await stored()
    for (const path of [
      `${id}/anexos/${first.id}`,
      `${other}/anexos/${second.id}`,
      `999999/anexos/${second.id}`,
    ])
      assert.equal((await t.as(analista).delete(`/agravos/casos/${path}`)).status, 404, path)
    assert.equal((await t.as(analista).delete(`/agravos/casos/${id}/anexos/abc`)).status, 422)
    const { status, body } = await t.as(leitor).delete(`/agravos/casos/${id}/anexos/${second.id}`)
    assert.equal(status, 403)
    assert.equal(body.error.required_permission, 'agravos.editar')
    assert.deepEqual(await stored(), before)
    assert.equal((await t.as(gestor).delete(`/agravos/casos/${id}?motivo=x`)).status, 204)
    assert.equal((await t.as(analista).delete(`/agravos/casos/${id}/anexos/${second.id}`)).status, 404)
    assert.deepEqual(counted(await stored()), counted(before))
  })

  it('asked for many times at once happens once', async () => {
    const id = await caso(analista)
    const { id: anexo } = await cases.attach(analista, id)
    const path = `/agravos/casos/${id}/anexos/${anexo}`
    const answers = await Promise.all(Array.from({ length: 5 }, () => t.as(analista).delete(path)))
    assert.deepEqual(tally(answers), { 204: 1, 404: 4 })
    assert.equal((await t.as(leitor).get(`/agravos/casos/${id}`)).body.versao, 3)
  })
})

describe('The removal of a case', () => {
  it('for good takes its attachments and their files along, and those of no other case', async () => {
    const [id, other] = [await caso(analista), await caso(analista)]
    const kept = await cases.attach(analista, other)
    const before = counted(await stored())
    await cases.attach(analista, id, EXAME, field('descricao', 'x'), file())
    await cases.attach(analista, id, EXAME, file(Buffer.concat([PDF, Buffer.alloc(300_000)])))
    assert.equal((await t.as(admin).delete(`/agravos/casos/${id}?motivo=x&force=true`)).status, 204)
    assert.deepEqual(counted(await stored()), before)
    assert.equal((await cases.download(gestor, other, kept.id)).status, 200)
  })
})
