import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  compileCondicoes,
  compileProprios,
  decimalsOf,
  escondidos,
} from '../../../../src/domain/casos/agravos/conferir.ts'
import type { CampoProprio, Condicao, Definicao } from '../../../../src/domain/casos/agravos/definicao.ts'
import { isProprio } from '../../../../src/domain/casos/agravos/definicao.ts'
import { definicaoOf, indexOf, PEQUENA, withValue } from './definicoes.ts'

const definicao = definicaoOf(PEQUENA)
const proprios = new Map(compileProprios(definicao).map((one) => [one.nome, one]))
const refusalOf = (nome: string, value: unknown) => {
  const refusal = proprios.get(nome)?.check(value)
  return refusal === null ? null : `${refusal?.code} ${Object.values(refusal?.params ?? {}).join()}`.trim()
}

describe('values of own fields', () => {
  it('have names inside the service by whether they are encrypted', () => {
    assert.deepEqual(
      [...proprios.values()].map(({ flat }) => flat).filter((flat) => /obs|lote|exame/.test(flat)),
      ['dados_especificos.exame', 'dados_sigilosos.obs', 'dados_especificos.lote'],
    )
    assert.equal(proprios.get('obs')?.enviado, 'dados_especificos.obs')
  })

  const CASES: [nome: string, value: unknown, expected: string | null][] = [
    ['vacinado', true, null],
    ['vacinado', 'true', 'INVALID_TYPE boolean'],
    ['vacinado', 1, 'INVALID_TYPE boolean'],
    ['exame', 'reagente', null],
    ['exame', 'x', 'INVALID_VALUE reagente, nao_reagente'],
    ['exame', 1, 'INVALID_TYPE string'],
    ['exame', 'constructor', 'INVALID_VALUE reagente, nao_reagente'],
    ['sinais', ['tosse', 'coriza'], null],
    ['sinais', [], null],
    ['sinais', 'tosse', 'INVALID_TYPE array'],
    ['sinais', ['tosse', 'tosse'], 'REPEATED'],
    ['sinais', ['soluco'], 'INVALID_VALUE tosse, coriza'],
    ['sinais', [null], 'INVALID_TYPE string'],
    ['sinais', Array.from({ length: 100_000 }, () => 'tosse'), 'REPEATED'],
    ['doses', 9, null],
    ['doses', 10, 'TOO_LARGE 9'],
    ['doses', -1, 'TOO_SMALL 0'],
    ['doses', 1.5, 'INVALID_TYPE integer'],
    ['doses', '1', 'INVALID_TYPE integer'],
    ['doses', Number.NaN, 'INVALID_TYPE integer'],
    ['peso', 70.5, null],
    ['peso', 70.55, 'INVALID_FORMAT 0.0'],
    ['peso', 0.4, 'TOO_SMALL 0.5'],
    ['peso', Number.POSITIVE_INFINITY, 'INVALID_TYPE number'],
    ['data_dose', '2024-02-29', null],
    ['data_dose', '2023-02-29', 'INVALID_FORMAT date'],
    ['data_dose', '2024-02-29T00:00:00Z', 'INVALID_FORMAT date'],
    ['data_dose', 5, 'INVALID_TYPE string'],
    ['obs', '😀'.repeat(30), null],
    ['obs', 'x'.repeat(31), 'TOO_LONG 30'],
    ['obs', 'a\0', 'INVALID_FORMAT text'],
    ['obs', '\ud800', 'INVALID_FORMAT text'],
    ['obs', {}, 'INVALID_TYPE string'],
    ['origem', 'Recife', null],
    ['origem', 2_611_606, null],
    ['origem', 26.5, 'INVALID_TYPE string'],
    ['origem', true, 'INVALID_TYPE string'],
    ['origem', 'x'.repeat(101), 'TOO_LONG 100'],
  ]
  for (const [nome, value, expected] of CASES)
    it(`${nome} ${JSON.stringify(value).slice(0, 40)}: ${expected ?? 'taken'}`, () => {
      assert.equal(refusalOf(nome, value), expected)
    })

  it('may always be null', () => {
    for (const { check } of proprios.values()) assert.equal(check(null), null)
  })

  it('of a retired field are not taken', () => {
    const retired = definicaoOf(withValue(PEQUENA, `campos.${indexOf('obs')}.ativo`, false))
    const obs = compileProprios(retired).find(({ nome }) => nome === 'obs')
    assert.deepEqual(obs?.check('x'), { code: 'NOT_EDITABLE', params: {} })
    assert.equal(obs?.check(null), null)
  })

  it('count decimals as they are written', () => {
    for (const [value, decimals] of [
      [0, 0],
      [1e21, 0],
      [0.1 + 0.2, 17],
      [1e-7, 7],
      [1.5e-7, 8],
      [-2.25, 2],
    ] as const)
      assert.equal(decimalsOf(value), decimals)
  })
})

type Values = Record<string, unknown>
const problemsOf = (definicao: Definicao, values: Values, touched: readonly string[] | 'all') => {
  const problems: string[] = []
  compileCondicoes(definicao)(
    (campo) => values[campo] ?? null,
    (campo) => touched === 'all' || touched.includes(campo),
    (nome, code, params) => problems.push(`${nome} ${code} ${Object.values(params).join()}`.trim()),
  )
  return problems
}

describe('rules between fields', () => {
  const VACINADO = 'dados_especificos.vacinado'
  const DOSE = 'dados_especificos.data_dose'
  const of = (values: Values, touched: readonly string[] | 'all' = 'all') =>
    problemsOf(definicao, values, touched)

  it('refuse a value that the form does not show, and keep one that another change hides', () => {
    const values = { [VACINADO]: false, [DOSE]: '2024-01-01' }
    assert.deepEqual(of(values), [`data_dose INCONSISTENT ${VACINADO}`])
    assert.deepEqual(of(values, [VACINADO]), [])
    assert.deepEqual(
      escondidos(definicao)((campo) => (values as Values)[campo] ?? null),
      ['data_dose'],
    )
    assert.deepEqual(
      escondidos(definicao)((campo) => ({ ...values, [VACINADO]: true })[campo] ?? null),
      [],
    )
    assert.deepEqual(
      escondidos(definicao)(() => null),
      [],
    )
  })

  it('require a field where its condition holds and one of the fields is sent', () => {
    const [doses, lote, exame] = ['doses', 'lote', 'exame'].map((nome) => `dados_especificos.${nome}`) as [
      string,
      string,
      string,
    ]
    assert.deepEqual(of({ [doses]: 2 }), ['lote REQUIRED'])
    assert.deepEqual(of({ [doses]: 2 }, [doses]), ['lote REQUIRED'])
    assert.deepEqual(of({ [doses]: 2 }, [lote]), ['lote REQUIRED'])
    assert.deepEqual(of({ [doses]: 2 }, ['evolucao']), [])
    assert.deepEqual(of({ [doses]: 1 }), [])
    assert.deepEqual(of({ [doses]: 1, [exame]: 'reagente' }), ['lote REQUIRED'])
    assert.deepEqual(of({ [doses]: 2, [lote]: 'A1' }), [])
  })

  it('keep the order of dates, equal ones being fine', () => {
    const values = {
      [VACINADO]: true,
      paciente_data_nascimento: '2020-05-05',
      data_notificacao: '2021-05-05',
    }
    assert.deepEqual(of({ ...values, [DOSE]: '2020-05-04' }), ['data_dose BEFORE paciente_data_nascimento'])
    assert.deepEqual(of({ ...values, [DOSE]: '2021-05-06' }), ['data_dose AFTER data_notificacao'])
    assert.deepEqual(of({ ...values, [DOSE]: '2021-05-06' }, ['data_notificacao']), [
      'data_dose AFTER data_notificacao',
    ])
    assert.deepEqual(of({ ...values, [DOSE]: '2021-05-06' }, [VACINADO]), [])
    for (const day of ['2020-05-05', '2021-05-05']) assert.deepEqual(of({ ...values, [DOSE]: day }), [])
  })

  it('require always what is always required, unless it is hidden or retired', () => {
    const always = (more: object) =>
      definicaoOf({
        ...PEQUENA,
        campos: [
          { nome: 'a', rotulo: 'A', tipo: 'bool', grupo: 'G' },
          {
            nome: 'b',
            rotulo: 'B',
            tipo: 'opcoes',
            grupo: 'G',
            obrigatorio: true,
            opcoes: [{ codigo: 'x', rotulo: 'X' }],
            ...more,
          },
        ],
      })
    assert.deepEqual(problemsOf(always({}), {}, 'all'), ['b REQUIRED'])
    assert.deepEqual(problemsOf(always({}), { 'dados_especificos.b': [] }, 'all'), ['b REQUIRED'])
    assert.deepEqual(problemsOf(always({}), {}, []), [])
    assert.deepEqual(problemsOf(always({ ativo: false }), {}, 'all'), [])
    const hidden = always({ mostrar_quando: [{ campo: 'a', op: 'presente' }] })
    assert.deepEqual(problemsOf(hidden, {}, 'all'), [])
    assert.deepEqual(problemsOf(hidden, { 'dados_especificos.a': false }, ['dados_especificos.a']), [
      'b REQUIRED',
    ])
  })
})

/** Reads the rules once more from the JSON at every question, as the text of the definition says them. */
function naive(definicao: Definicao, values: Values, touched: ReadonlySet<string>): string[] {
  const own = new Map(definicao.campos.filter(isProprio).map((campo) => [campo.nome, campo]))
  const flat = (nome: string) => {
    const campo = own.get(nome)
    if (campo !== undefined) return `${campo.sigiloso ? 'dados_sigilosos' : 'dados_especificos'}.${nome}`
    return nome === 'febre' ? 'dados_especificos.febre' : nome
  }
  const sent = (nome: string) => flat(nome).replace('dados_sigilosos', 'dados_especificos')
  const stored = (nome: string) => {
    const value = values[flat(nome)] ?? null
    return Array.isArray(value) && value.length === 0 ? null : value
  }
  const holds = ({ campo, op, valor }: Condicao): boolean => {
    const value = stored(campo)
    if (op === 'ausente') return value === null
    if (value === null) return op === 'ne'
    const items = Array.isArray(value) ? value : [value]
    if (op === 'presente') return true
    if (op === 'eq') return items.includes(valor)
    if (op === 'ne') return !items.includes(valor)
    if (op === 'in') return items.some((item) => (valor as unknown[]).includes(item))
    const [a, b] = [value as number, valor as number]
    return op === 'gt' ? a > b : op === 'gte' ? a >= b : op === 'lt' ? a < b : a <= b
  }
  const all = (list: Condicao[] | undefined, modo: string) =>
    modo === 'todos' ? list?.every(holds) : list?.some(holds)
  const told: string[] = []
  const blame = (campo: CampoProprio) => {
    const value = stored(campo.nome)
    const isSent = (nome: string) => touched.has(flat(nome))
    const { mostrar_quando: mostrar, obrigatorio_quando: quando } = campo
    if (all(mostrar, campo.mostrar_quando_modo) === false) {
      if (value !== null && isSent(campo.nome))
        told.push(`${campo.nome} INCONSISTENT ${sent(mostrar?.find((one) => !holds(one))?.campo ?? '')}`)
      return
    }
    const near = [campo.nome, ...[...(mostrar ?? []), ...(quando ?? [])].map((one) => one.campo)]
    const must = campo.obrigatorio || all(quando, campo.obrigatorio_quando_modo) === true
    if (value === null && must && near.some(isSent)) told.push(`${campo.nome} REQUIRED`)
    for (const [other, code] of [
      [campo.depois_de, 'BEFORE'],
      [campo.antes_de, 'AFTER'],
    ] as const) {
      if (other === undefined || value === null || stored(other) === null) continue
      const [a, b] = [value as string, stored(other) as string]
      if ((code === 'BEFORE' ? a < b : a > b) && (isSent(campo.nome) || isSent(other)))
        told.push(`${campo.nome} ${code} ${sent(other)}`)
    }
  }
  for (const campo of own.values()) if (campo.ativo) blame(campo)
  return told
}

describe('compiled rules', () => {
  const DAYS = ['2024-01-01', '2024-01-02', '2024-02-01']
  const VALUES: Record<string, readonly unknown[]> = {
    bool: [true, false],
    opcao: ['x', 'y'],
    opcoes: [['x'], ['x', 'y'], []],
    inteiro: [0, 1, 2],
    data: DAYS,
    texto: ['a', 'b'],
  }
  const OPS: Record<string, readonly string[]> = {
    inteiro: ['gt', 'gte', 'lt', 'lte'],
    data: ['gt', 'gte', 'lt', 'lte'],
  }
  const standard = [
    { nome: 'febre', tipo: 'bool' },
    { nome: 'data_notificacao', tipo: 'data' },
  ]
  type Named = { nome: string; tipo: string }

  const conditionOn = (fields: readonly Named[]) =>
    fc.constantFrom(...fields).chain(({ nome, tipo }) => {
      const items = (VALUES[tipo] as readonly unknown[]).flat()
      return fc.oneof(
        fc.record({ campo: fc.constant(nome), op: fc.constantFrom('presente', 'ausente') }),
        fc.record({
          campo: fc.constant(nome),
          op: fc.constantFrom('eq', 'ne', ...(OPS[tipo] ?? [])),
          valor: fc.constantFrom(...items),
        }),
        fc.record({
          campo: fc.constant(nome),
          op: fc.constant('in'),
          valor: fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 }),
        }),
      )
    })

  const fieldAfter = (earlier: readonly Named[], nome: string) =>
    fc.constantFrom(...Object.keys(VALUES)).chain((tipo) => {
      const conditions = fc.option(fc.array(conditionOn(earlier), { minLength: 1, maxLength: 3 }), {
        nil: null,
      })
      const dates = earlier.filter((one) => one.tipo === 'data').map((one) => one.nome)
      const order = tipo === 'data' ? fc.constantFrom(null, ...dates) : fc.constant(null)
      return fc.record({
        nome: fc.constant(nome),
        tipo: fc.constant(tipo),
        rotulo: fc.constant('R'),
        grupo: fc.constant('G'),
        opcoes: fc.constant(
          tipo.startsWith('opc')
            ? [
                { codigo: 'x', rotulo: 'X' },
                { codigo: 'y', rotulo: 'Y' },
              ]
            : [],
        ),
        minimo: fc.constant(tipo === 'inteiro' ? 0 : null),
        maximo: fc.constant(tipo === 'inteiro' ? 9 : null),
        mostrar_quando: conditions,
        mostrar_quando_modo: fc.constantFrom('todos', 'algum'),
        obrigatorio: fc.boolean(),
        obrigatorio_quando: conditions,
        obrigatorio_quando_modo: fc.constantFrom('todos', 'algum'),
        depois_de: order,
        antes_de: order,
        sigiloso: fc.boolean(),
        ativo: fc.boolean(),
      })
    })

  const fields = [...'abcde'].reduce(
    (list, nome) =>
      list.chain((earlier) =>
        fieldAfter([...standard, ...earlier], nome).map((campo) => [...earlier, campo as Named]),
      ),
    fc.constant<Named[]>([]),
  )
  const caso = fields.chain((campos) => {
    const definicao = definicaoOf({ ...PEQUENA, campos: [{ padrao: 'dados_especificos.febre' }, ...campos] })
    const named: [string, string][] = [
      ['dados_especificos.febre', 'bool'],
      ['data_notificacao', 'data'],
      ...compileProprios(definicao).map(({ flat, campo }): [string, string] => [flat, campo.tipo]),
    ]
    const values = fc.record(
      Object.fromEntries(
        named.map(([flat, tipo]) => [flat, fc.constantFrom(null, ...(VALUES[tipo] as unknown[]))]),
      ),
    )
    return fc.tuple(fc.constant(definicao), values, fc.subarray(named.map(([flat]) => flat)))
  })

  it('say what a plain reading of the definition says', () => {
    fc.assert(
      fc.property(caso, ([definicao, values, touched]) => {
        assert.deepEqual(problemsOf(definicao, values, touched), naive(definicao, values, new Set(touched)))
      }),
      { numRuns: 2_000, seed: 20_261_117 },
    )
  })
})
