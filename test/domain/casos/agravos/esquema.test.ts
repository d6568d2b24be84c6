import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { compileCondicoes, compileProprios } from '../../../../src/domain/casos/agravos/conferir.ts'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import type { Definicao } from '../../../../src/domain/casos/agravos/definicao.ts'
import { esquemaOf } from '../../../../src/domain/casos/agravos/esquema.ts'
import { MODELOS } from '../../../../src/domain/casos/agravos/modelos.ts'
import { definicaoOf, type Json, PEQUENA } from './definicoes.ts'

const OPTIONS = { strict: true, allowUnionTypes: true, allErrors: true }
function validatorOf(definicao: Definicao) {
  const ajv = new Ajv2020(OPTIONS)
  addFormats.default(ajv, ['date'])
  return ajv.compile(esquemaOf(definicao))
}

const BODY: Json = {
  tipo_agravo: 'coqueluche',
  numero_notificacao: '1',
  data_notificacao: '2026-03-12',
  paciente_nome: 'Maria',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
}
const validate = validatorOf(definicaoOf(PEQUENA))
const errorsOf = (body: Json) => {
  validate({ ...BODY, ...body })
  return [
    ...new Set(
      (validate.errors ?? [])
        .filter(({ keyword }) => keyword !== 'if')
        .map(({ instancePath, keyword }) => `${instancePath} ${keyword}`),
    ),
  ]
}
const ofOwn = (dados_especificos: Json) => errorsOf({ dados_especificos })

describe('the schema of a disease', () => {
  it('compiles for every shipped one and takes a small body', () => {
    for (const definicao of [...CONHECIDOS, ...MODELOS]) {
      const check = validatorOf(definicao)
      assert.equal(check({ ...BODY, tipo_agravo: definicao.codigo }), true, JSON.stringify(check.errors))
      assert.equal(check({ ...BODY, tipo_agravo: 'outro' }), false)
      assert.equal(check({}), false)
    }
  })

  it('refuses other codes, and standard fields that the disease does not have', () => {
    assert.deepEqual(errorsOf({ classificacao_final: 'confirmado' }), [])
    assert.deepEqual(errorsOf({ classificacao_final: 'dengue_grave' }), ['/classificacao_final enum'])
    assert.deepEqual(errorsOf({ uti: true }), ['/uti type'])
    assert.deepEqual(errorsOf({ uti: null, evolucao: null }), [])
    assert.deepEqual(errorsOf({ tipo_agravo: 'dengue' }), ['/tipo_agravo enum'])
    assert.deepEqual(errorsOf({ dados_especificos: { febre: true, mialgia: true } }), [
      '/dados_especificos/mialgia type',
    ])
  })

  it('checks own values', () => {
    assert.deepEqual(
      ofOwn({
        vacinado: true,
        exame: 'reagente',
        sinais: ['tosse'],
        doses: 1,
        peso: 3.5,
        obs: 'x',
        origem: 2_611_606,
        lote: 'A',
      }),
      [],
    )
    assert.deepEqual(ofOwn({ vacinado: 'x' }), ['/dados_especificos/vacinado type'])
    assert.deepEqual(ofOwn({ exame: 'x', lote: 'A' }), ['/dados_especificos/exame enum'])
    assert.deepEqual(ofOwn({ sinais: ['soluco'] }), ['/dados_especificos/sinais/0 enum'])
    assert.deepEqual(ofOwn({ sinais: ['tosse', 'tosse'] }), ['/dados_especificos/sinais uniqueItems'])
    assert.deepEqual(ofOwn({ doses: 10, lote: 'A' }), ['/dados_especificos/doses maximum'])
    assert.deepEqual(ofOwn({ obs: 'x'.repeat(31) }), ['/dados_especificos/obs maxLength'])
    assert.deepEqual(ofOwn({ peso: 0 }), ['/dados_especificos/peso minimum'])
    assert.deepEqual(ofOwn({ vacinado: true, data_dose: '2026-02-30' }), [
      '/dados_especificos/data_dose format',
    ])
  })

  it('has conditions', () => {
    assert.deepEqual(ofOwn({ data_dose: '2026-01-01' }), ['/dados_especificos/data_dose type'])
    assert.deepEqual(ofOwn({ vacinado: true, data_dose: '2026-01-01' }), [])
    assert.deepEqual(ofOwn({ doses: 2 }), ['/dados_especificos required'])
    assert.deepEqual(ofOwn({ doses: 2, lote: ' ' }), ['/dados_especificos/lote pattern'])
    assert.deepEqual(ofOwn({ exame: 'reagente' }), ['/dados_especificos required'])
    assert.deepEqual(ofOwn({ exame: 'nao_reagente', doses: 1 }), [])
  })

  it('takes nothing in a retired field, and demands what is always required', () => {
    const campo = { nome: 'a', rotulo: 'A', tipo: 'texto', grupo: 'G' }
    const retired = validatorOf(definicaoOf({ ...PEQUENA, campos: [{ ...campo, ativo: false }] }))
    assert.equal(retired({ ...BODY, dados_especificos: { a: 'x' } }), false)
    assert.equal(retired({ ...BODY, dados_especificos: { a: null } }), true)
    const required = validatorOf(definicaoOf({ ...PEQUENA, campos: [{ ...campo, obrigatorio: true }] }))
    assert.equal(required(BODY), false)
    for (const a of [null, '', ' ']) assert.equal(required({ ...BODY, dados_especificos: { a } }), false)
    assert.equal(required({ ...BODY, dados_especificos: { a: 'x' } }), true)
  })

  it('compares dates as the compiled rules do', () => {
    const day = fc
      .date({ min: new Date('1990-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
      .map((one) => one.toISOString().slice(0, 10))
    const near = day.chain((one) => fc.tuple(fc.constant(one), fc.oneof(day, fc.constant(one))))
    fc.assert(
      fc.property(near, fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), ([valor, sent], op) => {
        const campos = [
          { nome: 'dia', rotulo: 'D', tipo: 'data', grupo: 'G' },
          {
            nome: 'b',
            rotulo: 'B',
            tipo: 'bool',
            grupo: 'G',
            obrigatorio_quando: [{ campo: 'dia', op, valor }],
          },
        ]
        const definicao = definicaoOf({ ...PEQUENA, campos })
        const values: Json = { 'dados_especificos.dia': sent }
        let required = false
        compileCondicoes(definicao)(
          (campo) => values[campo] ?? null,
          () => true,
          () => {
            required = true
          },
        )
        assert.equal(validatorOf(definicao)({ ...BODY, dados_especificos: { dia: sent } }), !required)
      }),
      { numRuns: 100, seed: 7 },
    )
  })

  it('agrees with the compiled checks on bodies of the small disease', () => {
    const definicao = definicaoOf(PEQUENA)
    const proprios = compileProprios(definicao)
    const rules = compileCondicoes(definicao)
    const some = <T>(...values: T[]) => fc.constantFrom<T | null>(null, ...values)
    const bodies = fc.record({
      vacinado: some<unknown>(true, false, 'x'),
      exame: some<unknown>('reagente', 'nao_reagente', 'x', 1),
      sinais: some<unknown>(['tosse'], [], ['soluco'], 'tosse', ['tosse', 'tosse']),
      doses: some<unknown>(0, 1, 2, 10, 1.5, '1'),
      peso: some<unknown>(1, 0.1, '1'),
      data_dose: some<unknown>('2020-01-01', '2020-02-30', 5),
      obs: some<unknown>('x', 'x'.repeat(31), 'a\0'),
      origem: some<unknown>('Recife', 2_611_606, true),
      lote: some<unknown>('A', 5),
    })
    fc.assert(
      fc.property(bodies, (body: Json) => {
        const valueOfNamed = new Map(proprios.map(({ nome, flat }) => [flat, body[nome] ?? null]))
        let wrong = proprios.some(({ nome, check }) => check(body[nome] ?? null) !== null)
        if (!wrong)
          rules(
            (campo) => valueOfNamed.get(campo) ?? null,
            () => true,
            () => {
              wrong = true
            },
          )
        assert.equal(validate({ ...BODY, dados_especificos: body }), !wrong, JSON.stringify(validate.errors))
      }),
      { numRuns: 2_000, seed: 11 },
    )
  })
})
