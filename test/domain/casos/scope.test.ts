import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { coverageOf, nearestCoverageOf, scopeOf } from '../../../src/domain/casos/counters/scope.ts'
import type { Filter } from '../../../src/filter.ts'

const municipios = await loadMunicipios()
const test = (field: string, op: string, value: string | string[]) =>
  ({ kind: 'test', field, op, value }) as Filter
const and = (...of: Filter[]): Filter => ({ kind: 'and', of })

/** Only what is limited. */
function limitsOf(filter: Filter) {
  const found = scopeOf(filter, municipios)
  if (found === null) return null
  const { period, sintomas, lugares, ...lists } = found
  const onset = { onsetFrom: sintomas.from, onsetTo: sintomas.to }
  const told = {
    ...lists,
    lugares: lugares?.map(({ uf, codigo }) => codigo ?? uf) ?? null,
    ...period,
    ...onset,
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))
}

describe('What the counters can be asked for', () => {
  const KNOWN: [Filter, object][] = [
    [and(), {}],
    [test('tipo_agravo', 'eq', 'zika'), { tipos: ['zika'] }],
    [
      and(test('tipo_agravo', 'in', ['zika', 'dengue']), test('agravo_codigo', 'eq', 'dengue')),
      { tipos: ['dengue'] },
    ],
    [and(test('tipo_agravo', 'eq', 'zika'), test('tipo_agravo', 'eq', 'dengue')), { tipos: [] }],
    [
      and(and(test('estado', 'eq', 'PE')), { kind: 'or', of: [test('estado', 'eq', 'PE')] }),
      { lugares: ['PE'] },
    ],
    [test('municipio', 'eq', '261160'), { lugares: [2611606] }],
    [test('municipio', 'eq', 'bom jesus da serra'), { lugares: [2903953] }],
    [test('municipio', 'like', 'bom jesus da serra'), { lugares: [2903953] }],
    [test('classificacao', 'in', ['em_investigacao', 'descartado']), { classes: ['', 'descartado'] }],
    [
      and(test('classificacao', 'eq', 'confirmado'), test('classificacao_final', 'eq', 'dengue_grave')),
      { classes: ['dengue_grave'] },
    ],
    [
      and(test('data_inicio', 'eq', '2024-01-10'), test('data_notificacao', 'gt', '2024-01-31')),
      { from: '2024-02-01' },
    ],
    [
      and(test('data_fim', 'eq', '2024-01-10'), test('data_notificacao', 'lt', '2024-01-01')),
      { to: '2023-12-31' },
    ],
    [test('data_notificacao', 'eq', '2024-01-10'), { from: '2024-01-10', to: '2024-01-10' }],
    [test('semana_epidemiologica', 'eq', '202401'), { from: '2023-12-31', to: '2024-01-06' }],
    [test('semana_epidemiologica', 'eq', '202453'), { tipos: [] }],
    [test('semana_epidemiologica', 'gt', '202401'), { from: '2024-01-07' }],
    [test('semana_epidemiologica', 'lt', '202401'), { to: '2023-12-30' }],
    [test('semana_epidemiologica_sintomas', 'gte', '202401'), { onsetFrom: '2023-12-31' }],
    [test('semana_epidemiologica_sintomas', 'lte', '202401'), { onsetTo: '2024-01-06' }],
    [test('semana_epidemiologica_sintomas', 'lte', '202453'), { onsetTo: '2024-12-28' }],
    [test('semana_epidemiologica_sintomas', 'eq', '202453'), { tipos: [] }],
  ]
  for (const [filter, expected] of KNOWN)
    it(JSON.stringify(filter), () => assert.deepEqual(limitsOf(filter), expected))

  const UNKNOWN: Filter[] = [
    test('sexo', 'eq', 'F'),
    test('estado', 'ne', 'PE'),
    test('municipio', 'ne', 'Recife'),
    test('data_notificacao', 'in', ['2024-01-01']),
    test('semana_epidemiologica', 'in', ['202401']),
    test('semana_epidemiologica', 'gt', '202453'),
    test('data_notificacao', 'gt', '9999-12-31'),
    test('data_notificacao', 'lt', '0001-01-01'),
    { kind: 'search', text: 'x' },
    { kind: 'or', of: [test('estado', 'eq', 'PE'), test('estado', 'eq', 'SP')] },
    { kind: 'or', of: [] },
    and(test('estado', 'eq', 'PE'), test('bairro', 'like', 'pina')),
  ]
  for (const filter of UNKNOWN)
    it(`not ${JSON.stringify(filter)}`, () => assert.equal(limitsOf(filter), null))
})

describe('A period is covered by whole months and the days around them', () => {
  type Ends = [string | null, string | null]
  const CASES: [Ends, Ends | null, Ends[]][] = [
    [[null, null], [null, null], []],
    [['2024-01-01', '2024-12-31'], ['2024-01-01', '2024-12-31'], []],
    [['2024-01-15', null], ['2024-02-01', null], [['2024-01-15', '2024-01-31']]],
    [[null, '2024-03-15'], [null, '2024-02-29'], [['2024-03-01', '2024-03-15']]],
    [
      ['2023-12-02', '2024-02-28'],
      ['2024-01-01', '2024-01-31'],
      [
        ['2023-12-02', '2023-12-31'],
        ['2024-02-01', '2024-02-28'],
      ],
    ],
    [['2024-01-02', '2024-02-28'], null, [['2024-01-02', '2024-02-28']]],
    [['2024-01-05', '2024-01-09'], null, [['2024-01-05', '2024-01-09']]],
    [['2024-05-01', '2024-01-31'], null, [['2024-05-01', '2024-01-31']]],
    [['9999-12-02', null], null, [['9999-12-02', null]]],
    [['9999-12-01', '9999-12-31'], ['9999-12-01', '9999-12-31'], []],
    [[null, '0001-01-05'], null, [[null, '0001-01-05']]],
  ]
  const period = ([from, to]: Ends) => ({ from, to })
  for (const [asked, months, days] of CASES)
    it(asked.join(' to '), () =>
      assert.deepEqual(coverageOf(period(asked)), {
        months: months && period(months),
        days: days.map(period),
      }),
    )
})

describe('A period as whole months and the fewest days to add or to take off', () => {
  type Ends = [from: string | null, to: string | null]
  const CASES: [asked: Ends, months: Ends | null, days: Ends[], surplus: Ends[]][] = [
    [[null, null], [null, null], [], []],
    [['2024-01-01', '2024-12-31'], ['2024-01-01', '2024-12-31'], [], []],
    [['2024-01-15', null], ['2024-01-01', null], [], [['2024-01-01', '2024-01-14']]],
    [['2024-01-17', null], ['2024-02-01', null], [['2024-01-17', '2024-01-31']], []],
    [[null, '2024-03-15'], [null, '2024-02-29'], [['2024-03-01', '2024-03-15']], []],
    [[null, '2024-03-16'], [null, '2024-03-31'], [], [['2024-03-17', '2024-03-31']]],
    [
      ['2023-12-02', '2024-02-03'],
      ['2023-12-01', '2024-01-31'],
      [['2024-02-01', '2024-02-03']],
      [['2023-12-01', '2023-12-01']],
    ],
    [
      ['2024-01-02', '2024-02-28'],
      ['2024-01-01', '2024-02-29'],
      [],
      [
        ['2024-01-01', '2024-01-01'],
        ['2024-02-29', '2024-02-29'],
      ],
    ],
    [
      ['2024-01-04', '2024-01-29'],
      ['2024-01-01', '2024-01-31'],
      [],
      [
        ['2024-01-01', '2024-01-03'],
        ['2024-01-30', '2024-01-31'],
      ],
    ],
    [['2024-01-05', '2024-01-09'], null, [['2024-01-05', '2024-01-09']], []],
    [['2024-01-25', '2024-02-09'], null, [['2024-01-25', '2024-02-09']], []],
    [['2024-05-01', '2024-01-31'], null, [['2024-05-01', '2024-01-31']], []],
    [['9999-12-02', null], ['9999-12-01', null], [], [['9999-12-01', '9999-12-01']]],
    [[null, '0001-01-05'], null, [[null, '0001-01-05']], []],
  ]
  const period = ([from, to]: Ends) => ({ from, to })
  for (const [asked, months, days, surplus] of CASES)
    it(asked.join(' to '), () =>
      assert.deepEqual(nearestCoverageOf(period(asked)), {
        months: months && period(months),
        days: days.map(period),
        surplus: surplus.map(period),
      }),
    )
})
