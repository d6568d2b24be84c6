import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { PESOS } from '../../../src/domain/casos/duplicidades/escore.ts'
import { bind } from '../../harness/bound.ts'
import { duplicidadesApp, RITA, RITA_DE_NOVO } from './duplicidades-app.ts'

const app = await duplicidadesApp()
const { t, gestor, analista, search, par, whole } = app
const { pool } = t.database
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
})

const list = (query = '', by = gestor) => t.as(by).get(`/agravos/duplicidades${query}`)
const decidir = (id: number, body: object, query = '', headers: Record<string, string> = {}) =>
  t.as(gestor).post(`/agravos/duplicidades/${id}/decidir${query}`, body, { headers })
const dump = () =>
  pool.value(sql`
    select md5(string_agg(x::text, '' order by x::text)) from (
      select to_jsonb(c)::text as x from casos c union all select to_jsonb(h)::text from casos_historico h
      union all select to_jsonb(d)::text from duplicidades d union all select to_jsonb(f)::text from fusoes f
      union all select to_jsonb(e)::text from eventos e union all select to_jsonb(a)::text from auditoria a
    ) all_rows`)

describe('GET /agravos/duplicidades', () => {
  it('shows both cases side by side as lists tell them, with the reasons and no name', async () => {
    const { ids, id, etag } = await par()
    const { status, body, text } = await list()
    assert.deepEqual([status, body.total, body.items.length], [200, 1, 1])
    const [one] = body.items
    assert.deepEqual(
      [one.id, one.etag, one.faixa, one.situacao, one.motivo, one.fusao_id],
      [id, etag, 'quase_certa', 'pendente', null, null],
    )
    assert.deepEqual(
      one.casos.map((each: { caso: { id: number } }) => each.caso.id),
      ids,
    )
    assert.equal(one.casos[0].caso.paciente.nome, 'R. P. L.')
    assert.equal(one.sinais.nome, '1 de 3 palavras iguais, 2 parecidas')
    assert.equal(one.sinais.nascimento, 'igual')
    assert.doesNotMatch(text, /ritt?a|lobat|1990/i)
  })

  it('tells names in an identified read, which is in the audit', async () => {
    const { ids } = await par()
    const { body } = await list('?identificado=true')
    assert.deepEqual(
      body.items[0].casos.map((each: { caso: { paciente: { nome: string } } }) => each.caso.paciente.nome),
      [RITA.paciente_nome, RITA_DE_NOVO.paciente_nome],
    )
    const [registro] = (await t.as(await t.administrador()).get('/auditoria?acao=caso.identificado')).body
      .items
    assert.deepEqual(registro.detalhes, { duplicidades: true, casos: ids })
    const decisora = await t.person({ permissoes: ['agravos.duplicidades'] })
    assert.equal((await list('?identificado=true', decisora)).status, 403)
    assert.equal((await list('', decisora)).status, 200)
  })

  it('filters by state, band, score, disease, place and period', async () => {
    const { id } = await par()
    await decidir(id, { decisao: 'outra_pessoa' })
    await par({ paciente_nome: 'Vera Quadros Lobo' }, { paciente_nome: 'Vera Quadros Lobo' })
    for (const [query, total] of [
      ['', 1],
      ['?situacao=outra_pessoa', 1],
      ['?situacao[in]=pendente,outra_pessoa', 2],
      ['?faixa=quase_certa', 1],
      ['?faixa=possivel', 0],
      ['?escore[gte]=12', 1],
      ['?escore[gte]=500', 0],
      ['?tipo_agravo=zika', 0],
      ['?estado=PE', 1],
      ['?estado=SP', 0],
      ['?municipio=Recife', 1],
      ['?municipio=Olinda', 0],
      ['?data_inicio=2026-03-01&data_fim=2026-03-31', 1],
      ['?data_inicio=2026-04-01', 0],
    ] as const)
      assert.equal((await list(query)).body.total, total, query)
  })

  it('answers 422 to what there is no such thing of, and 403 without the right', async () => {
    for (const query of [
      '?situacao=nada',
      '?faixa=certa',
      '?escore[gte]=muito',
      '?municipio=Nenhures',
      '?nada=1',
    ])
      assert.equal((await list(query)).status, 422, query)
    const { status, body } = await list('', analista)
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.duplicidades'])
  })

  it('shows a pair across two territories to those who may see both', async () => {
    const { ids, id } = await par({}, { municipio_residencia: 'Olinda' })
    const seen = async (...lugares: string[]) => {
      const person = await bind(
        t,
        await t.person({ permissoes: ['agravos.duplicidades', 'agravos.listar'] }),
        ...lugares,
      )
      const [pairs, ofCase, decided, quality] = [
        await list('', person),
        await t.as(person).get(`/agravos/casos/${ids[0]}/duplicidades`),
        await t
          .as(person)
          .post(`/agravos/duplicidades/${id}/decidir?simular=true`, { decisao: 'mesmo_caso' }),
        await t.as(person).get('/agravos/duplicidades/qualidade'),
      ]
      return [pairs.body.total, ofCase.body.total, decided.status, quality.body.faixas[0].total]
    }
    assert.deepEqual(await seen('municipio:2611606', 'municipio:2609600'), [1, 1, 200, 1])
    assert.deepEqual(await seen('uf:PE'), [1, 1, 200, 1])
    assert.deepEqual(await seen('municipio:2611606'), [0, 0, 404, 0])
    assert.deepEqual(await seen('uf:SP'), [0, undefined, 404, 0])
  })
})

describe('GET /agravos/casos/{id}/duplicidades', () => {
  it('shows decided ones too, and 404 for a case that is not there', async () => {
    const { ids, id } = await par()
    await decidir(id, { decisao: 'outro_episodio', motivo: 'Rita adoeceu de novo' })
    const { body, text } = await t.as(gestor).get(`/agravos/casos/${ids[1]}/duplicidades`)
    assert.deepEqual([body.total, body.duplicidades[0].situacao], [1, 'outro_episodio'])
    assert.doesNotMatch(text, /adoeceu/)
    const identified = await t.as(gestor).get(`/agravos/casos/${ids[1]}/duplicidades?identificado=true`)
    assert.equal(identified.body.duplicidades[0].motivo, 'Rita adoeceu de novo')
    assert.equal((await t.as(gestor).get('/agravos/casos/999999/duplicidades')).status, 404)
    assert.equal((await t.as(gestor).get('/agravos/casos/nada/duplicidades')).status, 422)
  })
})

describe('POST /agravos/duplicidades/{id}/decidir', () => {
  it('records that they are two people, once, sealed and in the audit', async () => {
    const { id, ids, etag } = await par()
    const headers = { 'if-match': etag }
    const { status, body } = await decidir(id, { decisao: 'outra_pessoa', motivo: 'São irmãs' }, '', headers)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      ...{
        situacao: 'outra_pessoa',
        simulado: false,
        fusao_id: null,
        principal_id: null,
        absorvido_id: null,
      },
      ...{ campos: [], deixados: [] },
    })
    const [registro] = (await t.as(await t.administrador()).get('/auditoria?acao=duplicidade.decidida')).body
      .items
    assert.deepEqual(registro.detalhes, { decisao: 'outra_pessoa', casos: ids })
    assert.equal(
      await pool.value(sql`select count(*) from duplicidades where position('irm'::bytea in motivo) > 0`),
      0,
    )
    const before = await dump()
    assert.equal((await decidir(id, { decisao: 'mesmo_caso' })).status, 409)
    assert.equal(await dump(), before)
    await t.as(gestor).put(`/agravos/casos/${ids[0]}`, { evolucao: 'cura' })
    await search()
    assert.equal((await list()).body.total, 0, 'it is not proposed again')
  })

  it('tells every field of the merge with simular, and changes nothing', async () => {
    const { id, ids } = await par()
    const before = await dump()
    const { status, body } = await decidir(id, { decisao: 'mesmo_caso' }, '?simular=true')
    assert.equal(status, 200)
    assert.equal(await dump(), before)
    assert.deepEqual(
      [body.simulado, body.fusao_id, body.principal_id, body.absorvido_id],
      [true, null, ...ids],
    )
    const field = (campo: string) => body.campos.find((one: { campo: string }) => one.campo === campo)
    assert.deepEqual(field('evolucao'), {
      campo: 'evolucao',
      valor: 'cura',
      origem: 'absorvido',
      alterado: true,
    })
    assert.deepEqual(field('paciente_nome'), {
      campo: 'paciente_nome',
      valor: null,
      origem: 'principal',
      alterado: false,
    })
  })

  it('merges the two cases, whose pair is then decided', async () => {
    const { id, ids, etag } = await par()
    const { status, body } = await decidir(id, { decisao: 'mesmo_caso' }, '', { 'if-match': etag })
    assert.deepEqual([status, body.situacao, body.principal_id], [200, 'mesmo_caso', ids[0]])
    assert.equal((await whole(ids[0])).evolucao, 'cura')
    assert.equal((await t.as(gestor).get(`/agravos/casos/${ids[1]}`)).status, 404)
    const { body: decided } = await list('?situacao=mesmo_caso')
    assert.deepEqual([decided.total, decided.items[0].fusao_id], [1, body.fusao_id])
    assert.deepEqual(
      decided.items[0].casos.map((each: { excluido: boolean }) => each.excluido),
      [false, true],
    )
  })

  it('answers 412 where one of the cases has changed, and changes nothing', async () => {
    const { id, ids, etag } = await par()
    await t.as(gestor).put(`/agravos/casos/${ids[1]}`, { bairro_residencia: 'Boa Viagem' })
    const before = await dump()
    for (const decisao of ['mesmo_caso', 'outra_pessoa'])
      for (const query of ['', '?simular=true'])
        for (const tag of [etag, '"1"', 'W/"1/1"', '"x"']) {
          const answer = await decidir(id, { decisao }, query, { 'if-match': tag })
          assert.deepEqual([answer.status, answer.body.error.code], [412, 'PRECONDITION_FAILED'])
        }
    assert.equal(await dump(), before)
    assert.equal((await decidir(id, { decisao: 'mesmo_caso' }, '', { 'if-match': '*' })).status, 200)
  })

  it('decides once with a key however often it is asked', async () => {
    const { id } = await par()
    const headers = { 'idempotency-key': 'decidir-uma-vez' }
    const first = await decidir(id, { decisao: 'mesmo_caso' }, '', headers)
    const again = await decidir(id, { decisao: 'mesmo_caso' }, '', headers)
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.equal(await pool.value(sql`select count(*) from fusoes`), 1)
  })

  it('is carried out once by two who decide at the same time', async () => {
    const { id } = await par()
    const answers = await Promise.all([1, 2, 3].map(() => decidir(id, { decisao: 'mesmo_caso' })))
    assert.deepEqual(answers.map(({ status }) => status).filter((status) => status === 200).length, 1)
    assert.equal(await pool.value(sql`select count(*) from fusoes`), 1)
  })

  it('answers 422 to bad bodies and 404 to unknown pairs, and changes nothing', async () => {
    const { id, ids } = await par()
    const before = await dump()
    for (const [body, field] of [
      [{}, 'decisao'],
      [{ decisao: 'talvez' }, 'decisao'],
      [{ decisao: 'mesmo_caso', principal_id: 999_999 }, 'principal_id'],
      [{ decisao: 'mesmo_caso', principal_id: 'um' }, 'principal_id'],
      [{ decisao: 'mesmo_caso', campos: { evolucao: 999_999 } }, 'campos.evolucao'],
      [{ decisao: 'mesmo_caso', campos: { nada: ids[0] } }, 'campos.nada'],
      [{ decisao: 'mesmo_caso', campos: { numero_notificacao: ids[1] } }, 'campos.numero_notificacao'],
      [{ decisao: 'mesmo_caso', campos: { status: ids[1] } }, 'campos.status'],
      [{ decisao: 'outra_pessoa', motivo: 'x'.repeat(501) }, 'motivo'],
      [{ decisao: 'outra_pessoa', motivo: ' ' }, 'motivo'],
    ] as const) {
      const answer = await decidir(id, body)
      assert.deepEqual([answer.status, answer.body.error.details?.[0].field], [422, field], answer.text)
    }
    assert.equal((await decidir(999_999, { decisao: 'outra_pessoa' })).status, 404)
    assert.equal(await dump(), before)
  })
})

describe('GET /agravos/duplicidades/qualidade', () => {
  it('tells the share of decided pairs that were one case, by band', async () => {
    const first = await par()
    const second = await par({ paciente_nome: 'Vera Quadros Lobo' }, { paciente_nome: 'Vera Quadros Lobo' })
    await decidir(first.id, { decisao: 'mesmo_caso' })
    await decidir(second.id, { decisao: 'outra_pessoa' })
    const { body } = await t.as(gestor).get('/agravos/duplicidades/qualidade')
    assert.equal(body.versao_pesos, PESOS.versao)
    assert.deepEqual(body.faixas[0], {
      ...{ faixa: 'quase_certa', total: 2, decididas: 2, precisao: 0.5 },
      por_situacao: { pendente: 0, mesmo_caso: 1, outro_episodio: 0, outra_pessoa: 1 },
    })
    assert.deepEqual([body.faixas[2].total, body.faixas[2].precisao], [0, null])
  })
})
