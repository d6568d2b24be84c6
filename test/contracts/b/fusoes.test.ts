import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { bind, RECIFE } from '../../harness/bound.ts'
import { anexosOf } from './anexos-app.ts'
import { duplicidadesApp, RITA } from './duplicidades-app.ts'
import { csv, type Linha, linha } from './importacoes-app.ts'

const app = await duplicidadesApp()
const { t, gestor, admin, analista, caso, search, par, pares, whole, historico } = app
const { pool } = t.database
const anexos = anexosOf(t)
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`truncate casos cascade`)
})

const fundir = (id: number, body: object, query = '', headers: Record<string, string> = {}) =>
  t.as(gestor).post(`/agravos/casos/${id}/fundir${query}`, body, { headers })
const desfazer = (id: number, query = '') => t.as(gestor).post(`/agravos/fusoes/${id}/desfazer${query}`)

async function merged(first: object = {}, second: object = {}, more: object = {}) {
  const ids = [await caso(first), await caso({ data_notificacao: '2026-03-07', ...second })] as const
  const before = [await whole(ids[0]), await whole(ids[1])]
  const { status, body, text } = await fundir(ids[0], { caso_id: ids[1], ...more })
  assert.equal(status, 200, text)
  return { ids, before, fusao: body.fusao_id as number, body }
}

async function eventos(since: number) {
  await t.webhookWorker.runOnce()
  const rows = await pool.rows<{ tipo: string; dados: Record<string, unknown> }>(
    sql`select tipo, dados from eventos where ordem > ${since} order by ordem`,
  )
  return rows.map(({ tipo, dados }) => [tipo, dados.id, dados.fundido_com])
}
async function lastEvento(): Promise<number> {
  await t.webhookWorker.runOnce()
  return pool.value(sql`select coalesce(max(ordem), 0) from eventos`)
}

describe('POST /agravos/casos/{id}/fundir', () => {
  it('keeps the earlier notification, fills what it lacks and unites lists', async () => {
    const { ids, body } = await merged(
      { evolucao: 'cura', dados_clinicos: { comorbidades: ['asma'] } },
      {
        evolucao: 'obito_outras_causas',
        hospitalizacao: true,
        dados_clinicos: { comorbidades: ['asma', 'diabetes'] },
      },
    )
    assert.deepEqual([body.principal_id, body.absorvido_id], ids)
    const principal = await whole(ids[0])
    assert.equal(principal.evolucao, 'cura')
    assert.equal(principal.hospitalizacao, true)
    assert.deepEqual(principal.dados_clinicos.comorbidades, ['asma', 'diabetes'])
  })

  it('takes the principal and the fields that are chosen', async () => {
    const first = await caso({ evolucao: 'cura' })
    const second = await caso({ data_notificacao: '2026-03-07', evolucao: 'ignorado', paciente_sexo: null })
    const { body } = await fundir(first, {
      caso_id: second,
      principal_id: second,
      campos: { evolucao: first },
    })
    assert.deepEqual([body.principal_id, body.absorvido_id], [second, first])
    const principal = await whole(second)
    assert.deepEqual([principal.evolucao, principal.paciente.sexo], ['cura', 'F'])
  })

  it('leaves out what would contradict the principal, and says so', async () => {
    const { ids, body } = await merged(
      { evolucao: 'cura' },
      { evolucao: 'obito', data_obito: '2026-03-09', data_inicio_sintomas: '2026-03-05' },
    )
    assert.deepEqual(body.deixados.toSorted(), ['data_inicio_sintomas', 'data_obito'])
    assert.equal((await whole(ids[0])).data_obito, null)
    const other = await caso({
      paciente_nome: 'Outra Pessoa Qualquer',
      evolucao: 'obito',
      data_obito: '2026-03-09',
    })
    const { status, body: refused } = await fundir(ids[0], { caso_id: other, campos: { data_obito: other } })
    assert.deepEqual([status, refused.error.details[0].field], [422, 'campos.data_obito'])
  })

  it('takes the address only within one municipality', async () => {
    const { ids } = await merged(
      { bairro_residencia: null },
      { municipio_residencia: 'Olinda', bairro_residencia: 'Carmo', logradouro_residencia: 'Rua do Sol' },
    )
    const { endereco } = await whole(ids[0])
    assert.deepEqual(
      [endereco.municipio_residencia, endereco.bairro, endereco.logradouro],
      ['Recife', null, null],
    )
  })

  it('takes the absorbed case out of lists, counts, statistics and exports', async () => {
    const counts = async () => [
      (await t.as(gestor).get('/agravos/casos')).body.total,
      (await t.as(gestor).get('/agravos/casos/estatisticas/resumo')).body.total,
    ]
    const ids = [await caso(), await caso({ data_notificacao: '2026-03-07' })] as const
    assert.deepEqual(await counts(), [2, 2])
    const { body } = await fundir(ids[0], { caso_id: ids[1] })
    assert.deepEqual(await counts(), [1, 1])
    await desfazer(body.fusao_id)
    assert.deepEqual(await counts(), [2, 2])
  })

  it('is told in order, to receivers, in both histories and in the audit', async () => {
    const since = await lastEvento()
    const { ids, fusao } = await merged(
      {},
      { evolucao: 'cura' },
      { motivo: 'Rita foi notificada duas vezes' },
    )
    assert.deepEqual((await eventos(since)).slice(2), [
      ['agravo.atualizado', ids[0], undefined],
      ['agravo.excluido', ids[1], ids[0]],
    ])
    const between = await lastEvento()
    assert.equal((await desfazer(fusao)).status, 200)
    assert.deepEqual(await eventos(between), [
      ['agravo.restaurado', ids[1], undefined],
      ['agravo.atualizado', ids[0], undefined],
    ])
    assert.deepEqual(await historico(ids[0]), ['fundido', 'fusao_desfeita'])
    assert.deepEqual(await historico(ids[1]), ['fundido_com', 'separado'])
    const { body, text } = await t.as(gestor).get(`/agravos/casos/${ids[1]}/historico`)
    assert.equal(body.items[1].detalhes.principal.id, ids[0])
    assert.doesNotMatch(text, /notificada/)
    const acoes = (await t.as(admin).get(`/auditoria?recurso=caso&recurso_id=${ids[0]}`)).body.items
    assert.deepEqual(
      acoes.map((one: { acao: string }) => one.acao).filter((acao: string) => acao !== 'caso.identificado'),
      ['caso.fusao_desfeita', 'caso.fundido'],
    )
  })

  it('emits no change of a principal that has none', async () => {
    const since = await lastEvento()
    const { ids } = await merged()
    assert.deepEqual((await eventos(since)).slice(2), [['agravo.excluido', ids[1], ids[0]]])
    assert.deepEqual(await historico(ids[0]), ['fundido'])
  })

  it('answers 422 for itself or another disease, 404 for what is not there, 409 for what is absorbed, 412 for old versions', async () => {
    const { ids } = await merged()
    const zika = await caso({ tipo_agravo: 'zika' })
    const live = await caso({ paciente_nome: 'Vera Quadros' })
    for (const [id, body, status] of [
      [ids[0], { caso_id: ids[0] }, 422],
      [ids[0], { caso_id: zika }, 422],
      [ids[0], {}, 422],
      [ids[0], { caso_id: 'x' }, 422],
      [ids[0], { caso_id: 999_999 }, 404],
      [ids[0], { caso_id: ids[1] }, 409],
      [ids[1], { caso_id: live }, 409],
    ] as const)
      assert.equal((await fundir(id, body)).status, status, JSON.stringify(body))
    const stale = await fundir(ids[0], { caso_id: live }, '', { 'if-match': '"1/1"' })
    assert.equal(stale.status, 412)
    assert.equal(await pool.value(sql`select count(*) from fusoes`), 1)
  })

  it('needs both cases inside the territory', async () => {
    const ids = [await caso(), await caso({ municipio_residencia: 'Olinda' })]
    const bound = await bind(t, await t.person({ permissoes: ['agravos.duplicidades'] }), RECIFE)
    assert.equal((await t.as(bound).post(`/agravos/casos/${ids[0]}/fundir`, { caso_id: ids[1] })).status, 404)
  })

  it('decides the pair of the two, where there is one', async () => {
    const { ids } = await par()
    await fundir(ids[0], { caso_id: ids[1] })
    assert.deepEqual(
      (await pares()).map(({ situacao }) => situacao),
      ['mesmo_caso'],
    )
  })
})

describe('A merged case', () => {
  it('is neither restored nor removed before the merge is undone', async () => {
    const { ids, fusao } = await merged()
    assert.equal((await t.as(gestor).post(`/agravos/casos/${ids[1]}/restaurar`)).status, 409)
    for (const id of ids) {
      const { status, body } = await t.as(admin).delete(`/agravos/casos/${id}?motivo=engano&force=true`)
      assert.deepEqual([status, body.error.code], [409, 'CONFLICT'])
    }
    await desfazer(fusao)
    assert.equal((await t.as(admin).delete(`/agravos/casos/${ids[1]}?motivo=engano&force=true`)).status, 204)
  })

  it('can be absorbed by a third, and is given back in the reverse order', async () => {
    const { ids, before, fusao } = await merged({ data_notificacao: '2026-03-05' }, { evolucao: 'cura' })
    const first = await caso({ data_notificacao: '2026-03-01' })
    const { body } = await fundir(first, { caso_id: ids[0] })
    assert.equal((await whole(first)).evolucao, 'cura')
    assert.equal((await desfazer(fusao)).status, 409)
    assert.equal((await desfazer(body.fusao_id)).status, 200)
    assert.equal((await desfazer(fusao)).status, 200)
    assert.deepEqual([await whole(ids[0]), await whole(ids[1])], before)
  })

  it('shows its attachments with those of the case that absorbed it', async () => {
    const ids = [await caso(), await caso({ data_notificacao: '2026-03-07' })] as const
    const anexo = await anexos.attach(gestor, ids[1])
    const { body } = await fundir(ids[0], { caso_id: ids[1] })
    const listed = (await t.as(gestor).get(`/agravos/casos/${ids[0]}/anexos`)).body.items
    assert.deepEqual(
      listed.map((one: { id: number }) => one.id),
      [anexo.id],
    )
    assert.ok(listed[0].url.endsWith(`/casos/${ids[0]}/anexos/${anexo.id}`))
    assert.equal((await t.as(gestor).get(`/agravos/casos/${ids[0]}/anexos/${anexo.id}`)).status, 200)
    await desfazer(body.fusao_id)
    assert.equal((await t.as(gestor).get(`/agravos/casos/${ids[0]}/anexos`)).body.total, 0)
    assert.equal((await t.as(gestor).get(`/agravos/casos/${ids[1]}/anexos`)).body.total, 1)
  })
})

describe('POST /agravos/fusoes/{id}/desfazer', () => {
  it('gives both cases back as they were, sealed fields too, once', async () => {
    const { ids, before, fusao } = await merged(
      { paciente_data_nascimento: null },
      { paciente_data_nascimento: '1990-05-06', logradouro_residencia: 'Rua da Aurora', evolucao: 'cura' },
    )
    assert.notDeepEqual(await whole(ids[0]), before[0])
    const simulated = await desfazer(fusao, '?simular=true')
    assert.equal(simulated.body.simulado, true)
    assert.equal((await t.as(gestor).get(`/agravos/casos/${ids[1]}`)).status, 404)
    const { status, body } = await desfazer(fusao)
    assert.deepEqual([status, { ...body, simulado: true }], [200, simulated.body])
    assert.deepEqual([await whole(ids[0]), await whole(ids[1])], before)
    assert.equal((await desfazer(fusao)).status, 409)
    assert.equal((await desfazer(999_999)).status, 404)
    assert.equal((await t.as(gestor).post('/agravos/fusoes/x/desfazer')).status, 422)
  })

  it('keeps what was changed since, and names it', async () => {
    const { ids, before, fusao } = await merged({}, { evolucao: 'cura', paciente_raca: 'parda' })
    await t.as(gestor).put(`/agravos/casos/${ids[0]}`, { evolucao: 'ignorado' })
    const { body } = await desfazer(fusao)
    assert.deepEqual([body.mantidos, body.campos_alterados], [['evolucao'], ['paciente_raca']])
    const principal = await whole(ids[0])
    assert.deepEqual([principal.evolucao, principal.paciente.raca], ['ignorado', null])
    assert.deepEqual(await whole(ids[1]), before[1])
  })

  it('keeps what a later change needs', async () => {
    const { ids, fusao } = await merged({}, { hospitalizacao: true })
    await t.as(gestor).put(`/agravos/casos/${ids[0]}`, { data_internacao: '2026-03-04' })
    const { body } = await desfazer(fusao)
    assert.deepEqual(body.mantidos, ['hospitalizacao'])
    assert.equal((await whole(ids[0])).hospitalizacao, true)
  })

  it('is refused where the principal was deleted, or the notification registered again', async () => {
    const { ids, fusao } = await merged()
    await t.as(gestor).delete(`/agravos/casos/${ids[0]}?motivo=engano`)
    assert.equal((await desfazer(fusao)).status, 409)
    await t.as(gestor).post(`/agravos/casos/${ids[0]}/restaurar`)
    const [{ numero_notificacao }] = (await pool.rows(sql`
      select numero_notificacao from casos where id = ${ids[1]}`)) as [{ numero_notificacao: string }]
    const again = await caso({ numero_notificacao, data_notificacao: '2026-03-07' })
    assert.equal((await desfazer(fusao)).status, 409)
    await t.as(gestor).delete(`/agravos/casos/${again}?motivo=engano`)
    assert.equal((await desfazer(fusao)).status, 200)
  })

  it('lets the pair wait again', async () => {
    const { ids } = await par()
    const { body } = await fundir(ids[0], { caso_id: ids[1] })
    await search()
    assert.deepEqual(
      (await pares()).map(({ situacao }) => situacao),
      ['mesmo_caso'],
    )
    await desfazer(body.fusao_id)
    await search()
    assert.deepEqual(
      (await pares()).map(({ situacao }) => situacao),
      ['pendente'],
    )
  })
})

describe('GET /agravos/fusoes', () => {
  it('lists merges with both cases, who made and who undid them, and no value', async () => {
    const { ids, fusao } = await merged({}, { evolucao: 'cura', paciente_nome: RITA.paciente_nome })
    const { body } = await t.as(gestor).get('/agravos/fusoes')
    assert.equal(body.total, 1)
    const [one] = body.items
    assert.deepEqual(
      [one.id, one.principal.id, one.absorvido.id, one.campos_alterados],
      [fusao, ...ids, ['evolucao']],
    )
    assert.equal(one.desfeita_em, null)
    await desfazer(fusao)
    const total = async (query: string) => (await t.as(gestor).get(`/agravos/fusoes?${query}`)).body.total
    assert.deepEqual(
      [await total('desfeita=true'), await total('desfeita=false'), await total(`principal_id=${ids[0]}`)],
      [1, 0, 1],
    )
    assert.equal((await t.as(gestor).get('/agravos/fusoes?desfeita=talvez')).status, 422)
  })
})

describe('A file that brings an absorbed notification again', () => {
  const line = (more: Linha = {}) =>
    linha({ paciente_data_nascimento: '1990-05-06', paciente_sexo: 'F', evolucao: '', ...more })

  async function imported() {
    const rows = [
      line({ numero_notificacao: 'F1' }),
      line({ numero_notificacao: 'F2', data_notificacao: '2024-04-28', evolucao: 'cura' }),
    ]
    await app.importar(csv(...rows), { by: gestor })
    const ids = [await app.idOf('F1'), await app.idOf('F2')] as [number, number]
    const { status, text } = await fundir(ids[0], { caso_id: ids[1] })
    assert.equal(status, 200, text)
    return { ids, rows }
  }

  it('makes no second case of it, and counts it as merged', async () => {
    const { rows } = await imported()
    const again = await app.importar(csv(...rows), { by: gestor })
    assert.deepEqual([again.importados, again.atualizados, again.inalterados, again.fundidos], [0, 0, 1, 1])
    assert.equal((await t.as(gestor).get('/agravos/casos')).body.total, 1)
  })

  it('changes the absorbed case alone, and warns where the line differs from the one that stands', async () => {
    const { ids, rows } = await imported()
    const [first, second] = rows as [Linha, Linha]
    const changed = { ...second, paciente_ocupacao: 'Pescadora' }
    const again = await app.importar(csv({ ...first, paciente_ocupacao: '' }, changed), { by: gestor })
    assert.deepEqual([again.importados, again.fundidos, again.erros], [0, 1, 0])
    assert.match(
      again.avisos_detalhados.at(-1).aviso,
      /^Fundida com a notificação F1, que difere em: .*paciente_ocupacao/,
    )
    assert.equal((await whole(ids[0])).paciente.ocupacao, null)
    const [fusao] = (await t.as(gestor).get('/agravos/fusoes')).body.items
    await desfazer(fusao.id)
    assert.equal((await whole(ids[1])).paciente.ocupacao, 'Pescadora')
  })

  it('tells the same in a dry run', async () => {
    const { rows } = await imported()
    const [first, second] = rows as [Linha, Linha]
    const file = csv({ ...first, paciente_ocupacao: '' }, { ...second, paciente_ocupacao: 'Pescadora' })
    const checked = await app.importar(file, { by: gestor, modo: 'validar' })
    assert.deepEqual([checked.importados, checked.fundidos], [0, 1])
    assert.ok(checked.avisos_agrupados.some((one: { codigo: string }) => one.codigo === 'MERGED_ROW'))
  })

  it('tells the number of pairs in its result once they are compared, to those who may identify', async () => {
    const rows = [line(), line({ data_notificacao: '2024-04-28' })]
    const results = []
    for (const by of [gestor, analista]) {
      const { body: accepted } = await app.send(csv(...rows), { by, modo: 'importar' })
      await t.jobWorker.runAll()
      const result = async () => (await t.as(by).get(`/jobs/${accepted.job_id}`)).body.resultado
      assert.equal((await result()).duplicidades, undefined)
      await search()
      const { duplicidades, importacao_id } = await result()
      results.push(duplicidades)
      const { body } = await t.as(gestor).get(`/agravos/duplicidades?importacao_id=${importacao_id}`)
      const none = await t.as(gestor).get(`/agravos/duplicidades?importacao_id=${importacao_id + 1}`)
      assert.deepEqual([body.total, none.body.total], [1, 0])
      await pool.run(sql`truncate casos cascade`)
    }
    assert.deepEqual(results, [{ quase_certas: 1, provaveis: 0, possiveis: 0 }, undefined])
  })
})
