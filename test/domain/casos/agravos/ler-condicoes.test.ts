import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CAMPOS, type Json, ler, PEQUENA } from './definicoes.ts'

const told = (json: unknown) => ler(json).problems.map(({ path, code }) => `${path.join('.')} ${code}`)

/** Problems of conditions on a field that stands last, by the path inside the list of them. */
const refuses = (condicoes: unknown, ...expected: string[]) => {
  for (const key of ['mostrar_quando', 'obrigatorio_quando']) {
    const campo = { nome: 'novo', rotulo: 'Novo', tipo: 'bool', grupo: 'Outros', [key]: condicoes }
    const campos = [...CAMPOS, campo, { nome: 'depois', rotulo: 'Depois', tipo: 'bool', grupo: 'Outros' }]
    const place = `campos.${CAMPOS.length}.${key}`
    assert.deepEqual(
      told({ ...PEQUENA, campos }),
      expected.map((one) => `${place}${one}`),
      JSON.stringify(condicoes),
    )
  }
}
const one = (campo: unknown, op: unknown, valor?: unknown) => [{ campo, op, valor }]

describe('conditions', () => {
  it('are one to eight', () => {
    const [condicao] = one('vacinado', 'presente')
    refuses([], ' TOO_FEW')
    refuses(Array.from({ length: 8 }, () => condicao))
    refuses(
      Array.from({ length: 9 }, () => condicao),
      ' TOO_MANY',
    )
    refuses('vacinado', ' INVALID_TYPE')
    refuses([7], '.0 INVALID_TYPE', '.0.campo REQUIRED', '.0.op REQUIRED')
  })

  it('look at fields that the disease has and that stand earlier', () => {
    for (const campo of ['depois', 'novo', 'nada', '__proto__', 'constructor', 'uti'])
      refuses(one(campo, 'presente'), '.0.campo UNKNOWN')
    for (const campo of ['vacinado', 'febre', 'dados_especificos.febre', 'data_notificacao'])
      refuses(one(campo, 'presente'))
    refuses(one(5, 'presente'), '.0.campo INVALID_TYPE')
  })

  it('have operators of the kind', () => {
    refuses(one('vacinado', 'like'), '.0.op INVALID_VALUE')
    for (const campo of ['vacinado', 'exame', 'sinais', 'obs', 'origem'])
      refuses(one(campo, 'gt', 1), '.0.op INVALID_VALUE')
    for (const [campo, valor] of [
      ['doses', 2],
      ['peso', 2.5],
      ['data_dose', '2024-02-29'],
    ])
      for (const op of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte']) refuses(one(campo, op, valor))
  })

  it('have values that the kind can have', () => {
    refuses(one('vacinado', 'eq', 'sim'), '.0.valor INVALID_TYPE')
    refuses(one('vacinado', 'eq'), '.0.valor REQUIRED')
    refuses(one('vacinado', 'eq', [true]), '.0.valor INVALID_TYPE')
    refuses(one('exame', 'eq', 1), '.0.valor INVALID_TYPE')
    refuses(one('exame', 'eq', 'talvez'), '.0.valor INVALID_VALUE')
    refuses(one('sinais', 'eq', 'soluco'))
    refuses(one('doses', 'eq', 1.5), '.0.valor INVALID_TYPE')
    refuses(one('doses', 'eq', '1'), '.0.valor INVALID_TYPE')
    refuses(one('data_dose', 'gt', 20_240_101), '.0.valor INVALID_TYPE')
    refuses(one('data_dose', 'gt', '2023-02-29'), '.0.valor INVALID_FORMAT')
    refuses(one('obs', 'eq', 'x'.repeat(1_001)), '.0.valor TOO_LONG')
    refuses(one('origem', 'eq', 2_611_606))
    refuses(one('origem', 'eq', 'Recife'), '.0.valor INVALID_TYPE')
    refuses(one('classificacao_final', 'eq', 'confirmado'))
    refuses(one('classificacao_final', 'eq', 'dengue_grave'), '.0.valor INVALID_VALUE')
    refuses(one('vacinado', 'presente', true), '.0.valor UNKNOWN_FIELD')
    refuses(one('exame', 'in', []), '.0.valor TOO_FEW')
    refuses(one('exame', 'in', 'reagente'), '.0.valor INVALID_TYPE')
    refuses(one('exame', 'in'), '.0.valor REQUIRED')
    refuses(
      one('exame', 'in', ['reagente', 'reagente', 'x']),
      '.0.valor.1 REPEATED',
      '.0.valor.2 INVALID_VALUE',
    )
  })

  it('are not blamed for a field that has problems of its own', () => {
    const campos = [
      { nome: 'a', rotulo: 'A', tipo: 'nada', grupo: 'G' },
      { nome: 'b', rotulo: 'B', tipo: 'bool', grupo: 'G', mostrar_quando: one('a', 'presente') },
    ]
    assert.deepEqual(told({ ...PEQUENA, campos }), ['campos.0.tipo INVALID_VALUE'])
  })

  it('are joined in one of two ways', () => {
    const campos = [
      ...CAMPOS.slice(0, 2),
      { nome: 'b', rotulo: 'B', tipo: 'bool', grupo: 'G', mostrar_quando_modo: 'x' },
    ]
    assert.deepEqual(told({ ...PEQUENA, campos }), ['campos.2.mostrar_quando_modo INVALID_VALUE'])
  })
})

describe('orders of dates', () => {
  const refusesDate = (key: string, value: unknown, ...expected: string[]) => {
    const campo = { nome: 'novo', rotulo: 'Novo', tipo: 'data', grupo: 'Outros', [key]: value }
    assert.deepEqual(
      told({ ...PEQUENA, campos: [...CAMPOS, campo] }),
      expected.map((one) => `campos.${CAMPOS.length}.${key} ${one}`),
    )
  }

  it('name a date field, not later in the list', () => {
    for (const key of ['depois_de', 'antes_de']) {
      for (const nome of ['data_dose', 'data_notificacao', 'data_obito']) refusesDate(key, nome)
      for (const nome of ['novo', 'nada', 'data_internacao']) refusesDate(key, nome, 'UNKNOWN')
      refusesDate(key, 'vacinado', 'INVALID_TYPE')
      refusesDate(key, 7, 'INVALID_TYPE')
    }
  })
})

describe('a layout', () => {
  const LAYOUT: Json = {
    nome: 'planilha',
    reconhecer: ['Nº', 'Início'],
    colunas: [
      { coluna: 'Nº', campo: 'numero_notificacao', le: 'texto', prefixo: 'P-' },
      { coluna: 'Início', campo: 'data_inicio_sintomas', le: 'data' },
      { coluna: 'Óbito', campo: 'evolucao', le: 'codigo', codigos: { Não: 'cura' } },
      { coluna: 'Vacina', campo: 'vacinado', le: 'codigo', codigos: { S: 'true', N: 'false' } },
    ],
    constantes: { classificacao_final: 'confirmado' },
    substitutos: { data_notificacao: 'data_inicio_sintomas' },
  }
  const refusesLayout = (change: Json, ...expected: string[]) =>
    assert.deepEqual(
      told({ ...PEQUENA, layouts: [{ ...LAYOUT, ...change }] }),
      expected.map((one) => `layouts.0.${one}`),
    )
  const coluna = (change: Json) => ({ colunas: [{ coluna: 'X', campo: 'obs', le: 'texto', ...change }] })

  it('has columns for fields that the disease has', () => {
    refusesLayout({})
    refusesLayout({ nome: 'A b' }, 'nome INVALID_FORMAT')
    refusesLayout({ reconhecer: [], colunas: [] }, 'reconhecer TOO_FEW', 'colunas TOO_FEW')
    refusesLayout({ reconhecer: ['A', 'A', ''] }, 'reconhecer.1 REPEATED', 'reconhecer.2 REQUIRED')
    refusesLayout(coluna({ campo: 'nada' }), 'colunas.0.campo UNKNOWN')
    refusesLayout(coluna({ le: 'regex' }), 'colunas.0.le INVALID_VALUE')
    refusesLayout(coluna({ le: 'data' }), 'colunas.0.le INCONSISTENT')
    refusesLayout(coluna({ le: 'codigo' }), 'colunas.0.codigos REQUIRED')
    refusesLayout(coluna({ codigos: { a: 'b' } }), 'colunas.0.codigos INCONSISTENT')
    refusesLayout(
      coluna({ campo: 'exame', le: 'codigo', codigos: { A: 'x' } }),
      'colunas.0.codigos.A INVALID_VALUE',
    )
    refusesLayout(
      coluna({ campo: 'vacinado', le: 'codigo', codigos: { A: true } }),
      'colunas.0.codigos.A INVALID_TYPE',
    )
    refusesLayout(
      coluna({ campo: 'exame', le: 'codigo', codigos: JSON.parse('{"__proto__": "reagente"}') }),
      'colunas.0.codigos.__proto__ INVALID_FORMAT',
    )
    refusesLayout(coluna({ campo: 'exame', le: 'padrao', prefixo: 'x' }), 'colunas.0.prefixo INCONSISTENT')
    refusesLayout({ colunas: [...coluna({}).colunas, ...coluna({}).colunas] }, 'colunas.1.campo REPEATED')
    refusesLayout({ colunas: [5] }, 'colunas.0 INVALID_TYPE')
  })

  it('has constants and stand-ins of the right kind', () => {
    refusesLayout(
      { constantes: { classificacao_final: 'x', nada: 'y' } },
      'constantes.classificacao_final INVALID_VALUE',
      'constantes.nada UNKNOWN',
    )
    refusesLayout({ substitutos: { data_notificacao: 'obs' } }, 'substitutos.data_notificacao INCONSISTENT')
    refusesLayout(
      { substitutos: { data_notificacao: 'data_notificacao' } },
      'substitutos.data_notificacao INCONSISTENT',
    )
    refusesLayout({ substitutos: { data_notificacao: null } }, 'substitutos.data_notificacao REQUIRED')
    assert.deepEqual(told({ ...PEQUENA, layouts: [LAYOUT, LAYOUT] }), ['layouts.1.nome REPEATED'])
    assert.deepEqual(
      told({ ...PEQUENA, layouts: Array.from({ length: 11 }, (_, i) => ({ ...LAYOUT, nome: `l${i}` })) }),
      ['layouts TOO_MANY'],
    )
    assert.deepEqual(told({ ...PEQUENA, layouts: [5] }), ['layouts.0 INVALID_TYPE'])
  })
})
