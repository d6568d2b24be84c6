import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { firstWeekOf, semanaOf, sundayOfWeek, weekOf, weeksIn } from '../../../src/brasil/epi-week.ts'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { loadPopulacao } from '../../../src/brasil/populacao.ts'
import type { DiagramaPedido } from '../../../src/domain/epidemiologia/base-do-diagrama.ts'
import { diagramaOf } from '../../../src/domain/epidemiologia/diagrama.ts'
import { CHIKUNGUNYA_RECIFE as CURVA } from '../../domain/epidemiologia/exemplos-curva.ts'
import { casosDoExemplo, linhasDe } from '../../domain/epidemiologia/exemplos-diagrama.ts'
import { CHIKUNGUNYA_RECIFE } from '../../domain/epidemiologia/exemplos-rt.ts'
import { lugarDe } from '../../domain/epidemiologia/lugares.ts'
import { casosDeExemplo, epidemiologiaApp } from './epidemiologia-app.ts'

const { t, insert, read, ask, bound } = await epidemiologiaApp()
after(() => t.close())

/** In Pernambuco; about 140,000 residents. */
const GARANHUNS = 2606002
const YEARS = Array.from({ length: 11 }, (_, i) => 2014 + i)
const weeks = YEARS.flatMap((ano) =>
  Array.from({ length: weeksIn(ano) }, (_, i) => [firstWeekOf(ano) + i, casosDoExemplo(ano, i + 1)] as const),
)
const today = dateInBrazil(t.clock.now())

before(async () => {
  const casos = weeks.flatMap(([week, total]) =>
    Array.from({ length: total }, () => ({ municipio: GARANHUNS, inicio: sundayOfWeek(week) })),
  )
  await insert(casos)
  await insert(casosDeExemplo('chikungunya', CURVA))
})

const PEDIDO: DiagramaPedido = {
  ano: 2024,
  metodo: 'media_movel',
  anos: 10,
  janela: 5,
  desvios: 2,
  epidemicos: 'dobro_mediana',
  anosExcluidos: null,
  casos: 'provaveis',
  casosAno: 'provaveis',
}

/** What the series gives with the population of Garanhuns. */
async function expected(pedido: Partial<DiagramaPedido>) {
  const [municipios, populacao] = [await loadMunicipios(), await loadPopulacao()]
  const garanhuns = municipios.byCodigo(GARANHUNS)
  assert.ok(garanhuns)
  const lugar = { ...lugarDe(weeks), populacao: (ano: number) => populacao.populationOf(garanhuns, ano) }
  return diagramaOf(lugar, { ...PEDIDO, ...pedido }, new Set(YEARS), weekOf(today))
}

const QUERY = { tipo_agravo: 'dengue', municipio: GARANHUNS, ano: 2024 }
const problemsOf = async (query: Record<string, string | number>) => {
  const { status, body, text } = await ask('diagrama-controle', { ...QUERY, ...query })
  assert.equal(status, 422, text)
  return body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}

describe('GET /agravos/casos/estatisticas/diagrama-controle', () => {
  it('has the limits of the years before and says where each week stands', async () => {
    const body = await read('diagrama-controle', QUERY)
    const { semanas, anos_base, anos_excluidos, mediana_anual, semanas_acima, primeira_acima } =
      await expected({})
    assert.deepEqual(body.semanas, semanas)
    assert.deepEqual([body.anos_base, body.anos_excluidos], [anos_base, anos_excluidos])
    assert.deepEqual([body.mediana_anual, body.semanas_acima], [mediana_anual, semanas_acima])
    assert.deepEqual(
      [body.ano, body.metodo, body.janela, body.desvios, body.qualidade, body.primeira_acima],
      [2024, 'media_movel', 5, 2, 'adequada', primeira_acima],
    )
  })

  it('has quartiles, other windows, other criteria and years left out by hand', async () => {
    for (const [query, pedido] of [
      [{ metodo: 'quartis' }, { metodo: 'quartis' }],
      [
        { janela: 3, desvios: 1.5, anos: 7 },
        { janela: 3, desvios: 1.5, anos: 7 },
      ],
      [
        { epidemicos: 'nenhum', ano: 2020 },
        { epidemicos: 'nenhum', ano: 2020 },
      ],
      [{ anos_excluidos: '2014,2020' }, { anosExcluidos: [2014, 2020] }],
    ] as [Record<string, string | number>, Partial<DiagramaPedido>][]) {
      const body = await read('diagrama-controle', { ...QUERY, ...query })
      const { semanas, anos_base, anos_excluidos } = await expected(pedido)
      assert.deepEqual(body.semanas, semanas, JSON.stringify(query))
      assert.deepEqual([body.anos_base, body.anos_excluidos], [anos_base, anos_excluidos])
    }
  })

  it('compares notified cases of the year with probable ones of the past, if asked', async () => {
    await insert([{ municipio: GARANHUNS, inicio: '2024-03-05', classe: 'descartado' }])
    const casosOf = async (query: object) =>
      (await read('diagrama-controle', { ...QUERY, ...query })).semanas[9].casos
    assert.equal((await casosOf({ casos_ano: 'notificados' })) - (await casosOf({})), 1)
  })

  it('takes years as candidates in which the state notified cases in ten weeks', async () => {
    // Nine weeks of 2010 and ten of 2011, elsewhere in the state.
    const onsets = (ano: number, total: number) =>
      Array.from({ length: total }, (_, i) => ({ inicio: sundayOfWeek(firstWeekOf(ano) + 2 * i) }))
    await insert([...onsets(2010, 9), ...onsets(2011, 10)])
    const { anos_base, qualidade } = await read('diagrama-controle', {
      ...QUERY,
      ano: 2015,
      anos: 7,
      epidemicos: 'nenhum',
    })
    assert.deepEqual([anos_base, qualidade], [[2011, 2014], 'insuficiente'])
  })

  it('is insufficient, with zones and limits null, where there is no history or no population', async () => {
    for (const place of [{ municipio: 1200401 }, { municipio: 5101837 }]) {
      const body = await read('diagrama-controle', { tipo_agravo: 'dengue', ...place })
      assert.deepEqual([body.qualidade, body.anos_base, body.mediana_anual], ['insuficiente', [], null])
      const [{ limite_superior, zona, casos }] = body.semanas
      assert.deepEqual([limite_superior, zona, casos], [null, null, 0])
      assert.equal(body.ano, Number(semanaOf(today).codigo.slice(0, 4)))
    }
  })

  it('shows of a place only what lies in the territory', async () => {
    const person = await bound([`municipio:${GARANHUNS}`])
    const own = await read('diagrama-controle', QUERY)
    const { municipio: _municipio, ...state } = QUERY
    const body = await read('diagrama-controle', { ...state, estado: 'PE' }, person)
    assert.deepEqual([body.semanas, body.parcial], [own.semanas, true])
  })

  it('has a line for each municipality, in pages', async () => {
    const query = { tipo_agravo: 'dengue', ano: 2024, resumo: 'true', nivel: 'municipio', estado: 'PE' }
    const body = await read('diagrama-controle', { ...query, size: 100 })
    assert.deepEqual([body.total, body.pages, body.items.length], [185, 2, 100])
    const codigos = body.items.map(({ lugar }: { lugar: { codigo: string } }) => lugar.codigo)
    assert.deepEqual(codigos, codigos.toSorted())
    const line = body.items.find(
      ({ lugar }: { lugar: { codigo: string } }) => lugar.codigo === String(GARANHUNS),
    )
    const { qualidade, semanas_acima, consecutivas_acima, semanas } = await read('diagrama-controle', QUERY)
    assert.deepEqual(line, {
      lugar: { nivel: 'municipio', codigo: '2606002', nome: 'Garanhuns', estado: 'PE' },
      qualidade,
      semanas_acima,
      consecutivas_acima,
      zona: semanas.at(-1).zona,
    })
    const last = await read('diagrama-controle', { ...query, page: 2, size: 100 })
    assert.equal(last.items.length, 85)
    assert.deepEqual((await read('diagrama-controle', { ...query, page: 3, size: 100 })).items, [])
    const { total } = await read('diagrama-controle', query, await bound(['regiao_saude:26010', 'uf:AC']))
    assert.equal(total, 20)
    const { estado: _estado, ...country } = query
    assert.equal((await read('diagrama-controle', country)).total, 5571)
  })

  it('is CSV with the columns of its method, or with a line for each place', async () => {
    const csv = await ask('diagrama-controle', { ...QUERY, formato: 'csv' })
    assert.match(
      csv.text,
      /^\uFEFFsemana;inicio;fim;n;media;desvio;limite_inferior;limite_superior;limite_superior_casos;/,
    )
    const quartis = await ask('diagrama-controle', { ...QUERY, metodo: 'quartis', formato: 'csv' })
    assert.match(quartis.text, /^\uFEFFsemana;inicio;fim;n;q1;mediana;q3;limite_superior_casos;casos;/)
    const query = {
      tipo_agravo: 'dengue',
      ano: 2024,
      resumo: 'true',
      nivel: 'municipio',
      municipio: GARANHUNS,
    }
    const resumo = await ask('diagrama-controle', { ...query, formato: 'csv' })
    const [header, line] = resumo.text.split('\r\n')
    assert.match(header ?? '', /^\uFEFFlugar\.nivel;lugar\.codigo;lugar\.nome;lugar\.estado;qualidade;/)
    assert.match(line ?? '', /^municipio;2606002;Garanhuns;PE;adequada;/)
  })

  it('refuses what makes no sense, naming the parameter', async () => {
    for (const [query, problems] of [
      [{ janela: 4 }, ['janela INVALID_VALUE']],
      [{ janela: 9 }, ['janela INVALID_VALUE']],
      [{ desvios: 4 }, ['desvios TOO_LARGE']],
      [{ anos: 2 }, ['anos TOO_SMALL']],
      [{ metodo: 'quartis', janela: 5 }, ['janela INCONSISTENT']],
      [{ metodo: 'quartis', desvios: 2 }, ['desvios INCONSISTENT']],
      [{ anos_excluidos: '2013' }, ['anos_excluidos INVALID_VALUE']],
      [{ anos_excluidos: '2014', ano: 2014 }, ['anos_excluidos INVALID_VALUE']],
      [{ anos_excluidos: '2012', ano: 2020 }, ['anos_excluidos INVALID_VALUE']],
      [{ anos_excluidos: 'x' }, ['anos_excluidos INVALID_FORMAT']],
      [{ resumo: 'true' }, ['nivel REQUIRED']],
      [{ nivel: 'municipio', page: 2 }, ['nivel INCONSISTENT', 'page INCONSISTENT']],
      [{ resumo: 'true', nivel: 'municipio', semana_conhecida: 202410 }, ['semana_conhecida INCONSISTENT']],
      [{ casos_ano: 'confirmados', semana_conhecida: 202410 }, ['semana_conhecida INCONSISTENT']],
      [{ metodo: 'media' }, ['metodo INVALID_VALUE']],
    ] as [Record<string, string | number>, string[]][])
      assert.deepEqual(await problemsOf(query), problems, JSON.stringify(query))
  })

  it('has limits, and no observations, for weeks to come and as known at an earlier time', async () => {
    const next = await read('diagrama-controle', { ...QUERY, ano: Number(today.slice(0, 4)) + 1 })
    const [{ casos, zona }] = next.semanas
    assert.deepEqual([casos, zona, next.consecutivas_acima], [null, null, 0])
    const then = await read('diagrama-controle', { ...QUERY, semana_conhecida: 202420 })
    assert.deepEqual([then.semanas[20].casos, then.semanas[21].casos, then.reconstruido], [0, null, true])
    assert.ok(then.semanas[25].limite_superior > 0)
  })
})

describe('GET /agravos/casos/estatisticas/rt', () => {
  it('has the numbers of EpiEstim for chikungunya in Recife', async () => {
    const rows = linhasDe(CHIKUNGUNYA_RECIFE)
    const body = await read('rt', {
      tipo_agravo: 'chikungunya',
      municipio: 'Recife',
      semana_inicio: rows[0]?.[0] as number,
      semana_fim: rows.at(-1)?.[0] as number,
    })
    assert.deepEqual([body.janela, body.intervalo_geracao_media, body.intervalo_geracao_desvio], [3, 3, 1])
    assert.equal(body.semanas.length, rows.length)
    for (const [i, [codigo, casos, casos_janela, ...values]] of rows.entries()) {
      const semana = body.semanas[i]
      assert.deepEqual(
        [Number(semana.semana), semana.casos, semana.casos_janela],
        [codigo, casos, casos_janela],
      )
      const { rt, inferior, mediana, superior, p_maior_1 } = semana
      for (const [j, value] of [rt, inferior, mediana, superior, p_maior_1].entries())
        if (value !== null) {
          const exact = values[j] as number
          assert.ok(Math.abs(value - exact) <= 1e-6 * Math.max(1, exact), `${codigo} ${value} ${exact}`)
        }
    }
  })

  it('uses the history before the period, and ends with the last week that is over', async () => {
    const query = { tipo_agravo: 'chikungunya', municipio: 'Recife' }
    const long = await read('rt', { ...query, semana_inicio: 202301, semana_fim: 202330 })
    const short = await read('rt', { ...query, semana_inicio: 202325, semana_fim: 202330 })
    assert.deepEqual(short.semanas, long.semanas.slice(-6))
    const recent = await read('rt', query)
    assert.equal(recent.semanas.at(-1).semana, semanaOf(addDays(today, -7)).codigo)
    assert.equal(recent.semanas.length, 51)
    const csv = await ask('rt', { ...query, semana_inicio: 202301, semana_fim: 202301, formato: 'csv' })
    assert.match(
      csv.text,
      /^\uFEFFsemana;inicio;fim;casos;casos_janela;rt;mediana;inferior;superior;p_maior_1;confiavel;estimado\r\n/,
    )
  })

  it('changes with window and generation interval', async () => {
    const query = {
      tipo_agravo: 'chikungunya',
      municipio: 'Recife',
      semana_inicio: 202320,
      semana_fim: 202320,
    }
    const rtOf = async (more: object) => (await read('rt', { ...query, ...more })).semanas[0].rt
    const usual = await rtOf({})
    for (const more of [{ janela: 6 }, { intervalo_geracao_media: 1.5 }, { intervalo_geracao_desvio: 3 }])
      assert.notEqual(await rtOf(more), usual, JSON.stringify(more))
  })
})
