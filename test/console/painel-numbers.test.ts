import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { addDays } from '../../src/brasil/calendar.ts'
import { sql } from '../../src/db/sql.ts'
import type { Painel } from '../../web/console/api/early.ts'
import { classOf, cutsOf } from '../../web/console/map/classes.ts'
import {
  comparisonOf,
  lugaresOf,
  recentOf,
  type Semana,
  weeksByMonth,
} from '../../web/console/screens/painel/figures.ts'
import {
  atPlace,
  casosPath,
  DIED,
  duringWeeks,
  HOSPITALIZED,
  INVESTIGATED,
  inPlace,
  narrowed,
  ofAge,
  ofConfirmados,
} from '../../web/console/screens/painel/links.ts'
import { silentOf } from '../../web/console/screens/painel/silent.ts'
import { numbersQuery } from '../../web/console/state/divisao.ts'
import { type FilterRules, type Filters, readFilters } from '../../web/console/state/filter-address.ts'
import { casosQuery } from '../../web/console/state/filter-query.ts'
import { consultaApp } from '../contracts/b/casos-consulta-app.ts'

/**
 * Random filters, beside the fixed ones. `PROPERTY_RUNS` asks for more than a test run should take (the bar of the console is 200),
 * `PROPERTY_SEED` for others.
 */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 40)
const SEED = Number(process.env.PROPERTY_SEED ?? 20_261_114)

const { t, newCaso, read } = await consultaApp()
after(() => t.close())

const RULES: FilterRules = { today: '2026-11-14', agravo: 'dengue', isCounted: true }
const CLASSES = ['confirmado', 'dengue_grave', 'descartado', 'inconclusivo', null]
const PLACES = [
  { municipio_residencia: 'Recife', estado_residencia: 'PE' },
  { municipio_residencia: 'Olinda', estado_residencia: 'PE' },
  { municipio_residencia: 'Caruaru', estado_residencia: 'PE' },
  { municipio_residencia: 'São Paulo', estado_residencia: 'SP' },
]

before(async () => {
  for (let i = 0; i < 150; i++) {
    const onset = addDays('2023-12-20', (i * 37) % 385)
    const id = await newCaso({
      ...PLACES[i % 4],
      data_inicio_sintomas: onset,
      data_notificacao: addDays(onset, i % 9),
      classificacao_final: CLASSES[i % 5],
      hospitalizacao: i % 3 === 0,
      paciente_sexo: ['F', 'M', null][i % 3],
      paciente_idade: i % 7 === 0 ? null : i % 95,
      evolucao: [null, 'obito', 'cura', 'obito_em_investigacao'][i % 4],
      data_obito: i % 4 === 1 ? addDays(onset, 9) : null,
    })
    // As imports leave them: the state alone, or nothing.
    if (i % 10 === 1)
      await t.database.pool.run(sql`update casos set municipio_residencia = null where id = ${id}`)
    if (i % 20 === 1)
      await t.database.pool.run(sql`update casos set estado_residencia = null where id = ${id}`)
  }
})

const totals = new Map<string, Promise<number>>()

/** Opens the list of a link, as its screen would, and counts; the cases do not change, so that the same link is asked for once. */
function listed(href: string): Promise<number> {
  const { filters, leftOut } = readFilters(href.split('?')[1] ?? '', { today: RULES.today })
  assert.deepEqual(leftOut, [], href)
  const query = { ...casosQuery(filters, RULES.today), size: '1' } as never
  const total = totals.get(href) ?? read('/agravos/casos', query).then((answer) => answer.total as number)
  totals.set(href, total)
  return total
}

/** Every number with its link; those without one are zero. */
function figuresOf(painel: Painel, filters: Filters): [string, number, Filters | null][] {
  const { numeros, semanas } = painel
  const weeks = weeksByMonth(semanas)
  const month = (mes: string) => weeks.get(mes) as Semana[]
  return [
    ['casos', numeros.casos, filters],
    ['confirmados', numeros.confirmados, ofConfirmados(filters)],
    ['hospitalizados', numeros.hospitalizados, narrowed(filters, HOSPITALIZED)],
    ['obitos', numeros.obitos, narrowed(filters, DIED)],
    ['investigados', numeros.obitos_em_investigacao, narrowed(filters, INVESTIGATED)],
    ...semanas.map((one): [string, number, Filters] => [
      one.semana,
      one.casos,
      duringWeeks(filters, one, one),
    ]),
    ...lugaresOf(painel.lugares).flatMap((lugar): [string, number, Filters | null][] => {
      const at = atPlace(filters, lugar.codigo, painel.lugares.nivel)
      const name = String(lugar.codigo)
      return [
        [name, lugar.casos, at],
        [`${name} hospitalizados`, lugar.hospitalizados, at && narrowed(at, HOSPITALIZED)],
        [`${name} obitos`, lugar.obitos, at && narrowed(at, DIED)],
      ]
    }),
    ...painel.piramide.celulas.map(({ sexo, faixa, casos }): [string, number, Filters | null] => [
      `${sexo} ${faixa}`,
      casos,
      ofAge(filters, sexo, faixa),
    ]),
    ...painel.classificacao_por_mes.flatMap(({ mes, ...classes }) =>
      Object.entries(classes).map(([classe, casos]): [string, number, Filters] => [
        `${mes} ${classe}`,
        casos,
        {
          ...duringWeeks(filters, month(mes)[0] as Semana, month(mes).at(-1) as Semana),
          classificacao: classe as Filters['classificacao'],
        },
      ]),
    ),
  ]
}

/** Every number against the list it leads to; returns how many were compared. */
async function compareAll(address: string): Promise<number> {
  const { filters, leftOut } = readFilters(address, RULES)
  assert.deepEqual(leftOut, [], address)
  const painel: Painel = await read(
    '/agravos/casos/painel',
    numbersQuery(filters, RULES.today, address) as never,
  )
  let empty = 0
  const compared = figuresOf(painel, filters).map(async ([name, number, of]) => {
    const href = casosPath(of, RULES)
    if (href === undefined) {
      assert.ok(number === 0 || name.startsWith('null'), `${address}: ${name} has no link`)
      return 0
    }
    // Empty ones are many and alike: one in five is enough.
    if (number === 0 && empty++ % 5 > 0) return 0
    assert.equal(await listed(href), number, `${address}: ${name}: ${href}`)
    return 1
  })
  await compareClasses(painel, filters, address)
  return (await Promise.all(compared)).reduce((sum: number, one) => sum + one, 0)
}

/** Classes of the map: their cases together are those of the lists of their places. */
async function compareClasses(painel: Painel, filters: Filters, address: string): Promise<void> {
  const lugares = lugaresOf(painel.lugares).filter(({ codigo }) => codigo !== null)
  for (const measure of ['casos', 'incidencia'] as const) {
    const cuts = cutsOf(
      measure,
      lugares.map(({ casos }) => casos),
    )
    for (const [klass, places] of Map.groupBy(lugares, (one) => classOf(one[measure], cuts))) {
      const lists = await Promise.all(
        places.map(({ codigo }) => listed(casosPath(inPlace(filters, codigo as string), RULES) as string)),
      )
      const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
      assert.equal(sum(places.map(({ casos }) => casos)), sum(lists), `${address}: ${measure} ${klass}`)
    }
  }
}

const maybe = (name: string, ...values: string[]) =>
  fc.constantFrom('', ...values.map((value) => `${name}=${value}`))
const addresses = fc
  .tuple(
    fc.constantFrom(
      '',
      '',
      'uf=PE',
      'uf=SP',
      'regiao=26010',
      'municipio=2611606',
      'uf=PE&lugar=desconhecido',
    ),
    fc.constantFrom(
      ...['2024', '2024', '2023', 'temporada-2023', 'temporada-2024', '202405..202420', '202350..202440'],
      ...['2024-02-06..2024-07-18', '2023-12-24..2024-12-31'],
    ),
    maybe('base', 'notificacao'),
    maybe(
      'classificacao',
      ...['notificado', 'notificado', 'confirmado', 'descartado', 'inconclusivo', 'em_investigacao'],
      'dengue_grave',
    ),
    maybe('sexo', 'F', 'M'),
    fc.constantFrom(
      '',
      '',
      '',
      'hospitalizacao=sim',
      'hospitalizacao=nao',
      'evolucao=obito',
      'evolucao=cura',
    ),
    fc.constantFrom('', '', 'idade_de=18', 'idade_ate=64', 'idade_de=20&idade_ate=39'),
  )
  .map(([place, periodo, ...more]) =>
    [place, `periodo=${periodo}`, ...more].filter((part) => part !== '').join('&'),
  )

describe('Every number of the painel', () => {
  for (const address of [
    'periodo=2024',
    'periodo=2024&mapa=municipios',
    'periodo=2024&mapa=municipios&classificacao=notificado&base=notificacao',
    'periodo=2024&uf=PE&classificacao=notificado&base=notificacao',
    'periodo=temporada-2023&municipio=2611606',
    'periodo=2024-02-06..2024-07-18&classificacao=confirmado',
    'periodo=202405..202420&classificacao=dengue_grave&sexo=F&idade_de=12&idade_ate=70',
    'periodo=2024&classificacao=descartado&hospitalizacao=nao&evolucao=cura',
  ])
    it(`is the total of the list it links to: ${address}`, async () => {
      assert.ok((await compareAll(address)) > 3)
    })

  it(`is the total of its list, with ${RUNS} random filters`, async () => {
    let compared = 0
    const property = fc.asyncProperty(addresses, async (address) => {
      compared += await compareAll(address)
    })
    await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true })
    assert.ok(compared > 10 * RUNS, `${compared} numbers were compared`)
  })
})

describe('Municipalities that sent nothing', () => {
  const TODAY = '2026-11-14'
  const painel = {
    lugar: { nivel: 'estado' },
    periodo: { semana_inicio: '202601', semana_fim: '202652' },
    lugares: {
      nivel: 'municipio',
      codigo: ['2611606', '2609600', null, '2604106'],
      casos: [9, 5, 2, 1],
      incidencia: [1, 1, null, 1],
      hospitalizados: [0, 0, 0, 0],
      obitos: [0, 0, 0, 0],
      ultima_semana: ['202644', '202643', '202610', '202620'],
    },
  } as unknown as Painel
  const all = ['2600054', '2604106', '2609600', '2611606']
  const codesOf = (base: Filters['base'], of = painel) =>
    silentOf(of, { periodo: { kind: 'ano', ano: 2026 }, base }, TODAY, all)?.places.map(
      ({ codigo }) => codigo,
    )

  it('have no case in the last ended week, by notification, or in the last four, by onset', () => {
    assert.deepEqual(codesOf('notificacao'), ['2609600', '2604106', '2600054'])
    assert.deepEqual(codesOf('sintomas'), ['2604106', '2600054'])
  })

  it('are told only where the period reaches these weeks, and of municipalities', () => {
    assert.equal(
      codesOf('notificacao', { ...painel, periodo: { ...painel.periodo, semana_fim: '202643' } }),
      undefined,
    )
    assert.equal(
      codesOf('notificacao', { ...painel, lugares: { ...painel.lugares, nivel: 'estado' } }),
      undefined,
    )
    assert.equal(
      silentOf(
        painel,
        { periodo: { kind: 'datas', de: '2026-01-01', ate: TODAY }, base: 'sintomas' },
        TODAY,
        all,
      ),
      null,
    )
  })
})

describe('Comparisons of the painel', () => {
  const week = (inicio: string, casos: number, anterior: number) =>
    ({ semana: '202640', inicio, fim: addDays(inicio, 6), casos, anterior }) as Semana

  it('leave out the weeks that are still arriving', () => {
    const semanas = [week('2026-10-04', 20, 10), week('2026-10-11', 20, 10), week('2026-11-01', 0, 500)]
    assert.equal(comparisonOf(semanas, '2026-11-14')?.pct, 100)
    assert.equal(comparisonOf(semanas, '2026-11-14')?.until.inicio, '2026-10-11')
    assert.equal(comparisonOf(semanas, '2027-11-14')?.pct.toFixed(1), '-92.3')
    assert.equal(comparisonOf([week('2026-10-04', 5, 0)], '2027-11-14'), null)
  })

  it('are of four whole weeks against four', () => {
    assert.deepEqual(recentOf([4, 8, 0], true), { now: 8, before: 4, pct: 100 })
    assert.equal(recentOf([4, 8, 0], false).pct, -100)
    assert.equal(recentOf([0, 12, 4], true).pct, null)
  })
})
