import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../src/brasil/calendar.ts'
import { semanaAt, semanaByCodigo, weekOf } from '../../src/brasil/epi-week.ts'
import { ESTADOS_IBGE, UFS } from '../../src/brasil/uf.ts'
import {
  CRITERIOS,
  EVOLUCOES,
  RACAS,
  SEXOS,
  STATUS,
  TIPOS_AGRAVO,
  ZONAS,
} from '../../src/domain/casos/enumeracoes.ts'
import { PENDENCIAS_LIST } from '../../src/domain/casos/qualidade/pendencias.ts'
import { PENDENCIAS } from '../../src/domain/casos/qualidade/regras.ts'
import { CASOS_LIST } from '../../src/domain/casos/reading/filters.ts'
import { parseFilters } from '../../src/http/filters.ts'
import {
  addressOf,
  BASES,
  CLASSIFICACOES_DO_FILTRO,
  emptyFilters,
  type FilterRules,
  type Filters,
  placed,
  readFilters,
  SIM_NAO,
  writeFilters,
} from '../../web/console/state/filter-address.ts'
import { casosQuery, painelQuery } from '../../web/console/state/filter-query.ts'
import { wordsOf } from '../../web/console/state/filter-words.ts'
import { pagesAround } from '../../web/console/state/pages.ts'
import {
  diasOf,
  type Periodo,
  readPeriodo,
  semanasOf,
  writePeriodo,
} from '../../web/console/state/periodo.ts'
import { enUS } from '../../web/console/texts/en-US.ts'
import { esES } from '../../web/console/texts/es-ES.ts'
import { ptBR } from '../../web/console/texts/pt-BR.ts'

const TODAY = '2026-11-14'
const LIST: FilterRules = { today: TODAY }
const PAINEL: FilterRules = { today: TODAY, agravo: 'dengue', isCounted: true }

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null })
const one = (values: readonly string[]) => maybe(fc.constantFrom(...values))
const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'))
const ofState = (count: number) =>
  fc
    .tuple(fc.constantFrom(...ESTADOS_IBGE), digits(count - 2))
    .map(([{ codigo }, rest]) => `${codigo}${rest}`)
const year = fc.integer({ min: 1970, max: 2100 })
const week = fc.integer({ min: weekOf('1971-01-10'), max: weekOf('2090-01-01') })
const periodo: fc.Arbitrary<Periodo> = fc.oneof(
  year.map((ano) => ({ kind: 'ano' as const, ano })),
  year.map((ano) => ({ kind: 'temporada' as const, ano })),
  fc.constant({ kind: '12m' as const }),
  fc.constant({ kind: 'sempre' as const }),
  fc
    .tuple(week, fc.nat(300))
    .map(
      ([first, more]) =>
        ({ kind: 'semanas', de: semanaAt(first).codigo, ate: semanaAt(first + more).codigo }) as const,
    ),
  fc.tuple(week, fc.nat(6), fc.nat(900)).map(([first, days, more]) => {
    const de = addDays(semanaAt(first).inicio, days)
    return { kind: 'datas', de, ate: addDays(de, more) } as const
  }),
)
const filters: fc.Arbitrary<Filters> = fc
  .record(
    {
      agravo: one(TIPOS_AGRAVO),
      uf: one(UFS),
      regiao: maybe(ofState(5)),
      municipio: maybe(ofState(7)),
      bairro: maybe(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/\0/.test(text)),
      ),
      lugar: one(['desconhecido']),
      evolucao: one(EVOLUCOES),
      hospitalizacao: one(SIM_NAO),
      criterio: one(CRITERIOS),
      status: one(STATUS),
      sexo: one(SEXOS),
      gestante: one(SIM_NAO),
      idade_de: maybe(fc.integer({ min: 0, max: 130 }).map(String)),
      idade_ate: maybe(fc.integer({ min: 0, max: 130 }).map(String)),
      raca: one(RACAS),
      zona: one(ZONAS),
      cnes: maybe(digits(7)),
      importacao: maybe(fc.integer({ min: 1, max: 999_999_999 }).map(String)),
      responsavel: one(['eu']),
      pendencia: one(PENDENCIAS),
      busca: maybe(
        fc
          .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
          .filter((text) => !/\0/.test(text) && !text.trimStart().startsWith('{')),
      ),
      periodo,
      base: fc.constantFrom(...BASES),
      classificacao: fc.constantFrom(...CLASSIFICACOES_DO_FILTRO),
      especificos: fc.constant({}),
    },
    { noNullPrototype: true },
  )
  .map(placed)

const searchOf = (address: string) => address.split('?')[1] ?? ''

describe('The filter of the console', () => {
  it('is its address: written and read again it is the same, whatever it is', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const address = addressOf('/x', given, LIST)
        const { filters: read, leftOut } = readFilters(searchOf(address), LIST)
        assert.deepEqual(leftOut, [])
        assert.deepEqual(read, given)
        assert.equal(addressOf('/x', read, LIST), address)
      }),
      { numRuns: 500 },
    )
  })

  it('takes no address for an error: what it cannot read is named and left out', () => {
    const name = fc.constantFrom(
      'agravo',
      'uf',
      'municipio',
      'regiao',
      'periodo',
      'base',
      'classificacao',
      'idade_de',
      'pendencia',
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ minLength: 1 })), { maxLength: 6 }), (pairs) => {
        const { filters: read, leftOut } = readFilters(new URLSearchParams(pairs).toString(), LIST)
        const again = readFilters(writeFilters(read, LIST).toString(), LIST)
        assert.deepEqual(again, { filters: read, leftOut: [] })
        for (const { name, value } of leftOut)
          assert.ok(pairs.some((pair) => pair[0] === name && pair[1] === value))
      }),
    )
    const read = (search: string, rules = LIST) => readFilters(search, rules).leftOut.map(({ name }) => name)
    assert.deepEqual(read('agravo=gripe&uf=XX&municipio=9999999&classificacao=grave&base=x'), [
      'agravo',
      'uf',
      'municipio',
      'classificacao',
      'base',
    ])
    assert.deepEqual(read('uf=SP&municipio=2611606'), ['uf'], 'a place in two states')
    assert.deepEqual(read('periodo=202653..202601&busca=%7B%22and%22'), ['periodo', 'busca'])
    assert.deepEqual(read('periodo=sempre&pendencia=atrasado', PAINEL), ['periodo', 'pendencia'])
    assert.deepEqual(read('periodo=sempre&pendencia=atrasado&colunas=x'), [])
  })

  it('takes the current epidemiological year, probable cases and onset for granted', () => {
    const { filters: empty } = readFilters('', LIST)
    assert.deepEqual(empty, emptyFilters(LIST))
    assert.deepEqual(
      [empty.periodo, empty.base, empty.classificacao],
      [{ kind: 'ano', ano: 2026 }, 'sintomas', 'provavel'],
    )
    assert.equal(addressOf('/x', empty, LIST), '/x')
    assert.equal(
      addressOf('/x', empty, LIST, { search: 'pagina=3&colunas=a,b', without: ['pagina'] }),
      '/x?colunas=a,b',
    )
    assert.equal(readFilters('', PAINEL).filters.agravo, 'dengue')
    assert.equal(readFilters('', { today: '2027-01-02' }).filters.periodo.kind, 'ano')
    assert.deepEqual(readFilters('', { today: '2027-01-02' }).filters.periodo, { kind: 'ano', ano: 2026 })
  })

  it('knows a municipality and a region by their state', () => {
    const { filters: read } = readFilters('municipio=2611606', LIST)
    assert.equal(read.uf, 'PE')
    assert.equal(casosQuery(read, TODAY).municipio, '2611606')
    assert.equal(casosQuery(read, TODAY).estado, undefined)
    assert.equal(readFilters('regiao=35011', LIST).filters.uf, 'SP')
  })

  it('asks the list for nothing that the list does not know', () => {
    fc.assert(
      fc.property(filters, (given) => {
        const rules = given.pendencia === null ? CASOS_LIST : PENDENCIAS_LIST
        const { problems } = parseFilters(casosQuery(given, TODAY), rules)
        assert.deepEqual(problems, [])
      }),
      { numRuns: 300 },
    )
  })

  it('asks by weeks of onset or of notification, and by days within them', () => {
    const asked = (search: string) => {
      const { classificacao: _, ...query } = casosQuery(readFilters(search, LIST).filters, TODAY)
      return query
    }
    assert.deepEqual(asked(''), {
      'semana_epidemiologica_sintomas[gte]': '202601',
      'semana_epidemiologica_sintomas[lte]': '202652',
    })
    assert.deepEqual(asked('periodo=2025&base=notificacao'), {
      'semana_epidemiologica[gte]': '202501',
      'semana_epidemiologica[lte]': '202553',
    })
    assert.deepEqual(asked('periodo=temporada-2025'), {
      'semana_epidemiologica_sintomas[gte]': '202530',
      'semana_epidemiologica_sintomas[lte]': '202629',
    })
    assert.deepEqual(asked('periodo=12m'), {
      'semana_epidemiologica_sintomas[gte]': '202547',
      'semana_epidemiologica_sintomas[lte]': '202645',
    })
    assert.deepEqual(asked('periodo=2026-03-01..2026-03-10&base=notificacao'), {
      data_inicio: '2026-03-01',
      data_fim: '2026-03-10',
    })
    assert.deepEqual(asked('periodo=2026-03-01..2026-03-10'), {
      'data_inicio_sintomas[gte]': '2026-03-01',
      'data_inicio_sintomas[lte]': '2026-03-10',
      'semana_epidemiologica_sintomas[gte]': '202609',
      'semana_epidemiologica_sintomas[lte]': '202610',
    })
    assert.deepEqual(asked('periodo=sempre'), {})
    assert.deepEqual(
      casosQuery(readFilters('classificacao=notificado&hospitalizacao=sim', LIST).filters, TODAY),
      {
        ...asked(''),
        hospitalizacao: 'true',
      },
    )
    assert.deepEqual(painelQuery(readFilters('uf=PE', PAINEL).filters, TODAY), {
      tipo_agravo: 'dengue',
      estado: 'PE',
      classificacao: 'provavel',
      data_base: 'sintomas',
      ano: 2026,
    })
  })

  it('has whole weeks in every period', () => {
    fc.assert(
      fc.property(periodo, (given) => {
        assert.deepEqual(readPeriodo(writePeriodo(given)), given)
        const [weeks, days] = [semanasOf(given, TODAY), diasOf(given, TODAY)]
        if (weeks === null || days === null) return assert.equal(given.kind, 'sempre')
        assert.ok(weeks.de <= weeks.ate && days.de <= days.ate)
        assert.ok((semanaByCodigo(weeks.de)?.inicio ?? '9') <= days.de)
        assert.ok((semanaByCodigo(weeks.ate)?.fim ?? '0') >= days.ate)
      }),
    )
  })

  it('is said in words, in three languages', () => {
    const said = (search: string, t = ptBR) => {
      const { title, parts } = wordsOf(readFilters(search, LIST).filters, t, { municipio: 'Caruaru' })
      return [title, ...parts].join(' | ')
    }
    assert.equal(
      said('agravo=dengue&uf=PE'),
      'Dengue em Pernambuco, 2026 | Prováveis | por início dos sintomas',
    )
    assert.equal(
      said('municipio=2604106&periodo=202610..202618&sexo=F&base=notificacao&classificacao=dengue_grave'),
      'Todos os agravos em Caruaru, SE 10/2026 a SE 18/2026 | Dengue grave | por notificação | Sexo: Feminino',
    )
    assert.match(said('agravo=zika&uf=CE'), /^Zika no Ceará/)
    assert.match(said('agravo=zika&uf=BA'), /^Zika na Bahia/)
    for (const t of [enUS, esES])
      fc.assert(fc.property(filters, (given) => wordsOf(given, t, {}).title.length > 5))
  })
})

describe('The pages of a list', () => {
  it('show the first, the last and those around, and never leave out a single one', () => {
    assert.deepEqual(pagesAround(1, 1), [1])
    assert.deepEqual(pagesAround(1, 965), [1, 2, null, 965])
    assert.deepEqual(pagesAround(4, 965), [1, 2, 3, 4, 5, null, 965])
    assert.deepEqual(pagesAround(400, 965), [1, null, 399, 400, 401, null, 965])
  })
})
