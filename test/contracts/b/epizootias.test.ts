import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { bind } from '../../harness/bound.ts'

import { CARUARU, epizootiasApp, evento, OLINDA, PALMAS, problemsOf, RECIFE } from './epizootias-app.ts'

const e = await epizootiasApp()
const { t, pool, gestor, analista, leitor, registrar, ler, eventosDe } = e
after(() => t.close())

const state = () =>
  pool.value<string>(sql`select md5(coalesce(string_agg(e::text, ',' order by id), '')) from epizootias e`)
const refused = async (body: object, by = analista) => {
  const before = await state()
  const answer = await t.as(by).post('/epizootias', body)
  assert.equal(await state(), before)
  return answer
}

describe('An event in animals', () => {
  it('is registered with what it needs, and read back', async () => {
    const body = evento({
      ...{ numero: ' SP-1 ', municipio: 'Recife', estado: 'PE', localidade: 'Mata do Engenho' },
      ...{ latitude: -8.04123, longitude: -34.95678, ambiente: 'mata', zona: 'rural' },
      ...{ especie: 'Alouatta', animais_mortos: 2, animais_doentes: 1, observacao: 'Sítio de Dona Maria' },
      ...{ data_notificacao: '2026-01-14', data_coleta: '2026-01-13', material_coletado: true },
    })
    const { status, headers, body: made } = await t.as(analista).post('/epizootias', body)
    assert.equal(status, 201)
    assert.ok(String(headers.location).endsWith(`/api/v1/epizootias/${made.id}`))
    const { body: read, headers: of } = await t.as(analista).get(`/epizootias/${made.id}`)
    assert.equal(of.etag, '"1"')
    const { numero, municipio, codigo_ibge, estado, semana, precisao_data, mes_ocorrencia, ano_ocorrencia } =
      read
    assert.deepEqual(
      [numero, municipio, codigo_ibge, estado, semana, precisao_data, mes_ocorrencia, ano_ocorrencia],
      ['SP-1', 'Recife', RECIFE, 'PE', '202602', 'dia', 1, 2026],
    )
    assert.deepEqual(
      [read.latitude, read.longitude, read.classificacao, read.observacao, read.criado_por.id],
      [-8.04123, -34.95678, 'em_investigacao', 'Sítio de Dona Maria', analista.id],
    )
  })

  it('shows readers a kilometre instead of the spot, and no observation; lists have none for anybody', async () => {
    const id = await registrar({ latitude: -8.04123, longitude: -34.95678, observacao: 'quintal' })
    const seen = await ler(`/epizootias/${id}`)
    assert.deepEqual([seen.latitude, seen.longitude, seen.observacao], [-8.04, -34.96, null])
    const [item] = (await ler(`/epizootias?id=${id}`)).items
    assert.deepEqual([item.latitude, item.longitude], [-8.04, -34.96])
    const [own] = (await ler(`/epizootias?id=${id}`, analista)).items
    assert.equal(own.latitude, -8.04123)
    for (const one of [item, own]) assert.equal('observacao' in one, false)
    const { features } = await ler(`/epizootias/mapa?nivel=ponto&id=${id}`)
    assert.deepEqual(features[0].geometry.coordinates, [-34.96, -8.04])
    assert.equal(features[0].properties.exata, false)
    await t.as(analista).put(`/epizootias/${id}`, { latitude: -8.05999, observacao: 'outro' })
    const { items } = await ler(`/epizootias/${id}/historico`)
    assert.deepEqual(items[0].alteracoes, [
      { campo: 'latitude', anterior: -8.04, novo: -8.06 },
      { campo: 'observacao', anterior: null, novo: null },
    ])
    const stored = await pool.value<string>(sql`
      select string_agg(e::text || h::text, '') from epizootias e join epizootias_historico h on h.epizootia_id = e.id
      where e.id = ${id}`)
    assert.doesNotMatch(stored, /quintal|outro/)
    const [{ alteracoes }] = (await ler(`/epizootias/${id}/historico`, analista)).items
    assert.deepEqual(alteracoes[1], { campo: 'observacao', anterior: 'quintal', novo: 'outro' })
  })

  it('may be known by its month or its year alone', async () => {
    const month = await registrar({ data_ocorrencia: null, ano_ocorrencia: 2000, mes_ocorrencia: 2 })
    const year = await registrar({ data_ocorrencia: undefined, ano_ocorrencia: 2000 })
    const shown = async (id: number) => {
      const { data_ocorrencia, mes_ocorrencia, ano_ocorrencia, precisao_data, semana } = await ler(
        `/epizootias/${id}`,
      )
      return [data_ocorrencia, mes_ocorrencia, ano_ocorrencia, precisao_data, semana]
    }
    assert.deepEqual(await shown(month), [null, 2, 2000, 'mes', null])
    assert.deepEqual(await shown(year), [null, null, 2000, 'ano', null])
    // A day that is learnt later decides month and year; taken away, it leaves them.
    await t.as(analista).put(`/epizootias/${year}`, { data_ocorrencia: '2001-05-07' })
    assert.deepEqual(await shown(year), ['2001-05-07', 5, 2001, 'dia', '200119'])
    await t.as(analista).put(`/epizootias/${year}`, { data_ocorrencia: null })
    assert.deepEqual(await shown(year), [null, 5, 2001, 'mes', null])
  })

  it('is refused with every problem named, and nothing is stored', async () => {
    const rows: [object, string][] = [
      [{ numero: undefined }, 'numero REQUIRED'],
      [{ numero: ' ' }, 'numero INVALID_FORMAT'],
      [{ numero: 'x'.repeat(41) }, 'numero TOO_LONG'],
      [{ data_ocorrencia: undefined }, 'data_ocorrencia REQUIRED'],
      [{ data_ocorrencia: '2026-02-30' }, 'data_ocorrencia INVALID_FORMAT'],
      [{ data_ocorrencia: '2099-01-01' }, 'data_ocorrencia IN_FUTURE'],
      [{ data_ocorrencia: '1949-12-31' }, 'data_ocorrencia INVALID_VALUE'],
      [{ data_ocorrencia: null, ano_ocorrencia: 2099 }, 'ano_ocorrencia IN_FUTURE'],
      [{ ano_ocorrencia: 2025 }, 'ano_ocorrencia INCONSISTENT'],
      [{ mes_ocorrencia: 2 }, 'mes_ocorrencia INCONSISTENT'],
      [{ precisao_data: 'mes' }, 'precisao_data INCONSISTENT'],
      [{ municipio: undefined }, 'municipio REQUIRED'],
      [{ municipio: 'Lugar Nenhum' }, 'municipio UNKNOWN_MUNICIPIO'],
      [{ municipio: ' ' }, 'municipio UNKNOWN_MUNICIPIO'],
      [{ estado: 'SP' }, 'municipio INCONSISTENT'],
      [{ municipio: 'Bom Jesus' }, 'estado INCONSISTENT'],
      [{ especie_grupo: 'peixe' }, 'especie_grupo INVALID_VALUE'],
      [{ suspeita: 'gripe' }, 'suspeita INVALID_VALUE'],
      [{ suspeita: 7 }, 'suspeita INVALID_TYPE'],
      [{ data_notificacao: '2026-01-11' }, 'data_notificacao BEFORE'],
      [{ data_coleta: '2026-01-11' }, 'data_coleta BEFORE'],
      [{ classificacao: 'confirmada' }, 'criterio REQUIRED'],
      [{ animais_mortos: 0 }, 'animais_mortos TOO_SMALL'],
      [{ animais_mortos: 100_001 }, 'animais_mortos TOO_LARGE'],
      [{ animais_doentes: 1.5 }, 'animais_doentes INVALID_TYPE'],
      [{ latitude: -8 }, 'longitude INCONSISTENT'],
      [{ latitude: 40, longitude: -35 }, 'latitude TOO_LARGE'],
      [{ localidade: 'a\u0007b' }, 'localidade INVALID_FORMAT'],
      [{ observacao: 'x'.repeat(1001) }, 'observacao TOO_LONG'],
      [{ cor: 'azul' }, 'cor UNKNOWN_FIELD'],
    ]
    for (const [more, problem] of rows) {
      const answer = await refused(evento(more))
      assert.equal(answer.status, 422, JSON.stringify(more))
      assert.deepEqual(problemsOf(answer), [problem], JSON.stringify(more))
    }
    assert.equal((await refused(evento(), leitor)).status, 403)
  })

  it('has a number that is unique with its day among live ones', async () => {
    const id = await registrar({ numero: 'U1' })
    assert.deepEqual(problemsOf(await refused(evento({ numero: 'U1' }))), ['numero DUPLICATE'])
    const other = await registrar({ numero: 'U1', data_ocorrencia: '2026-01-13' })
    const answer = await t.as(analista).put(`/epizootias/${other}`, { data_ocorrencia: '2026-01-12' })
    assert.deepEqual([answer.status, ...problemsOf(answer)], [422, 'numero DUPLICATE'])
    await t.as(gestor).delete(`/epizootias/${id}?motivo=erro`)
    await registrar({ numero: 'U1' })
    const back = await t.as(gestor).post(`/epizootias/${id}/restaurar`)
    assert.deepEqual([back.status, ...problemsOf(back)], [422, 'numero DUPLICATE'])
    // Without a day, the number alone counts.
    await registrar({ numero: 'U2', data_ocorrencia: null, ano_ocorrencia: 2001 })
    const again = await refused(evento({ numero: 'U2', data_ocorrencia: null, ano_ocorrencia: 2002 }))
    assert.deepEqual(problemsOf(again), ['numero DUPLICATE'])
  })

  it('is made once by two requests at the same time', async () => {
    const body = evento({ numero: 'JUNTOS' })
    const answers = await Promise.all([1, 2, 3].map(() => t.as(analista).post('/epizootias', body)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422])
  })
})

describe('A change', () => {
  it('raises the version, leaves a line, and a confirmation is told apart', async () => {
    const id = await registrar()
    const change = {
      classificacao: 'confirmada',
      criterio: 'laboratorial',
      laboratorio_resultado: 'positivo',
    }
    const { status, body, headers } = await t
      .as(analista)
      .put(`/epizootias/${id}`, change, { headers: { 'if-match': '"1"' } })
    assert.deepEqual([status, body.versao, headers.etag], [200, 2, '"2"'])
    assert.deepEqual(body.campos_alterados, ['laboratorio_resultado', 'classificacao', 'criterio'])
    const stale = await t
      .as(analista)
      .put(`/epizootias/${id}`, { criterio: 'laboratorial' }, { headers: { 'if-match': '"1"' } })
    assert.equal(stale.status, 409)
    const same = await t.as(analista).put(`/epizootias/${id}`, change)
    assert.deepEqual([same.body.versao, same.body.campos_alterados], [2, []])
    const types = (await eventosDe(id)).map(({ tipo }) => tipo)
    assert.deepEqual(types, ['epizootia.criada', 'epizootia.atualizada', 'epizootia.confirmada'])
    assert.deepEqual((await eventosDe(id))[2]?.dados, {
      ...{ id, suspeita: 'febre_amarela', especie_grupo: 'pnh', classificacao: 'confirmada' },
      ...{ municipio: RECIFE, estado: 'PE', versao: 2 },
    })
    const { items, total } = await ler(`/epizootias/${id}/historico?order=asc`)
    assert.equal(total, 2)
    assert.deepEqual(
      items.map(({ acao }: { acao: string }) => acao),
      ['criado', 'atualizado'],
    )
    assert.equal((await t.as(leitor).put(`/epizootias/${id}`, change)).status, 403)
    assert.equal((await t.as(analista).put('/epizootias/999999', change)).status, 404)
  })

  it('keeps an observation readable when number or day change, which it is bound to', async () => {
    const id = await registrar({ observacao: 'segredo' })
    await t.as(analista).put(`/epizootias/${id}`, { numero: 'OUTRO-9', data_ocorrencia: '2026-01-10' })
    assert.equal((await ler(`/epizootias/${id}`, analista)).observacao, 'segredo')
    await t.as(analista).put(`/epizootias/${id}`, { observacao: ' ' })
    assert.equal((await ler(`/epizootias/${id}`, analista)).observacao, null)
  })

  it('is undone by deletion and restoration, with a reason that those who register read', async () => {
    const id = await registrar()
    assert.equal((await t.as(analista).delete(`/epizootias/${id}?motivo=x`)).status, 403)
    assert.equal((await t.as(gestor).delete(`/epizootias/${id}`)).status, 400)
    assert.equal((await t.as(gestor).delete(`/epizootias/${id}?motivo=${'x'.repeat(501)}`)).status, 422)
    const stale = { headers: { 'if-match': '"7"' } }
    assert.equal((await t.as(gestor).delete(`/epizootias/${id}?motivo=x`, stale)).status, 409)
    assert.equal((await t.as(gestor).post(`/epizootias/${id}/restaurar`)).status, 404)
    assert.equal((await t.as(gestor).delete(`/epizootias/${id}?motivo=engano`)).status, 204)
    for (const path of [`/epizootias/${id}`, `/epizootias/${id}/historico`])
      assert.equal((await t.as(leitor).get(path)).status, 404)
    assert.equal((await t.as(gestor).delete(`/epizootias/${id}?motivo=x`)).status, 404)
    assert.equal((await ler(`/epizootias?id=${id}`)).total, 0)
    const { status, body } = await t.as(gestor).post(`/epizootias/${id}/restaurar`)
    assert.deepEqual([status, body.versao], [200, 3])
    const motivos = async (by = leitor) =>
      (await ler(`/epizootias/${id}/historico`, by)).items.map(({ motivo }: { motivo: unknown }) => motivo)
    assert.deepEqual(await motivos(), [null, null, null])
    assert.deepEqual(await motivos(analista), [null, 'engano', null])
    const audited = await pool.rows<{ acao: string }>(
      sql`select acao from auditoria where recurso = 'epizootia' and recurso_id = ${String(id)} order by id`,
    )
    assert.deepEqual(
      audited.map(({ acao }) => acao),
      ['epizootia.excluida', 'epizootia.restaurada'],
    )
  })
})

describe('The list', () => {
  it('is filtered by place, suspicion, kind, class, day and week, and searched', async () => {
    const id = await registrar({
      ...{
        municipio: CARUARU,
        suspeita: 'raiva',
        especie_grupo: 'quiroptero',
        data_ocorrencia: '2024-06-12',
      },
      ...{ classificacao: 'descartada', especie: 'Desmodus rotundus', localidade: 'Serra Negra' },
    })
    for (const query of [
      `municipio=${CARUARU}`,
      'municipio=Caruaru&estado=PE',
      'regiao_saude=26003',
      'suspeita=raiva',
      'especie_grupo=quiroptero',
      'classificacao=descartada',
      'data_ocorrencia[lte]=2024-12-31&data_ocorrencia[gte]=2024-01-01',
      'semana=202424',
      'search=desmodus',
      'search=serra%20negra',
    ]) {
      const { items } = await ler(`/epizootias?${query}`)
      assert.deepEqual(
        items.map((one: { id: number }) => one.id),
        [id],
        query,
      )
    }
    assert.deepEqual(problemsOf(await t.as(leitor).get('/epizootias?municipio=Nenhures')), [
      'municipio UNKNOWN_MUNICIPIO',
    ])
  })
})

describe('A territory', () => {
  it('hides events outside, and refuses to register or move one there', async () => {
    const inside = await registrar({ municipio: OLINDA })
    const outside = await registrar({ municipio: PALMAS })
    const bound = await bind(t, await t.person({ grupos: ['gestor'] }), 'uf:PE')
    assert.equal((await t.as(bound).get(`/epizootias/${inside}`)).status, 200)
    for (const act of [
      () => t.as(bound).get(`/epizootias/${outside}`),
      () => t.as(bound).get(`/epizootias/${outside}/historico`),
      () => t.as(bound).put(`/epizootias/${outside}`, { animais_mortos: 1 }),
      () => t.as(bound).delete(`/epizootias/${outside}?motivo=x`),
    ])
      assert.equal((await act()).status, 404)
    assert.equal((await refused(evento({ municipio: PALMAS }), bound)).status, 403)
    assert.equal((await t.as(bound).put(`/epizootias/${inside}`, { municipio: PALMAS })).status, 403)
    await t.as(gestor).delete(`/epizootias/${outside}?motivo=x`)
    assert.equal((await t.as(bound).post(`/epizootias/${outside}/restaurar`)).status, 404)
    const { items } = await ler('/epizootias?size=100', bound)
    assert.deepEqual([...new Set(items.map((one: { estado: string }) => one.estado))], ['PE'])
    const seen = await ler('/epizootias/mapa', bound)
    assert.ok(
      seen.features.every(({ properties }: { properties: { estado: string } }) => properties.estado === 'PE'),
    )
    const numbers = await ler('/epizootias/estatisticas', bound)
    assert.deepEqual([numbers.parcial, numbers.eventos], [true, (await ler('/epizootias', bound)).total])
  })
})

describe('Suspicions', () => {
  it('are a list that grows, and shrinks only where nothing uses it', async () => {
    const novo = { campo: 'suspeita', codigo: 'mormo', rotulo: ' Mormo ' }
    assert.equal((await t.as(analista).post('/epizootias/valores', novo)).status, 403)
    const made = await t.as(gestor).post('/epizootias/valores', novo)
    assert.deepEqual([made.status, made.body.rotulo], [201, 'Mormo'])
    assert.deepEqual(problemsOf(await t.as(gestor).post('/epizootias/valores', novo)), ['codigo DUPLICATE'])
    const { items } = await ler('/epizootias/valores')
    assert.ok(items.some(({ codigo }: { codigo: string }) => codigo === 'mormo'))
    const id = await registrar({ suspeita: 'mormo', especie_grupo: 'equideo' })
    await t.as(gestor).delete(`/epizootias/${id}?motivo=x`)
    const used = await t.as(gestor).delete('/epizootias/valores/suspeita/mormo')
    assert.deepEqual([used.status, ...problemsOf(used)], [422, 'codigo IN_USE'])
    const ofSeries = await t.as(gestor).delete('/epizootias/valores/suspeita/febre_amarela')
    assert.deepEqual(problemsOf(ofSeries), ['codigo IN_USE'])
    await t.as(gestor).post('/epizootias/valores', { ...novo, codigo: 'nunca' })
    assert.equal((await t.as(gestor).delete('/epizootias/valores/suspeita/nunca')).status, 204)
    assert.equal((await t.as(gestor).delete('/epizootias/valores/suspeita/nunca')).status, 404)
  })
})

describe('With an Idempotency-Key', () => {
  it('an event is made once: the key of one under way is 409', async () => {
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const body = evento({ numero: 'UMA-VEZ' })
    const act = () => t.as(analista).post('/epizootias', body, { headers: { 'idempotency-key': 'em curso' } })
    const { first } = await pool.transaction(async (tx) => {
      // The key belongs to its caller, whose row is held here.
      await tx.run(sql`select from usuarios for update`)
      const first = act()
      while ((await tx.first(waiting)) === null) await sleep(10)
      assert.equal((await act()).status, 409)
      return { first }
    })
    assert.equal((await first).status, 201)
    assert.equal((await act()).headers['idempotent-replay'], 'true')
  })
})
