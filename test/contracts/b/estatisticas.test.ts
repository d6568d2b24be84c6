import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, vigilante, newCaso, exclude, read } = await consultaApp()
after(() => t.close())

const resumo = (query: Record<string, string> = {}) => read('/agravos/casos/estatisticas/resumo', query)

const NOTHING = {
  periodo: { inicio: null, fim: null },
  total: 0,
  por_classificacao: { confirmado: 0, descartado: 0, inconclusivo: 0, em_investigacao: 0 },
  hospitalizados: 0,
  obitos: 0,
  taxa_hospitalizacao: 0,
  taxa_obito: 0,
}

interface Ponto {
  periodo: string
  inicio: string
  fim: string
  total: number
  obitos: number
}
interface Grupo {
  valor: string | null
  nome: string | null
  total: number
  valores: (string | null)[]
}
const curve = (serie: Ponto[]) => serie.map(({ periodo, total }) => `${periodo}:${total}`).join(' ')
const groups = (grupos: Grupo[]) => grupos.map(({ valor, total }) => `${valor}:${total}`).join(' ')

// What the service answers before there is a case.
const EVERYTHING = { agregacao: 'semana', agrupar_por: 'tipo_agravo,faixa_etaria,sexo,estado,municipio' }
const YEARS = { data_inicio: '2023-12-01', data_fim: '2024-03-31' }
const PERIODO = { data_inicio: '2023-12-31', data_fim: '2024-02-01' }
const empty = {
  plain: await resumo(),
  everything: await resumo(EVERYTHING),
  period: await resumo({ agregacao: 'mes', ...PERIODO }),
}

const TO = { municipio_residencia: 'Palmas', estado_residencia: 'TO' }
for (const [data_notificacao, data_inicio_sintomas, more] of [
  ['2023-12-30', '2023-12-24', { paciente_sexo: 'F', paciente_idade: 0 }],
  ['2023-12-31', '2023-12-30', { paciente_sexo: 'M', paciente_idade: 4, evolucao: 'obito' }],
  ['2024-01-06', null, { paciente_sexo: 'I', paciente_idade: 19 }],
  ['2024-01-06', '2024-01-06', { paciente_idade: 20, tipo_agravo: 'zika' }],
  ['2024-03-01', '2024-02-29', { paciente_sexo: 'M', paciente_idade: 80, hospitalizacao: true }],
] as [string, string | null, object][])
  await newCaso({ ...TO, data_notificacao, data_inicio_sintomas, ...more })
await newCaso({
  municipio_residencia: 'Araguaína',
  estado_residencia: 'TO',
  data_notificacao: '2024-03-01',
})

const SINGLE_KINDS = [
  'tipo_agravo',
  'faixa_etaria',
  'sexo',
  'estado',
  'regiao_saude',
  'municipio',
  'bairro',
  'cnes',
]

describe('A service without cases', () => {
  it('answers zeros everywhere, and rates of zero', () => {
    assert.deepEqual(empty.plain, NOTHING)
    assert.deepEqual(empty.everything, {
      ...NOTHING,
      serie: [],
      serie_sem_data: 0,
      por_tipo_agravo: [],
      por_faixa_etaria: [],
      por_sexo: [],
      por_estado: [],
      por_municipio: [],
    })
  })

  it('still draws every point of a period that was asked for', () => {
    assert.deepEqual(empty.period.periodo, { inicio: '2023-12-31', fim: '2024-02-01' })
    assert.equal(curve(empty.period.serie), '2023-12:0 2024-01:0 2024-02:0')
  })
})

const CONFIRMADOS = [
  'dengue_sem_sinais_alarme',
  'dengue_com_sinais_alarme',
  'dengue_grave',
  'confirmado',
  'dengue_classico',
  'dengue_com_complicacoes',
  'febre_hemorragica_dengue',
  'sindrome_choque_dengue',
]

describe('Counts and rates', () => {
  it('put every confirmed class, the old ones too, into one group, and the rest into theirs', async () => {
    for (const classificacao_final of [...CONFIRMADOS, 'descartado', 'descartado', 'inconclusivo', null])
      await newCaso({ classificacao_final, estado_residencia: 'AC', municipio_residencia: 'Rio Branco' })
    const { total, por_classificacao } = await resumo({ estado: 'AC' })
    assert.equal(total, 12)
    assert.deepEqual(por_classificacao, {
      confirmado: 8,
      descartado: 2,
      inconclusivo: 1,
      em_investigacao: 1,
    })
    assert.equal((await resumo({ estado: 'AC', classificacao: 'confirmado' })).total, 8)
    assert.equal((await resumo({ estado: 'AC', classificacao: 'provavel' })).total, 10)
  })

  it('count as deaths only those by the disease, and as in hospital only those known to be', async () => {
    const place = { municipio_residencia: 'Macapá', estado_residencia: 'AP' }
    const evolucoes = ['obito', 'obito_outras_causas', 'obito_em_investigacao', 'cura', 'ignorado', null]
    for (const evolucao of evolucoes) await newCaso({ ...place, evolucao })
    await newCaso({ ...place, hospitalizacao: true })
    await newCaso({ ...place, hospitalizacao: false })
    await newCaso({ ...place, hospitalizacao: true })
    const { total, obitos, hospitalizados, taxa_obito, taxa_hospitalizacao } = await resumo({ estado: 'AP' })
    assert.deepEqual([total, obitos, hospitalizados], [9, 1, 2])
    // 1 of 9 and 2 of 9, in per cent with two decimals.
    assert.deepEqual([taxa_obito, taxa_hospitalizacao], [11.11, 22.22])
  })

  it('leave out excluded cases, in every number', async () => {
    const place = {
      municipio_residencia: 'Boa Vista',
      estado_residencia: 'RR',
      data_notificacao: '2024-05-05',
    }
    await newCaso(place)
    const heavy = { classificacao_final: 'dengue_grave', evolucao: 'obito', hospitalizacao: true }
    await exclude(await newCaso({ ...place, ...heavy, data_notificacao: '2024-07-07', paciente_sexo: 'F' }))
    const body = await resumo({ estado: 'RR', agregacao: 'mes', agrupar_por: 'sexo,municipio' })
    assert.deepEqual(
      [body.total, body.obitos, body.hospitalizados, body.por_classificacao.confirmado],
      [1, 0, 0, 0],
    )
    assert.deepEqual(body.periodo, { inicio: '2024-05-05', fim: '2024-05-05' })
    assert.equal(curve(body.serie), '2024-05:1')
    assert.equal(groups(body.por_sexo), 'null:1')
  })
})

describe('The period', () => {
  it('is the one asked for, under either name, and counts only its cases', async () => {
    for (const [inicio, fim] of [
      ['data_inicio', 'data_fim'],
      ['data_notificacao_inicio', 'data_notificacao_fim'],
    ] as const) {
      const body = await resumo({ estado: 'TO', [inicio]: '2023-12-31', [fim]: '2024-02-01' })
      assert.deepEqual([body.total, body.periodo], [3, { inicio: '2023-12-31', fim: '2024-02-01' }])
    }
  })

  it('reaches from the first to the last notification where it was not asked for', async () => {
    const all = await resumo({ estado: 'TO' })
    assert.deepEqual([all.total, all.periodo], [6, { inicio: '2023-12-30', fim: '2024-03-01' }])
    const open = await resumo({ estado: 'TO', data_inicio: '2024-01-01' })
    assert.deepEqual([open.total, open.periodo], [4, { inicio: '2024-01-01', fim: '2024-03-01' }])
  })
})

describe('The series', () => {
  it('is only there when asked for', async () => {
    assert.equal('serie' in (await resumo({ estado: 'TO' })), false)
  })

  it('by week crosses the year in epidemiological weeks, those without cases too', async () => {
    const { serie, serie_sem_data } = await resumo({ estado: 'TO', agregacao: 'semana' })
    assert.equal(
      curve(serie),
      '202352:1 202401:3 202402:0 202403:0 202404:0 202405:0 202406:0 202407:0 202408:0 202409:2',
    )
    const { inicio, fim, obitos, taxa_obito } = serie[1]
    assert.deepEqual([inicio, fim, obitos, taxa_obito], ['2023-12-31', '2024-01-06', 1, 33.33])
    assert.equal(serie_sem_data, 0)
  })

  it('by day has every day of the period asked for, and nothing outside it', async () => {
    const period = { data_inicio: '2023-12-29', data_fim: '2024-01-07' }
    const { serie, total } = await resumo({ estado: 'TO', agregacao: 'dia', ...period })
    assert.equal(serie.length, 10)
    assert.equal(
      curve(serie.filter((ponto: Ponto) => ponto.total > 0)),
      '2023-12-30:1 2023-12-31:1 2024-01-06:2',
    )
    assert.deepEqual([serie[0].periodo, serie.at(-1).periodo, total], ['2023-12-29', '2024-01-07', 4])
  })

  it('by month knows how long each month is', async () => {
    const { serie } = await resumo({ estado: 'TO', agregacao: 'mes' })
    assert.deepEqual(
      serie.map(({ periodo, inicio, fim, total }: Ponto) => [periodo, inicio, fim, total]),
      [
        ['2023-12', '2023-12-01', '2023-12-31', 2],
        ['2024-01', '2024-01-01', '2024-01-31', 2],
        ['2024-02', '2024-02-01', '2024-02-29', 0],
        ['2024-03', '2024-03-01', '2024-03-31', 2],
      ],
    )
  })

  it('by the beginning of symptoms counts apart those who did not tell it', async () => {
    const query = { estado: 'TO', agregacao: 'mes', data_base: 'sintomas' }
    const { serie, serie_sem_data, total } = await resumo(query)
    assert.equal(curve(serie), '2023-12:2 2024-01:1 2024-02:1')
    assert.equal(serie_sem_data, 2)
    assert.equal(total, 6)
    const undated = await resumo({ ...query, municipio: 'Araguaína' })
    assert.deepEqual([undated.serie, undated.serie_sem_data], [[], 1])
  })

  for (const agregacao of ['dia', 'semana', 'mes'])
    it(`by ${agregacao} adds up to the total`, async () => {
      for (const data_base of ['notificacao', 'sintomas']) {
        const { serie, serie_sem_data, total } = await resumo({ agregacao, data_base })
        const sum = serie.reduce((all: number, ponto: Ponto) => all + ponto.total, serie_sem_data)
        assert.equal(sum, total)
      }
    })

  for (const agregacao of ['dia', 'semana', 'mes'])
    it(`by ${agregacao} reaches the ends of the calendar`, async () => {
      const first = await resumo({ agregacao, data_inicio: '0001-01-01', data_fim: '0001-01-02' })
      const last = await resumo({ agregacao, data_inicio: '9999-12-31', data_fim: '9999-12-31' })
      assert.equal(first.serie.length, agregacao === 'dia' ? 2 : 1)
      assert.equal(last.serie.length, 1)
    })

  it('of more than 5,000 points is refused, with a coarser step to choose', async () => {
    const asked = (agregacao: string, data_fim: string) =>
      t
        .as(vigilante)
        .get(
          `/agravos/casos/estatisticas/resumo?agregacao=${agregacao}&data_inicio=2000-01-01&data_fim=${data_fim}`,
        )
    // 2000-01-01 is the first day; the 5,000th is 2013-09-08.
    assert.equal((await asked('dia', '2013-09-08')).body.serie.length, 5000)
    for (const [agregacao, fim] of [
      ['dia', '2013-09-09'],
      ['dia', '9999-12-31'],
      ['semana', '9999-12-31'],
      ['mes', '9999-12-31'],
    ] as const) {
      const { status, body } = await asked(agregacao, fim)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), ['agregacao TOO_MANY'])
    }
    assert.equal((await asked('semana', '2013-09-09')).status, 200)
  })
})

describe('Groups', () => {
  it('by age are the bands of the bulletins, in their order, the unknown last', async () => {
    const { por_faixa_etaria } = await resumo({ estado: 'TO', agrupar_por: 'faixa_etaria' })
    assert.equal(groups(por_faixa_etaria), '<1:1 1-4:1 15-19:1 20-39:1 80+:1 null:1')
  })

  it('by age begin a new band at 1, 5, 10, 15, 20, 40, 60 and 80 years', async () => {
    const place = { municipio_residencia: 'Natal', estado_residencia: 'RN' }
    for (const paciente_idade of [0, 1, 4, 5, 9, 10, 14, 15, 19, 20, 39, 40, 59, 60, 79, 80, 130])
      await newCaso({ ...place, paciente_idade })
    const { por_faixa_etaria } = await resumo({ estado: 'RN', agrupar_por: 'faixa_etaria' })
    assert.equal(groups(por_faixa_etaria), '<1:1 1-4:2 5-9:2 10-14:2 15-19:2 20-39:2 40-59:2 60-79:2 80+:2')
  })

  it('by sex are in the order of the form, the unknown last', async () => {
    assert.equal(groups((await resumo({ estado: 'TO', agrupar_por: 'sexo' })).por_sexo), 'M:2 F:1 I:1 null:2')
  })

  it('by municipality have its code and its name', async () => {
    const { por_municipio } = await resumo({ estado: 'TO', agrupar_por: 'municipio' })
    assert.deepEqual(
      por_municipio.map(({ valor, nome, total }: Grupo) => [valor, nome, total]),
      [
        ['1702109', 'Araguaína', 1],
        ['1721000', 'Palmas', 5],
      ],
    )
  })

  it('by health region have its code and its name', async () => {
    const { por_regiao_saude } = await resumo({ estado: 'TO', agrupar_por: 'regiao_saude' })
    assert.deepEqual(
      por_regiao_saude.map(({ nome, total }: Grupo) => [nome, total]),
      [
        ['RS Médio Norte Araguaia', 1],
        ['RS Capim Dourado', 5],
      ],
    )
  })

  it('by pairs have a value of each, null where it is unknown', async () => {
    const { por_faixa_etaria_sexo } = await resumo({ estado: 'TO', agrupar_por: 'faixa_etaria*sexo' })
    const cells = por_faixa_etaria_sexo.map(({ valores, total }: Grupo) => [...valores, total])
    assert.deepEqual(
      cells.find(([faixa]: string[]) => faixa === '80+'),
      ['80+', 'M', 1],
    )
    assert.deepEqual(
      cells.find(([faixa]: string[]) => faixa === '20-39'),
      ['20-39', null, 1],
    )
  })

  it('by bairro are shown from five cases on, spelled in one way; the rest is one group', async () => {
    const place = { municipio_residencia: 'Manaus', estado_residencia: 'AM' }
    for (const bairro_residencia of ['Centro', 'CENTRO', 'centro', 'Centro', 'Centro', 'Flores', null])
      await newCaso({ ...place, bairro_residencia })
    const { por_bairro } = await resumo({ estado: 'AM', agrupar_por: 'bairro' })
    const shown = por_bairro.map(({ valor, nome, total }: Grupo) => [valor?.toLowerCase(), nome, total])
    assert.deepEqual(shown, [
      ['centro', 'Manaus', 5],
      [undefined, null, 2],
    ])
  })

  it('of every kind add up to the total, each with its own numbers', async () => {
    const kinds = [...SINGLE_KINDS, 'faixa_etaria*sexo', 'mes*classificacao']
    const body = await resumo({ agrupar_por: kinds.join(', ') })
    for (const kind of kinds)
      for (const number of ['total', 'obitos', 'hospitalizados'])
        assert.equal(
          body[`por_${kind.replace('*', '_')}`].reduce(
            (sum: number, grupo: Record<string, number>) => sum + (grupo[number] ?? 0),
            0,
          ),
          body[number],
          `${kind} ${number}`,
        )
    assert.equal(groups(body.por_tipo_agravo), `dengue:${body.total - 1} zika:1`)
    const rr = body.por_estado.find((grupo: Grupo) => grupo.valor === 'RR')
    assert.deepEqual([rr.total, rr.em_investigacao, rr.taxa_obito, rr.nome], [1, 1, 0, null])
  })

  it('and points have only the numbers asked for; the summary itself has them all', async () => {
    const query = { estado: 'TO', agregacao: 'mes', agrupar_por: 'estado', metricas: 'obitos, total' }
    const { serie, por_estado, taxa_obito } = await resumo(query)
    assert.deepEqual(serie[0], {
      periodo: '2023-12',
      inicio: '2023-12-01',
      fim: '2023-12-31',
      total: 2,
      obitos: 1,
    })
    assert.deepEqual(por_estado, [{ valor: 'TO', nome: null, total: 6, obitos: 1 }])
    assert.equal(taxa_obito, 16.67)
  })
})

describe('The incidence of a summary', () => {
  const asked = { tipo_agravo: 'dengue', metricas: 'total,incidencia' }
  const populationOf = async (query: string): Promise<number> => {
    const { body } = await t.as(vigilante).get(`/agravos/populacao?${query}`)
    return body.populacao
  }
  const rate = (casos: number, residents: number) => Math.round((casos / residents) * 1e9) / 1e4

  it('is of the residents in the year of each period and place', async () => {
    const query = { ...asked, estado: 'TO', agregacao: 'mes', agrupar_por: 'estado,municipio,sexo', ...YEARS }
    const body = await resumo(query)
    const [in2023, in2024] = [
      await populationOf('estado=TO&ano=2023'),
      await populationOf('estado=TO&ano=2024'),
    ]
    assert.deepEqual([body.total, body.populacao, body.populacao_ano], [5, in2024, 2024])
    assert.equal(body.incidencia, rate(5, in2024))
    assert.deepEqual(
      body.serie.map(({ periodo, incidencia }: { periodo: string; incidencia: number }) => [
        periodo,
        incidencia,
      ]),
      [
        ['2023-12', rate(2, in2023)],
        ['2024-01', rate(1, in2024)],
        ['2024-02', 0],
        ['2024-03', rate(2, in2024)],
      ],
    )
    assert.deepEqual(body.por_estado, [{ valor: 'TO', nome: null, total: 5, incidencia: rate(5, in2024) }])
    const palmas = await populationOf('municipio=1721000&ano=2024')
    const ofPalmas = body.por_municipio.find(({ valor }: Grupo) => valor === '1721000')
    assert.deepEqual([ofPalmas.total, ofPalmas.incidencia], [4, rate(4, palmas)])
    assert.ok(body.por_sexo.every((grupo: { incidencia: unknown }) => grupo.incidencia === null))
  })

  it('takes the last year known, and is only there when asked for', async () => {
    const body = await resumo({ ...asked, estado: 'TO', data_inicio: '2025-01-01', data_fim: '2030-01-01' })
    assert.deepEqual([body.total, body.incidencia, body.populacao_ano], [0, 0, 2024])
    const plain = await resumo({ tipo_agravo: 'dengue', agrupar_por: 'estado' })
    assert.ok(!('incidencia' in plain || 'populacao' in plain || 'incidencia' in plain.por_estado[0]))
  })

  it('leaves municipalities without population out, in numerator and denominator alike', async () => {
    const [before, residents] = [await resumo({ ...asked, estado: 'MT', ...YEARS }), 'estado=MT&ano=2024']
    await newCaso({
      municipio_residencia: '5101837',
      estado_residencia: 'MT',
      data_notificacao: '2024-03-02',
    })
    const after = await resumo({ ...asked, estado: 'MT', agrupar_por: 'municipio', ...YEARS })
    assert.equal(after.total, before.total + 1)
    assert.deepEqual([after.incidencia, after.populacao], [before.incidencia, await populationOf(residents)])
    const grupo = after.por_municipio.find(({ valor }: Grupo) => valor === '5101837')
    assert.deepEqual([grupo.total, grupo.incidencia], [1, null])
  })

  for (const [query, expected] of [
    ['metricas=incidencia', 'tipo_agravo REQUIRED'],
    ['metricas=incidencia&tipo_agravo[in]=dengue,zika', 'tipo_agravo REQUIRED'],
    ['metricas=incidencia&tipo_agravo=dengue&sexo=F', 'metricas INCONSISTENT'],
    ['metricas=incidencia&tipo_agravo=dengue&search=centro', 'metricas INCONSISTENT'],
  ] as const)
    it(`is refused where cases and residents would not be of the same people: ${query}`, async () => {
      const { status, body } = await t.as(vigilante).get(`/agravos/casos/estatisticas/resumo?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), [expected])
    })
})

describe('GET /agravos/casos/estatisticas/resumo refuses, naming the parameter,', () => {
  for (const [query, expected] of [
    ['agregacao=ano', ['agregacao INVALID_VALUE']],
    ['agregacao=', ['agregacao INVALID_VALUE']],
    ['agregacao=dia&agregacao=mes', ['agregacao INVALID_TYPE', 'agregacao INVALID_VALUE']],
    ['data_base=nascimento', ['data_base INVALID_VALUE']],
    ['metricas=casos', ['metricas INVALID_VALUE']],
    ['metricas=total,__proto__', ['metricas INVALID_VALUE']],
    ['agrupar_por=paciente_nome', ['agrupar_por INVALID_VALUE']],
    ['agrupar_por=sexo,raca', ['agrupar_por INVALID_VALUE']],
    ['data_inicio=2024-13-01', ['data_inicio INVALID_FORMAT']],
    ['estado=XX', ['estado INVALID_VALUE']],
    ['tipo_agravo=gripe', ['tipo_agravo INVALID_VALUE']],
    ['estado=XX&agregacao=ano', ['agregacao INVALID_VALUE', 'estado INVALID_VALUE']],
  ] as [string, string[]][])
    it(query, async () => {
      const { status, body, text } = await t.as(vigilante).get(`/agravos/casos/estatisticas/resumo?${query}`)
      assert.equal(status, 422, text)
      assert.deepEqual(problems(body.error.details), expected)
    })
})
