import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { bind } from '../../harness/bound.ts'

import { OLINDA, problemsOf, RECIFE, SERIE, seriesApp } from './series-app.ts'

const s = await seriesApp()
const { t, pool, gestor, analista, leitor, gravar, ler, valores, registrar } = s
after(() => t.close())

const refused = async (codigo: string, valores: object[], by = analista) => {
  const before = await s.blocos()
  const answer = await t.as(by).put(`/series/${codigo}/valores`, { valores })
  assert.equal(await s.blocos(), before)
  return answer
}

describe('The catalogue', () => {
  it('has the shipped series, without values', async () => {
    const { total, items } = await ler('/series?size=100&com_valores=false')
    assert.equal(total, 33)
    const one = items.find(({ codigo }: { codigo: string }) => codigo === 'liraa_iip')
    assert.deepEqual(
      [one.unidade, one.periodo, one.validade, one.valores, one.lugares, one.primeiro, one.atualizada_em],
      ['%', 'semana', 26, 0, 0, null, null],
    )
    assert.equal((await ler('/series?dominio=animal')).total, 6)
  })

  it('registers a series once, with source and licence', async () => {
    const answer = await t.as(gestor).post('/series', { ...SERIE, codigo: 'mortes_peixes' })
    assert.equal(answer.status, 201, answer.text)
    assert.ok(String(answer.headers.location).endsWith('/api/v1/series/mortes_peixes'))
    assert.equal(answer.headers.etag, '"1"')
    for (const [more, problem] of [
      [{ codigo: 'mortes_peixes' }, 'codigo DUPLICATE'],
      [{ codigo: 'importacoes' }, 'codigo PROTECTED'],
      [{ codigo: 'Maiuscula' }, 'codigo INVALID_FORMAT'],
      [{ licenca: ' ' }, 'licenca INVALID_FORMAT'],
      [{ fonte: undefined }, 'fonte REQUIRED'],
      [{ tipo_valor: 'categoria' }, 'categorias INCONSISTENT'],
      [{ minimo: 2, maximo: 1 }, 'maximo INCONSISTENT'],
      [{ derivada: { tipo: 'diferenca', minuendo: 'temp_max', subtraendo: 'nada' } }, 'derivada UNKNOWN'],
      [
        { derivada: { tipo: 'diferenca', minuendo: 'temp_max', subtraendo: 'temp_min' } },
        'derivada INCONSISTENT',
      ],
    ] as const) {
      const bad = await t.as(gestor).post('/series', { ...SERIE, codigo: 'outra', ...more })
      assert.equal(bad.status, 422, JSON.stringify(more))
      assert.ok(problemsOf(bad).includes(problem), `${problemsOf(bad)} ${problem}`)
    }
    assert.equal((await t.as(leitor).get('/series/outra')).status, 404)
  })

  it('changes texts at any time, the measure only without values, and removes what was never used', async () => {
    await registrar({ codigo: 'a_mudar' })
    const put = (body: object, headers = {}) => t.as(gestor).put('/series/a_mudar', body, { headers })
    const changed = await put({ unidade: '1', nome: 'Outro' }, { 'if-match': '"1"' })
    assert.deepEqual([changed.status, changed.body.versao, changed.body.nome], [200, 2, 'Outro'])
    assert.equal((await put({ nome: 'Mais um' }, { 'if-match': '"1"' })).status, 409)
    await gravar('a_mudar', [{ municipio: RECIFE, semana: '202601', valor: 3 }])
    const fixed = await put({ unidade: '%' })
    assert.deepEqual([fixed.status, problemsOf(fixed)], [422, ['unidade NOT_EDITABLE']])
    assert.equal((await put({ publica: true })).status, 200)
    const used = await t.as(gestor).delete('/series/a_mudar')
    assert.deepEqual([used.status, problemsOf(used)], [422, ['codigo IN_USE']])
    await registrar({ codigo: 'a_remover' })
    assert.equal((await t.as(gestor).delete('/series/a_remover')).status, 204)
    assert.equal((await t.as(gestor).delete('/series/a_remover')).status, 404)
    assert.equal((await t.as(gestor).put('/series/a_remover', { nome: 'x' })).status, 404)
    assert.equal((await t.as(gestor).delete('/series/temp_min')).status, 422)
  })
})

describe('Values', () => {
  it('are written all or nothing, compared with what is stored, and removed by null', async () => {
    const first = await gravar('liraa_iip', [
      { municipio: RECIFE, semana: '202603', valor: 1.8 },
      { municipio: 'Olinda', estado: 'PE', semana: '202603', valor: 0 },
    ])
    assert.deepEqual([first.novos, first.alterados, first.apagados, first.inalterados], [2, 0, 0, 0])
    const second = await gravar('liraa_iip', [
      { municipio: RECIFE, semana: '202603', valor: 2 },
      { municipio: OLINDA, semana: '202603', valor: null },
    ])
    assert.deepEqual([second.novos, second.alterados, second.apagados], [0, 1, 1])
    const events = () => pool.value(sql`select count(*) from eventos where tipo = 'serie.atualizada'`)
    const before = [await s.blocos(), await events()]
    const third = await gravar('liraa_iip', [{ municipio: RECIFE, semana: '202603', valor: 2 }])
    assert.deepEqual([third.importacao_id, third.inalterados], [null, 1])
    assert.deepEqual([await s.blocos(), await events()], before)
    const serie = await ler('/series/liraa_iip')
    assert.deepEqual([serie.valores, serie.lugares, serie.primeiro], [1, 1, '2026-01-18'])
  })

  it('are refused by their place in the request', async () => {
    const line = { municipio: RECIFE, semana: '202603', valor: 1 }
    const bad = await refused('liraa_iip', [
      line,
      { ...line, semana: '202453' },
      { ...line, semana: '203001' },
      { ...line, semana: undefined },
      { ...line, valor: 101 },
      { ...line, valor: -1 },
      { ...line, valor: 'muito' },
      { ...line, municipio: 'Lugar Nenhum' },
      { ...line, valor: 2 },
    ])
    assert.equal(bad.status, 422)
    assert.deepEqual(problemsOf(bad).sort(), [
      'valores.1.semana INVALID_VALUE',
      'valores.2.semana IN_FUTURE',
      'valores.3.semana REQUIRED',
      'valores.4.valor TOO_LARGE',
      'valores.5.valor TOO_SMALL',
      'valores.6.valor INVALID_TYPE',
      'valores.7.municipio UNKNOWN_MUNICIPIO',
      'valores.8 REPEATED',
    ])
    assert.deepEqual(problemsOf(await refused('amplitude_termica', [line])), ['codigo NOT_EDITABLE'])
    assert.equal((await refused('nao_existe', [line])).status, 404)
    await registrar({ codigo: 'so_estados', nivel: 'estado' })
    assert.deepEqual(problemsOf(await refused('so_estados', [line])), ['valores.0.nivel INCONSISTENT'])
    const many = Array.from({ length: 10_001 }, () => line)
    assert.ok(problemsOf(await refused('liraa_iip', many)).includes('valores TOO_MANY'))
  })

  it('are told by category, and an unknown one is refused', async () => {
    const at = { municipio: RECIFE, semana: '202604' }
    await gravar('liraa_classificacao', [{ ...at, valor: 'alerta' }])
    const query = `municipio=${RECIFE}&semana_inicio=202604&semana_fim=202604`
    assert.deepEqual(await valores('liraa_classificacao', query), [{ codigo: 'alerta', rotulo: 'Alerta' }])
    assert.deepEqual(problemsOf(await refused('liraa_classificacao', [{ ...at, valor: 'péssimo' }])), [
      'valores.0.valor INVALID_VALUE',
    ])
  })

  it('stay valid for their validity, marked with the week they come from', async () => {
    const body = await ler(
      `/series/liraa_iip/valores?municipio=${RECIFE}&semana_inicio=202602&semana_fim=202630`,
    )
    const told = body.valores.map(({ semana, valor, repetido, de }: Record<string, unknown>) => [
      semana,
      valor,
      repetido,
      de,
    ])
    assert.deepEqual(told[0], ['202602', null, false, undefined])
    assert.deepEqual(told[1], ['202603', 2, false, undefined])
    assert.deepEqual(told[2], ['202604', 2, true, '202603'])
    assert.deepEqual(told[27], ['202629', 2, true, '202603'])
    assert.deepEqual(told[28], ['202630', null, false, undefined])
    assert.equal(body.sem_valor, 2)
  })

  it('are as they were known at a moment, revision by revision', async () => {
    const query = `municipio=${RECIFE}&semana_inicio=202610&semana_fim=202610`
    const at = { municipio: RECIFE, semana: '202610' }
    const before = t.clock.now().toISOString()
    t.clock.advance(60_000)
    await gravar('liraa_ib', [{ ...at, valor: 5 }])
    t.clock.advance(60_000)
    const between = t.clock.now().toISOString()
    t.clock.advance(60_000)
    await gravar('liraa_ib', [{ ...at, valor: 7 }])
    assert.deepEqual(await valores('liraa_ib', query), [7])
    assert.deepEqual(await valores('liraa_ib', `${query}&conhecidos_em=${between}`), [5])
    assert.deepEqual(await valores('liraa_ib', `${query}&conhecidos_em=${before}`), [null])
    for (const [moment, expected] of [
      [between, 5],
      [before, null],
    ] as const) {
      const panel = await ler(`/series/painel?series=liraa_ib&${query}&conhecidos_em=${moment}`)
      assert.deepEqual([panel.reconstruido, panel.semanas[0].liraa_ib.valor], [true, expected])
    }
    const correlated = `/series/liraa_ib/correlacao?com=liraa_iip&${query}`
    assert.equal((await ler(`${correlated}&conhecidos_em=${between}`)).reconstruido, true)
    assert.equal('reconstruido' in (await ler(correlated)), false)
    const known = await ler(`/series/liraa_ib/valores?${query}&conhecidos_em=${between}`)
    assert.equal(known.reconstruido, true)
    const { items } = await ler(`/series/liraa_ib/revisoes?municipio=${RECIFE}`)
    assert.deepEqual(
      items.map((one: Record<string, unknown>) => [one.revisao, one.alterados]),
      [
        [2, [{ inicio: '2026-03-08', antes: 5, depois: 7 }]],
        [1, [{ inicio: '2026-03-08', antes: null, depois: 5 }]],
      ],
    )
    assert.equal((await t.as(leitor).get('/series/nao_existe/revisoes')).status, 404)
    assert.equal((await t.as(leitor).get('/series/liraa_ib/revisoes?size=0')).status, 422)
  })

  it('answer wrong questions with what is wrong', async () => {
    for (const [path, problem] of [
      ['liraa_ib/valores?periodo=dia', 'periodo INCONSISTENT'],
      ['liraa_ib/valores?estado=PE', 'nivel INCONSISTENT'],
      ['temp_min/valores?semana_inicio=202453', 'semana_inicio INVALID_VALUE'],
      ['temp_min/valores?inicio=2026-01-01&semana_inicio=202601', 'inicio INCONSISTENT'],
      ['temp_min/valores?inicio=2026-01-05&fim=2026-01-01', 'fim BEFORE'],
      ['temp_min/valores?inicio=1950-01-01&fim=2026-01-01', 'inicio TOO_MANY'],
      ['temp_min/valores?inicio=1949-12-31&fim=1950-01-02', 'inicio INVALID_VALUE'],
      ['temp_min/valores?inicio=9999-12-30&fim=9999-12-31&periodo=ano', 'inicio INVALID_VALUE'],
      ['temp_min/lugares?ano=9999', 'ano INVALID_VALUE'],
      ['liraa_ib/lugares', 'semana REQUIRED'],
      ['liraa_ib/lugares?semana=202601&mes=2026-01', 'mes INCONSISTENT'],
      ['liraa_ib/lugares?dia=2026-01-01', 'periodo INCONSISTENT'],
      ['painel?series=nao_existe', 'series UNKNOWN'],
      ['painel?series=temp_min,temp_min', 'series REPEATED'],
      ['painel?series=a1,a2,a3,a4,a5,a6,a7,a8,a9', 'series TOO_MANY'],
      ['painel?series=temp_min&defasagens=chuva:2', 'defasagens UNKNOWN'],
      ['painel?series=temp_min&defasagens=temp_min:27', 'defasagens TOO_LARGE'],
      ['temp_min/correlacao', 'tipo_agravo REQUIRED'],
      ['temp_min/correlacao?com=chuva&tipo_agravo=dengue', 'com INCONSISTENT'],
      ['temp_min/correlacao?com=nao_existe', 'com UNKNOWN'],
      ['liraa_classificacao/correlacao?com=chuva', 'codigo INCONSISTENT'],
    ] as const) {
      const answer = await t.as(leitor).get(`/series/${path}`)
      assert.equal(answer.status, 422, `${path} ${answer.text}`)
      assert.ok(problemsOf(answer).includes(problem), `${path} ${problemsOf(answer)}`)
    }
    for (const path of ['valores', 'lugares?semana=202601', 'correlacao?com=chuva'])
      assert.equal((await t.as(leitor).get(`/series/nao_existe/${path}`)).status, 404)
  })
})

describe('Alignment', () => {
  const dia = (day: number, valor: number | null, municipio = RECIFE) => ({
    municipio,
    data: `2020-01-${String(day).padStart(2, '0')}`,
    valor,
  })

  it('needs four days for a mean and six for a sum, and tells the coverage', async () => {
    // Worked example: the first week of 2020 has four days of the year, 1 to 4 January.
    for (const [codigo, numbers] of [
      ['temp_min', [23.6, 23.1, 24.1, 22.3]],
      ['chuva', [1, 1.2, 0.4, 0]],
    ] as const) {
      await gravar(
        codigo,
        numbers.map((valor, i) => dia(i + 1, valor)),
      )
      await gravar(
        codigo,
        [0, 0, 0, 0, 0.8, 0].map((valor, i) => dia(i + 5, valor)),
      )
    }
    const query = `municipio=${RECIFE}&semana_inicio=202001&semana_fim=202003&periodo=semana`
    const temp = (await ler(`/series/temp_min/valores?${query}`)).valores
    assert.deepEqual(
      temp.map(({ valor, cobertura }: Record<string, number>) => [valor, cobertura]),
      [
        [23.275, 0.57],
        [0.1333, 0.86],
        [null, 0],
      ],
    )
    assert.deepEqual(await valores('chuva', query), [null, 0.8, null])
    assert.deepEqual(temp[0].limiares, { receptivo: null })
    assert.deepEqual(temp[1].limiares, { receptivo: false })
  })

  it('meets a threshold after as many weeks in a row, and not across a gap', async () => {
    const weeks = ['202101', '202102', '202103', '202105', '202106', '202107']
    await gravar(
      'temp_min_sem',
      weeks.map((semana) => ({ municipio: OLINDA, semana, valor: 22 })),
    )
    const body = await ler(
      `/series/temp_min_sem/valores?municipio=${OLINDA}&semana_inicio=202101&semana_fim=202107`,
    )
    const met = body.valores.map(
      ({ limiares }: { limiares: { receptivo: boolean | null } }) => limiares.receptivo,
    )
    assert.deepEqual(met, [null, null, true, null, null, null, true])
  })

  it('weighs places by their residents, needs half of them, and lets a stored value win', async () => {
    const at = (municipio: string | undefined, valor: number) => ({
      municipio,
      estado: 'PE',
      semana: '202110',
      valor,
    })
    await gravar('temp_med_sem', [at('Recife', 30), at('Olinda', 20)])
    const query = 'semana_inicio=202110&semana_fim=202110'
    const few = (await ler(`/series/temp_med_sem/valores?estado=PE&${query}`)).valores[0]
    assert.equal(few.valor, null)
    assert.ok(few.cobertura_lugar > 0.15 && few.cobertura_lugar < 0.25)
    await gravar('temp_med_sem', [{ estado: 'PE', semana: '202110', valor: 25 }])
    assert.deepEqual(await valores('temp_med_sem', `estado=PE&${query}`), [25])
    await registrar({ codigo: 'contagem', minimo: null })
    await gravar('contagem', [
      { municipio: RECIFE, semana: '202110', valor: 4 },
      { municipio: OLINDA, semana: '202110', valor: 5 },
    ])
    assert.deepEqual(await valores('contagem', `estado=PE&${query}`), [9])
    assert.deepEqual(await valores('contagem', query), [9])
    const { lugares } = await ler('/series/contagem/lugares?semana=202110&estado=PE')
    const found = lugares.filter(({ valor }: { valor: unknown }) => valor !== null)
    assert.deepEqual(found.map(({ valor }: { valor: number }) => valor).sort(), [4, 5])
    const states = await ler('/series/contagem/lugares?semana=202110&nivel=estado')
    assert.equal(
      states.lugares.find((one: { lugar: { codigo: string } }) => one.lugar.codigo === 'PE').valor,
      9,
    )
    const points = await t.as(leitor).get('/series/contagem/lugares?semana=202110&formato=geojson')
    assert.equal(JSON.parse(points.text).features.length, 2)
    const table = await t.as(leitor).get('/series/contagem/lugares?semana=202110&estado=PE&formato=csv')
    assert.match(table.text, /lugar\.codigo;lugar\.nome/)
  })

  it('repeats a month in the weeks whose Wednesday it holds, and divides what is derived', async () => {
    const at = (codigo: string, valor: number) =>
      gravar(codigo, [{ municipio: RECIFE, mes: '2021-03', valor }])
    await at('lv_canina_examinados', 200)
    await at('lv_canina_reagentes', 14)
    const query = `municipio=${RECIFE}&semana_inicio=202108&semana_fim=202114&periodo=semana`
    assert.deepEqual(await valores('lv_canina_positividade', query), [null, 7, 7, 7, 7, 7, null])
    const body = await ler(`/series/lv_canina_reagentes/valores?${query}`)
    assert.deepEqual(body.valores[1].repetido, true)
    await gravar('temp_max', [{ municipio: RECIFE, data: '2020-01-01', valor: 31.3 }])
    assert.deepEqual(
      await valores('amplitude_termica', `municipio=${RECIFE}&inicio=2020-01-01&fim=2020-01-02`),
      [7.7, null],
    )
  })

  it('keeps 29 February apart', async () => {
    await gravar('umid_med', [
      { municipio: RECIFE, data: '2024-02-29', valor: 70 },
      { municipio: RECIFE, data: '2023-03-01', valor: 71 },
      { municipio: RECIFE, data: '2024-12-31', valor: 72 },
    ])
    assert.deepEqual(await valores('umid_med', `municipio=${RECIFE}&inicio=2024-02-28&fim=2024-03-01`), [
      null,
      70,
      null,
    ])
    assert.deepEqual(await valores('umid_med', `municipio=${RECIFE}&inicio=2023-02-28&fim=2023-03-01`), [
      null,
      71,
    ])
    assert.deepEqual(await valores('umid_med', `municipio=${RECIFE}&inicio=2024-12-31&fim=2024-12-31`), [72])
  })
})

describe('A place made of many parts', () => {
  it('is read anew after each change of a part, an undo included, and as it was known before', async () => {
    await registrar({ codigo: 'somada' })
    const query = 'estado=PE&semana_inicio=202101&semana_fim=202101'
    const state = () => valores('somada', query)
    const put = (municipio: string, valor: number | null) =>
      gravar('somada', [{ municipio, semana: '202101', valor }])
    await put(RECIFE, 4)
    assert.deepEqual([await state(), await state()], [[4], [4]])
    const { importacao_id } = await put(OLINDA, 3)
    assert.deepEqual([await state(), await state()], [[7], [7]])
    await s.desfazer(importacao_id)
    assert.deepEqual(await state(), [4])
    await put(RECIFE, 5)
    assert.deepEqual(await state(), [5])
    await put(RECIFE, null)
    assert.deepEqual(await state(), [null])
    const answer = await t.as(gestor).put('/series/somada', { agrega_lugar: 'maximo' })
    assert.equal(answer.status, 422, 'a series that had values keeps its measure')
  })
})

describe('The panel', () => {
  it('has the cases of the curve to the unit, and series moved by their lag', async () => {
    for (let i = 0; i < 3; i++)
      await t.as(analista).post('/agravos/casos', {
        tipo_agravo: 'dengue',
        numero_notificacao: `p${i}`,
        data_notificacao: '2026-03-12',
        data_inicio_sintomas: '2026-03-09',
        paciente_nome: 'Pessoa Inventada',
        municipio_residencia: 'Recife',
        estado_residencia: 'PE',
      })
    const place = `municipio=${RECIFE}&semana_inicio=202608&semana_fim=202612`
    const panel = await ler(
      `/series/painel?series=liraa_ib,chuva&tipo_agravo=dengue&${place}&defasagens=liraa_ib:1&indice=true`,
    )
    const curva = await ler(`/agravos/casos/estatisticas/curva?tipo_agravo=dengue&${place}`)
    const cases = (answer: { semanas: { casos: number }[] }) => answer.semanas.map(({ casos }) => casos)
    assert.deepEqual(cases(panel), cases(curva))
    assert.deepEqual(cases(panel), [0, 0, 3, 0, 0])
    assert.deepEqual(
      panel.semanas.map((semana: Record<string, { valor: number; de?: string }>) => [
        semana.liraa_ib?.valor,
        semana.liraa_ib?.de,
      ]),
      [
        [null, undefined],
        [null, undefined],
        [null, undefined],
        [7, '202610'],
        [7, '202610'],
      ],
    )
    assert.deepEqual(panel.avisos, ['A série chuva não tem valor no período'])
    assert.deepEqual(panel.series[0].licenca, 'Dados abertos')
    const csv = await t.as(leitor).get(`/series/painel?series=liraa_ib&${place}&formato=csv`)
    assert.match(csv.text, /liraa_ib\.valor/)
  })

  it('has the cases of the curve to the unit under a territory', async () => {
    const caso = (municipio_residencia: string, day: string, i: number, more = {}) =>
      t.as(analista).post('/agravos/casos', {
        ...{ tipo_agravo: 'dengue', numero_notificacao: `t${municipio_residencia}${i}`, ...more },
        ...{ data_notificacao: day, data_inicio_sintomas: day, paciente_nome: 'Pessoa Inventada' },
        ...{ municipio_residencia, estado_residencia: 'PE' },
      })
    const days = ['2026-01-05', '2026-01-05', '2026-01-20', '2026-02-03']
    for (const [i, day] of days.entries()) assert.equal((await caso('Recife', day, i)).status, 201)
    for (const [i, day] of days.slice(1).entries()) {
      const descartado = i === 0 ? { classificacao_final: 'descartado' } : {}
      const answer = await caso('Olinda', day, i, descartado)
      assert.equal(answer.status, 201, answer.text)
    }
    const bound = await bind(t, await t.person({ grupos: ['gestor'] }), `municipio:${RECIFE}`)
    const weeks = 'tipo_agravo=dengue&semana_inicio=202550&semana_fim=202612'
    const sums: Record<string, number[]> = {}
    for (const place of ['', 'estado=PE&', `municipio=${OLINDA}&`, `municipio=${RECIFE}&`])
      for (const casos of ['notificados', 'provaveis', 'confirmados'])
        for (const person of [bound, leitor]) {
          const query = `${place}${weeks}&casos=${casos}`
          const panel = await ler(`/series/painel?series=temp_min&${query}`, person)
          const curva = await ler(`/agravos/casos/estatisticas/curva?${query}`, person)
          const cases = ({ semanas }: { semanas: Record<string, unknown>[] }) =>
            semanas.map((week) => [week.semana, week.casos, week.incidencia, week.completude_esperada])
          assert.deepEqual(cases(panel), cases(curva), query)
          assert.equal(panel.parcial, curva.parcial)
          const sum = panel.semanas.reduce((total: number, week: { casos: number }) => total + week.casos, 0)
          sums[`${place}${casos}`] = [...(sums[`${place}${casos}`] ?? []), sum]
        }
    // Four and the three of the test before in Recife, three in Olinda, of which one is discarded.
    assert.deepEqual(sums['estado=PE&notificados'], [7, 10])
    assert.deepEqual(sums['estado=PE&provaveis'], [7, 9])
    assert.deepEqual(sums[`municipio=${OLINDA}&provaveis`], [0, 2])
    assert.deepEqual(sums[`municipio=${RECIFE}&provaveis`], [7, 7])
  })

  it('tells cases only to those who may see statistics', async () => {
    const alone = await t.person({ permissoes: ['series.listar'] })
    assert.equal((await t.as(alone).get('/series/painel?series=temp_min')).status, 200)
    assert.equal((await t.as(alone).get('/series/painel?series=temp_min&tipo_agravo=dengue')).status, 403)
    assert.equal((await t.as(alone).get('/series/temp_min/correlacao?tipo_agravo=dengue')).status, 403)
  })
})

describe('A territory', () => {
  it('bounds what is read and written', async () => {
    const bound = await bind(t, await t.person({ grupos: ['gestor'] }), `municipio:${RECIFE}`)
    const query = 'semana_inicio=202110&semana_fim=202110'
    assert.deepEqual(await valores('contagem', `municipio=${RECIFE}&${query}`, bound), [4])
    assert.deepEqual(await valores('contagem', `municipio=${OLINDA}&${query}`, bound), [null])
    const state = await ler(`/series/contagem/valores?estado=PE&${query}`, bound)
    assert.deepEqual([state.parcial, state.valores[0].valor], [true, 4])
    assert.deepEqual(await valores('temp_med_sem', `estado=PE&${query}`, bound), [30])
    const line = (municipio: string) => ({ municipio, semana: '202111', valor: 1 })
    assert.equal((await refused('contagem', [line(RECIFE), line(OLINDA)], bound)).status, 403)
    assert.equal((await gravar('contagem', [line(RECIFE)], bound)).novos, 1)
    const { items } = await ler(`/series/contagem/revisoes?municipio=${OLINDA}`, bound)
    assert.deepEqual(items, [])
  })
})
