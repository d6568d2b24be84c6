import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { semanaOf } from '../../../src/brasil/epi-week.ts'
import { foldContagens } from '../../../src/domain/casos/counters/counters.ts'
import { CHIKUNGUNYA_RECIFE, DENGUE_RECIFE, ZIKA_RECIFE } from '../../domain/epidemiologia/exemplos-curva.ts'
import { linhasDe } from '../../domain/epidemiologia/exemplos-diagrama.ts'
import { casosDeExemplo, epidemiologiaApp, OLINDA } from './epidemiologia-app.ts'

const app = await epidemiologiaApp()
const { t, pool, insert, read, ask, resumo, bound, newCaso, exclude } = app
after(() => t.close())

const today = dateInBrazil(t.clock.now())
const EXAMPLES = { dengue: DENGUE_RECIFE, chikungunya: CHIKUNGUNYA_RECIFE, zika: ZIKA_RECIFE }

before(async () => {
  for (const [tipo, exemplo] of Object.entries(EXAMPLES)) await insert(casosDeExemplo(tipo, exemplo))
})

const problemsOf = async (query: Record<string, string | number>, rota = 'curva') => {
  const { status, body, text } = await ask(rota, { tipo_agravo: 'dengue', ...query })
  assert.equal(status, 422, text)
  return body.error.details.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
}

describe('GET /agravos/casos/estatisticas/curva', () => {
  for (const [tipo_agravo, exemplo] of Object.entries(EXAMPLES))
    it(`has the weeks, years and totals of ${tipo_agravo} in Recife`, async () => {
      const rows = linhasDe(exemplo.semanas)
      const [semana_inicio, semana_fim] = [rows[0]?.[0] as number, rows.at(-1)?.[0] as number]
      for (const isFolded of [false, true]) {
        if (isFolded) await foldContagens(pool)
        const body = await read('curva', { tipo_agravo, municipio: 'Recife', semana_inicio, semana_fim })
        assert.deepEqual(body.lugar, { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' })
        assert.deepEqual(
          [body.total, body.sem_data, body.inicio_implausivel, body.parcial],
          [exemplo.total, 0, exemplo.inicio_implausivel, false],
        )
        assert.equal(body.semanas.length, rows.length)
        for (const [i, row] of rows.entries()) {
          const semana = body.semanas[i]
          const { notificados, provaveis, confirmados, descartados, hospitalizados, obitos, acumulado } =
            semana
          const found = [notificados, provaveis, confirmados, descartados, hospitalizados, obitos]
          assert.deepEqual([Number(semana.semana), ...found, acumulado], [...row.slice(0, 7), row[8]])
          assert.ok(Math.abs(semana.incidencia - (row[7] as number)) <= 0.0001)
          assert.deepEqual([semana.casos, semana.encerrada], [provaveis, true])
        }
        for (const [i, row] of linhasDe(exemplo.anos).entries()) {
          const { ano, semanas, populacao, populacao_ano, casos, incidencia } = body.anos[i]
          assert.deepEqual([ano, semanas, populacao, populacao_ano, casos], [...row.slice(0, 3), ano, row[4]])
          assert.ok(Math.abs(incidencia - (row[9] as number)) <= 0.0001)
        }
      }
    })

  it('answers like the example of the interface', async () => {
    const body = await read('curva', { tipo_agravo: 'dengue', municipio: 261160, ano: 2023 })
    assert.deepEqual(body.periodo, {
      semana_inicio: '202301',
      semana_fim: '202352',
      inicio: '2023-01-01',
      fim: '2023-12-30',
    })
    assert.deepEqual(body.anos, [
      { ano: 2023, semanas: 52, populacao: 1592362, populacao_ano: 2023, casos: 1488, incidencia: 93.4461 },
    ])
    assert.deepEqual(body.comparacao[0], {
      ano: 2022,
      ate_semana: '202252',
      casos: 1289,
      incidencia: 80.8203,
      variacao_pct: 15.44,
    })
    assert.equal(body.comparacao.length, 3)
    assert.equal(body.casos, 'provaveis')
    assert.ok(!('reconstruido' in body))
    assert.ok(body.dados_ate <= body.calculado_em)
  })

  it('counts by `casos`, and cumulates from the first week of the year also when the period begins later', async () => {
    const query = { tipo_agravo: 'dengue', municipio: 'Recife', semana_inicio: 202310, semana_fim: 202310 }
    const whole = await read('curva', { ...query, semana_inicio: 202301 })
    for (const casos of ['notificados', 'provaveis', 'confirmados']) {
      const { semanas } = await read('curva', { ...query, casos })
      assert.equal(semanas.length, 1)
      assert.equal(semanas[0].casos, semanas[0][casos])
      const sum = whole.semanas.reduce(
        (all: number, one: Record<string, number>) => all + (one[casos] ?? 0),
        0,
      )
      assert.equal(semanas[0].acumulado, sum)
    }
  })

  it('begins 52 weeks ago where nothing is asked for, and marks the current week as not over', async () => {
    const { semanas, periodo, anos } = await read('curva', { tipo_agravo: 'dengue' })
    assert.equal(semanas.length, 52)
    assert.equal(periodo.semana_fim, semanaOf(today).codigo)
    assert.deepEqual([semanas.at(-1).encerrada, semanas.at(-2).encerrada], [false, true])
    // Years after the last one known take the last.
    assert.equal(anos.at(-1).populacao_ano, 2024)
  })

  it('cuts an end in the future', async () => {
    const semana_inicio = semanaOf(addDays(today, -14)).codigo
    const semana_fim = semanaOf(addDays(today, 70)).codigo
    const { semanas } = await read('curva', { tipo_agravo: 'dengue', semana_inicio, semana_fim })
    assert.deepEqual(
      semanas.map(({ semana }: { semana: string }) => semana),
      [-14, -7, 0].map((days) => semanaOf(addDays(today, days)).codigo),
    )
  })

  it('adds up to the total of the summary with the same filter, whatever is changed', async () => {
    const check = async (place: Record<string, string>) => {
      // The first onsets of the examples are of 2020; the reserved ones are in no week.
      const body = await read('curva', {
        ...place,
        tipo_agravo: 'dengue',
        casos: 'notificados',
        semana_inicio: 201801,
      })
      const weeks = body.semanas.reduce((all: number, { casos }: { casos: number }) => all + casos, 0)
      const { total } = await resumo({ ...place, tipo_agravo: 'dengue' })
      assert.equal(weeks + body.sem_data + body.inicio_implausivel, total)
      assert.equal(body.total, total)
      return body
    }
    const before = await check({})
    const id = await newCaso({ data_inicio_sintomas: '2024-01-09' })
    await newCaso({})
    await newCaso({ data_inicio_sintomas: '2022-12-01', data_notificacao: '2024-01-10' })
    const changed = await check({})
    assert.deepEqual(
      [
        changed.total - before.total,
        changed.sem_data,
        changed.inicio_implausivel - before.inicio_implausivel,
      ],
      [3, 1, 1],
    )
    await exclude(id)
    assert.equal((await check({})).total, before.total + 2)
    for (const place of [{ estado: 'PE' }, { estado: 'PE', municipio: 'Recife' }, { estado: 'SP' }])
      await check(place)
  })

  it('sums a health region, and leaves residents of a municipality without population out of rates', async () => {
    const onsets = ['2024-02-05', '2024-02-06']
    await insert(onsets.map((inicio) => ({ municipio: OLINDA, inicio, tipo: 'zika' })))
    const region = await read('curva', { tipo_agravo: 'zika', regiao_saude: 26010, ano: 2024 })
    assert.deepEqual([region.lugar.nivel, region.anos[0].casos], ['regiao_saude', 2])

    const mato_grosso = (municipio: number) => ({ tipo: 'zika', inicio: '2024-02-05', uf: 'MT', municipio })
    await insert([mato_grosso(5101837), mato_grosso(5101837), mato_grosso(5103403)])
    const place = { tipo_agravo: 'zika', ano: 2024 }
    const [state] = (await read('curva', { ...place, estado: 'MT' })).anos
    assert.equal(state.casos, 3)
    assert.equal(state.incidencia, Number((1e5 / state.populacao).toFixed(4)))
    const novo = await read('curva', { ...place, municipio: 5101837 })
    assert.deepEqual(
      [novo.anos[0].casos, novo.anos[0].incidencia, novo.anos[0].populacao, novo.semanas[5].incidencia],
      [2, null, null, null],
    )
    const [pais] = (await read('curva', place)).anos
    assert.equal(pais.incidencia, Number((3e5 / pais.populacao).toFixed(4)))
    assert.equal(pais.casos, 5)
  })

  it('shows what was known at the end of a week', async () => {
    const late = { tipo: 'zika', uf: 'AC', municipio: 1200401, inicio: '2023-03-06' }
    await insert([
      { ...late, digitacao: '2023-03-08' },
      { ...late, digitacao: '2023-03-13', classe: 'descartado' },
      { ...late, digitacao: '2023-12-01' },
      { ...late, digitacao: null },
    ])
    const query = { tipo_agravo: 'zika', estado: 'AC', semana_inicio: 202309 }
    const now = await read('curva', { ...query, semana_fim: 202312 })
    const first = await read('curva', { ...query, semana_conhecida: 202310 })
    const second = await read('curva', { ...query, semana_conhecida: 202311 })
    const ofWeek = (body: typeof now) =>
      body.semanas.find(({ semana }: { semana: string }) => semana === '202310')
    assert.deepEqual([ofWeek(now).notificados, ofWeek(now).provaveis], [4, 3])
    assert.deepEqual(
      [ofWeek(first).notificados, ofWeek(first).provaveis, ofWeek(first).confirmados],
      [1, 1, null],
    )
    assert.deepEqual([ofWeek(second).notificados, ofWeek(second).descartados], [2, 1])
    assert.deepEqual([first.reconstruido, first.sem_digitacao], [true, 1])
    assert.deepEqual(first.semanas.at(-1).semana, '202310')
    assert.equal(first.semanas.at(-1).encerrada, true)
  })

  it('says how complete each week should be, from the delays of the weeks before', async () => {
    const CARUARU = 2604106
    const current = semanaOf(today).inicio
    const weeks = Array.from({ length: 60 }, (_, i) => addDays(current, -7 * (i + 1)))
    // Of ten cases of a week six are typed in at once, four two weeks later, as far as that time has come.
    const typed = weeks.flatMap((inicio) => [
      ...Array.from({ length: 6 }, () => ({ inicio, digitacao: inicio })),
      ...Array.from({ length: 4 }, () => ({ inicio, digitacao: addDays(inicio, 14) })),
    ])
    const known = typed.filter(({ digitacao }) => digitacao < current)
    await insert(known.map((caso) => ({ ...caso, municipio: CARUARU, notificacao: caso.inicio })))
    const body = await read('curva', { tipo_agravo: 'dengue', municipio: CARUARU })
    const shares = body.semanas.map((semana: Record<string, unknown>) => semana.completude_esperada)
    // 26 weeks are known two weeks after their onset: 260 cases, 156 of them before.
    const share = Math.round((1e6 * 156.5) / 260.5) / 1e6
    assert.deepEqual(shares.slice(-4), [1, share, share, null])
    assert.ok(shares.slice(0, -3).every((one: number) => one === 1))

    const confirmed = await read('curva', { tipo_agravo: 'dengue', municipio: CARUARU, casos: 'confirmados' })
    assert.deepEqual(
      confirmed.semanas.slice(-28).map((semana: Record<string, unknown>) => semana.completude_esperada),
      [1, ...Array(27).fill(null)],
    )
    const few = await read('curva', { tipo_agravo: 'zika', municipio: CARUARU })
    assert.equal(few.semanas.at(-2).completude_esperada, null)
  })

  it('is cut by the territory of the account, cases and population alike', async () => {
    const query = { tipo_agravo: 'dengue', ano: 2023 }
    const recife = await read('curva', { ...query, municipio: 'Recife' })
    const person = await bound(['municipio:2611606'])
    for (const place of [{}, { estado: 'PE' }, { regiao_saude: 26010 }]) {
      const body = await read('curva', { ...query, ...place }, person)
      assert.deepEqual([body.semanas, body.anos, body.total], [recife.semanas, recife.anos, recife.total])
      assert.equal(body.parcial, true)
    }
    const own = await read('curva', { ...query, municipio: 'Recife' }, person)
    assert.equal(own.parcial, false)
    const outside = await read('curva', { ...query, municipio: 'Recife' }, await bound(['uf:SP']))
    assert.deepEqual(
      [
        outside.total,
        outside.anos[0].casos,
        outside.anos[0].populacao,
        outside.anos[0].incidencia,
        outside.parcial,
      ],
      [0, 0, null, null, true],
    )
    assert.equal(outside.dados_ate, null)
  })

  it('is CSV by the parameter or by the header, with the separators of the language', async () => {
    const query = { tipo_agravo: 'dengue', municipio: 'Recife', semana_inicio: 202301, semana_fim: 202302 }
    const { semanas } = await read('curva', query)
    const portuguese = await ask('curva', { ...query, formato: 'csv' })
    assert.equal(portuguese.status, 200)
    assert.equal(portuguese.headers['content-type'], 'text/csv; charset=utf-8')
    const [header, first, second, end] = portuguese.text.split('\r\n')
    assert.equal(header, `\uFEFF${Object.keys(semanas[0]).join(';')}`)
    assert.equal(first?.startsWith('202301;2023-01-01;2023-01-07;50;19;17;31;'), true)
    assert.match(first ?? '', /;19;1,1932;19;1,1932;1;true$/)
    assert.deepEqual([second?.slice(0, 6), end], ['202302', ''])
    const english = await ask('curva', query, { accept: 'text/csv', 'accept-language': 'en-US' })
    assert.match(english.text, /;19;1\.1932;19;1\.1932;1;true\r\n/)
    for (const accept of ['application/json', '*/*', 'text/csv;q=0.5, application/json'])
      assert.match(
        String((await ask('curva', query, { accept })).headers['content-type']),
        /^application\/json/,
      )
    const json = await ask('curva', { ...query, formato: 'json' }, { accept: 'text/csv' })
    assert.match(String(json.headers['content-type']), /^application\/json/)
  })

  it('refuses what makes no sense, naming the parameter', async () => {
    const future = semanaOf(addDays(today, 70)).codigo
    for (const [query, problems] of [
      [{ semana_inicio: 202353 }, ['semana_inicio INVALID_VALUE']],
      [{ semana_inicio: 202301, semana_fim: 202300 }, ['semana_fim INVALID_VALUE']],
      [{ semana_inicio: 202310, semana_fim: 202309 }, ['semana_fim BEFORE']],
      [{ semana_inicio: future }, ['semana_inicio IN_FUTURE']],
      [{ ano: Number(today.slice(0, 4)) + 2 }, ['ano IN_FUTURE']],
      [{ semana_inicio: 200001, semana_fim: 202252 }, ['semana_inicio TOO_MANY']],
      [{ ano: 2023, semana_inicio: 202301 }, ['ano INCONSISTENT']],
      [{ ano: 2023, semana_fim: 202301 }, ['ano INCONSISTENT']],
      [{ ano: 1969 }, ['ano TOO_SMALL']],
      [{ semana_fim: '2023-1' }, ['semana_fim INVALID_FORMAT']],
      [{ comparar_anos: 11 }, ['comparar_anos TOO_LARGE']],
      [{ casos: 'suspeitos' }, ['casos INVALID_VALUE']],
      [{ semana_conhecida: 202310, casos: 'confirmados' }, ['semana_conhecida INCONSISTENT']],
      [{ semana_conhecida: future }, ['semana_conhecida IN_FUTURE']],
      [{ semana_conhecida: 202310, semana_inicio: 202320 }, ['semana_inicio INCONSISTENT']],
      [{ municipio: 'Atlântida' }, ['municipio UNKNOWN_MUNICIPIO']],
      [{ municipio: 'Recife', estado: 'SP' }, ['municipio UNKNOWN_MUNICIPIO']],
      [{ municipio: 2611606, estado: 'SP' }, ['municipio INCONSISTENT']],
      [{ municipio: 'Bom Jesus' }, ['estado INCONSISTENT']],
      [{ regiao_saude: '99999' }, ['regiao_saude UNKNOWN']],
      [{ sexo: 'F' }, ['sexo UNKNOWN_FIELD']],
    ] as [Record<string, string | number>, string[]][])
      assert.deepEqual(await problemsOf(query), problems, JSON.stringify(query))
    const { status, body } = await ask('curva', {})
    assert.deepEqual(
      [status, body.error.details[0].field, body.error.details[0].code],
      [422, 'tipo_agravo', 'REQUIRED'],
    )
  })

  it('refuses in the language of the caller', async () => {
    const texts = await Promise.all(
      ['pt-BR', 'en-US', 'es-ES'].map(async (language) => {
        const query = { tipo_agravo: 'dengue', semana_inicio: 202353 }
        const { body } = await ask('curva', query, { 'accept-language': language })
        return body.error.details[0].message as string
      }),
    )
    assert.equal(new Set(texts).size, 3)
    for (const text of texts) assert.match(text, /202352/)
  })
})

describe('GET /agravos/casos/estatisticas/rt', () => {
  it('refuses what makes no sense', async () => {
    for (const [query, problems] of [
      [{ janela: 7 }, ['janela TOO_LARGE']],
      [{ intervalo_geracao_media: 1 }, ['intervalo_geracao_media TOO_SMALL']],
      [{ intervalo_geracao_desvio: 0.4 }, ['intervalo_geracao_desvio TOO_SMALL']],
      [{ semana_inicio: 202353 }, ['semana_inicio INVALID_VALUE']],
      [{ ano: 2023 }, ['ano UNKNOWN_FIELD']],
    ] as [Record<string, string | number>, string[]][])
      assert.deepEqual(await problemsOf(query, 'rt'), problems, JSON.stringify(query))
  })
})
