import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cleanUp } from '../../../src/domain/cleanup/cleanup.ts'
import { listDiferencas, recountEpizootias } from '../../../src/domain/epizootias/contagens.sql.ts'
import { distanceOf } from '../../../src/domain/epizootias/mapa.ts'
import { bind } from '../../harness/bound.ts'

import { CARUARU, epizootiasApp, OLINDA, PALMAS, problemsOf, RECIFE } from './epizootias-app.ts'

const e = await epizootiasApp()
const { t, pool, gestor, analista, leitor, registrar, ler, importar, desfazer } = e
after(() => t.close())

const totals = async (query: string, by = leitor) => {
  const { periodos } = await ler(`/epizootias/estatisticas?${query}`, by)
  return periodos.map(({ periodo, eventos }: { periodo: string; eventos: number }) => `${periodo} ${eventos}`)
}

describe('Counters', () => {
  it('follow every change, and agree with the events under concurrent writes', async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        registrar({
          municipio: i % 2 ? RECIFE : OLINDA,
          data_ocorrencia: `2025-03-${10 + i}`,
          animais_mortos: i + 1,
        }),
      ),
    )
    await Promise.all(
      ids.flatMap((id, i) => [
        t.as(analista).put(`/epizootias/${id}`, { classificacao: 'confirmada', criterio: 'laboratorial' }),
        t.as(analista).put(`/epizootias/${id}`, { municipio: CARUARU, animais_mortos: i + 2 }),
        ...(i % 3 === 0 ? [t.as(gestor).delete(`/epizootias/${id}?motivo=x`)] : []),
        cleanUp(t.app),
      ]),
    )
    assert.deepEqual(await listDiferencas(pool), [])
    const { total } = await ler('/epizootias')
    const { eventos, animais_mortos } = await ler('/epizootias/estatisticas')
    assert.equal(eventos, total)
    assert.equal(
      animais_mortos,
      await pool.value(sql`select sum(animais_mortos) from epizootias where excluido_em is null`),
    )
    await cleanUp(t.app)
    assert.deepEqual(await listDiferencas(pool), [])
    const keys = await pool.value<number>(sql`
      select count(*) - count(distinct (municipio, suspeita, especie_grupo, classificacao, precisao, inicio, ano))
      from epizootias_contagens`)
    assert.equal(keys, 0)
    await pool.run(sql`update epizootias_contagens set eventos = eventos + 1`)
    assert.ok((await listDiferencas(pool)).length > 0)
    await pool.transaction(recountEpizootias)
    assert.deepEqual(await listDiferencas(pool), [])
  })
})

describe('Statistics', () => {
  it('are by week, month and year; what has no day is told apart', async () => {
    const more = { municipio: PALMAS, suspeita: 'raiva', especie_grupo: 'bovino' }
    await registrar({ ...more, data_ocorrencia: '2022-12-31', animais_mortos: 3 })
    await registrar({ ...more, data_ocorrencia: '2023-01-01', classificacao: 'descartada' })
    await registrar({ ...more, data_ocorrencia: '2023-01-07' })
    await registrar({ ...more, data_ocorrencia: null, ano_ocorrencia: 2023, mes_ocorrencia: 1 })
    await registrar({ ...more, data_ocorrencia: null, ano_ocorrencia: 2023 })
    const place = `municipio=${PALMAS}&suspeita=raiva`
    assert.deepEqual(await totals(place), ['202252 1', '202301 2'])
    assert.deepEqual(await totals(`${place}&agregacao=mes`), ['2022-12 1', '2023-01 3'])
    assert.deepEqual(await totals(`${place}&agregacao=ano`), ['2022 1', '2023 4'])
    assert.deepEqual(await totals(`${place}&inicio=2023-01-02`), ['202301 1'])
    const answer = await ler(`/epizootias/estatisticas?${place}&agrupar_por=classificacao`)
    assert.deepEqual([answer.eventos, answer.animais_mortos, answer.sem_data], [5, 3, { mes: 1, ano: 1 }])
    assert.deepEqual(answer.grupos, [
      { valor: 'em_investigacao', eventos: 4, animais_mortos: 3 },
      { valor: 'descartada', eventos: 1, animais_mortos: 0 },
    ])
    const months = await ler(`/epizootias/estatisticas?${place}&agregacao=mes`)
    assert.deepEqual(months.sem_data, { mes: 0, ano: 1 })
    const { text, headers } = await t.as(leitor).get(`/epizootias/estatisticas?${place}&formato=csv`)
    assert.match(String(headers['content-type']), /text\/csv/)
    assert.match(text, /202252;2022-12-25;;1;3/)
    const wrong = await t.as(leitor).get('/epizootias/estatisticas?inicio=2023-01-02&fim=2023-01-01')
    assert.deepEqual(problemsOf(wrong), ['fim BEFORE'])
    assert.equal((await t.as(leitor).get('/epizootias/estatisticas?agrupar_por=cor')).status, 422)
  })

  it('are a map by municipality or by event', async () => {
    const { features, metadata } = await ler(`/epizootias/mapa?suspeita=raiva`)
    assert.deepEqual(metadata, { nivel: 'municipio', total_eventos: 5 })
    assert.deepEqual(features[0].properties, {
      ...{ municipio: 'Palmas', codigo_ibge: PALMAS, estado: 'TO' },
      ...{ animais_mortos: 3, eventos: 5, confirmadas: 0, ultima: '2023-01-07' },
    })
    const marks = await ler('/epizootias/mapa?nivel=ponto&suspeita=raiva')
    assert.equal(marks.features.length, 5)
    assert.equal(marks.features[0].properties.exata, false)
  })
})

describe('Nearness', () => {
  it('lists what was around a place in the last weeks, newest first', async () => {
    const day = (ago: number) =>
      new Date(t.clock.now().getTime() - ago * 86_400_000).toISOString().slice(0, 10)
    const near = await registrar({ municipio: OLINDA, data_ocorrencia: day(10) })
    const own = await registrar({ municipio: RECIFE, data_ocorrencia: day(3) })
    await registrar({ municipio: CARUARU, data_ocorrencia: day(3) })
    await registrar({ municipio: OLINDA, data_ocorrencia: day(60) })
    const ids = async (query: string, by = leitor) =>
      (await ler(`/epizootias/proximas?municipio=${RECIFE}&${query}`, by)).items.map(
        (one: { id: number }) => one.id,
      )
    assert.deepEqual(await ids(''), [own, near])
    assert.deepEqual(await ids('raio_km=1'), [own])
    assert.equal((await ids('raio_km=200')).length, 3)
    assert.equal((await ids('semanas=12')).length, 3)
    assert.deepEqual(await ids('suspeita=raiva'), [])
    const bound = await bind(t, await t.person({ grupos: ['visualizador'] }), `municipio:${OLINDA}`)
    assert.deepEqual(await ids('', bound), [near])
    const { items } = await ler(`/epizootias/proximas?municipio=Recife&estado=PE`)
    assert.deepEqual([items[0].distancia_km, items[1].distancia_km > 0], [0, true])
    assert.deepEqual(problemsOf(await t.as(leitor).get('/epizootias/proximas')), ['municipio REQUIRED'])
    assert.deepEqual(problemsOf(await t.as(leitor).get('/epizootias/proximas?municipio=Nenhures')), [
      'municipio UNKNOWN_MUNICIPIO',
    ])
  })

  it('measures along the great circle', () => {
    const [recife, brasilia] = [
      { latitude: -8.04666, longitude: -34.8771 },
      { latitude: -15.7795, longitude: -47.9297 },
    ]
    assert.ok(Math.abs(distanceOf(recife, brasilia) - 1657) < 3)
    assert.equal(distanceOf(recife, recife), 0)
  })
})

describe('The derived series', () => {
  it('is the number of events while an import is undone among writes, and after it', async () => {
    const days = Array.from({ length: 24 }, (_, i) => `2024-05-${String(i + 1).padStart(2, '0')}`)
    const lines = days.map((day, i) => `LOTE-${i};${day};${CARUARU};pnh;febre_amarela`)
    const header = 'numero;data_ocorrencia;municipio;especie_grupo;suspeita'
    const { importacao_id } = await importar([header, ...lines, ''].join('\n'))
    const place = `municipio=${CARUARU}&data_ocorrencia[gte]=2024-05-01&data_ocorrencia[lte]=2024-05-31`
    const { items } = await ler(`/epizootias?${place}&size=100`)
    assert.equal(items.length, days.length)
    const imported = items.map(({ id }: { id: number }) => id)

    const undone = desfazer(importacao_id)
    let isOver = false
    const moments = (async () => {
      do assert.deepEqual(await listDiferencas(pool), [])
      while (!isOver)
    })()
    const work = Promise.all([
      ...days.map((data_ocorrencia) => registrar({ municipio: CARUARU, data_ocorrencia })),
      // Some are undone before they are changed, which is a 404, and some stay because they were.
      ...imported
        .slice(0, 12)
        .map((id: number) => t.as(analista).put(`/epizootias/${id}`, { animais_mortos: 2 })),
      ...Array.from({ length: 4 }, () => cleanUp(t.app)),
      undone,
    ]).finally(() => {
      isOver = true
    })
    await Promise.all([work, moments])
    assert.equal((await undone).status, 'completed')
    const { total } = await ler(`/epizootias?${place}`)
    const { valores } = await ler(
      `/series/epizootias_pnh/valores?municipio=${CARUARU}&semana_inicio=202418&semana_fim=202422`,
    )
    const sum = valores.reduce((before: number, { valor }: { valor: number }) => before + valor, 0)
    assert.equal(sum, total)
    assert.ok(total >= days.length && total <= days.length + 12, String(total))
  })

  const serie = (codigo: string, query: string, by = leitor) => ler(`/series/${codigo}/valores?${query}`, by)
  const values = async (codigo: string, query: string, by = leitor) =>
    (await serie(codigo, query, by)).valores.map(({ valor }: { valor: number | null }) => valor)

  it('says what the list says, of any place, and zero where there is nothing', async () => {
    await registrar({ municipio: RECIFE, data_ocorrencia: '2019-06-02' })
    await registrar({ municipio: OLINDA, data_ocorrencia: '2019-06-08' })
    await registrar({
      ...{ municipio: PALMAS, data_ocorrencia: '2019-06-09' },
      ...{ classificacao: 'confirmada', criterio: 'laboratorial' },
    })
    await registrar({ municipio: RECIFE, data_ocorrencia: '2019-06-04', especie_grupo: 'ave' })
    const weeks = 'semana_inicio=201922&semana_fim=201925'
    assert.deepEqual(await values('epizootias_pnh', weeks), [0, 2, 1, 0])
    assert.deepEqual(await values('epizootias_pnh', `${weeks}&estado=PE`), [0, 2, 0, 0])
    assert.deepEqual(await values('epizootias_pnh', `${weeks}&municipio=${OLINDA}`), [0, 1, 0, 0])
    assert.deepEqual(await values('epizootias_pnh_confirmadas', weeks), [0, 0, 1, 0])
    assert.deepEqual(await values('epizootias_pnh', 'inicio=2019-06-01&fim=2019-06-30&periodo=mes'), [3])
    const { total } = await ler('/epizootias?semana=201923&especie_grupo=pnh')
    assert.equal(total, 2)
    const { lugares } = await ler('/series/epizootias_pnh/lugares?semana=201923&estado=PE')
    const some = lugares.filter(({ valor }: { valor: number }) => valor > 0)
    assert.deepEqual(some.map(({ lugar }: { lugar: { codigo: string } }) => lugar.codigo).sort(), [
      OLINDA,
      RECIFE,
    ])
    const states = await ler('/series/epizootias_pnh/lugares?semana=201923&nivel=estado')
    assert.equal(
      states.lugares.find((one: { lugar: { codigo: string } }) => one.lugar.codigo === 'PE').valor,
      2,
    )
    const panel = await ler('/series/painel?series=epizootias_pnh&semana_inicio=201923&semana_fim=201924')
    assert.deepEqual(
      panel.semanas.map(({ epizootias_pnh }: { epizootias_pnh: { valor: number } }) => epizootias_pnh.valor),
      [2, 1],
    )
    const bound = await bind(t, await t.person({ grupos: ['visualizador'] }), `municipio:${OLINDA}`)
    assert.deepEqual(await values('epizootias_pnh', weeks, bound), [0, 1, 0, 0])
    assert.deepEqual(await values('epizootias_pnh', `${weeks}&municipio=${PALMAS}`, bound), [
      null,
      null,
      null,
      null,
    ])
  })

  it('has no value of the future, and takes no values', async () => {
    const next = new Date(t.clock.now().getTime() + 14 * 86_400_000).toISOString().slice(0, 10)
    assert.deepEqual(await values('epizootias_pnh', `inicio=${next}&fim=${next}`), [null])
    const daily = await t.as(leitor).get('/series/epizootias_pnh/valores?periodo=dia')
    assert.deepEqual(problemsOf(daily), ['periodo INCONSISTENT'])
    const write = await t.as(analista).put('/series/epizootias_pnh/valores', {
      valores: [{ municipio: RECIFE, semana: '202001', valor: 1 }],
    })
    assert.equal(write.status, 422)
  })

  it('is as it was known, through every change of the events', async () => {
    const weeks = 'semana_inicio=201822&semana_fim=201825'
    const moments: { moment: string; told: Record<string, (number | null)[]> }[] = []
    const places = ['', 'estado=PE', `municipio=${RECIFE}`, `municipio=${PALMAS}`]
    const series = ['epizootias_pnh', 'epizootias_pnh_confirmadas']
    const tell = async (more = '') => {
      const told: Record<string, (number | null)[]> = {}
      for (const codigo of series)
        for (const place of places)
          told[`${codigo} ${place}`] = await values(codigo, `${weeks}&${place}${more}`)
      return told
    }
    const keep = async () => {
      t.clock.advance(60_000)
      moments.push({ moment: t.clock.now().toISOString(), told: await tell() })
      t.clock.advance(60_000)
    }
    const change = async (id: number, body: object) => {
      const { status, text } = await t.as(analista).put(`/epizootias/${id}`, body)
      assert.equal(status, 200, text)
    }
    await keep()
    const id = await registrar({ municipio: RECIFE, data_ocorrencia: '2018-06-05' })
    const other = await registrar({ municipio: OLINDA, data_ocorrencia: '2018-06-12' })
    await keep()
    await change(id, { municipio: PALMAS, estado: 'TO' })
    await keep()
    await change(id, { classificacao: 'confirmada', criterio: 'laboratorial' })
    await change(id, { data_ocorrencia: '2018-06-12' })
    await keep()
    await change(id, { observacao: 'Achado por quem cuida do parque' })
    assert.equal((await t.as(gestor).delete(`/epizootias/${other}?motivo=x`)).status, 204)
    await keep()
    await change(id, { data_ocorrencia: null, ano_ocorrencia: 2018 })
    assert.equal((await t.as(gestor).post(`/epizootias/${other}/restaurar`)).status, 200)
    await keep()
    assert.equal((await t.as(gestor).delete(`/epizootias/${other}?motivo=x`)).status, 204)
    await change(id, { especie_grupo: 'ave' })
    await keep()
    for (const { moment, told } of moments)
      assert.deepEqual(await tell(`&conhecidos_em=${moment}`), told, moment)
    assert.equal(new Set(moments.map(({ told }) => JSON.stringify(told))).size, moments.length - 1)
    const body = await serie('epizootias_pnh', `${weeks}&conhecidos_em=2018-06-12T12:00:00Z`)
    assert.equal(body.reconstruido, true)
    assert.deepEqual(
      body.valores.map(({ valor }: { valor: number | null }) => valor),
      [0, 0, 0, null],
      'the week that was still to come has none',
    )
  })

  it('is registered for other kinds, by week and municipality', async () => {
    const nova = {
      ...{ codigo: 'raiva_morcegos', nome: 'Raiva em morcegos', descricao: 'Eventos', dominio: 'animal' },
      ...{
        tema: 'fauna',
        unidade: '{eventos}',
        tipo_valor: 'inteiro',
        periodo: 'semana',
        nivel: 'municipio',
      },
      ...{ agrega_tempo: 'soma', agrega_lugar: 'soma', fonte: 'Vigilância', licenca: 'Aberta' },
      derivada: { tipo: 'epizootias', especie_grupo: 'quiroptero', suspeita: 'raiva' },
    }
    for (const [more, problem] of [
      [{ periodo: 'mes' }, 'periodo INCONSISTENT'],
      [{ nivel: 'estado' }, 'nivel INCONSISTENT'],
      [{ derivada: { tipo: 'epizootias', suspeita: 'gripe' } }, 'derivada.suspeita UNKNOWN'],
    ] as const)
      assert.deepEqual(problemsOf(await t.as(gestor).post('/series', { ...nova, ...more })), [problem])
    const { status, text } = await t.as(gestor).post('/series', nova)
    assert.equal(status, 201, text)
    await registrar({ especie_grupo: 'quiroptero', suspeita: 'raiva', data_ocorrencia: '2018-05-01' })
    assert.deepEqual(await values('raiva_morcegos', 'semana_inicio=201818&semana_fim=201818'), [1])
  })
})
