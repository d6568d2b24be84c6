import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { addDays, dateInBrazil } from '../../../src/brasil/calendar.ts'
import { sql } from '../../../src/db/sql.ts'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, vigilante, identificador, newCaso, exclude, read } = await consultaApp()
after(() => t.close())

interface Feature {
  type: string
  geometry: { type: string; coordinates: [number, number] } | null
  properties: {
    municipio: string | null
    codigo_ibge: string | null
    estado: string | null
    bairro: string | null
    cep: string | null
    casos: number
    intensidade: number
    radius: number
  }
}
interface Mapa {
  type: string
  features: Feature[]
  metadata: Record<string, number | null>
}

const mapa = (query: Record<string, string> = {}, person = vigilante): Promise<Mapa> =>
  read('/agravos/casos/mapa-calor', query, person)
const many = async (count: number, input: object) => {
  for (let i = 0; i < count; i++) await newCaso(input)
}
const sum = ({ features }: Mapa) => features.reduce((all, { properties }) => all + properties.casos, 0)
const rest = ({ features }: Mapa) => features.find(({ geometry }) => geometry === null)
/** `bairro:casos` of the cells that have a place, the largest first. */
const cells = ({ features }: Mapa, name: 'municipio' | 'bairro' | 'cep') =>
  features
    .filter(({ geometry }) => geometry !== null)
    .map(({ properties }) => `${properties[name]}:${properties.casos}`)
    .join(' ')

const today = dateInBrazil(t.clock.now())
const before = { empty: await mapa() }

// Recife: 6 in one quarter however it is spelt, 4 in another, 1 nowhere. 5 share a postal code, 2 another one.
const CEP = '50030-230'
await many(3, { bairro_residencia: 'Boa Viagem', cep_residencia: CEP })
await many(2, { bairro_residencia: 'BOA VIAGEM', cep_residencia: CEP.replace('-', '') })
await many(1, { bairro_residencia: 'boa viágem', cep_residencia: '51000-000' })
await many(4, { bairro_residencia: 'Pina' })
await many(1, { cep_residencia: '51000-000' })
// São Paulo: 5 with places of which only a rough point is kept, which they share.
const SP = { municipio_residencia: 'São Paulo', estado_residencia: 'SP', bairro_residencia: 'Sé' }
await many(3, { ...SP, latitude: -23.5512345, longitude: -46.6312345 })
await many(2, { ...SP, latitude: -23.5487654, longitude: -46.6287654 })
// Olinda: for the days that `periodo` counts.
const OLINDA = { municipio_residencia: 'Olinda' }
await many(2, { ...OLINDA, data_notificacao: today })
await many(1, { ...OLINDA, data_notificacao: addDays(today, -6) })
await many(1, { ...OLINDA, data_notificacao: addDays(today, -7) })
await exclude(await newCaso({ bairro_residencia: 'Pina' }))
await exclude(await newCaso({ municipio_residencia: 'Caruaru' }))
const TOTAL = 20

const identifiedReads = async () =>
  (
    await t.database.pool.rows<{ detalhes: unknown }>(
      sql`select detalhes from auditoria where acao = 'caso.identificado' order by id`,
    )
  ).map(({ detalhes }) => detalhes)

describe('GET /agravos/casos/mapa-calor', () => {
  it('without cases is a collection without features, and zeros', () => {
    assert.deepEqual(before.empty, {
      type: 'FeatureCollection',
      features: [],
      metadata: { total_pontos: 0, total_casos: 0, max_casos: 0, min_casos: 0, periodo: null },
    })
  })

  it('is GeoJSON: points of longitude and latitude, each municipality at its centre', async () => {
    const { type, features, metadata } = await mapa()
    assert.equal(type, 'FeatureCollection')
    for (const feature of features) {
      assert.equal(feature.type, 'Feature')
      assert.equal(feature.geometry?.type, 'Point')
      const [longitude, latitude] = feature.geometry?.coordinates ?? []
      assert.ok(Number(longitude) > -74 && Number(longitude) < -28, 'longitude first, in Brazil')
      assert.ok(Number(latitude) > -34 && Number(latitude) < 6)
    }
    assert.deepEqual(features[0], {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-34.8771, -8.0467] },
      properties: {
        municipio: 'Recife',
        codigo_ibge: '2611606',
        estado: 'PE',
        bairro: null,
        cep: null,
        casos: 11,
        intensidade: 1,
        radius: 30,
      },
    })
    assert.deepEqual(metadata, {
      total_pontos: 3,
      total_casos: TOTAL,
      max_casos: 11,
      min_casos: 4,
      periodo: null,
    })
  })

  it('tells how strong each point is, as a part of the strongest', async () => {
    const { features } = await mapa()
    assert.deepEqual(
      features.map(({ properties }) => [properties.municipio, properties.casos, properties.intensidade]),
      [
        ['Recife', 11, 1],
        ['São Paulo', 5, 0.4545],
        ['Olinda', 4, 0.3636],
      ],
    )
    const radii = features.map(({ properties }) => properties.radius)
    assert.deepEqual(
      radii,
      radii.toSorted((a, b) => b - a),
    )
  })

  it('shows municipalities with few cases, too: they are no person', async () => {
    assert.equal(cells(await mapa({ municipio: 'Olinda', periodo: '1' }), 'municipio'), 'Olinda:2')
  })
})

describe('The map by `bairro`', () => {
  it('is one cell however its name is spelt, shown as most spell it', async () => {
    const { features } = await mapa({ nivel: 'bairro', municipio: 'Recife' }, identificador)
    assert.equal(features[0]?.properties.bairro, 'Boa Viagem')
    assert.equal(features[0]?.properties.casos, 6)
  })

  it('hides cells of fewer than five cases in a rest without a place, so that the sum agrees', async () => {
    const body = await mapa({ nivel: 'bairro' })
    assert.equal(cells(body, 'bairro'), 'Boa Viagem:6 Sé:5')
    assert.equal(rest(body)?.properties.casos, 9)
    assert.deepEqual(
      { ...rest(body)?.properties },
      {
        municipio: null,
        codigo_ibge: null,
        estado: null,
        bairro: null,
        cep: null,
        casos: 9,
        intensidade: 0,
        radius: 6,
      },
    )
    assert.equal(sum(body), TOTAL)
    assert.deepEqual(body.metadata, {
      total_pontos: 2,
      total_casos: TOTAL,
      max_casos: 6,
      min_casos: 5,
      periodo: null,
    })
  })

  it('stands at the rough point that its cases share', async () => {
    const { features } = await mapa({ nivel: 'bairro', municipio: 'São Paulo' })
    assert.deepEqual(features[0]?.geometry?.coordinates, [-46.63, -23.55])
  })

  it('stands at the centre of its municipality where no case has a place', async () => {
    const { features } = await mapa({ nivel: 'bairro', municipio: 'Recife' })
    assert.deepEqual(features[0]?.geometry?.coordinates, [-34.8771, -8.0467])
  })
})

describe('The map by `cep`', () => {
  it('shows postal codes that enough cases share, however they were written, and hides the others', async () => {
    const body = await mapa({ nivel: 'cep' })
    assert.equal(cells(body, 'cep'), `${CEP.slice(0, 5)}:5`)
    assert.equal(rest(body)?.properties.casos, TOTAL - 5)
    assert.ok(!JSON.stringify(body).includes('51000'))
  })

  it('has no postal code where the filter leaves too few cases of it', async () => {
    const body = await mapa({ nivel: 'cep', data_inicio: today })
    assert.deepEqual([cells(body, 'cep'), body.metadata.total_pontos], ['', 0])
  })

  for (const query of [
    ...['id[ne]=1', 'id=1', 'numero_notificacao[ne]=n1', 'search=n1', 'bairro[eq]=Boa Viagem', 'sexo=F'],
    ...['idade[gte]=3', 'classificacao=em_investigacao', 'cnes=1', 'importacao_id=1', 'zona=urbana'],
    ...['criado_em[gte]=2024-01-01', 'data_notificacao=2024-01-10', 'data_notificacao[lt]=2024-01-10'],
    ...['semana_epidemiologica=202402', 'search={"or":[{"municipio":"Recife"},{"id":{"ne":1}}]}'],
  ])
    for (const [who, person] of Object.entries({ vigilante, identificador }))
      it(`refuses, naming it, a filter that could tell cases apart: ${query}, to ${who}`, async () => {
        const url = `/agravos/casos/mapa-calor?nivel=cep&${new URLSearchParams(query)}`
        const { status, body, text } = await t.as(person).get(url)
        assert.equal(status, 422, text)
        const [name = ''] = query.split(/\[|=/)
        assert.deepEqual(problems(body.error.details), [`${query.includes('{') ? 'id' : name} INCONSISTENT`])
        assert.equal((await t.as(person).get(url.replace('nivel=cep', 'nivel=bairro'))).status, 200)
      })
})

describe('With `identificado=true` the map', () => {
  it('shows small cells and whole postal codes, each such read being in the audit with its filter', async () => {
    const already = await identifiedReads()
    const ask = (query: Record<string, string>) => mapa({ identificado: 'true', ...query }, identificador)
    const bairros = await ask({ nivel: 'bairro' })
    assert.equal(cells(bairros, 'bairro'), 'Boa Viagem:6 Sé:5 Pina:4')
    assert.equal(rest(bairros)?.properties.casos, 5)
    const ceps = await ask({ nivel: 'cep', 'id[ne]': '0', periodo: '36500' })
    assert.equal(cells(ceps, 'cep'), `${CEP}:5 51000-000:2`)
    assert.deepEqual([sum(bairros), sum(ceps)], [TOTAL, TOTAL])
    const filtro = (...of: object[]) => ({ kind: 'and', of })
    const other = filtro({ kind: 'test', field: 'id', op: 'ne', value: 0 })
    assert.deepEqual(await identifiedReads(), [
      ...already,
      { mapa: 'bairro', filtro: filtro(), periodo: null },
      { mapa: 'cep', filtro: other, periodo: 36_500 },
    ])
  })

  it('stands in the middle of the cases', async () => {
    const input = { municipio_residencia: 'Sorocaba', estado_residencia: 'SP', bairro_residencia: 'Centro' }
    const [one, other] = [
      await newCaso({ ...input, latitude: -23.5, longitude: -47.45 }),
      await newCaso({ ...input, latitude: -23.5, longitude: -47.46 }),
    ]
    const query = { nivel: 'bairro', municipio: 'Sorocaba', identificado: 'true' }
    const { features } = await mapa(query, identificador)
    assert.deepEqual(features[0]?.geometry?.coordinates, [-47.455, -23.5])
    for (const id of [one, other]) await exclude(id)
  })

  it('is 403 to others, and recorded nowhere', async () => {
    const already = await identifiedReads()
    const { status, body } = await t
      .as(vigilante)
      .get('/agravos/casos/mapa-calor?nivel=cep&identificado=true')
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.identificar'])
    assert.deepEqual(await identifiedReads(), already)
  })
})

describe('Without it, whoever may identify patients', () => {
  it('sees what everybody sees, and leaves no trace', async () => {
    const already = await identifiedReads()
    for (const nivel of ['municipio', 'bairro', 'cep'])
      assert.deepEqual(await mapa({ nivel }, identificador), await mapa({ nivel }))
    assert.deepEqual(await identifiedReads(), already)
  })
})

describe('`periodo`', () => {
  for (const [periodo, casos] of [
    ['1', 2],
    ['6', 2],
    ['7', 3],
    ['8', 4],
    ['36500', TOTAL],
  ] as const)
    it(`of ${periodo} days ends today, today included`, async () => {
      const body = await mapa({ periodo })
      assert.deepEqual([sum(body), body.metadata.periodo], [casos, Number(periodo)])
    })

  it('narrows the other filters, never widens them', async () => {
    assert.equal(sum(await mapa({ periodo: '30', data_fim: addDays(today, -7) })), 1)
    assert.equal(sum(await mapa({ periodo: '1', data_inicio: addDays(today, -7) })), 2)
  })
})

describe('`bounds`', () => {
  const bounded = async (bounds: string, nivel = 'municipio') =>
    cells(await mapa({ bounds, nivel }), nivel as 'municipio')

  it('keeps the points inside, the edge included', async () => {
    assert.equal(await bounded('-36,-9,-34,-7'), 'Recife:11 Olinda:4')
    assert.equal(await bounded('-47,-24,-46,-23'), 'São Paulo:5')
    assert.equal(await bounded('-180,-90,180,90'), 'Recife:11 São Paulo:5 Olinda:4')
    assert.equal(await bounded('-46.63,-23.55,-46.63,-23.55', 'bairro'), 'Sé:5')
  })

  it('leaves nothing where there is nothing, the rest without a place included', async () => {
    const outside = await mapa({ bounds: '0,0,10,10', nivel: 'bairro' })
    assert.deepEqual(outside.features, [])
    assert.equal(outside.metadata.total_casos, 0)
  })
})

describe('GET /agravos/casos/mapa-calor refuses, naming the parameter,', () => {
  for (const [query, expected] of [
    ...[
      '',
      '1,2,3',
      '-36,-9,-34,-7,0',
      'a,b,c,d',
      '-34,-9,-36,-7',
      '-36,-7,-34,-9',
      '-181,-9,-34,-7',
      '-36,-91,-34,-7',
      '-36,-9,-34,',
      '-36,-9,-34,1e1',
      'NaN,NaN,NaN,NaN',
      '-36;-9;-34;-7',
    ].map((bounds) => [`bounds=${bounds}`, ['bounds INVALID_FORMAT']] as [string, string[]]),
    ['nivel=rua', ['nivel INVALID_VALUE']],
    ['nivel=', ['nivel INVALID_VALUE']],
    ['periodo=0', ['periodo TOO_SMALL']],
    ['periodo=-1', ['periodo TOO_SMALL']],
    ['periodo=36501', ['periodo TOO_LARGE']],
    ['periodo=1.5', ['periodo INVALID_TYPE']],
    ['periodo=mes', ['periodo INVALID_TYPE']],
    ['tipo_agravo=gripe', ['tipo_agravo INVALID_VALUE']],
  ] as [string, string[]][])
    it(query, async () => {
      const { status, body, text } = await t.as(vigilante).get(`/agravos/casos/mapa-calor?${query}`)
      assert.equal(status, 422, text)
      assert.deepEqual(problems(body.error.details), expected)
    })
})

describe('Postal sectors', () => {
  const CAMPINAS = { municipio_residencia: 'Campinas', estado_residencia: 'SP', cep_residencia: '13010-001' }
  const seen = async (query: Record<string, string> = {}) => {
    const body = await mapa({ nivel: 'cep', municipio: 'Campinas', ...query })
    return [cells(body, 'cep'), rest(body)?.properties.casos ?? 0]
  }

  it('are counted in steps of five for each disease and month, so that one case does not show', async () => {
    await many(6, { ...CAMPINAS, data_notificacao: '2024-01-31' })
    const last = await newCaso({ ...CAMPINAS, data_notificacao: '2024-01-31' })
    await many(4, { ...CAMPINAS, tipo_agravo: 'zika' })
    await many(6, { ...CAMPINAS, data_notificacao: '2024-02-01' })
    assert.deepEqual(await seen(), ['13010:10', 7])
    assert.deepEqual(await seen({ tipo_agravo: 'dengue' }), ['13010:10', 3])
    assert.deepEqual(await seen({ tipo_agravo: 'zika' }), ['', 4])
    assert.deepEqual(await seen({ 'tipo_agravo[ne]': 'zika', estado: 'SP' }), ['13010:10', 3])
    await exclude(last)
    assert.deepEqual(await seen(), ['13010:10', 6])
  })

  it('are counted by whole months: no day is told apart', async () => {
    const january = ['13010:5', 5]
    assert.deepEqual(await seen({ data_fim: '2024-01-31' }), january)
    for (const day of ['2024-01-01', '2024-01-30']) {
      assert.deepEqual(await seen({ data_fim: day }), january)
      assert.deepEqual(await seen({ 'data_notificacao[lte]': day, data_inicio: day }), january)
    }
    assert.deepEqual(await seen({ data_inicio: '2024-02-02' }), ['13010:5', 1])
    assert.deepEqual(await seen({ 'data_notificacao[gte]': '2024-02-29' }), ['13010:5', 1])
    assert.deepEqual(await seen({ periodo: '1' }), ['', 0])
  })

  it('stand, as bairros do, where nobody learns the place of a case that they move among their own', async () => {
    const target = await newCaso({ ...CAMPINAS, latitude: -22.93, longitude: -47.07 })
    const own = { ...CAMPINAS, bairro_residencia: 'Sertão', latitude: -22.9, longitude: -47.0 }
    await many(4, own)
    const moved = await t.as(vigilante).put(`/agravos/casos/${target}`, { bairro_residencia: 'Sertão' })
    assert.equal(moved.status, 200)
    const query = { nivel: 'bairro', municipio: 'Campinas', 'bairro[eq]': 'Sertão' }
    const { features } = await mapa(query)
    const [centre] = (await mapa({ municipio: 'Campinas' })).features
    assert.equal(features[0]?.properties.casos, 5)
    assert.deepEqual(features[0]?.geometry, centre?.geometry)
  })
})
