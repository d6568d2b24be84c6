import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../src/brasil/calendar.ts'
import { classesNamed, FAIXAS_ETARIAS } from '../../src/domain/casos/enumeracoes.ts'
import { casesIn, weeksQuery } from '../../web/console/state/contagem-por-semana.ts'
import { idadesOf } from '../../web/console/state/faixas.ts'
import { BASES, type Filters, readFilters } from '../../web/console/state/filter-address.ts'
import { casosQuery, painelQuery } from '../../web/console/state/filter-query.ts'
import { diasOf, semanasOf, YEARS } from '../../web/console/state/periodo.ts'
import { consultaApp } from '../contracts/b/casos-consulta-app.ts'

const TODAY = '2024-11-14'
const FIRST = 2024 - YEARS + 1
const { t, newCaso, read } = await consultaApp()
after(() => t.close())

const PLACES = [
  { municipio_residencia: 'Recife', estado_residencia: 'PE' },
  { municipio_residencia: 'Caruaru', estado_residencia: 'PE' },
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
]
const CLASSES = ['dengue_grave', 'descartado', 'inconclusivo', null]

before(async () => {
  for (let i = 0; i < 90; i++) {
    const onset = addDays('2023-06-01', (i * 41) % 560)
    await newCaso({
      ...PLACES[i % 3],
      tipo_agravo: i % 6 === 5 ? 'zika' : 'dengue',
      data_inicio_sintomas: i % 17 === 0 ? null : onset,
      data_notificacao: addDays(onset, i % 9),
      classificacao_final: i % 6 === 5 ? 'confirmado' : CLASSES[i % 4],
      hospitalizacao: i % 5 === 0,
      paciente_sexo: ['F', 'M', 'I'][i % 3],
      paciente_idade: i,
      unidade_notificante: { cnes: String(2_000_000 + (i % 4)) },
    })
  }
  await newCaso({ data_inicio_sintomas: '1990-01-01', data_notificacao: '2024-03-03' })
})

interface Caso {
  tipo_agravo: string
  data_notificacao: string
  data_inicio_sintomas: string | null
  semana_epidemiologica: string
  semana_epidemiologica_sintomas: string | null
  classificacao_final: string | null
  hospitalizacao: boolean | null
  paciente: { sexo: string; idade: number | null }
  endereco: { codigo_ibge: string; estado_residencia: string }
}

/** Whether a case belongs to the filter, by what the filter says to a person. */
function belongs(caso: Caso, filters: Filters): boolean {
  const { agravo, uf, municipio, sexo, hospitalizacao, idade_de, periodo, base, classificacao } = filters
  const isNot = (wanted: string | null, value: unknown) => wanted !== null && wanted !== String(value)
  if (isNot(agravo, caso.tipo_agravo) || isNot(uf, caso.endereco.estado_residencia)) return false
  if (isNot(municipio, caso.endereco.codigo_ibge) || isNot(sexo, caso.paciente.sexo)) return false
  if (hospitalizacao !== null && caso.hospitalizacao !== (hospitalizacao === 'sim')) return false
  if (idade_de !== null && (caso.paciente.idade === null || caso.paciente.idade < Number(idade_de)))
    return false
  const classe = caso.classificacao_final ?? ''
  if (classificacao !== 'notificado' && !classesNamed(classificacao).includes(classe)) return false
  const [days, weeks] = [diasOf(periodo, TODAY), semanasOf(periodo, TODAY)]
  if (days === null || weeks === null) return true
  const day = base === 'sintomas' ? caso.data_inicio_sintomas : caso.data_notificacao.slice(0, 10)
  const isPlausible =
    base === 'notificacao' || (day !== null && day > addDays(caso.data_notificacao.slice(0, 10), -366))
  return day !== null && isPlausible && day >= days.de && day <= days.ate
}

const maybe = (name: string, ...values: string[]) =>
  fc.constantFrom('', ...values.map((value) => `${name}=${value}`))
const search = fc
  .tuple(
    maybe('agravo', 'dengue', 'zika'),
    maybe('uf', 'PE', 'SP'),
    maybe('municipio', '2611606', '2604106'),
    maybe(
      'periodo',
      '2023',
      '2024',
      '12m',
      'temporada-2023',
      'sempre',
      '202310..202420',
      '2023-07-05..2024-06-11',
    ),
    maybe('base', 'notificacao'),
    maybe('classificacao', 'notificado', 'confirmado', 'descartado', 'dengue_grave', 'em_investigacao'),
    maybe('sexo', 'F'),
    maybe('hospitalizacao', 'sim', 'nao'),
    maybe('idade_de', '40'),
  )
  .map((parts) => parts.filter((part) => part !== '').join('&'))

const stringsOf = (query: object) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

describe('The filter of the console, asked of the service', () => {
  it('lists exactly the cases that it means, and the painel counts the same', async () => {
    const everything = { size: '100', sort: 'id' }
    const all = (await read('/agravos/casos', everything)).tipos as Caso[]
    assert.equal(all.length, 91)
    let seen = 0
    await fc.assert(
      fc.asyncProperty(search, async (address) => {
        const { filters, leftOut } = readFilters(address, { today: TODAY })
        if (leftOut.length > 0) return
        const query = stringsOf(casosQuery(filters, TODAY))
        const { total } = await read('/agravos/casos', query)
        assert.equal(total, all.filter((caso) => belongs(caso, filters)).length, address)
        seen += total > 0 ? 1 : 0
        if (filters.agravo === null || filters.periodo.kind === 'sempre') return
        const painel = await read('/agravos/casos/painel', stringsOf(painelQuery(filters, TODAY)))
        assert.equal(painel.numeros.casos, total, `painel of ${address}`)
      }),
      { numRuns: 100 },
    )
    assert.ok(seen > 10, `${seen} filters had cases`)
  })

  it('has beside each age group, unit and day of counting the total of its list', async () => {
    const totalOf = async (filters: Filters) =>
      (await read('/agravos/casos', stringsOf(casosQuery(filters, TODAY)))).total
    let counted = 0
    await fc.assert(
      fc.asyncProperty(search, async (text) => {
        const { filters, leftOut } = readFilters(text, { today: TODAY })
        if (leftOut.length > 0) return
        const facetsOf = async (asked: Filters, campo: string) => {
          const query = { ...stringsOf(casosQuery(asked, TODAY)), campos: campo }
          const { facetas } = await read('/agravos/casos/facetas', query)
          const { valores } = facetas[0] as { valores: { valor: string | null; total: number }[] }
          return new Map(valores.map(({ valor, total }) => [valor, total]))
        }
        const ages = await facetsOf(filters, 'faixa_etaria')
        for (const faixa of FAIXAS_ETARIAS)
          assert.equal(
            ages.get(faixa) ?? 0,
            await totalOf({ ...filters, ...idadesOf(faixa) }),
            `${text} ${faixa}`,
          )
        for (const [cnes, total] of await facetsOf(filters, 'cnes'))
          if (cnes !== null) assert.equal(total, await totalOf({ ...filters, cnes }), `${text} ${cnes}`)
        for (const base of BASES) {
          const diseases = await facetsOf({ ...filters, base }, 'tipo_agravo')
          const all = [...diseases.values()].reduce((sum, one) => sum + one, 0)
          const { agravo } = filters
          const total = agravo === null ? all : (diseases.get(agravo) ?? 0)
          assert.equal(total, await totalOf({ ...filters, base }), `${text} ${base}`)
          counted += total
        }
      }),
      { numRuns: 12, examples: [['periodo=sempre&classificacao=notificado']] },
    )
    assert.ok(counted > 0)
  })

  it('has beside each period that can be chosen the total of its list, by one request for all', async () => {
    await fc.assert(
      fc.asyncProperty(search, async (text) => {
        const { filters, leftOut } = readFilters(text, { today: TODAY })
        if (leftOut.length > 0) return
        const { serie } = await read(
          '/agravos/casos/estatisticas/resumo',
          stringsOf(weeksQuery(filters, TODAY)),
        )
        const weeks = new Map<string, number>(
          serie.map(({ periodo, total }: { periodo: string; total: number }) => [periodo, total]),
        )
        for (const periodo of [
          { kind: '12m' },
          { kind: 'temporada', ano: 2023 },
          { kind: 'semanas', de: '202310', ate: '202420' },
          ...[2024, 2023, 2022, FIRST].map((ano) => ({ kind: 'ano', ano })),
        ] as Filters['periodo'][]) {
          const { total } = await read(
            '/agravos/casos',
            stringsOf(casosQuery({ ...filters, periodo }, TODAY)),
          )
          assert.equal(casesIn(weeks, periodo, TODAY), total, `${text} ${JSON.stringify(periodo)}`)
        }
        assert.equal(casesIn(weeks, { kind: 'ano', ano: FIRST - 1 }, TODAY), null, 'not counted')
        assert.equal(casesIn(weeks, { kind: 'sempre' }, TODAY), null)
      }),
      { numRuns: 12 },
    )
  })
})
