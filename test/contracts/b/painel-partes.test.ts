import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, newCaso, read, identificador, bound } = await consultaApp()
after(() => t.close())

const PARTES = '/agravos/casos/painel/partes'
const ALL = 'pendencias,bairros,niveis'
const PLACES = [
  { municipio_residencia: 'Recife', estado_residencia: 'PE', bairro_residencia: 'Boa Viagem' },
  { municipio_residencia: 'Recife', estado_residencia: 'PE', bairro_residencia: 'Várzea' },
  { municipio_residencia: 'Olinda', estado_residencia: 'PE', bairro_residencia: 'Carmo' },
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP', bairro_residencia: 'Sé' },
]

before(async () => {
  for (let i = 0; i < 48; i++)
    await newCaso({
      ...PLACES[i % 4],
      tipo_agravo: i % 8 === 7 ? 'zika' : 'dengue',
      paciente_sexo: i % 3 === 0 ? 'F' : 'M',
      ...(i % 5 === 0 && { evolucao: 'obito_em_investigacao', data_obito: '2024-01-20' }),
    })
})

describe('The parts of the painel that are not its counters', () => {
  const FILTERS: Record<string, string>[] = [
    { tipo_agravo: 'dengue' },
    { tipo_agravo: 'dengue', estado: 'PE', sexo: 'F' },
    { tipo_agravo: 'dengue', municipio: '2611606' },
    { tipo_agravo: 'zika', estado: 'SP' },
  ]

  for (const filter of FILTERS)
    it(`are what their own routes answer: ${new URLSearchParams(filter)}`, async () => {
      const partes = await read(PARTES, { ...filter, partes: ALL }, identificador)
      const { por_codigo } = await read(
        '/agravos/casos/qualidade/pendencias/resumo',
        { ...filter, size: '1' },
        identificador,
      )
      assert.ok(Object.keys(por_codigo).length > 0)
      assert.deepEqual(partes.pendencias, por_codigo)
      const mapa = await read('/agravos/casos/mapa-calor', { ...filter, nivel: 'bairro' }, identificador)
      assert.deepEqual(partes.bairros, mapa)
      if (filter.municipio !== undefined) return assert.equal('niveis' in partes, false)
      const { tipo_agravo, estado } = filter as { tipo_agravo: string; estado?: string }
      const { semana, items } = await read(
        '/agravos/alertas/situacao',
        {
          tipo_agravo,
          nivel_lugar: estado === undefined ? 'estado' : 'municipio',
          ...(estado && { estado }),
        },
        identificador,
      )
      assert.deepEqual(partes.niveis, { semana, items })
    })

  it('have what was asked for, and nothing else', async () => {
    const partes = await read(PARTES, { tipo_agravo: 'dengue', partes: 'pendencias' })
    assert.deepEqual(Object.keys(partes).sort(), ['calculado_em', 'pendencias'])
  })

  it('are of the own territory', async () => {
    const gestor = await bound(['municipio:2609600'])
    const { bairros, pendencias } = await read(
      PARTES,
      { tipo_agravo: 'dengue', partes: 'bairros,pendencias' },
      gestor,
    )
    assert.deepEqual(
      new Set(
        bairros.features.map((one: { properties: { codigo_ibge: string } }) => one.properties.codigo_ibge),
      ),
      new Set(['2609600']),
    )
    const all = await read(PARTES, { tipo_agravo: 'dengue', partes: 'pendencias' }, identificador)
    for (const [codigo, total] of Object.entries(pendencias as Record<string, number>))
      assert.ok(total < all.pendencias[codigo], codigo)
  })

  it('refuse the work list to those who may not list cases, and unknown or missing names', async () => {
    const leitor = await t.person({ permissoes: ['agravos.estatisticas'] })
    const of = (partes: string) => `${PARTES}?tipo_agravo=dengue${partes}`
    const denied = await t.as(leitor).get(of('&partes=bairros,pendencias'))
    assert.deepEqual([denied.status, denied.body.error.required_permission], [403, 'agravos.listar'])
    assert.equal((await t.as(leitor).get(of('&partes=bairros,niveis'))).status, 200)
    for (const [partes, expected] of [
      ['', 'partes REQUIRED'],
      ['&partes=', 'partes REQUIRED'],
      ['&partes=pendencias,clima', 'partes INVALID_VALUE'],
    ] as const) {
      const { status, body } = await t.as(identificador).get(of(partes))
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), [expected])
    }
    const without = await t.as(identificador).get(`${PARTES}?partes=niveis`)
    assert.equal(without.status, 422, 'levels are of one disease')
  })
})
