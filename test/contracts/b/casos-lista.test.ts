import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { CASO, consultaApp } from './casos-consulta-app.ts'

const { t, vigilante, newCaso, exclude, read } = await consultaApp()
after(() => t.close())

// Written in another order than that of their notification.
const CASOS: Record<string, object> = {
  c: {
    tipo_agravo: 'zika',
    data_notificacao: '2024-01-06',
    municipio_residencia: 'Bom Jesus',
    estado_residencia: 'PI',
    bairro_residencia: 'boa viágem',
    classificacao_final: 'confirmado',
    criterio_confirmacao: 'clinico_epidemiologico',
    paciente_idade: 0,
  },
  a: {
    data_notificacao: '2023-12-30',
    data_inicio_sintomas: '2023-12-25',
    data_encerramento: '2024-01-10',
    bairro_residencia: 'Boa Viagem',
    zona_residencia: 'urbana',
    classificacao_final: 'dengue_grave',
    criterio_confirmacao: 'laboratorial',
    evolucao: 'cura',
    hospitalizacao: true,
    paciente_sexo: 'F',
    paciente_gestante: true,
    paciente_idade: 30,
    paciente_raca: 'parda',
    unidade_notificante: { cnes: '0012345' },
  },
  d: {
    tipo_agravo: 'chikungunya',
    data_notificacao: '2024-01-07',
    municipio_residencia: 'Bom Jesus',
    estado_residencia: 'RS',
    classificacao_final: 'descartado',
    paciente_sexo: 'I',
  },
  e: {
    data_notificacao: '2024-01-07',
    municipio_residencia: 'São Paulo',
    estado_residencia: 'SP',
    classificacao_final: 'inconclusivo',
    evolucao: 'ignorado',
  },
  g: {
    tipo_agravo: 'chikungunya',
    data_notificacao: '2024-12-29',
    municipio_residencia: 3550308,
    estado_residencia: 'SP',
    criterio_confirmacao: 'em_investigacao',
  },
  b: {
    data_notificacao: '2023-12-31',
    municipio_residencia: 'Olinda',
    bairro_residencia: '100% Casa_Forte\\',
    classificacao_final: 'febre_hemorragica_dengue',
    evolucao: 'obito',
    data_obito: '2024-01-05',
    hospitalizacao: false,
    paciente_sexo: 'M',
    paciente_gestante: false,
    paciente_idade: 71,
  },
  f: {
    tipo_agravo: 'zika',
    data_notificacao: '2024-12-28',
    municipio_residencia: '355030',
    estado_residencia: 'SP',
  },
}
const ids: Record<string, number> = {}
for (const [numero_notificacao, input] of Object.entries(CASOS)) {
  ids[numero_notificacao] = await newCaso({ numero_notificacao, ...input })
  t.clock.advance(1000)
}
await exclude(await newCaso({ ...CASOS.a, numero_notificacao: 'x' }))

const ALL = 'g f e d c b a'

interface Caso {
  id: number
  numero_notificacao: string
  data_notificacao: string
}
const numeros = (casos: Caso[]) => casos.map(({ numero_notificacao }) => numero_notificacao).join(' ')

/** The numbers of the cases that match, in order. */
async function listed(query: Record<string, string> = {}): Promise<string> {
  const body = await read('/agravos/casos', query)
  assert.equal(body.total, body.tipos.length, 'all matches fit on one page')
  return numeros(body.tipos)
}

describe('GET /agravos/casos', () => {
  it('lists the newest notification first, those of one day by the highest id, excluded ones never', async () => {
    assert.equal(await listed(), ALL)
    assert.ok((ids.e as number) > (ids.d as number))
  })

  it('answers the page, its numbers, its neighbours and the time', async () => {
    const { tipos, meta, ...numbers } = await read('/agravos/casos', { estado: 'SP', size: '1', page: '2' })
    assert.equal(numeros(tipos), 'f')
    const at = (page: number) => `/api/v1/agravos/casos?estado=SP&size=1&page=${page}`
    const links = { first: at(1), prev: at(1), next: at(3), last: at(3) }
    assert.deepEqual(numbers, { total: 3, page: 2, size: 1, pages: 3, links })
    assert.ok(Math.abs(Date.parse(meta.timestamp) - t.clock.now().getTime()) < 10_000)
  })

  it('leads through every match once when `next` is followed, the filter kept', async () => {
    const search = JSON.stringify({ or: [{ estado: 'SP' }, { bairro: { like: '100%' } }] })
    const seen: string[] = []
    let next: string | null = `/api/v1/agravos/casos?size=1&${new URLSearchParams({ search })}`
    while (next !== null) {
      const { body } = await t.as(vigilante).get(`/${next}`)
      assert.equal(body.total, 4)
      seen.push(numeros(body.tipos))
      next = body.links.next
    }
    assert.deepEqual(seen, ['g', 'f', 'e', 'b'])
  })

  it('answers no links when nothing matches, and an empty page beyond the last one', async () => {
    const none = await read('/agravos/casos', { estado: 'AC' })
    assert.deepEqual([none.total, none.pages, none.tipos], [0, 0, []])
    assert.deepEqual(none.links, { first: null, prev: null, next: null, last: null })
    const beyond = await read('/agravos/casos', { page: '9' })
    assert.deepEqual([beyond.total, beyond.pages, beyond.tipos], [7, 1, []])
  })
})

describe('The cases that match', () => {
  const MATCHES: [query: Record<string, string>, expected: string][] = [
    [{ agravo_codigo: 'dengue' }, 'e b a'],
    [{ tipo_agravo: 'dengue' }, 'e b a'],
    [{ tipo_agravo: 'ZIKA' }, 'f c'],
    [{ 'agravo_codigo[ne]': 'dengue' }, 'g f d c'],
    [{ 'tipo_agravo[in]': 'zika, chikungunya' }, 'g f d c'],
    [{ agravo_codigo: 'dengue', tipo_agravo: 'zika' }, ''],

    [{ data_inicio: '2024-01-06' }, 'g f e d c'],
    [{ data_notificacao_inicio: '2024-01-06' }, 'g f e d c'],
    [{ data_fim: '2024-01-06' }, 'c b a'],
    [{ data_notificacao_fim: '2024-01-06' }, 'c b a'],
    [{ data_inicio: '2024-01-06', data_fim: '2024-01-07' }, 'e d c'],
    [{ data_inicio: '2023-12-31', data_notificacao_inicio: '2024-01-07', data_fim: '2024-12-28' }, 'f e d'],
    [{ data_inicio: '2024-01-07', data_fim: '2024-01-06' }, ''],
    [{ data_notificacao: '2024-01-07' }, 'e d'],
    [{ 'data_notificacao[gt]': '2024-01-07' }, 'g f'],
    [{ 'data_notificacao[in]': '2024-01-07,2023-12-30' }, 'e d a'],
    [{ data_fim: '0001-01-01' }, ''],
    [{ data_fim: '9999-12-31' }, ALL],

    [{ estado: 'PE' }, 'b a'],
    [{ estado: 'pe' }, 'b a'],
    [{ 'estado[ne]': 'SP' }, 'd c b a'],
    [{ 'estado[in]': 'PE,PI' }, 'c b a'],

    [{ municipio: '2611606' }, 'a'],
    [{ municipio: '261160' }, 'a'],
    [{ municipio: 'RECIFE' }, 'a'],
    [{ municipio: ' recife ' }, 'a'],
    [{ municipio: 'São Paulo' }, 'g f e'],
    [{ municipio: 'sao paulo' }, 'g f e'],
    [{ municipio: 'Bom Jesus' }, 'd c'],
    [{ municipio: 'Bom Jesus', estado: 'RS' }, 'd'],
    [{ 'municipio[ne]': 'Bom Jesus' }, 'g f e b a'],
    [{ 'municipio[in]': 'Recife,3550308' }, 'g f e a'],
    [{ 'municipio[like]': 'PAÚLO' }, 'g f e'],
    [{ 'municipio[like]': '' }, ALL],
    [{ 'municipio[like]': '%' }, ''],
    [{ 'municipio[like]': '_' }, ''],

    [{ bairro: 'boa viagem' }, 'c a'],
    [{ bairro: 'VIÁG' }, 'c a'],
    [{ 'bairro[eq]': 'Boa Viagem' }, 'a'],
    [{ 'bairro[ne]': 'Boa Viagem' }, 'g f e d c b'],
    [{ 'bairro[in]': 'Boa Viagem,boa viágem' }, 'c a'],
    [{ 'bairro[like]': '100%' }, 'b'],
    [{ bairro: '%' }, 'b'],
    [{ bairro: '_' }, 'b'],
    [{ bairro: '\\' }, 'b'],
    [{ bairro: '0_' }, ''],
    [{ bairro: 'o%a' }, ''],
    [{ bairro: '％' }, 'b'],

    [{ classificacao: 'confirmado' }, 'c b a'],
    [{ classificacao: 'dengue_grave' }, 'a'],
    [{ classificacao: 'febre_hemorragica_dengue' }, 'b'],
    [{ classificacao: 'descartado' }, 'd'],
    [{ classificacao: 'inconclusivo' }, 'e'],
    [{ classificacao: 'em_investigacao' }, 'g f'],
    [{ classificacao: 'provavel' }, 'g f e c b a'],
    [{ 'classificacao[ne]': 'provavel' }, 'd'],
    [{ 'classificacao[ne]': 'confirmado' }, 'g f e d'],
    [{ 'classificacao[ne]': 'dengue_grave' }, 'g f e d c b'],
    [{ 'classificacao[ne]': 'em_investigacao' }, 'e d c b a'],
    [{ 'classificacao[in]': 'confirmado,descartado' }, 'd c b a'],
    [{ 'classificacao[in]': 'em_investigacao,dengue_grave' }, 'g f a'],
    [{ classificacao_final: 'confirmado' }, 'c'],
    [{ 'classificacao_final[ne]': 'confirmado' }, 'g f e d b a'],
    [{ 'classificacao_final[in]': 'confirmado,dengue_grave' }, 'c a'],

    [{ semana_epidemiologica: '202401' }, 'c b'],
    [{ semana_epidemiologica: '202352' }, 'a'],
    [{ semana_epidemiologica: '202501' }, 'g'],
    [{ 'semana_epidemiologica[ne]': '202401' }, 'g f e d a'],
    [{ 'semana_epidemiologica[gt]': '202352' }, 'g f e d c b'],
    [{ 'semana_epidemiologica[gte]': '202401' }, 'g f e d c b'],
    [{ 'semana_epidemiologica[lt]': '202402' }, 'c b a'],
    [{ 'semana_epidemiologica[lte]': '202452' }, 'f e d c b a'],
    [{ 'semana_epidemiologica[gt]': '202452' }, 'g'],
    [{ 'semana_epidemiologica[in]': '202352,202501' }, 'g a'],
    // 2024 had no week 53: nothing is in it, and it still lies between the weeks around it.
    [{ semana_epidemiologica: '202453' }, ''],
    [{ 'semana_epidemiologica[ne]': '202453' }, ALL],
    [{ 'semana_epidemiologica[lte]': '202453' }, 'f e d c b a'],
    [{ 'semana_epidemiologica[lt]': '202453' }, 'f e d c b a'],
    [{ 'semana_epidemiologica[gte]': '202453' }, 'g'],
    [{ 'semana_epidemiologica[gt]': '202453' }, 'g'],
    [{ 'semana_epidemiologica[gte]': '000101' }, ALL],
    [{ 'semana_epidemiologica[lte]': '999953' }, ALL],
    [{ 'semana_epidemiologica[lt]': '999952' }, ALL],
    [{ 'semana_epidemiologica[in]': '000101,999952,999953' }, ''],

    [{ zona: 'urbana' }, 'a'],
    [{ 'zona[ne]': 'urbana' }, 'g f e d c b'],
    [{ criterio_confirmacao: 'em_investigacao' }, 'g'],
    [{ 'criterio_confirmacao[ne]': 'laboratorial' }, 'g f e d c b'],
    [{ evolucao: 'obito' }, 'b'],
    [{ 'evolucao[in]': 'cura,ignorado' }, 'e a'],
    [{ hospitalizacao: 'true' }, 'a'],
    [{ hospitalizacao: 'false' }, 'b'],
    [{ 'hospitalizacao[ne]': 'true' }, 'g f e d c b'],
    [{ 'hospitalizacao[in]': 'true,false' }, 'b a'],
    [{ gestante: '1' }, 'a'],
    [{ 'gestante[ne]': 'false' }, 'g f e d c a'],
    [{ status: 'encerrado' }, 'c a'],
    [{ status: 'em_investigacao' }, 'g f e d b'],
    [{ sexo: 'f' }, 'a'],
    [{ 'sexo[ne]': 'M' }, 'g f e d c a'],
    [{ raca: 'parda' }, 'a'],
    [{ cnes: '0012345' }, 'a'],
    [{ 'cnes[ne]': '0012345' }, 'g f e d c b'],
    [{ idade: '0' }, 'c'],
    [{ 'idade[gt]': '30' }, 'b'],
    [{ 'idade[gte]': '30' }, 'b a'],
    [{ 'idade[lt]': '30' }, 'c'],
    [{ 'idade[lte]': '30' }, 'c a'],
    [{ 'idade[ne]': '30' }, 'g f e d c b'],
    [{ 'idade[in]': '0,71' }, 'c b'],
    [{ 'idade[lt]': '2147483647' }, 'c b a'],
    [{ idade: '40000' }, ''],
    [{ 'idade[in]': '30,-40000' }, 'a'],
    [{ numero_notificacao: 'a' }, 'a'],
    [{ numero_notificacao: 'x' }, ''],
    [{ 'numero_notificacao[gte]': 'f' }, 'g f'],
    [{ 'numero_notificacao[like]': 'A' }, 'a'],
    [{ 'numero_notificacao[like]': '%' }, ''],
    [{ data_inicio_sintomas: '2023-12-25' }, 'a'],
    [{ 'data_inicio_sintomas[ne]': '2023-12-25' }, 'g f e d c b'],
    [{ 'data_obito[lte]': '2024-01-05' }, 'b'],
    [{ 'data_encerramento[gt]': '2024-01-09' }, 'a'],
    [{ 'criado_em[gte]': '2020-01-01', 'atualizado_em[lt]': '2020-01-01T00:00:00Z' }, ''],

    [{ search: 'viagem' }, 'c a'],
    [{ search: '100%' }, 'b'],
    [{ search: 'maria' }, ''],
    [{ search: 'boa', estado: 'PE' }, 'a'],
  ]
  for (const [query, expected] of MATCHES)
    it(`${new URLSearchParams(query)} are ${expected || 'none'}`, async () => {
      assert.equal(await listed(query), expected)
    })

  it('an id are those with it, and comparisons of ids follow their numbers', async () => {
    assert.equal(await listed({ id: String(ids.d) }), 'd')
    assert.equal(await listed({ 'id[gt]': String(ids.g) }), 'f b')
    assert.equal(await listed({ 'id[in]': `${ids.a},${ids.c}` }), 'c a')
    assert.equal(await listed({ 'id[ne]': String(ids.a) }), 'g f e d c b')
  })

  it('an account are those it answers for, in list, total, numbers and export alike', async () => {
    const other = await consultaApp()
    const mine = await other.newCaso()
    const theirs = await other.t
      .as(other.identificador)
      .post('/agravos/casos', { ...CASO, numero_notificacao: 'theirs' })
    assert.equal(theirs.status, 201, theirs.text)
    const eu = String(other.vigilante.id)
    const found = async (query: Record<string, string>) => {
      const { tipos, total } = await other.read('/agravos/casos', query)
      assert.equal(total, tipos.length)
      return (tipos as Caso[]).map(({ id }) => id)
    }
    assert.deepEqual(await found({ responsavel_id: eu }), [mine])
    assert.deepEqual(await found({ 'responsavel_id[ne]': eu }), [theirs.body.id])
    assert.equal((await found({ 'responsavel_id[in]': `${eu},${other.identificador.id}` })).length, 2)
    assert.deepEqual(await found({ responsavel_id: '999999999' }), [])
    const { total } = await other.read('/agravos/casos/estatisticas/resumo', { responsavel_id: eu })
    assert.equal(total, 1)
    const exported = await other.t
      .as(other.vigilante)
      .post('/agravos/casos/exportar', { formato: 'csv', filtros: { responsavel_id: Number(eu) } })
    assert.equal(exported.status, 202, exported.text)
    await other.t.close()
  })

  const NESTED: [json: unknown, expected: string][] = [
    [{}, ALL],
    [{ or: [] }, ''],
    [{ and: [] }, ALL],
    [{ estado: 'SP', tipo_agravo: 'zika' }, 'f'],
    [{ classificacao: 'confirmado' }, 'c b a'],
    [{ idade: { gte: 1, lt: 71 } }, 'a'],
    [{ municipio: { in: ['Recife', 'Olinda'] } }, 'b a'],
    [{ or: [{ estado: 'PI' }, { and: [{ estado: 'SP' }, { tipo_agravo: { ne: 'zika' } }] }] }, 'g e c'],
    [{ and: [{ or: [{ sexo: 'M' }, { sexo: 'F' }] }, { or: [{ evolucao: 'obito' }, { idade: 0 }] }] }, 'b'],
    [{ or: [{ semana_epidemiologica: '202501' }, { bairro: '_' }] }, 'g b'],
    [{ or: [{ data_fim: '2023-12-30' }, { data_inicio: '2024-12-29' }] }, 'g a'],
    [{ estado: { in: [] } }, ''],
    [{ municipio: { in: [] } }, ''],
    [{ classificacao: { in: [] } }, ''],
    [{ semana_epidemiologica: { in: [] } }, ''],
  ]
  for (const [json, expected] of NESTED)
    it(`search=${JSON.stringify(json)} are ${expected || 'none'}`, async () => {
      assert.equal(await listed({ search: JSON.stringify(json) }), expected)
    })
})

describe('GET /agravos/casos?sort=', () => {
  for (const [query, expected] of [
    [{ sort: 'data_notificacao' }, 'a b c d e f g'],
    [{ order: 'asc' }, 'a b c d e f g'],
    [{ sort: 'data_notificacao', order: 'desc' }, ALL],
    [{ sort: 'id' }, 'c a d e g b f'],
    [{ sort: 'numero_notificacao', order: 'desc' }, ALL],
    [{ sort: 'idade' }, 'c a b d e g f'],
    [{ sort: 'idade', order: 'desc' }, 'b a c f g e d'],
    [{ sort: 'tipo_agravo' }, 'd g a e b c f'],
    [{ sort: 'data_obito' }, 'b c a d e g f'],
  ] as [Record<string, string>, string][])
    it(`orders by ${new URLSearchParams(query)}, then by id, those without a value last`, async () => {
      assert.equal(await listed(query), expected)
    })
})

describe('GET /agravos/casos refuses, naming the parameter,', () => {
  for (const [query, expected] of [
    ['tipo_agravo=febre', ['tipo_agravo INVALID_VALUE']],
    ['agravo_codigo=', ['agravo_codigo INVALID_VALUE']],
    ['tipo_agravo[in]=dengue,febre', ['tipo_agravo[in] INVALID_VALUE']],
    ['tipo_agravo[like]=den', ['tipo_agravo[like] UNKNOWN_OPERATOR']],
    ['estado=XX', ['estado INVALID_VALUE']],
    ['classificacao=talvez', ['classificacao INVALID_VALUE']],
    ['classificacao[gt]=confirmado', ['classificacao[gt] UNKNOWN_OPERATOR']],
    ['classificacao_final=em_investigacao', ['classificacao_final INVALID_VALUE']],
    ['status=excluido', ['status INVALID_VALUE']],
    ['evolucao=morreu', ['evolucao INVALID_VALUE']],
    ['sexo=X', ['sexo INVALID_VALUE']],
    ['zona=lunar', ['zona INVALID_VALUE']],
    ['raca=azul', ['raca INVALID_VALUE']],
    ['criterio_confirmacao=palpite', ['criterio_confirmacao INVALID_VALUE']],
    ['data_inicio=ontem', ['data_inicio INVALID_FORMAT']],
    ['data_notificacao_fim=2023-02-29', ['data_notificacao_fim INVALID_FORMAT']],
    ['data_inicio[gte]=2024-01-01', ['data_inicio[gte] UNKNOWN_OPERATOR']],
    ['semana_epidemiologica=2024', ['semana_epidemiologica INVALID_FORMAT']],
    ['semana_epidemiologica=000001', ['semana_epidemiologica INVALID_FORMAT']],
    ['semana_epidemiologica=202400', ['semana_epidemiologica INVALID_FORMAT']],
    ['semana_epidemiologica=202454', ['semana_epidemiologica INVALID_FORMAT']],
    ['semana_epidemiologica[like]=2024', ['semana_epidemiologica[like] UNKNOWN_OPERATOR']],
    ['responsavel_id=eu', ['responsavel_id INVALID_TYPE']],
    ['idade=velho', ['idade INVALID_TYPE']],
    ['idade[like]=3', ['idade[like] UNKNOWN_OPERATOR']],
    ['hospitalizacao=talvez', ['hospitalizacao INVALID_TYPE']],
    ['municipio[gt]=a', ['municipio[gt] UNKNOWN_OPERATOR']],
    [`municipio=${'a'.repeat(201)}`, ['municipio TOO_LONG']],
    ['municipio=a%00', ['municipio INVALID_FORMAT']],
    ['municipio=Reciffe', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=São', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=9999999', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio[ne]=Reciffe', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio[in]=Recife,Reciffe', ['municipio UNKNOWN_MUNICIPIO']],
    ['search={"or":[{"estado":"PE"},{"municipio":"Reciffe"}]}', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=Reciffe&idade=velho', ['idade INVALID_TYPE', 'municipio UNKNOWN_MUNICIPIO']],
    ['muncipio=Recife', ['muncipio UNKNOWN_FIELD']],
    ['cor=azul&estado=PE', ['cor UNKNOWN_FIELD']],
    ['paciente_nome[like]=maria', ['paciente_nome[like] UNKNOWN_FIELD']],
    ['cep_residencia[eq]=50000000', ['cep_residencia[eq] UNKNOWN_FIELD']],
    ['search={"paciente_nome":"maria"}', ['search UNKNOWN_FIELD']],
    ['search={"estado":"XX"}', ['search INVALID_VALUE']],
    ['search={"estado":null}', ['search INVALID_TYPE']],
    ['sort=paciente_nome', ['sort INVALID_VALUE']],
    ['sort=semana', ['sort INVALID_VALUE']],
    ['estado=XX&sexo=X&size=0', ['size TOO_SMALL', 'estado INVALID_VALUE', 'sexo INVALID_VALUE']],
  ] as [string, string[]][])
    it(query.slice(0, 60), async () => {
      for (const path of ['casos', 'casos/estatisticas/resumo', 'casos/mapa-calor']) {
        // Paging and order are the list's alone; the filters are the same everywhere.
        const isFilter = (problem: string) => path === 'casos' || !/^(size|sort) /.test(problem)
        const wanted = expected.filter(isFilter)
        const { status, body, text } = await t.as(vigilante).get(`/agravos/${path}?${query}`)
        assert.equal(status, wanted.length > 0 ? 422 : 200, text)
        if (status === 422) assert.deepEqual(problems(body.error.details), wanted)
      }
    })
})

describe('Rows that disappear while someone pages', () => {
  it('break no page: the next one is full, has no row twice, and tells the exact total', async () => {
    const other = await consultaApp()
    const made: number[] = []
    for (let i = 0; i < 7; i++) made.push(await other.newCaso())
    const page = (n: number) => other.read('/agravos/casos', { size: '2', page: String(n) })
    const idsOf = ({ tipos }: { tipos: Caso[] }) => tipos.map(({ id }) => id)
    const [m0, m1, m2, m3, m4, m5, m6] = made as [number, number, number, number, number, number, number]

    assert.deepEqual(idsOf(await page(1)), [m6, m5])
    await other.exclude(m6)
    const second = await page(2)
    assert.deepEqual([idsOf(second), second.total, second.pages], [[m3, m2], 6, 3])
    for (const id of [m5, m4, m1, m0]) await other.exclude(id)
    const third = await page(3)
    assert.deepEqual([idsOf(third), third.total, third.pages], [[], 2, 1])
    assert.equal(third.links.next, null)
    assert.match(third.links.prev, /page=1$/)
    await other.t.close()
  })
})
