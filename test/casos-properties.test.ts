import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { consultaApp } from './contracts/b/casos-consulta-app.ts'

/**
 * Random cases under random filters, asked by accounts of different territories: list, statistics, map, exported file and feed
 * of events tell the same as a plain predicate over what was created, and the pages together are those cases in order. Nothing
 * here is taken from the filters under test. `PROPERTY_RUNS` asks for more runs than a test run should take, `PROPERTY_SEED` for
 * other cases and filters.
 */
const SEED = Number(process.env.PROPERTY_SEED ?? 20_240_107)
const CASES = 300
const RUNS = Number(process.env.PROPERTY_RUNS ?? 300)
/** Share of the runs that also export and read the feed: in a long run all, in a test run one of ten. */
const WHOLE = RUNS > 300 ? 1 : 10

const { t, newCaso, exclude, read, bound } = await consultaApp()
after(() => t.close())

const DAY_MS = 86_400_000
const dayAfter = (date: string, days: number) =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

const LUGARES = [
  { nome: 'Recife', uf: 'PE', codigo: '2611606' },
  { nome: 'Olinda', uf: 'PE', codigo: '2609600' },
  { nome: 'São Paulo', uf: 'SP', codigo: '3550308' },
  { nome: 'Bom Jesus', uf: 'PI', codigo: '2201903' },
  { nome: 'Bom Jesus', uf: 'RS', codigo: '4302303' },
]
/** Territories by the places that are bound, with the codes of the municipalities above that lie inside. */
const TERRITORIOS = [
  { lugares: [], dentro: LUGARES.map(({ codigo }) => codigo) },
  { lugares: ['uf:PE'], dentro: ['2611606', '2609600'] },
  // The health region of Recife, which Olinda belongs to.
  { lugares: ['regiao_saude:26010'], dentro: ['2611606', '2609600'] },
  { lugares: ['municipio:2611606', 'municipio:4302303'], dentro: ['2611606', '4302303'] },
  { lugares: ['uf:SP', 'municipio:2609600'], dentro: ['3550308', '2609600'] },
  // Nobody lives there; some cases were notified there.
  { lugares: ['municipio:1200401'], dentro: [] },
]
const NOTIFICANTES = ['2611606', '3550308', '1200401']
const contas = await Promise.all(
  TERRITORIOS.map(async ({ lugares, dentro }) => ({
    pessoa: await bound(lugares),
    dentro,
    notifica: lugares.length === 0 ? null : [...dentro, ...lugares.map((lugar) => lugar.split(':')[1])],
  })),
)
const BAIRROS = ['Boa Viagem', 'BOA VIAGEM', 'boa viágem', 'Pina 100%', 'Vila A_B', 'Vila AxB', 'Sítio \\o/']
const DENGUE = ['dengue_grave', 'dengue_sem_sinais_alarme', 'dengue_classico', 'sindrome_choque_dengue']
const CLASSES = [...DENGUE, 'confirmado', 'descartado', 'inconclusivo']
const CONFIRMADOS = [...DENGUE, 'confirmado']
const TIPOS = ['dengue', 'zika', 'chikungunya']
const EVOLUCOES = ['cura', 'obito', 'obito_outras_causas', 'ignorado']
const CRITERIOS = ['laboratorial', 'clinico_epidemiologico', 'em_investigacao']
const ZONAS = ['urbana', 'rural', 'periurbana']
const SEXOS = ['M', 'F', 'I']
const RACAS = ['branca', 'preta', 'parda']
const CNES = ['0000001', '0000002']
const CEPS = ['50000000', '51000000', '01000000']

const oneOf = (values: readonly string[]) => fc.constantFrom(...values)
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 3 })

// Around two turns of the year, where weeks and years disagree.
const dia = fc
  .tuple(oneOf(['2023-12-20', '2024-12-20']), fc.nat(25))
  .map(([from, days]) => dayAfter(from, days))
const idade = fc.oneof(fc.constantFrom(0, 1, 30, 130), fc.nat(130))

const rascunho = fc.record({
  tipo_agravo: oneOf(TIPOS),
  data_notificacao: dia,
  antes: orNull(fc.nat(10)),
  depois: orNull(fc.nat(5)),
  morreu: orNull(fc.nat(3)),
  lugar: fc.constantFrom(...LUGARES),
  bairro: orNull(oneOf(BAIRROS)),
  zona: orNull(oneOf(ZONAS)),
  classe: orNull(oneOf(CLASSES)),
  criterio: orNull(oneOf(CRITERIOS)),
  evolucao: orNull(oneOf(EVOLUCOES)),
  hospitalizacao: orNull(fc.boolean()),
  sexo: orNull(oneOf(SEXOS)),
  gestante: orNull(fc.boolean()),
  raca: orNull(oneOf(RACAS)),
  idade: orNull(idade),
  cnes: orNull(oneOf(CNES)),
  cep: orNull(oneOf(CEPS)),
  notificante: orNull(oneOf(NOTIFICANTES)),
  excluido: fc.nat(9).map((n) => n === 0),
})

/** A case by the names of the filter fields. */
type Caso = Record<string, string | number | boolean | null> & {
  id: number
  data_notificacao: string
  excluido: boolean
}

async function create(i: number, draft: typeof rascunho extends fc.Arbitrary<infer D> ? D : never) {
  const { tipo_agravo, data_notificacao, lugar, criterio, evolucao, sexo } = draft
  const classe = tipo_agravo !== 'dengue' && DENGUE.includes(draft.classe ?? '') ? null : draft.classe
  const data_inicio_sintomas = draft.antes === null ? null : dayAfter(data_notificacao, -draft.antes)
  const closes = draft.depois !== null && criterio !== 'em_investigacao'
  const data_encerramento = closes ? dayAfter(data_notificacao, draft.depois ?? 0) : null
  const died = draft.morreu !== null && (evolucao ?? '').startsWith('obito')
  const data_obito = died ? dayAfter(data_notificacao, draft.morreu ?? 0) : null
  const gestante = sexo === 'M' ? null : draft.gestante
  const numero_notificacao = String(1000 + ((i * 7) % 1000))
  const id = await newCaso({
    tipo_agravo,
    numero_notificacao,
    data_notificacao,
    data_inicio_sintomas,
    municipio_residencia: lugar.codigo,
    estado_residencia: lugar.uf,
    bairro_residencia: draft.bairro,
    zona_residencia: draft.zona,
    cep_residencia: draft.cep,
    classificacao_final: classe,
    criterio_confirmacao: criterio,
    evolucao,
    data_obito,
    data_encerramento,
    hospitalizacao: draft.hospitalizacao,
    paciente_sexo: sexo,
    paciente_gestante: gestante,
    paciente_raca: draft.raca,
    paciente_idade: draft.idade,
    unidade_notificante: { cnes: draft.cnes },
    dados_especificos: {
      municipio_notificacao: draft.notificante === null ? null : Number(draft.notificante),
    },
  })
  if (draft.excluido) await exclude(id)
  const concluded = classe !== null && criterio !== null && criterio !== 'em_investigacao'
  const caso: Caso = {
    id,
    tipo_agravo,
    agravo_codigo: tipo_agravo,
    numero_notificacao,
    data_notificacao,
    data_inicio_sintomas,
    data_obito,
    data_encerramento,
    estado: lugar.uf,
    municipio: lugar.codigo,
    bairro: draft.bairro,
    zona: draft.zona,
    classificacao_final: classe,
    criterio_confirmacao: criterio,
    evolucao,
    status: concluded || data_encerramento !== null ? 'encerrado' : 'em_investigacao',
    hospitalizacao: draft.hospitalizacao,
    sexo,
    gestante,
    raca: draft.raca,
    idade: draft.idade,
    cnes: draft.cnes,
    notificante: draft.notificante,
    excluido: draft.excluido,
  }
  return caso
}

const criados: Caso[] = []
for (const [i, draft] of fc.sample(rascunho, { numRuns: CASES, seed: SEED }).entries())
  criados.push(await create(i, draft))
const casos = criados.filter(({ excluido }) => !excluido)
// Events get into the feed.
await t.webhookWorker.runOnce()

/** What one test means, said plainly. */
function holds(caso: Caso, field: string, op: string, value: unknown): boolean {
  const texts = String(value).split(',')
  switch (field) {
    case 'data_inicio':
    case 'data_notificacao_inicio':
      return caso.data_notificacao >= String(value)
    case 'data_fim':
    case 'data_notificacao_fim':
      return caso.data_notificacao <= String(value)
    case 'municipio': {
      const lugar = LUGARES.find(({ codigo }) => codigo === caso.municipio) as (typeof LUGARES)[number]
      if (op === 'like') return fold(lugar.nome).includes(fold(String(value)))
      const isIt = texts.some((text) => lugar.codigo.startsWith(text) || fold(lugar.nome) === fold(text))
      return op === 'ne' ? !isIt : isIt
    }
    case 'classificacao': {
      const classe = caso.classificacao_final as string | null
      const isIt = texts.some((text) => {
        if (text === 'confirmado') return CONFIRMADOS.includes(classe ?? '')
        return text === 'em_investigacao' ? classe === null : classe === text
      })
      return op === 'ne' ? !isIt : isIt
    }
    case 'semana_epidemiologica':
      return compare(weekOf(caso.data_notificacao), op, String(value))
    default:
      return compare(caso[field] ?? null, op, String(value))
  }
}

function compare(own: string | number | boolean | null, op: string, value: string): boolean {
  if (own === null) return op === 'ne'
  const [a, b] = typeof own === 'number' ? [own, Number(value)] : [String(own), value]
  switch (op) {
    case 'eq':
      return a === b
    case 'ne':
      return a !== b
    case 'gt':
      return a > b
    case 'gte':
      return a >= b
    case 'lt':
      return a < b
    case 'lte':
      return a <= b
    case 'in':
      return value.split(',').includes(String(own))
    case 'like':
      return fold(String(own)).includes(fold(value))
    default:
      throw new Error(op)
  }
}

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** The Sundays on which years of epidemiological weeks begin, from the official calendar. */
const YEARS = [
  ['2023', '2023-01-01'],
  ['2024', '2023-12-31'],
  ['2025', '2024-12-29'],
] as const
function weekOf(date: string): string {
  const [year, first] = YEARS.findLast(([, start]) => start <= date) as (typeof YEARS)[number]
  const week = Math.floor((Date.parse(date) - Date.parse(first)) / (7 * DAY_MS)) + 1
  return `${year}${String(week).padStart(2, '0')}`
}

interface Test {
  field: string
  /** Null: the plain form. */
  op: string | null
  value: string
}
const EXACT = ['eq', 'ne', 'in']
const ORDERED = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in']

function tests(fields: string[], ops: string[], value: fc.Arbitrary<string>): fc.Arbitrary<Test> {
  return fc
    .record({
      field: oneOf(fields),
      op: orNull(oneOf(ops)),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    })
    .map(({ field, op, values }) => ({
      field,
      op,
      value: op === 'in' ? values.join() : (values[0] as string),
    }))
}

const test = fc.oneof(
  tests(['tipo_agravo', 'agravo_codigo'], EXACT, oneOf(TIPOS)),
  tests(['data_inicio', 'data_notificacao_inicio', 'data_fim', 'data_notificacao_fim'], ['eq'], dia),
  tests(['data_notificacao', 'data_inicio_sintomas', 'data_obito', 'data_encerramento'], ORDERED, dia),
  tests(['estado'], EXACT, oneOf(['PE', 'SP', 'PI', 'RS', 'AC'])),
  tests(
    ['municipio'],
    EXACT,
    oneOf(['Recife', 'OLINDA', 'sao paulo', 'São Paulo', 'bom jesus', '2611606', '355030', 'Natal']),
  ),
  tests(['municipio'], ['like'], oneOf(['o', 'JESUS', 'são'])).map((one) => ({ ...one, op: 'like' })),
  tests(['bairro'], ['like'], oneOf(['boa', 'VIÁGEM', '%', '_', '\\', 'a_b', 'a%b', '100%', 'x', 'ã'])),
  tests(['bairro'], EXACT, oneOf(BAIRROS)).map((one) => ({ ...one, op: one.op ?? 'eq' })),
  tests(['zona'], EXACT, oneOf(ZONAS)),
  tests(['classificacao'], EXACT, oneOf([...CLASSES, 'em_investigacao', 'dengue_com_complicacoes'])),
  tests(['classificacao_final'], EXACT, oneOf(CLASSES)),
  tests(['criterio_confirmacao'], EXACT, oneOf(CRITERIOS)),
  tests(['evolucao'], EXACT, oneOf(EVOLUCOES)),
  tests(['status'], EXACT, oneOf(['em_investigacao', 'encerrado'])),
  tests(['sexo'], EXACT, oneOf(SEXOS)),
  tests(['raca'], EXACT, oneOf(RACAS)),
  tests(['cnes'], EXACT, oneOf(CNES)),
  tests(['hospitalizacao', 'gestante'], EXACT, oneOf(['true', 'false'])),
  tests(['idade'], ORDERED, idade.map(String)),
  tests(['id'], ORDERED, fc.nat(CASES).map(String)),
  tests(['numero_notificacao'], ORDERED, fc.integer({ min: 1000, max: 1999 }).map(String)),
  tests(['numero_notificacao'], ['like'], fc.nat(200).map(String)).map((one) => ({ ...one, op: 'like' })),
  tests(
    ['semana_epidemiologica'],
    ORDERED,
    oneOf(['202351', '202352', '202353', '202401', '202402', '202452', '202453', '202501', '202502']),
  ),
)

const plainOf = (field: string) => (field === 'bairro' ? 'like' : 'eq')
const nameOf = ({ field, op }: Test) => (op === null ? field : `${field}[${op}]`)

type Json = { [key: string]: Json[] | Record<string, string> | string }
const leaf: fc.Arbitrary<Json> = test.map(({ field, op, value }) => ({
  [field]: op === null ? value : { [op]: value },
}))
const { tree } = fc.letrec<{ tree: Json }>((tie) => {
  const list = fc.array(tie('tree'), { maxLength: 3 })
  const and = list.map((of): Json => ({ and: of }))
  const or = list.map((of): Json => ({ or: of }))
  return { tree: fc.oneof({ maxDepth: 3 }, leaf, and, or) }
})

function agrees(caso: Caso, json: Json): boolean {
  return Object.entries(json).every(([key, value]) => {
    if (key === 'and') return (value as Json[]).every((one) => agrees(caso, one))
    if (key === 'or') return (value as Json[]).some((one) => agrees(caso, one))
    const byOp = typeof value === 'string' ? { [plainOf(key)]: value } : (value as Record<string, string>)
    return Object.entries(byOp).every(([op, operand]) => holds(caso, key, op, operand))
  })
}

const pedido = fc.record({
  parameters: fc.uniqueArray(test, { maxLength: 3, selector: nameOf }),
  search: fc.oneof(
    { weight: 2, arbitrary: fc.constant(null) },
    { weight: 3, arbitrary: tree },
    { weight: 1, arbitrary: oneOf(['viagem', '100%', 'A_B', '12', '\\']) },
  ),
  sort: orNull(oneOf(['id', 'data_notificacao', 'numero_notificacao', 'idade', 'tipo_agravo', 'data_obito'])),
  order: orNull(oneOf(['asc', 'desc'])),
  size: fc.constantFrom(41, 100),
  conta: fc.constantFrom(...contas),
  escopo: fc.constantFrom('residencia', 'residencia', 'notificacao'),
  whole: fc.nat(WHOLE - 1).map((n) => n === 0),
  feed: fc.record({
    tipo_agravo: orNull(oneOf(TIPOS)),
    estado: orNull(oneOf(['PE', 'SP', 'RS'])),
    municipio: orNull(oneOf(LUGARES.map(({ codigo }) => codigo))),
  }),
})
type Pedido = typeof pedido extends fc.Arbitrary<infer P> ? P : never

/** Cases of the account's territory, by the place of residence or of notification. */
function isInside(caso: Caso, { conta }: Pedido, escopo: string): boolean {
  if (escopo === 'residencia') return conta.dentro.includes(caso.municipio as string)
  return conta.notifica === null || conta.notifica.includes(caso.notificante as string)
}

function matches(caso: Caso, { parameters, search }: Pedido): boolean {
  if (!parameters.every(({ field, op, value }) => holds(caso, field, op ?? plainOf(field), value)))
    return false
  if (typeof search === 'string')
    return [caso.numero_notificacao, caso.bairro].some((text) =>
      fold(String(text ?? '')).includes(fold(search)),
    )
  return search === null || agrees(caso, search)
}

/** The asked field, those without it last, then the id in the same direction. */
function inOrder(chosen: Caso[], { sort, order }: Pedido): number[] {
  const field = sort ?? 'data_notificacao'
  const sign = (order ?? (sort === null ? 'desc' : 'asc')) === 'asc' ? 1 : -1
  const sorted = chosen.toSorted((a, b) => {
    const [x, y] = [a[field] ?? null, b[field] ?? null]
    if (x === y) return sign * (a.id - b.id)
    if (x === null || y === null) return x === null ? 1 : -1
    return x < y ? -sign : sign
  })
  return idsOf(sorted)
}

async function idsByPages(filter: Record<string, string>, asked: Pedido, total: number) {
  const { sort, order, size, conta, escopo } = asked
  const ids: number[] = []
  for (let page = 1; page <= Math.max(1, Math.ceil(total / size)); page++) {
    const paging = { page: String(page), size: String(size), ...(sort && { sort }), ...(order && { order }) }
    const body = await read('/agravos/casos', { ...filter, ...paging, escopo }, conta.pessoa)
    assert.equal(body.total, total, 'the total of the list')
    ids.push(...body.tipos.map(({ id }: { id: number }) => id))
  }
  return ids
}

/** Ids of an exported file, by the way of a client: request, job, download. */
async function exportedIds(filtros: Record<string, string>, { conta }: Pedido): Promise<number[]> {
  const asked = { formato: 'json', campos: ['id'], filtros }
  const { status, body, text } = await t.as(conta.pessoa).post('/agravos/casos/exportar', asked)
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
  const file = await t.as(conta.pessoa).get(`/jobs/${body.job_id}/arquivo`)
  assert.equal(file.status, 200, file.text)
  const lines = file.text.split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line).id)
}

/** What each event adds to the number of cases. */
const COUNTS: Record<string, number> = { 'agravo.criado': 1, 'agravo.excluido': -1 }
interface Evento {
  tipo: string
  dados: { id: number }
}

const feedFilter = ({ feed }: Pedido): Record<string, string> =>
  Object.fromEntries(Object.entries(feed).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** The whole feed of an account, under the few filters that it has. */
async function readFeed(asked: Pedido): Promise<Evento[]> {
  const eventos: Evento[] = []
  for (let cursor = '0', mais = true; mais; ) {
    const query = { ...feedFilter(asked), size: '100', cursor }
    const page = await read('/eventos', query, asked.conta.pessoa)
    eventos.push(...page.eventos)
    ;({ cursor, mais } = page)
  }
  return eventos
}

const passesFeed = (caso: Caso, asked: Pedido) =>
  Object.entries(feedFilter(asked)).every(([name, value]) => caso[name] === value)

/** Events that the account must be told of: of the cases that live or were notified inside. */
function expectedEventos(asked: Pedido): string[] {
  return criados
    .filter((caso) => ['residencia', 'notificacao'].some((escopo) => isInside(caso, asked, escopo)))
    .filter((caso) => passesFeed(caso, asked))
    .flatMap(({ id, excluido }) => [`agravo.criado ${id}`, ...(excluido ? [`agravo.excluido ${id}`] : [])])
}

/** Number of cases that live inside and pass both filters, by the events alone. */
function countByEventos(eventos: Evento[], asked: Pedido): number {
  const isCounted = (caso: Caso) => matches(caso, asked) && isInside(caso, asked, 'residencia')
  const ids = new Set(idsOf(criados.filter(isCounted)))
  return eventos.reduce((sum, { tipo, dados }) => sum + (ids.has(dados.id) ? (COUNTS[tipo] ?? 0) : 0), 0)
}

const idsOf = (chosen: Caso[]) => chosen.map(({ id }) => id)
const lineOf = ({ tipo, dados }: Evento) => `${tipo} ${dados.id}`
const byId = (a: number, b: number) => a - b
const NIVEIS = ['municipio', 'bairro', 'cep']
const sumOf = (features: { properties: { casos: number } }[]) =>
  features.reduce((all, { properties }) => all + properties.casos, 0)

describe('One filter engine', () => {
  it('has cases to tell apart', () => {
    assert.ok(casos.length > CASES * 0.8 && casos.length < CASES)
  })

  it('gives list, statistics, map, export and events the cases that a plain predicate chooses, and the pages in order', async () => {
    let hits = 0
    let wholes = 0
    const property = fc.asyncProperty(pedido, async (asked) => {
      const { parameters, search, conta, escopo, whole } = asked
      const filter = Object.fromEntries(parameters.map((one) => [nameOf(one), one.value]))
      if (search !== null) filter.search = typeof search === 'string' ? search : JSON.stringify(search)
      const chosen = casos.filter((caso) => matches(caso, asked))
      const listed = chosen.filter((caso) => isInside(caso, asked, escopo))
      const inside = chosen.filter((caso) => isInside(caso, asked, 'residencia'))
      const total = inside.length
      if (total > 0 && total < casos.length) hits++
      const [ids, resumo, ...maps] = await Promise.all([
        idsByPages(filter, asked, listed.length),
        read('/agravos/casos/estatisticas/resumo', filter, conta.pessoa),
        // By postal code, not everybody is answered to every filter.
        ...NIVEIS.map((nivel) =>
          read('/agravos/casos/mapa-calor', { ...filter, nivel, identificado: 'true' }, conta.pessoa),
        ),
      ])
      assert.deepEqual(ids, inOrder(listed, asked))
      assert.equal(resumo.total, total, 'the total of the statistics')
      for (const [i, { features, metadata }] of maps.entries())
        assert.deepEqual(
          [sumOf(features), metadata.total_casos],
          [total, total],
          `the sum of the map by ${NIVEIS[i]}`,
        )
      if (!whole) return
      wholes++
      const exported = await exportedIds(filter, asked)
      assert.deepEqual(exported.toSorted(byId), idsOf(inside).toSorted(byId), 'the rows of the export')
      const eventos = await readFeed(asked)
      assert.deepEqual(eventos.map(lineOf).toSorted(), expectedEventos(asked).toSorted(), 'the feed')
      const told = inside.filter((caso) => passesFeed(caso, asked))
      assert.equal(countByEventos(eventos, asked), told.length, 'the sum of the events')
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED })
    assert.ok(wholes > RUNS / WHOLE / 2, `runs with export and feed: ${wholes}`)
    assert.ok(hits > RUNS / 4, `filters that chose some cases and left others: ${hits}`)
  })
})
