import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import * as exemplos from '../../domain/epidemiologia/exemplos-indicadores.ts'
import { type CasoDaSemana, epidemiologiaApp, OLINDA } from './epidemiologia-app.ts'

const app = await epidemiologiaApp()
const { t, insert, read, ask, resumo, bound } = app
after(() => t.close())

const today = dateInBrazil(t.clock.now())
const IDADES: Record<string, number> = {
  ...{ '<1': 0, '1-4': 4, '5-9': 5, '10-14': 14, '15-19': 15 },
  ...{ '20-39': 39, '40-59': 40, '60-79': 79, '80+': 103 },
}
/** Recife 2023, from the counts of the example with another program: rate, and the limits of Fay and Feuer. */
const PADRONIZADA_2023 = [98.0519, 93.1511, 103.1612]
type Exemplo = exemplos.IndicadoresDeExemplo

const rowsOf = ({ piramide }: Exemplo) =>
  piramide
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .map(([faixa, ...numbers]) => [faixa as string, ...numbers.map(Number)] as [string, ...number[]])

/** Cases that give the counts of an example: the attributes that it does not pair are spread over different cases. */
function casosOf(exemplo: Exemplo, base: CasoDaSemana): CasoDaSemana[] {
  const { notificados, provaveis, confirmados, graves, obitos, investigados, letalidade } = exemplo
  const { hospitalizados, informados } = exemplo
  const inCells = rowsOf(exemplo).flatMap(([faixa, men = 0, women = 0]) => [
    ...Array.from({ length: men }, () => ({ sexo: 'M', idade: IDADES[faixa] as number })),
    ...Array.from({ length: women }, () => ({ sexo: 'F', idade: IDADES[faixa] as number })),
  ])
  const unknown = [
    { sexo: 'I', idade: 30 },
    { sexo: 'F', idade: null },
    { sexo: null, idade: 8 },
  ]
  const severeDeaths = Math.round(((letalidade.graves[0] ?? 0) * graves) / 100)
  const otherDeaths = obitos - severeDeaths
  const sorotipos = Object.entries(exemplo.sorotipos).flatMap(([one, total]) => Array(total).fill(one))
  const classeOf = (i: number) => {
    if (i < graves) return i % 2 === 0 ? 'dengue_grave' : 'dengue_com_sinais_alarme'
    if (i < confirmados) return base.tipo === 'zika' ? 'confirmado' : 'dengue_sem_sinais_alarme'
    if (i < provaveis) return i % 2 === 0 ? null : 'inconclusivo'
    return 'descartado'
  }
  const evolucaoOf = (i: number) => {
    if (i < severeDeaths || (i >= confirmados - otherDeaths && i < confirmados)) return 'obito'
    return i >= notificados - investigados ? 'obito_em_investigacao' : i % 3 === 0 ? 'cura' : null
  }
  return Array.from({ length: notificados }, (_, i) => {
    const back = notificados - 1 - i
    return {
      ...base,
      ...(inCells[i] ?? unknown[i % unknown.length]),
      classe: classeOf(i),
      evolucao: evolucaoOf(i),
      hospitalizacao: back < hospitalizados ? true : back < informados ? false : null,
      sorotipo: sorotipos[back] ?? null,
    }
  })
}

const near = (value: number | null, expected: number | null | undefined, tolerance: number, text: string) =>
  expected === null || expected === undefined || value === null
    ? assert.equal(value, expected, text)
    : assert.ok(Math.abs(value - expected) <= tolerance, `${text}: ${value}, ${expected}`)

const YEAR = (ano: number) => ({ data_inicio: `${ano}-01-01`, data_fim: `${ano}-12-31` })
const RECIFE_EM = (ano: number) => ({ tipo_agravo: 'dengue', municipio: 'Recife', ...YEAR(ano) })
const at = (notificacao: string, more: Partial<CasoDaSemana> = {}): CasoDaSemana => ({
  inicio: addDays(notificacao, -4),
  notificacao,
  ...more,
})

/** Files of the worked examples, with the cases and the question that each is about. */
const EXEMPLOS: [string, Exemplo, CasoDaSemana, Record<string, string>][] = [
  ['indicadores_recife_dengue_2020.json', exemplos.DENGUE_RECIFE_2020, at('2020-03-10'), RECIFE_EM(2020)],
  ['indicadores_recife_dengue_2022.json', exemplos.DENGUE_RECIFE_2022, at('2022-05-01'), RECIFE_EM(2022)],
  ['indicadores_recife_dengue_2023.json', exemplos.DENGUE_RECIFE_2023, at('2023-12-31'), RECIFE_EM(2023)],
  [
    'indicadores_zika_brasil_2021.json',
    exemplos.ZIKA_BRASIL_2021,
    at('2021-01-01', { tipo: 'zika', uf: 'BA', municipio: 2927408 }),
    { tipo_agravo: 'zika', ...YEAR(2021) },
  ],
  [
    'indicadores_amostra_dengue_500.json',
    exemplos.AMOSTRA_DENGUE,
    at('2024-04-05', { municipio: OLINDA }),
    { tipo_agravo: 'dengue', municipio: 'Olinda' },
  ],
]

before(async () => {
  for (const [, exemplo, base] of EXEMPLOS) await insert(casosOf(exemplo, base))
})

describe('GET /agravos/casos/estatisticas/indicadores', () => {
  for (const [file, exemplo, , query] of EXEMPLOS)
    it(`has the numbers of ${file}`, async () => {
      const body = await read('indicadores', query)
      const { notificados, provaveis, confirmados, obitos, investigados, graves } = exemplo
      assert.deepEqual(
        [body.notificados, body.provaveis, body.confirmados, body.obitos, body.obitos_em_investigacao],
        [notificados, provaveis, confirmados, obitos, investigados],
      )
      const { letalidade, hospitalizacao, piramide, sorotipos } = body
      assert.deepEqual(
        [letalidade.confirmados.de, letalidade.provaveis.de, letalidade.graves.de],
        [confirmados, provaveis, graves],
      )
      const shares = { ...letalidade, hospitalizacao }
      for (const [name, expected] of Object.entries({
        ...exemplo.letalidade,
        hospitalizacao: exemplo.hospitalizacao,
      })) {
        const [pct, inferior, superior] = expected
        near(shares[name].pct, pct, 0.01, name)
        if (inferior === undefined) continue
        near(shares[name].inferior, inferior, 0.0001, name)
        near(shares[name].superior, superior, 0.0001, name)
      }
      const { hospitalizados, informados, sem_informacao } = hospitalizacao
      assert.deepEqual(
        [hospitalizados, informados, sem_informacao],
        [exemplo.hospitalizados, exemplo.informados, notificados - exemplo.informados],
      )
      const found = Object.fromEntries(
        ['DENV1', 'DENV2', 'DENV3', 'DENV4']
          .filter((one) => sorotipos[one] > 0)
          .map((one) => [one, sorotipos[one]]),
      )
      assert.deepEqual(found, exemplo.sorotipos)
      assert.equal(piramide.sem_sexo_ou_idade, exemplo.semSexoOuIdade)
      assert.equal(piramide.celulas.length, 18)
      for (const [faixa, men, women, ...more] of rowsOf(exemplo)) {
        const [m, f] = ['M', 'F'].map((sexo) =>
          piramide.celulas.find(
            (one: { sexo: string; faixa: string }) => one.sexo === sexo && one.faixa === faixa,
          ),
        )
        assert.deepEqual([m.casos, f.casos], [men, women], faixa)
        if (more.length === 0) continue
        assert.deepEqual([m.populacao, f.populacao], more.slice(0, 2), faixa)
        // The source has two decimals.
        near(m.incidencia, more[2], 0.0051, faixa)
        near(f.incidencia, more[3], 0.0051, faixa)
      }
    })

  it('agrees with the summary of the same cases', async () => {
    for (const [, , , query] of EXEMPLOS) {
      const body = await read('indicadores', query)
      const sum = await resumo(query)
      assert.deepEqual(
        [body.notificados, body.confirmados, body.obitos, body.hospitalizacao.hospitalizados],
        [sum.total, sum.por_classificacao.confirmado, sum.obitos, sum.hospitalizados],
      )
      assert.equal(body.provaveis, sum.total - sum.por_classificacao.descartado)
    }
  })

  it('shows the range of lethality if deaths under investigation were confirmed, the cases then being confirmed ones', async () => {
    const { letalidade } = await read('indicadores', RECIFE_EM(2023))
    // Both are of discarded cases, which would enter the confirmed and the probable ones.
    assert.deepEqual(
      [letalidade.confirmados.se_confirmados.obitos, letalidade.confirmados.se_confirmados.de],
      [3, 1432],
    )
    assert.equal(letalidade.confirmados.se_confirmados.pct, 0.21)
    assert.deepEqual(
      [letalidade.provaveis.se_confirmados.obitos, letalidade.provaveis.se_confirmados.de],
      [3, 1516],
    )
    assert.deepEqual([letalidade.graves.se_confirmados.obitos, letalidade.graves.se_confirmados.de], [0, 24])
    const olinda = (await read('indicadores', { tipo_agravo: 'dengue', municipio: 'Olinda' })).letalidade
    assert.deepEqual([olinda.provaveis.se_confirmados.obitos, olinda.provaveis.se_confirmados.de], [21, 500])
    assert.ok(olinda.provaveis.se_confirmados.inferior > olinda.provaveis.inferior)
  })

  it('names place, period and population', async () => {
    const days = await read('indicadores', RECIFE_EM(2023))
    assert.deepEqual(days.lugar, { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' })
    assert.deepEqual(days.periodo, {
      data_base: 'notificacao',
      inicio: '2023-01-01',
      fim: '2023-12-31',
      semana_inicio: null,
      semana_fim: null,
    })
    assert.deepEqual([days.populacao, days.populacao_ano, days.piramide.populacao_ano], [1592362, 2023, 2023])
    assert.deepEqual([days.tipo_agravo, days.parcial, 'casos' in days], ['dengue', false, false])
    const weeks = await read('indicadores', {
      tipo_agravo: 'dengue',
      semana_inicio: 202001,
      semana_fim: 202053,
    })
    assert.deepEqual(weeks.periodo, {
      data_base: 'sintomas',
      inicio: '2019-12-29',
      fim: '2021-01-02',
      semana_inicio: '202001',
      semana_fim: '202053',
    })
    assert.equal(weeks.notificados, exemplos.DENGUE_RECIFE_2020.notificados)
    const ever = await read('indicadores', { tipo_agravo: 'dengue' })
    assert.deepEqual([ever.periodo.inicio, ever.periodo.fim, ever.populacao_ano], [null, null, 2024])
    assert.equal(ever.notificados, 3540 + 2876 + 3523 + 500)
  })

  it('takes the population of the year, in the structure of the nearest year known', async () => {
    await insert([at('2010-06-01', { sexo: 'M', idade: 30 })])
    const body = await read('indicadores', RECIFE_EM(2010))
    const { celulas, populacao_ano } = body.piramide
    assert.deepEqual([body.populacao_ano, populacao_ano], [2010, 2020])
    const sum = celulas.reduce((all: number, { populacao }: { populacao: number }) => all + populacao, 0)
    assert.ok(Math.abs(sum - body.populacao) <= celulas.length / 2)
    const [adultos] = celulas.filter(
      ({ sexo, faixa }: { sexo: string; faixa: string }) => sexo === 'M' && faixa === '20-39',
    )
    // 242,455 of 1,598,198 in 2020.
    near(adultos.populacao, (body.populacao * 242455) / 1598198, 0.5, 'share')
    near(adultos.incidencia, 1e5 / adultos.populacao, 0.0001, 'incidence')
  })

  it('standardises by age and sex, with an interval from 20 cases on', async () => {
    const standardised = (await read('indicadores', RECIFE_EM(2023))).padronizada
    near(standardised.incidencia, PADRONIZADA_2023[0], 0.0001, 'rate')
    near(standardised.inferior, PADRONIZADA_2023[1], 0.0001, 'lower')
    near(standardised.superior, PADRONIZADA_2023[2], 0.0001, 'upper')
    const caso = at('2019-02-02', { tipo: 'chikungunya', municipio: OLINDA, sexo: 'F', idade: 25 })
    await insert(Array.from({ length: 19 }, () => caso))
    const place = { tipo_agravo: 'chikungunya', municipio: 'Olinda' }
    const few = (await read('indicadores', place)).padronizada
    assert.ok(few.incidencia > 0)
    assert.deepEqual([few.inferior, few.superior], [null, null])
    await insert([caso])
    const enough = (await read('indicadores', place)).padronizada
    assert.ok(enough.inferior < enough.incidencia && enough.incidencia < enough.superior)
  })

  it('counts serotypes by week of onset on demand, and calls one predominant above half of five', async () => {
    const place = { tipo_agravo: 'dengue', estado: 'AC' }
    const acre = { uf: 'AC', municipio: 1200401 }
    const sample = (inicio: string | null, sorotipo: string) => ({ ...acre, inicio, sorotipo })
    await insert([
      sample('2024-01-09', 'DENV1'),
      sample('2023-12-31', 'DENV2'),
      sample('2024-01-10', 'DENV2'),
      sample(null, 'DENV2'),
      { ...acre, inicio: '2024-01-09' },
    ])
    const without = await read('indicadores', place)
    assert.deepEqual(without.sorotipos, {
      ...{ DENV1: 1, DENV2: 3, DENV3: 0, DENV4: 0 },
      ...{ predominante: null, serie: null, serie_sem_data: null },
    })
    const { sorotipos } = await read('indicadores', { ...place, serie: 'true' })
    assert.deepEqual(sorotipos.serie, [
      { semana: '202401', inicio: '2023-12-31', fim: '2024-01-06', DENV1: 0, DENV2: 1, DENV3: 0, DENV4: 0 },
      { semana: '202402', inicio: '2024-01-07', fim: '2024-01-13', DENV1: 1, DENV2: 1, DENV3: 0, DENV4: 0 },
    ])
    assert.equal(sorotipos.serie_sem_data, 1)
    await insert([sample('2024-01-09', 'DENV4')])
    assert.equal((await read('indicadores', place)).sorotipos.predominante, 'DENV2')
    await insert([sample('2024-01-09', 'DENV4')])
    // Three of six are half, not more.
    assert.equal((await read('indicadores', place)).sorotipos.predominante, null)
    const weeks = await read('indicadores', {
      ...place,
      semana_inicio: 202402,
      semana_fim: 202402,
      serie: 'true',
    })
    assert.deepEqual([weeks.notificados, weeks.sorotipos.DENV2], [5, 1])
  })

  it('leaves residents without population out of rates, and in counts', async () => {
    const caso = { ...at('2024-02-05'), tipo: 'zika', uf: 'MT', sexo: 'F', idade: 50 }
    await insert([
      { ...caso, municipio: 5101837 },
      { ...caso, municipio: 5101837 },
      { ...caso, municipio: 5103403 },
      { ...caso, municipio: null },
    ])
    const query = { tipo_agravo: 'zika', ...YEAR(2024) }
    const cellOf = (body: Awaited<ReturnType<typeof read>>) =>
      body.piramide.celulas.find(
        ({ sexo, faixa }: { sexo: string; faixa: string }) => sexo === 'F' && faixa === '40-59',
      )
    const state = cellOf(await read('indicadores', { ...query, estado: 'MT' }))
    assert.equal(state.casos, 4)
    near(state.incidencia, 2e5 / state.populacao, 0.0001, 'state')
    const novo = await read('indicadores', { ...query, municipio: 5101837 })
    assert.deepEqual(
      [novo.provaveis, novo.populacao, novo.populacao_ano, novo.piramide.populacao_ano],
      [2, null, null, null],
    )
    assert.deepEqual(cellOf(novo), { sexo: 'F', faixa: '40-59', casos: 2, populacao: null, incidencia: null })
    assert.deepEqual(novo.padronizada, { incidencia: null, inferior: null, superior: null })
  })

  it('has null shares over nothing, never 0 or NaN', async () => {
    const body = await read('indicadores', { tipo_agravo: 'dengue', estado: 'RR' })
    const nothing = { obitos: 0, de: 0, pct: null, inferior: null, superior: null }
    assert.deepEqual(body.letalidade.confirmados, { ...nothing, se_confirmados: nothing })
    assert.deepEqual(body.hospitalizacao, {
      ...{ hospitalizados: 0, informados: 0, sem_informacao: 0 },
      ...{ pct: null, inferior: null, superior: null },
    })
    assert.deepEqual([body.notificados, body.padronizada.incidencia, body.dados_ate], [0, 0, null])
  })

  it('is cut by the territory of the account, cases and population alike', async () => {
    const query = { tipo_agravo: 'dengue', ...YEAR(2023) }
    const recife = await read('indicadores', { ...query, municipio: 'Recife' })
    const person = await bound(['municipio:2611606'])
    for (const place of [{}, { estado: 'PE' }]) {
      const body = await read('indicadores', { ...query, ...place }, person)
      assert.equal(body.parcial, true)
      for (const part of ['notificados', 'populacao', 'piramide', 'letalidade', 'padronizada'])
        assert.deepEqual(body[part], recife[part])
    }
    const outside = await read('indicadores', { ...query, municipio: 'Olinda' }, person)
    assert.deepEqual([outside.notificados, outside.populacao, outside.lugar.nome], [0, null, 'Olinda'])
    const mixed = await bound(['uf:AC', 'municipio:2611606'])
    const both = await read('indicadores', { tipo_agravo: 'dengue' }, mixed)
    const [pe, ac] = [{ municipio: 'Recife' }, { estado: 'AC' }].map((place) =>
      resumo({ tipo_agravo: 'dengue', ...place } as Record<string, string>),
    )
    assert.equal(both.notificados, (await pe).total + (await ac).total)
  })

  it('comes as CSV: the pyramid with a line for the unknown, or the weeks of serotypes', async () => {
    const csv = (query: object, language = 'pt-BR') =>
      ask('indicadores', { ...RECIFE_EM(2023), formato: 'csv', ...query }, { 'accept-language': language })
    const { text, headers } = await csv({})
    assert.match(String(headers['content-type']), /^text\/csv/)
    assert.match(String(headers['content-disposition']), /piramide\.csv/)
    const lines = text.replace('\uFEFF', '').trimEnd().split('\r\n')
    assert.equal(lines[0], 'sexo;faixa;casos;populacao;incidencia')
    assert.equal(lines[1], 'M;<1;17;7681;221,3253')
    assert.equal(lines.at(-1), ';;3;;')
    const sum = lines.slice(1).reduce((all, line) => all + Number(line.split(';')[2]), 0)
    assert.equal(sum, exemplos.DENGUE_RECIFE_2023.provaveis)
    assert.match((await csv({}, 'en')).text, /M;<1;17;7681;221\.3253/)
    const weeks = await csv({ ...RECIFE_EM(2022), serie: 'true' })
    assert.equal(
      weeks.text,
      '\uFEFFsemana;inicio;fim;DENV1;DENV2;DENV3;DENV4\r\n202217;2022-04-24;2022-04-30;1;0;0;0\r\n',
    )
  })

  it('refuses bad parameters by their names', async () => {
    const cases: [Record<string, string>, string][] = [
      [{ tipo_agravo: '' }, 'tipo_agravo INVALID_VALUE'],
      [{ data_inicio: '2024-02-30' }, 'data_inicio INVALID_FORMAT'],
      [{ data_fim: 'ontem' }, 'data_fim INVALID_FORMAT'],
      [{ data_inicio: '2024-02-02', data_fim: '2024-02-01' }, 'data_fim BEFORE'],
      [{ data_inicio: addDays(today, 1) }, 'data_inicio IN_FUTURE'],
      [{ semana_inicio: '202153' }, 'semana_inicio INVALID_VALUE'],
      [{ semana_inicio: '202110', semana_fim: '202109' }, 'semana_fim BEFORE'],
      [{ semana_inicio: '209901' }, 'semana_inicio IN_FUTURE'],
      [{ data_inicio: '2024-01-01', semana_inicio: '202401' }, 'semana_inicio INCONSISTENT'],
      [{ data_fim: '2024-01-01', semana_fim: '202401' }, 'semana_fim INCONSISTENT'],
      [{ casos: 'provaveis' }, 'casos UNKNOWN_FIELD'],
      [{ semana_conhecida: '202401' }, 'semana_conhecida UNKNOWN_FIELD'],
      [{ serie: 'talvez' }, 'serie INVALID_TYPE'],
      [{ formato: 'xml' }, 'formato INVALID_VALUE'],
      [{ municipio: 'Nenhures' }, 'municipio UNKNOWN_MUNICIPIO'],
      [{ municipio: '2611606', estado: 'SP' }, 'municipio INCONSISTENT'],
      [{ regiao_saude: '99999' }, 'regiao_saude UNKNOWN'],
    ]
    const found: [Record<string, string>, string][] = []
    for (const [query] of cases) {
      const { status, body, text } = await ask('indicadores', { tipo_agravo: 'dengue', ...query })
      assert.equal(status, 422, text)
      const [{ field, code }] = body.error.details
      found.push([query, `${field} ${code}`])
    }
    assert.deepEqual(found, cases)
    const { status, body } = await ask('indicadores', {})
    assert.deepEqual(
      [status, body.error.details[0].field, body.error.details[0].code],
      [422, 'tipo_agravo', 'REQUIRED'],
    )
  })
})
