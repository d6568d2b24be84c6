import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import type { Permission } from '../../../src/caller/permissions.ts'
import { sql } from '../../../src/db/sql.ts'
import type { AuditoriaRow } from '../../../src/domain/auditoria/auditoria.sql.ts'
import { detalhesComMotivo, openMotivo } from '../../../src/domain/auditoria/motivo.ts'
import { bind } from '../../harness/bound.ts'
import { anexosOf } from './anexos-app.ts'
import { duplicidadesApp, RITA } from './duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, analista, admin, caso, search } = app
const { pool } = t.database
const anexos = anexosOf(t)
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
  await pool.run(sql`delete from limites`)
})

const MOTIVO = 'Pedido da própria pessoa, protocolo 12'
const buscar = (body: object, by = gestor) =>
  t.as(by).post('/agravos/pessoas/buscar', { motivo: MOTIVO, ...body })
const idsOf = (body: { pessoas: { caso: { id: number } }[] }) => body.pessoas.map((one) => one.caso.id)

describe('POST /agravos/pessoas/buscar', () => {
  it('finds the cases of a person in every disease, the likeliest first, with name and birth date', async () => {
    const dengue = await caso()
    const zika = await caso({
      tipo_agravo: 'zika',
      data_notificacao: '2019-05-02',
      paciente_nome: 'Ritta Lobatto',
    })
    await caso({ paciente_nome: 'Vera Quadros' })
    await search()
    const { status, body } = await buscar({ nome: 'rita pacheco lobato', nascimento: '1990-05-06' })
    assert.equal(status, 200)
    assert.deepEqual([body.total, idsOf(body)], [2, [dengue, zika]])
    assert.deepEqual(
      [body.pessoas[0].caso.paciente.nome, body.pessoas[0].data_nascimento],
      [RITA.paciente_nome, '1990-05-06'],
    )
  })

  it('takes a month, a year or a municipality for the date', async () => {
    const id = await caso()
    await search()
    for (const [part, found] of [
      [{ nascimento: '1990' }, [id]],
      [{ nascimento: '1990-05' }, [id]],
      [{ nascimento: '1990-06' }, []],
      [{ nascimento: '1989' }, []],
      [{ municipio: 2_611_606 }, [id]],
      [{ municipio: 2_609_600 }, []],
    ] as const)
      assert.deepEqual(
        idsOf((await buscar({ nome: 'Rita Lobato', ...part })).body),
        found,
        JSON.stringify(part),
      )
  })

  it('records each search with its reason and its results, and never the name', async () => {
    const id = await caso()
    await search()
    await buscar({ nome: 'Rita Lobato', nascimento: '1990' })
    const { body } = await t.as(admin).get('/auditoria?acao=pessoa.buscada')
    assert.deepEqual(body.items[0].detalhes, { motivo: MOTIVO, casos: [id] })
    const told = body.items.map((one: { detalhes: object }) => one.detalhes)
    assert.doesNotMatch(JSON.stringify(told), /lobato|1990/i)
  })

  it('seals the reason, which may hold a name, for auditors who may identify patients', async () => {
    const id = await caso()
    await search()
    await buscar({ nome: 'Rita Lobato', nascimento: '1990', motivo: 'Irmã de Zulmira Plantada' })
    const stored = await pool.rows(sql`select * from auditoria where acao = 'pessoa.buscada'`)
    assert.doesNotMatch(JSON.stringify(stored), /Zulmira/)
    const seen = async (...permissoes: Permission[]) => {
      const reader = await t.person({ permissoes: ['auditoria.ver', ...permissoes] })
      return (await t.as(reader).get('/auditoria?acao=pessoa.buscada')).body.items[0].detalhes
    }
    assert.deepEqual(await seen(), { motivo: null, casos: [id] })
    assert.deepEqual(await seen('agravos.identificar'), { motivo: 'Irmã de Zulmira Plantada', casos: [id] })
    assert.equal((await t.app.auditoria.verify(pool)).ok, true)
  })

  it('shows a record whose reason was tampered with, without it', async () => {
    const id = await caso()
    await search()
    await buscar({ nome: 'Rita Lobato', nascimento: '1990' })
    const other = detalhesComMotivo(t.app.cipher, MOTIVO, { acao: 'pessoa.buscada', ator_id: 0, casos: [id] })
    const row = { acao: 'pessoa.buscada', ator_id: gestor.id, detalhes: other } as unknown as AuditoriaRow
    assert.deepEqual(openMotivo(t.app.cipher, row, true).detalhes, { motivo: null, casos: [id] })
  })

  it('answers 422 without a reason, a date or a place, and to what is none', async () => {
    for (const [body, field] of [
      [{ nome: 'Rita Lobato', nascimento: '1990', motivo: undefined }, 'motivo'],
      [{ nome: 'Rita Lobato', nascimento: '1990', motivo: '  ' }, 'motivo'],
      [{ nome: 'Rita Lobato', nascimento: '1990', motivo: 'x'.repeat(301) }, 'motivo'],
      [{ nome: 'Rita Lobato' }, 'nascimento'],
      [{ nome: 'Rita Lobato', nascimento: '1990-13' }, 'nascimento'],
      [{ nome: 'Rita Lobato', nascimento: 'ontem' }, 'nascimento'],
      [{ nome: 'Rita Lobato', municipio: 1_100_016 }, 'municipio'],
      [{ nome: 'R', nascimento: '1990' }, 'nome'],
      [{ nome: '???', nascimento: '1990' }, 'nome'],
      [{ nascimento: '1990' }, 'nome'],
    ] as const) {
      const answer = await buscar(body)
      assert.deepEqual([answer.status, answer.body.error?.details?.[0].field], [422, field], answer.text)
    }
  })

  it('is for those who may identify patients, and finds nothing outside their territory', async () => {
    await caso()
    await search()
    const { status, body } = await buscar({ nome: 'Rita Lobato', nascimento: '1990' }, analista)
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.identificar'])
    const bound = await bind(t, await t.person({ permissoes: ['agravos.identificar'] }), 'municipio:2609600')
    assert.equal((await buscar({ nome: 'Rita Lobato', nascimento: '1990' }, bound)).body.total, 0)
  })

  it('is asked thirty times an hour by an account, and then answers 429', async () => {
    const body = { nome: 'Rita Lobato', nascimento: '1990' }
    for (let i = 0; i < 30; i++) assert.equal((await buscar(body)).status, 200)
    const { status, headers } = await buscar(body)
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 3_000)
    assert.equal((await buscar(body, admin)).status, 200, 'another account')
    // An hour later, without the login having ended.
    await pool.run(
      sql`update limites set minuto_fim = minuto_fim - interval '1 hour', hora_fim = hora_fim - interval '1 hour'`,
    )
    assert.equal((await buscar(body)).status, 200)
  })
})

describe('GET /agravos/pessoas/relatorio', () => {
  const relatorio = (query: string, by = gestor) => t.as(by).get(`/agravos/pessoas/relatorio?${query}`)
  const motivo = `motivo=${encodeURIComponent(MOTIVO)}`

  it('has fields, history, attachments and who read them when', async () => {
    const id = await caso({ logradouro_residencia: 'Rua da Aurora' })
    await t.as(gestor).put(`/agravos/casos/${id}`, { evolucao: 'cura' })
    await anexos.attach(gestor, id)
    await search()
    await buscar({ nome: 'Rita Lobato', nascimento: '1990' }, admin)
    const { status, body } = await relatorio(`casos=${id}&${motivo}`)
    assert.equal(status, 200)
    const [one] = body.casos
    assert.equal(one.caso.paciente.nome, RITA.paciente_nome)
    assert.equal(one.caso.endereco.logradouro, 'Rua da Aurora')
    assert.deepEqual([one.caso.historico.length, one.caso.anexos.length], [3, 1])
    assert.deepEqual(
      one.leituras.slice(0, 2).map(({ acao }: { acao: string }) => acao),
      ['pessoa.buscada', 'pessoa.relatorio'],
    )
    const [registro] = (await t.as(admin).get('/auditoria?acao=pessoa.relatorio')).body.items
    assert.deepEqual(registro.detalhes, { motivo: MOTIVO, casos: [id] })
  })

  it('is a page that runs nothing where formato=html, with texts as they are', async () => {
    const id = await caso({ logradouro_residencia: 'Rua <script>alert(1)</script>' })
    const { status, headers, text } = await relatorio(`casos=${id}&${motivo}&formato=html`)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.match(text, /Rita Pacheco Lobato/)
    assert.match(text, /Rua &lt;script&gt;/)
    assert.doesNotMatch(text, /<script/)
  })

  it('answers 404 as a whole where one case is not there or outside, 422 without a reason, 403 without the right', async () => {
    const id = await caso()
    assert.equal((await relatorio(`casos=${id},999999&${motivo}`)).status, 404)
    const bound = await bind(t, await t.person({ permissoes: ['agravos.identificar'] }), 'municipio:2609600')
    assert.equal((await relatorio(`casos=${id}&${motivo}`, bound)).status, 404)
    for (const query of [
      `casos=${id}`,
      motivo,
      `casos=x&${motivo}`,
      `casos=${id}&${motivo}&formato=pdf`,
      `casos=${'1,'.repeat(20)}1&${motivo}`,
    ])
      assert.equal((await relatorio(query)).status, 422, query)
    assert.equal((await relatorio(`casos=${id}&${motivo}`, analista)).status, 403)
  })
})
