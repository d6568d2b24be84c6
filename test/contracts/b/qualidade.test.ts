import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { sql } from '../../../src/db/sql.ts'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, vigilante, identificador, newCaso, read, bound } = await consultaApp()
after(() => t.close())

const QUALIDADE = '/agravos/casos/qualidade'
const PENDENCIAS = `${QUALIDADE}/pendencias`
const hoje = dateInBrazil(t.clock.now())
const ago = (days: number) => addDays(hoje, -days)

type Row = Record<string, unknown>
const fieldOf = (body: { completude: Row[] }, campo: string) =>
  body.completude.find((one) => one.campo === campo)
const totalOf = (body: { inconsistencias: Row[] }, codigo: string) =>
  body.inconsistencias.find((one) => one.codigo === codigo)?.total

/** Recife: one closed in time, one closed by itself, one late and one to close. Olinda: two that may be one person. */
const CLOSED = { classificacao_final: 'dengue_grave', criterio_confirmacao: 'laboratorial' }
await newCaso({
  ...CLOSED,
  data_notificacao: ago(100),
  data_inicio_sintomas: ago(103),
  data_encerramento: ago(90),
  paciente_raca: 'parda',
})
await newCaso({
  data_notificacao: ago(100),
  classificacao_final: 'inconclusivo',
  data_encerramento: ago(39),
  paciente_raca: 'ignorado',
})
const late = await newCaso({ data_notificacao: ago(70), paciente_raca: 'preta' })
const open = await newCaso({ data_notificacao: ago(10), evolucao: 'obito_em_investigacao' })
const PERSON = {
  municipio_residencia: 'Olinda',
  paciente_sexo: 'F',
  paciente_data_nascimento: '1990-05-20',
  data_inicio_sintomas: ago(20),
  classificacao_final: 'descartado',
  criterio_confirmacao: 'laboratorial',
  data_encerramento: ago(5),
  hospitalizacao: false,
}
const doubles = [
  await newCaso({ ...PERSON, data_notificacao: ago(20) }),
  await newCaso({ ...PERSON, data_inicio_sintomas: ago(5), data_notificacao: ago(5) }),
]
await newCaso({
  ...PERSON,
  data_inicio_sintomas: ago(4),
  data_notificacao: ago(4),
  data_encerramento: ago(4),
})
const OLD = { data_notificacao: ago(400), municipio_residencia: 'São Paulo', estado_residencia: 'SP' }
await newCaso(OLD)

describe('GET /agravos/casos/qualidade', () => {
  it('tells completeness, timeliness and inconsistencies of a place in the last 365 days', async () => {
    const body = await read(QUALIDADE, { municipio: 'Recife', estado: 'PE' })
    assert.deepEqual(body.lugar, { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' })
    assert.deepEqual(body.periodo, { data_inicio: ago(364), data_fim: hoje })
    assert.deepEqual([body.parcial, body.tipo_agravo, body.agrupar_por, body.grupos], [false, null, null, []])
    assert.equal(body.casos, 4)
    assert.deepEqual(fieldOf(body, 'raca'), {
      campo: 'raca',
      preenchidos: 2,
      de: 4,
      pct: 50,
      faixa: 'ruim',
    })
    assert.deepEqual(fieldOf(body, 'gestante'), {
      campo: 'gestante',
      preenchidos: 0,
      de: 0,
      pct: null,
      faixa: null,
    })
    assert.deepEqual(body.oportunidade.notificacao, {
      ...{ n: 1, p25: 3, mediana: 3, p75: 3, p90: 3 },
      ...{ no_prazo: 1, de: 1, pct: 100 },
    })
    assert.deepEqual(body.oportunidade.encerramento, {
      ...{ n: 2, p25: 22.75, mediana: 35.5, p75: 48.25, p90: 55.9 },
      ...{ no_prazo: 1, de: 3, pct: 33.33 },
    })
    assert.deepEqual(body.oportunidade.obito.mediana, null)
    assert.equal(body.encerrado_automatico, 1)
    assert.equal(totalOf(body, 'grave_sem_sinais'), 1)
    assert.equal(totalOf(body, 'obito_sem_data'), 1)
  })

  it('has groups with cases in the order of their codes, by page', async () => {
    const query = { data_inicio: '2020-01-01', agrupar_por: 'municipio', size: '2' }
    const [first, second] = [await read(QUALIDADE, query), await read(QUALIDADE, { ...query, page: '2' })]
    assert.deepEqual([first.total, first.pages, first.casos, second.casos], [3, 2, 8, 8])
    const names = [...first.grupos, ...second.grupos].map(({ codigo, nome, estado, casos }: Row) =>
      [codigo, nome, estado, casos].join(),
    )
    assert.deepEqual(names, ['2609600,Olinda,PE,3', '2611606,Recife,PE,4', '3550308,São Paulo,SP,1'])
  })

  it('goes by the deadline that the disease has', async () => {
    const shareOf = async () => (await read(QUALIDADE, { municipio: '2611606' })).oportunidade.encerramento
    const change = (days: number) =>
      t.database.pool.run(
        sql`update tipos_agravo set prazo_encerramento_dias = ${days} where codigo = 'dengue'`,
      )
    await change(61)
    const { no_prazo, de } = await shareOf()
    await change(60)
    assert.deepEqual([no_prazo, de], [2, 3])
  })

  it('counts pairs of possible duplicates for callers who may identify, and for no other', async () => {
    const query = { municipio: 'Olinda' }
    assert.equal(totalOf(await read(QUALIDADE, query, identificador), 'possivel_duplicado'), 2)
    assert.equal(totalOf(await read(QUALIDADE, query), 'possivel_duplicado'), null)
    const period = { ...query, data_inicio: ago(19) }
    assert.equal(totalOf(await read(QUALIDADE, period, identificador), 'possivel_duplicado'), 1)
  })

  it('counts the part of a place that lies in the territory, and says that it is a part', async () => {
    const olinda = await bound(['municipio:2609600'])
    const [part, outside] = [
      await read(QUALIDADE, { estado: 'PE' }, olinda),
      await read(QUALIDADE, { municipio: '2611606' }, olinda),
    ]
    assert.deepEqual([part.casos, part.parcial], [3, true])
    assert.deepEqual([outside.casos, outside.parcial], [0, true])
  })

  it('refuses periods that end before they begin, and places that are none', async () => {
    for (const [query, expected] of [
      ['data_inicio=2024-02-01&data_fim=2024-01-01', 'data_fim BEFORE'],
      ['data_inicio=2024-02-30', 'data_inicio INVALID_FORMAT'],
      ['agrupar_por=bairro', 'agrupar_por INVALID_VALUE'],
      ['tipo_agravo=gripe', 'tipo_agravo INVALID_VALUE'],
      ['municipio=Atlantida', 'municipio UNKNOWN_MUNICIPIO'],
      ['municipio=2611606&estado=SP', 'municipio INCONSISTENT'],
      ['regiao_saude=99999', 'regiao_saude UNKNOWN'],
      ['size=101', 'size TOO_LARGE'],
      ['formato=pdf', 'formato INVALID_VALUE'],
    ] as const) {
      const { status, body } = await t.as(vigilante).get(`${QUALIDADE}?${query}`)
      assert.equal(status, 422, query)
      assert.deepEqual(problems(body.error.details), [expected])
    }
  })

  it('answers its groups as CSV, with a decimal comma in Portuguese and a point elsewhere', async () => {
    const path = `${QUALIDADE}?municipio=2611606&agrupar_por=municipio`
    const portuguese = await t.as(vigilante).get(path, { headers: { accept: 'text/csv' } })
    assert.match(String(portuguese.headers['content-type']), /^text\/csv/)
    assert.ok(portuguese.text.startsWith('\uFEFFcodigo;nome;estado;casos;completude.data_inicio_sintomas;'))
    const [header = '', line = ''] = portuguese.text.slice(1).split('\r\n')
    const cell = (text: string) => text.split(';')[header.split(';').indexOf('oportunidade.encerramento.pct')]
    assert.equal(cell(line), '33,33')
    const english = await t
      .as(vigilante)
      .get(`${path}&formato=csv`, { headers: { 'accept-language': 'en-US' } })
    assert.equal(cell(english.text.split('\r\n')[1] ?? ''), '33.33')
  })
})

describe('GET /agravos/casos/qualidade/pendencias', () => {
  const idsOf = ({ items }: { items: { id: number }[] }) => items.map(({ id }) => id)
  /** Of a case of which these are not known. */
  const UNKNOWN = ['sem_classificacao', 'sem_inicio_sintomas', 'sem_hospitalizacao']

  it('has the oldest deadline first, and cases as their list shows them', async () => {
    const body = await read(PENDENCIAS, { municipio: '2611606' })
    assert.deepEqual(idsOf(body).slice(0, 2), [late, open])
    const [overdue, due] = body.items
    assert.equal(overdue.paciente.nome, 'M. S. S.')
    assert.deepEqual(overdue.pendencias, [
      { codigo: 'atrasado', desde: ago(70), prazo: ago(10), dias: 10 },
      ...[...UNKNOWN].map((codigo) => ({ codigo, desde: ago(70), prazo: null, dias: null })),
    ])
    const deaths = ['obito_sem_investigacao', 'obito_a_investigar']
    assert.deepEqual(due.pendencias, [
      { codigo: 'a_encerrar', desde: ago(10), prazo: addDays(hoje, 50), dias: -50 },
      ...[...deaths, ...UNKNOWN, 'obito_sem_data'].map((codigo) => ({
        ...{ codigo, desde: ago(10), prazo: null, dias: null },
      })),
    ])
  })

  it('is filtered by code, with the filters of cases, and sorted by any of their columns', async () => {
    assert.deepEqual(idsOf(await read(PENDENCIAS, { pendencia: 'a_encerrar' })), [open])
    assert.deepEqual(
      idsOf(await read(PENDENCIAS, { 'pendencia[in]': 'a_encerrar,grave_sem_sinais' })).length,
      2,
    )
    assert.deepEqual(idsOf(await read(PENDENCIAS, { pendencia: 'atrasado', estado: 'PE' })), [late])
    const sorted = await read(PENDENCIAS, { sort: 'data_notificacao', order: 'desc', size: '1' })
    assert.deepEqual(idsOf(sorted), [open])
    const { status, body } = await t.as(vigilante).get(`${PENDENCIAS}?pendencia=nenhuma`)
    assert.equal(status, 422)
    assert.deepEqual(problems(body.error.details), ['pendencia INVALID_VALUE'])
  })

  it('tells of possible duplicates only who may identify patients', async () => {
    const asked = { municipio: 'Olinda' }
    assert.equal((await read(PENDENCIAS, asked)).total, 0)
    const body = await read(PENDENCIAS, { ...asked, sort: 'id' }, identificador)
    assert.equal(body.total, 3)
    assert.deepEqual(idsOf(body).slice(0, 2), doubles)
    assert.deepEqual(body.items[0].pendencias, [
      { codigo: 'possivel_duplicado', desde: ago(20), prazo: null, dias: null },
    ])
    const nested = encodeURIComponent(JSON.stringify({ or: [{ pendencia: 'possivel_duplicado' }] }))
    for (const query of [
      'pendencia=possivel_duplicado',
      'pendencia[ne]=possivel_duplicado',
      `search=${nested}`,
    ])
      for (const path of [PENDENCIAS, `${PENDENCIAS}/resumo`]) {
        const { status, body: refusal } = await t.as(vigilante).get(`${path}?${query}`)
        assert.equal(status, 403, query)
        assert.equal(refusal.error.required_permission, 'agravos.identificar')
      }
  })

  it('is one line for each thing to do as CSV', async () => {
    const { text } = await t
      .as(vigilante)
      .get(`${PENDENCIAS}?municipio=2611606&formato=csv&pendencia=atrasado`)
    const [header, ...lines] = text.trimEnd().split('\r\n')
    assert.match(String(header), /;pendencia\.codigo;pendencia\.desde;pendencia\.prazo;pendencia\.dias$/)
    assert.equal(lines.length, 1 + UNKNOWN.length)
    assert.ok(lines[0]?.endsWith(`;atrasado;${ago(70)};${ago(10)};10`))
  })
})

describe('GET /agravos/casos/qualidade/pendencias/resumo', () => {
  it('counts cases by code and municipality, the most first, within the filter', async () => {
    const body = await read(`${PENDENCIAS}/resumo`, { estado: 'PE' })
    assert.deepEqual(body.items[0], {
      codigo: 'sem_hospitalizacao',
      municipio: '2611606',
      municipio_nome: 'Recife',
      estado: 'PE',
      total: 4,
    })
    const byCode = await read(`${PENDENCIAS}/resumo`, { sort: 'codigo', size: '1' })
    assert.deepEqual([byCode.items[0].codigo, byCode.items[0].total], ['atrasado', 1])
    const inPe = await read(`${PENDENCIAS}/resumo`, { estado: 'PE', size: '1' })
    for (const [codigo, total] of Object.entries(inPe.por_codigo))
      assert.equal(total, (await read(PENDENCIAS, { estado: 'PE', pendencia: codigo })).total, codigo)
    assert.ok(Object.keys(inPe.por_codigo).length > 1)
    const csv = await t.as(vigilante).get(`${PENDENCIAS}/resumo?formato=csv`)
    assert.ok(csv.text.startsWith('\uFEFFcodigo;municipio;municipio_nome;estado;total\r\n'))
  })
})

describe('Possible duplicates', () => {
  it('have onsets up to 15 days apart', async () => {
    const onsets = { Caruaru: [20, 5], Petrolina: [21, 5] }
    for (const [municipio_residencia, days] of Object.entries(onsets))
      for (const day of days)
        await newCaso({
          ...PERSON,
          municipio_residencia,
          data_notificacao: ago(day),
          data_inicio_sintomas: ago(day),
        })
    const pairsIn = async (municipio: string) => [
      totalOf(await read(QUALIDADE, { municipio, estado: 'PE' }, identificador), 'possivel_duplicado'),
      (await read(PENDENCIAS, { municipio, pendencia: 'possivel_duplicado' }, identificador)).total,
    ]
    assert.deepEqual(await pairsIn('Caruaru'), [1, 2])
    assert.deepEqual(await pairsIn('Petrolina'), [0, 0])
  })
})
