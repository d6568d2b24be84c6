import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../../src/db/sql.ts'
import { dropImagens } from '../../../src/domain/series/compactar.sql.ts'
import { bind } from '../../harness/bound.ts'

import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { OLINDA, problemsOf, RECIFE, SERIE, seriesApp } from './series-app.ts'

const s = await seriesApp()
const { t, pool, analista, gestor, leitor, importar, run, desfazer, valores, gravar } = s
after(() => t.close())
await s.registrar()

const HORAS = [
  'REGIAO:;NE',
  'UF:;PE',
  'ESTACAO:;RECIFE',
  'CODIGO (WMO):;A301',
  'LATITUDE:;-8,05928',
  'LONGITUDE:;-34,959239',
  'ALTITUDE:;11,3',
  'DATA DE FUNDACAO:;22/12/04',
  'Data;Hora UTC;PRECIPITAÇÃO TOTAL, HORÁRIO (mm);TEMPERATURA DO AR - BULBO SECO, HORARIA (°C);TEMPERATURA MÁXIMA NA HORA ANT. (AUT) (°C);TEMPERATURA MÍNIMA NA HORA ANT. (AUT) (°C);UMIDADE REL. MAX. NA HORA ANT. (AUT) (%);UMIDADE REL. MIN. NA HORA ANT. (AUT) (%);UMIDADE RELATIVA DO AR, HORARIA (%);',
]
/** One day in UTC: the first three hours belong to the day before in Brasília. */
const hours = (day: string, count = 24) =>
  Array.from({ length: count }, (_, h) => {
    const hour = String(h).padStart(2, '0')
    return `${day.replaceAll('-', '/')};${hour}00 UTC;,2;${20 + h / 4};${21 + h};${20 - h / 10};80;60;70;`.replaceAll(
      '.',
      ',',
    )
  })

describe('INMET', () => {
  it('makes days of UTC−3 of hours, each with 18 of them at least', async () => {
    const file = [...HORAS, ...hours('2020-01-01'), ...hours('2020-01-02'), ...hours('2020-01-03', 20)].join(
      '\r\n',
    )
    const done = await importar(Buffer.from(file, 'latin1'))
    assert.equal(done.arquivo.layout, 'inmet')
    assert.deepEqual([done.total_linhas, done.importados, done.erros], [68, 2 * 7 + 0, 0])
    const query = `municipio=${RECIFE}&inicio=2019-12-31&fim=2020-01-03`
    // 31 December has three hours, 1 January 24, 2 January 24, 3 January 17.
    assert.deepEqual(await valores('chuva', query), [null, 4.8, 4.8, null])
    assert.deepEqual(await valores('temp_max', query), [null, 44, 44, null])
    assert.deepEqual(await valores('temp_min', query), [null, 17.7, 17.7, null])
  })

  it('refuses a station whose name is no municipality, unless the form names one', async () => {
    const file = [...HORAS, ...hours('2020-02-01')]
      .join('\n')
      .replace('ESTACAO:;RECIFE', 'ESTACAO:;PICO DA NEBLINA')
    const failed = await run(file)
    assert.equal(failed.status, 'failed')
    assert.match(failed.message, /PICO DA NEBLINA/)
    assert.equal((await importar(file, { municipio: OLINDA })).importados, 7)
  })
})

describe('InfoDengue', () => {
  const HEADER = 'data_iniSE,SE,casos,id,tempmin,umidmax'
  const file = [
    HEADER,
    '2018-04-04,201815,12,230440020181520227,25.5,88.1',
    '2018-04-01,201814,10,230440020181420227,24.25,87.5',
    '2018-03-25,201813,9,230440020181320227,,86',
  ].join('\n')

  it('takes the week of the file, warns of a day that is not its Sunday, and cases only for a named series', async () => {
    const done = await importar(file, { serie: 'casos_infodengue' })
    assert.deepEqual([done.importados, done.avisos, done.avisos_detalhados[0].linha], [8, 1, 2])
    assert.deepEqual(
      done.series.map(({ codigo, valores }: { codigo: string; valores: number }) => [codigo, valores]).sort(),
      [
        ['casos_infodengue', 3],
        ['temp_min_sem', 2],
        ['umid_max_sem', 3],
      ],
    )
    const query = 'municipio=2304400&semana_inicio=201813&semana_fim=201815'
    assert.deepEqual(await valores('casos_infodengue', query), [9, 10, 12])
    assert.deepEqual(await valores('temp_min_sem', query), [null, 24.25, 25.5])
  })

  it('changes nothing the second time', async () => {
    const events = () => pool.value(sql`select count(*) from eventos where tipo = 'serie.atualizada'`)
    const history = () => pool.value(sql`select count(*) from series_blocos_historico`)
    const before = [await s.blocos(), await events(), await history()]
    const again = await importar(file, { serie: 'casos_infodengue' })
    assert.deepEqual([again.importados, again.atualizados, again.inalterados], [0, 0, 8])
    assert.deepEqual([await s.blocos(), await events(), await history()], before)
  })
})

describe('Long and wide tables', () => {
  it('read several series, names and codes, decimal commas, and reject lines by reason', async () => {
    const file = [
      'municipio;estado;data;temp_min;chuva',
      'Recife;PE;05/01/2021;23,5;1,25',
      `${OLINDA};;2021-01-05;22;0`,
      'Recife;PE;2021-01-05;23,5;9',
      'Bom Jesus;;2021-01-05;20;0',
      'Recife;PE;2021-02-30;20;0',
      'Recife;PE;2021-01-06;99;0',
      'Recife;PE;2021-01-07;abc;0',
    ].join('\n')
    const failed = await run(file)
    assert.deepEqual([failed.status, failed.codigo, failed.resultado.erros], ['failed', 'REFUSED', 5])
    assert.deepEqual(
      failed.resultado.erros_detalhados.map(({ linha }: { linha: number }) => linha),
      [4, 5, 6, 7, 8],
    )
    const rejected = await t.as(analista).get(`/jobs/${failed.job_id}/rejeitados`)
    assert.match(rejected.text, /Bom Jesus.*não reconhecido/)
    const done = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual([done.importados, done.duplicados_no_arquivo], [4, 1])
    assert.deepEqual(await valores('chuva', `municipio=${RECIFE}&inicio=2021-01-05&fim=2021-01-05`), [1.25])
    const mixed = await run('municipio;data;temp_min\nRecife;2021-03-01;20,5\nOlinda;2021-03-01;20.5\n', {
      estado: 'PE',
    })
    assert.match(mixed.message, /vírgula e com ponto/)
  })

  it('takes the column of periods of its series, or the one that is asked for', async () => {
    const file = [
      'municipio;data;semana;ano;temp_min_sem',
      `${RECIFE};2023-01-01;202301;2023;21,5`,
      `${RECIFE};2023-01-08;202302;2023;22,5`,
    ].join('\n')
    for (const envio of [{}, { periodo: 'semana' }])
      assert.deepEqual((await importar(file, { modo: 'validar', ...envio })).erros, 0)
    assert.equal((await importar(file)).importados, 2)
    const weeks = `municipio=${RECIFE}&semana_inicio=202301&semana_fim=202302`
    assert.deepEqual(await valores('temp_min_sem', weeks), [21.5, 22.5])
    const daily = await run(file, { periodo: 'dia' })
    assert.deepEqual([daily.status, daily.resultado.erros], ['failed', 2])
    assert.match((await run(file, { periodo: 'mes' })).message, /Falta a coluna mes/)
    const wide = 'Município;Semana 01\n261160 Recife;3\n'
    const other = await run(wide, { serie: 'casos_infodengue', ano: '2022', periodo: 'mes' })
    assert.match(other.message, /é por semana, não por mes/)
    assert.equal((await s.send(file, { periodo: 'hora' })).status, 422)
  })

  it('reads a wide table of weeks, checks totals and leaves out who has no place', async () => {
    const file = [
      'Município;Semana 01;Semana 02;Total',
      '261160 Recife;3;-;3',
      '260960 Olinda;1;2;4',
      '260000 Município ignorado - PE;5;5;10',
      'Total;4;3;7',
    ].join('\n')
    const done = await importar(file, { serie: 'casos_infodengue', ano: '2022' })
    assert.deepEqual([done.importados, done.sem_lugar, done.avisos], [4, 1, 2])
    assert.deepEqual(
      done.avisos_detalhados.map(({ aviso }: { aviso: string }) => aviso),
      ['Total da linha: 4 no arquivo, 3 na soma', 'Total da coluna Semana 02: 3 no arquivo, 2 na soma'],
    )
    const query = `municipio=${RECIFE}&semana_inicio=202201&semana_fim=202202`
    assert.deepEqual(await valores('casos_infodengue', query), [3, 0])
    const missing = await run('Município;Semana 53\n261160 Recife;1\n', {
      serie: 'casos_infodengue',
      ano: '2022',
    })
    assert.match(missing.message, /Semana 53 não existe/)
  })

  it('reads rounds of LIRAa in the week of the 15th of their month', async () => {
    const done = await importar(
      'municipio;estado;ano;ciclo;iip;classificacao\nRecife;PE;2025;Jan/2025;1,8;Alerta\n',
    )
    assert.deepEqual([done.arquivo.layout, done.importados], ['liraa', 2])
    const query = `municipio=${RECIFE}&semana_inicio=202503&semana_fim=202503`
    assert.deepEqual(await valores('liraa_iip', query), [1.8])
  })

  it('tells what it does not know', async () => {
    assert.match((await run('a;b\n1;2\n')).message, /nenhum leiaute conhecido/)
    assert.match((await run('municipio;semana;valor\n1;2;3\n')).message, /informe o campo serie/)
    assert.match(
      (await run('municipio;semana;valor\n1;2;3\n', { serie: 'amplitude_termica' })).message,
      /derivada/,
    )
    const bad = await s.send('x', { modo: 'outro' })
    assert.deepEqual([bad.status, problemsOf(bad)], [422, ['modo INVALID_VALUE']])
  })
})

describe('A dry run and an undo', () => {
  const file = (valor: number) =>
    `municipio;semana;valor\n${RECIFE};202301;${valor}\n${RECIFE};202302;${valor + 1}\n${OLINDA};202301;${valor}\n`
  const serie = 'casos_infodengue'

  it('writes nothing, and tells what the import would do', async () => {
    const before = await s.blocos()
    const done = await importar(file(1), { serie, modo: 'validar' })
    assert.deepEqual([done.importados, done.importacao_id], [3, null])
    assert.equal(await s.blocos(), before)
  })

  it('restores every block bit for bit, also those that did not exist', async () => {
    await importar(file(1), { serie })
    const before = await s.blocos()
    const summary = await s.ler(`/series/${serie}`)
    const { importacao_id } = await importar(`${file(7)}${RECIFE};202103;0.5\n`.replace(';0.5', ';4'), {
      serie,
    })
    assert.notEqual(await s.blocos(), before)
    assert.deepEqual((await desfazer(importacao_id, { simular: true })).restaurados, 3)
    assert.notEqual(await s.blocos(), before)
    const undone = await desfazer(importacao_id)
    assert.deepEqual([undone.removidos, undone.restaurados, undone.total_mantidos], [1, 3, 0])
    assert.equal(await s.blocos(), before)
    const { valores: count, primeiro, ultimo } = await s.ler(`/series/${serie}`)
    assert.deepEqual([count, primeiro, ultimo], [summary.valores, summary.primeiro, summary.ultimo])
    const again = await t.as(analista).post(`/series/importacoes/${importacao_id}/desfazer`)
    assert.equal(again.status, 409)
  })

  it('keeps exactly what somebody changed since', async () => {
    const { importacao_id } = await importar(file(20), { serie })
    await gravar(serie, [{ municipio: RECIFE, semana: '202302', valor: 99 }])
    const undone = await desfazer(importacao_id)
    assert.deepEqual([undone.restaurados, undone.total_mantidos], [2, 1])
    const query = `municipio=${RECIFE}&semana_inicio=202301&semana_fim=202302`
    assert.deepEqual(await valores(serie, query), [1, 99])
  })

  it('is for its importer, or for those who define series, and within a territory', async () => {
    const other = await t.person({ grupos: ['analista'] })
    const bound = await bind(t, await t.person({ grupos: ['gestor'] }), `municipio:${RECIFE}`)
    const { importacao_id } = await importar(file(30), { serie })
    const undo = (by = other) => t.as(by).post(`/series/importacoes/${importacao_id}/desfazer`)
    assert.deepEqual([(await undo()).status, (await undo(bound)).body.error.code], [403, 'OUT_OF_TERRITORY'])
    assert.equal((await t.as(gestor).get(`/series/importacoes/${importacao_id}`)).status, 200)
    const { items } = (await t.as(gestor).get('/series/importacoes?layout=longa')).body
    assert.equal(items[0].id, importacao_id)
    assert.equal((await t.as(gestor).get('/series/importacoes?layout=x')).status, 422)
    // Imports of cases and of series do not show each other's.
    assert.equal((await t.as(gestor).get(`/agravos/importacoes/${importacao_id}`)).status, 404)
    for (const path of ['2000000000', '2000000000/desfazer'])
      assert.equal(
        (await t.as(gestor).request(path.endsWith('r') ? 'POST' : 'GET', `/series/importacoes/${path}`))
          .status,
        404,
      )
    assert.equal((await t.as(gestor).get('/series/importacoes/0')).status, 422)
    assert.equal((await t.as(gestor).post('/series/importacoes/0/desfazer')).status, 422)
    const line = await run(file(40), { serie, by: bound })
    assert.deepEqual([line.status, line.resultado.erros], ['failed', 1])
    assert.match(line.resultado.erros_detalhados[0].erro, /fora do território/)
    assert.equal((await t.as(leitor).post(`/series/importacoes/${importacao_id}/desfazer`)).status, 403)
  })
})

describe('With an Idempotency-Key', () => {
  it('a series and an import are made once: the key of one under way is 409', async () => {
    const waiting = sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`
    const headers = { 'idempotency-key': 'em curso' }
    const body = { ...SERIE, codigo: 'uma_vez' }
    const payload = multipart({ field: 'file', content: 'a;b\n', filename: 'a.csv' })
    for (const act of [
      () => t.as(gestor).post('/series', body, { headers }),
      () =>
        t.as(analista).request('POST', '/series/bulk', { headers: { ...MULTIPART, ...headers }, payload }),
    ]) {
      const { first } = await pool.transaction(async (tx) => {
        // The key belongs to its caller, whose row is held here.
        await tx.run(sql`select from usuarios for update`)
        const first = act()
        while ((await tx.first(waiting)) === null) await sleep(10)
        assert.equal((await act()).status, 409)
        return { first }
      })
      assert.ok([201, 202].includes((await first).status))
      assert.equal((await act()).headers['idempotent-replay'], 'true')
    }
  })
})

describe('Compaction', () => {
  it('drops images from before a day: what was known then, and undoing, are refused', async () => {
    const query = `municipio=${OLINDA}&inicio=2021-05-01&fim=2021-05-01`
    const put = (valor: number | null) =>
      gravar('umid_med', [{ municipio: OLINDA, data: '2021-05-01', valor }])
    const { importacao_id } = await put(50)
    await put(60)
    await gravar('umid_med', [{ municipio: RECIFE, data: '2011-05-01', valor: 1 }])
    await gravar('umid_med', [{ municipio: RECIFE, data: '2011-05-01', valor: null }])
    t.clock.advance(1_000)
    const border = t.clock.now()
    t.clock.advance(1_000)
    await put(70)
    await pool.transaction((tx) => dropImagens(tx, border))
    assert.deepEqual(await valores('umid_med', query), [70])
    const known = (moment: Date) =>
      t.as(leitor).get(`/series/umid_med/valores?${query}&conhecidos_em=${moment.toISOString()}`)
    const { body } = await known(border)
    assert.deepEqual([body.valores[0].valor, body.reconstruido], [60, true])
    const before = await known(new Date(border.getTime() - 1))
    assert.deepEqual([before.status, ...problemsOf(before)], [422, 'conhecidos_em BEFORE'])
    const undo = await t.as(analista).post(`/series/importacoes/${importacao_id}/desfazer`)
    assert.deepEqual([undo.status, ...problemsOf(undo)], [422, 'id BEFORE'])
    // The last image of a block that is gone stays: its revisions go on.
    const revisions = await pool.rows<{ revisao: number }>(sql`
      select revisao from series_blocos_historico h join series s on s.id = h.serie_id
      where s.codigo = 'umid_med' and h.ano = 2011`)
    assert.deepEqual(revisions, [{ revisao: 1 }])
    const fixed = await t.as(gestor).put('/series/umid_med', { unidade: '1' })
    assert.deepEqual(problemsOf(fixed), ['unidade NOT_EDITABLE'])
  })
})
