import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { problems } from '../refusals.ts'
import { consultaApp } from './casos-consulta-app.ts'

const { t, newCaso, exclude, read, bound, vigilante } = await consultaApp()
after(() => t.close())

const FACETAS = '/agravos/casos/facetas'
const RESUMO = '/agravos/casos/estatisticas/resumo'

interface Valor {
  valor: string | null
  nome: string | null
  total: number
}
const valuesOf = async (campo: string, query: Record<string, string> = {}, person = vigilante) => {
  const body = await read(FACETAS, { campos: campo, ...query }, person)
  assert.deepEqual(
    body.facetas.map((faceta: { campo: string }) => faceta.campo),
    [campo],
  )
  return body.facetas[0] as { valores: Valor[]; distintos: number; outros: number }
}
const shown = ({ valores }: { valores: Valor[] }) =>
  valores.map(({ valor, total }) => `${valor}:${total}`).join(' ')
const listed = async (query: Record<string, string>) => (await read('/agravos/casos', query)).total

const PLACES = [
  { municipio_residencia: 'Recife', estado_residencia: 'PE' },
  { municipio_residencia: 'Olinda', estado_residencia: 'PE' },
  { municipio_residencia: 'Caruaru', estado_residencia: 'PE' },
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
]
const CLASSES = ['dengue_grave', 'descartado', 'inconclusivo', null]
for (let i = 0; i < 60; i++)
  await newCaso({
    ...PLACES[i % 7 === 0 ? 3 : i % 3],
    classificacao_final: CLASSES[i % 4],
    evolucao: i % 5 === 0 ? 'cura' : null,
    hospitalizacao: [true, false, null][i % 3],
    paciente_sexo: ['F', 'M', null][i % 3],
    paciente_idade: i % 6 === 0 ? null : i,
    paciente_gestante: i % 3 === 0 ? i % 2 === 0 : null,
    paciente_raca: i % 2 === 0 ? 'parda' : null,
    unidade_notificante: { cnes: String(1_000_000 + (i % 4)) },
  })
await exclude(await newCaso({ municipio_residencia: 'Recife', estado_residencia: 'PE', evolucao: 'cura' }))

const FILTERED = [
  'tipo_agravo',
  'estado',
  'regiao_saude',
  'municipio',
  'cnes',
  'classificacao',
  'criterio_confirmacao',
  'evolucao',
  'hospitalizacao',
  'status',
  'sexo',
  'raca',
  'gestante',
  'zona',
]

describe('GET /agravos/casos/facetas', () => {
  for (const campo of FILTERED)
    it(`has for each value of ${campo} the total of the list that is filtered by it`, async () => {
      for (const filter of [{}, { estado: 'PE', sexo: 'F' }, { classificacao: 'provavel' }] as Record<
        string,
        string
      >[]) {
        const { valores, distintos, outros } = await valuesOf(campo, filter)
        assert.deepEqual([distintos, outros], [valores.length, 0])
        const { [campo]: _own, ...others } = filter
        for (const { valor, total } of valores)
          if (valor !== null)
            assert.equal(total, await listed({ ...others, [campo]: valor }), `${campo} ${valor}`)
        const sum = valores.reduce((all, { total }) => all + total, 0)
        assert.equal(sum, await listed(others))
      }
    })

  it('counts each field without its own filter, and with all others', async () => {
    assert.equal(shown(await valuesOf('estado', { estado: 'PE' })), 'PE:51 SP:9')
    assert.equal(shown(await valuesOf('estado', { estado: 'PE', municipio: '2611606' })), 'PE:17')
    assert.equal(
      shown(await valuesOf('classificacao', { classificacao: 'descartado' })),
      'dengue_grave:15 descartado:15 em_investigacao:15 inconclusivo:15',
    )
  })

  it('puts the most frequent first, the unknown last among equals, with the names of places', async () => {
    const { valores } = await valuesOf('municipio')
    assert.deepEqual(valores.map(({ nome }) => nome).toSorted(), ['Caruaru', 'Olinda', 'Recife', 'São Paulo'])
    const totals = valores.map(({ total }) => total)
    assert.deepEqual(
      totals,
      totals.toSorted((a, b) => b - a),
    )
    assert.equal(shown(await valuesOf('sexo')), 'F:20 M:20 null:20')
  })

  it('counts by age as the summary does', async () => {
    const { valores } = await valuesOf('faixa_etaria')
    const { por_faixa_etaria } = await read(RESUMO, { agrupar_por: 'faixa_etaria' })
    const sorted = (rows: Valor[]) => rows.map(({ valor, total }) => `${valor}:${total}`).toSorted()
    assert.deepEqual(sorted(valores), sorted(por_faixa_etaria))
  })

  it('lists 100 values, and says what is left', async () => {
    const units = Array.from({ length: 120 }, (_, i) => String(2_000_000 + i))
    for (const cnes of units) await newCaso({ tipo_agravo: 'zika', unidade_notificante: { cnes } })
    const { valores, distintos, outros } = await valuesOf('cnes', { tipo_agravo: 'zika' })
    assert.deepEqual([valores.length, distintos, outros], [100, 120, 20])
  })

  it('answers several fields in the order they were asked for', async () => {
    const { facetas } = await read(FACETAS, { campos: 'sexo, estado,evolucao', tipo_agravo: 'dengue' })
    assert.deepEqual(
      facetas.map(({ campo }: { campo: string }) => campo),
      ['sexo', 'estado', 'evolucao'],
    )
  })

  it('is bounded by the territory of the account, whatever filter is left out', async () => {
    const person = await bound(['municipio:2609600'])
    for (const campo of ['estado', 'municipio', 'regiao_saude']) {
      const { valores } = await valuesOf(campo, { tipo_agravo: 'dengue', municipio: '2611606' }, person)
      assert.ok(
        valores.every(({ valor }) => ['PE', '2609600', '26001'].includes(String(valor))),
        campo,
      )
    }
    const { valores } = await valuesOf('municipio', { tipo_agravo: 'dengue' }, person)
    assert.deepEqual(
      valores.map(({ valor }) => valor),
      ['2609600'],
    )
  })

  it('needs names of fields, and refuses others', async () => {
    for (const [query, expected] of [
      ['', 'campos REQUIRED'],
      ['campos=,', 'campos REQUIRED'],
      ['campos=paciente_nome', 'campos INVALID_VALUE'],
      ['campos=sexo&municipio=Atlantis', 'municipio UNKNOWN_MUNICIPIO'],
    ]) {
      const { status, body } = await t.as(vigilante).get(`${FACETAS}?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), [expected])
    }
  })
})
