import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { addDays } from '../../../src/brasil/calendar.ts'
import { semanaOf } from '../../../src/brasil/epi-week.ts'
import { sql } from '../../../src/db/sql.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, newCaso, exclude, read, bound, vigilante } = await consultaApp()
after(() => t.close())

const PAINEL = '/agravos/casos/painel'
const of2024 = { tipo_agravo: 'dengue', ano: '2024' }
const painel = (query: Record<string, string> = of2024, person = vigilante) => read(PAINEL, query, person)
/** Number of cases that the list has under the filter of a figure. */
const listed = async (query: Record<string, string>) => (await read('/agravos/casos', query)).total

interface SemanaDoPainel {
  semana: string
  casos: number
  anterior: number
  mediana: number | null
}

const PLACES = [
  { municipio_residencia: 'Recife', estado_residencia: 'PE' },
  { municipio_residencia: 'Olinda', estado_residencia: 'PE' },
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
]
const CLASSES = ['confirmado', 'descartado', 'inconclusivo', null]
const SEXOS = ['F', 'M', null]

before(async () => {
  for (let i = 0; i < 120; i++) {
    const onset = addDays(i % 4 === 3 ? '2023-01-10' : '2023-12-28', (i * 37) % 340)
    await newCaso({
      ...PLACES[i % 3],
      data_inicio_sintomas: onset,
      data_notificacao: addDays(onset, i % 9),
      classificacao_final: CLASSES[i % 4],
      hospitalizacao: i % 5 === 0,
      paciente_sexo: SEXOS[i % 3],
      paciente_idade: i % 7 === 0 ? null : i % 90,
      evolucao: i % 20 === 0 ? 'obito_em_investigacao' : null,
    })
  }
  // In no week of onset: none is known, and one is a birth date.
  await newCaso({ data_inicio_sintomas: null })
  await newCaso({ data_inicio_sintomas: '1990-01-01', data_notificacao: '2024-03-03' })
  await exclude(await newCaso({ data_inicio_sintomas: '2024-01-05' }))
})

describe('The painel', () => {
  it('counts what the list has under the same filter, place and week by week', async () => {
    const weeks = (from: string, to: string) => ({
      'semana_epidemiologica_sintomas[gte]': from,
      'semana_epidemiologica_sintomas[lte]': to,
    })
    for (const more of [
      {},
      { estado: 'PE' },
      { municipio: '2611606' },
      { sexo: 'F' },
      { classificacao: 'provavel' },
    ]) {
      const filter = { tipo_agravo: 'dengue', ...more } as Record<string, string>
      const answer = await painel({ ...filter, ano: '2024' })
      assert.equal(answer.numeros.casos, await listed({ ...filter, ...weeks('202401', '202452') }))
      assert.ok(answer.numeros.casos > 0)
      assert.equal(answer.anterior.casos, await listed({ ...filter, ...weeks('202301', '202352') }))
      const { semana, casos } = answer.semanas.find((one: SemanaDoPainel) => one.casos > 0)
      assert.equal(casos, await listed({ ...filter, ...weeks(semana, semana) }))
      const summed = (key: string) =>
        answer.semanas.reduce((all: number, one: Record<string, number>) => all + (one[key] ?? 0), 0)
      assert.equal(summed('casos'), answer.numeros.casos)
      assert.equal(summed('anterior'), answer.anterior.casos)
      if (answer.lugares.nivel !== null)
        assert.equal(
          answer.lugares.casos.reduce((a: number, b: number) => a + b, 0),
          answer.numeros.casos,
        )
      const cells = answer.piramide.celulas.reduce(
        (all: number, { casos }: { casos: number }) => all + casos,
        0,
      )
      assert.equal(cells + answer.piramide.sem_sexo_ou_idade, answer.numeros.casos)
      const investigated = { ...filter, ...weeks('202401', '202452'), evolucao: 'obito_em_investigacao' }
      assert.equal(answer.numeros.obitos_em_investigacao, await listed(investigated))
    }
  })

  it('counts by the day of notification when asked to', async () => {
    const answer = await painel({ ...of2024, data_base: 'notificacao', estado: 'PE' })
    const filter = { tipo_agravo: 'dengue', estado: 'PE', 'semana_epidemiologica[gte]': '202401' }
    assert.equal(answer.numeros.casos, await listed({ ...filter, 'semana_epidemiologica[lte]': '202452' }))
  })

  it('has the cases of each four of the last twelve ended weeks of every place, by either day', async () => {
    for (const data_base of ['sintomas', 'notificacao']) {
      const { semanas, lugares, destaques } = await painel({ ...of2024, data_base, nivel: 'municipio' })
      const weekField = data_base === 'sintomas' ? 'semana_epidemiologica_sintomas' : 'semana_epidemiologica'
      const ended = semanas.map(({ semana }: SemanaDoPainel) => semana).slice(-12)
      for (const [i, codigo] of lugares.codigo.entries()) {
        const blocks = [0, 4, 8].map((from) =>
          listed({
            ...{ tipo_agravo: 'dengue', municipio: codigo },
            ...{ [`${weekField}[gte]`]: ended[from], [`${weekField}[lte]`]: ended[from + 3] },
          }),
        )
        assert.deepEqual(lugares.recentes[i], await Promise.all(blocks))
      }
      for (const { codigo, serie } of destaques)
        assert.equal(
          serie.reduce((sum: number, one: number) => sum + one, 0),
          lugares.recentes[lugares.codigo.indexOf(codigo)].reduce((sum: number, one: number) => sum + one, 0),
        )
      assert.ok(lugares.recentes.flat().some((one: number) => one > 0))
    }
  })

  it('names the place, its population and the next level', async () => {
    const [pais, estado, regiao, municipio] = await Promise.all([
      painel(),
      painel({ ...of2024, estado: 'PE' }),
      painel({ ...of2024, regiao_saude: '26010' }),
      painel({ ...of2024, municipio: '2611606' }),
    ])
    assert.deepEqual(pais.lugar, { nivel: 'pais', codigo: null, nome: 'Brasil' })
    assert.deepEqual(estado.lugar, { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco' })
    assert.deepEqual([regiao.lugar.nivel, regiao.lugar.codigo], ['regiao_saude', '26010'])
    assert.deepEqual(municipio.lugar, { nivel: 'municipio', codigo: '2611606', nome: 'Recife' })
    assert.deepEqual([pais.lugares.codigo, pais.lugares.nivel], [['PE', 'SP'], 'estado'])
    assert.deepEqual(estado.lugares.codigo.toSorted(), ['2609600', '2611606'])
    assert.deepEqual([municipio.lugares.nivel, municipio.lugares.codigo], [null, []])
    const rate = Math.round((1e9 * municipio.numeros.casos) / municipio.populacao) / 1e4
    assert.ok(Math.abs(municipio.numeros.incidencia - rate) < 1e-4)
    assert.equal(municipio.populacao_ano, 2024)
    assert.deepEqual((await painel({ ...of2024, nivel: 'municipio' })).lugares.codigo.length, 3)
  })

  it('is of the current year without a period, and compares with years that have cases', async () => {
    const { periodo, anos_comparados } = await painel({ tipo_agravo: 'dengue' })
    const today = new Date().toISOString().slice(0, 10)
    assert.equal(periodo.semana_inicio, `${semanaOf(today).codigo.slice(0, 4)}01`)
    assert.deepEqual(anos_comparados, [2023, 2024])
    const { semanas } = await painel()
    const { anterior, mediana } = semanas.find((one: SemanaDoPainel) => one.anterior > 0)
    assert.equal(mediana, anterior)
  })

  it('shows all classifications by month, whatever the filter', async () => {
    const sum = async (query: Record<string, string>) =>
      (await painel({ ...of2024, ...query })).classificacao_por_mes.reduce(
        (all: number, { descartado }: { descartado: number }) => all + descartado,
        0,
      )
    assert.ok((await sum({})) > 0)
    assert.equal(await sum({ classificacao: 'provavel' }), await sum({}))
  })

  it('is bounded by the territory of the caller', async () => {
    const answer = await painel(of2024, await bound(['municipio:2611606', 'municipio:3550308']))
    assert.equal(answer.lugar.nivel, 'varios')
    assert.deepEqual(answer.lugares.codigo.toSorted(), ['2611606', '3550308'])
    assert.equal((await painel({ ...of2024, estado: 'SP' }, await bound(['uf:PE']))).numeros.casos, 0)
  })

  it('answers 304 to a client that has it, until a case changes', async () => {
    const ask = (headers: Record<string, string> = {}) =>
      t.as(vigilante).get(`${PAINEL}?${new URLSearchParams(of2024)}`, { headers })
    const etag = String((await ask()).headers.etag)
    assert.equal((await ask({ 'if-none-match': etag })).status, 304)
    await newCaso({ data_inicio_sintomas: '2024-02-02', data_notificacao: '2024-02-03' })
    assert.equal((await ask({ 'if-none-match': etag })).status, 200)
  })

  for (const [query, problem] of [
    ['', 'tipo_agravo REQUIRED'],
    ['tipo_agravo[in]=dengue,zika', 'tipo_agravo REQUIRED'],
    ['tipo_agravo=dengue&ano=2024&semana_inicio=202401', 'ano INCONSISTENT'],
    ['tipo_agravo=dengue&semana_inicio=202453', 'semana_inicio INVALID_VALUE'],
    ['tipo_agravo=dengue&semana_inicio=202410&semana_fim=202409', 'semana_fim BEFORE'],
    ['tipo_agravo=dengue&ano=2099', 'ano IN_FUTURE'],
    ['tipo_agravo=dengue&comparar_anos=11', 'comparar_anos TOO_LARGE'],
    ['tipo_agravo=dengue&regiao_saude=99999', 'regiao_saude UNKNOWN'],
    ['tipo_agravo=dengue&nivel=bairro', 'nivel INVALID_VALUE'],
    [
      'tipo_agravo=dengue&semana_epidemiologica_sintomas=2024',
      'semana_epidemiologica_sintomas INVALID_FORMAT',
    ],
  ] as const)
    it(`refuses ${query || 'no disease'}: ${problem}`, async () => {
      const { status, body } = await t.as(vigilante).get(`${PAINEL}?${query}`)
      assert.equal(status, 422)
      const found = body.error.details.map(({ field, code }: Record<string, string>) => `${field} ${code}`)
      assert.deepEqual(found, [problem])
    })

  it('says when a file last brought cases of the disease to the states, until it is undone', async () => {
    const imported = (tipo: string | null, estados: string[], day: number) =>
      t.database.pool.value<number>(sql`
        insert into importacoes (usuario_nome, arquivo_nome, arquivo_sha256, arquivo_tamanho, formato, layout, tipo_agravo,
          total_linhas, importados, atualizados, inalterados, duplicados_no_arquivo, erros, avisos, criado_em, estados)
        values ('Ana', 'a.csv', '', 1, 'csv', 'sinan', ${tipo}, 1, 1, 0, 0, 0, 0, 0,
          ${new Date(Date.UTC(2024, 0, day))}, ${estados})
        returning id`)
    assert.equal((await painel()).ultima_importacao, null)
    await imported('dengue', ['PE'], 1)
    const last = await imported(null, ['PE', 'PB'], 3)
    await imported('zika', ['PE'], 5)
    await imported('dengue', ['SP'], 7)
    const inPe = async () => (await painel({ ...of2024, municipio: '2611606' })).ultima_importacao
    assert.equal(await inPe(), '2024-01-03T00:00:00.000Z')
    assert.equal((await painel()).ultima_importacao, '2024-01-07T00:00:00.000Z')
    await t.database.pool.run(sql`update importacoes set desfeita_em = now() where id = ${last}`)
    assert.equal(await inPe(), '2024-01-01T00:00:00.000Z')
  })
})
