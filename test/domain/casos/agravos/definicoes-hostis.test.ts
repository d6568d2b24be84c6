import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import {
  compileCondicoes,
  compileProprios,
  escondidos,
} from '../../../../src/domain/casos/agravos/conferir.ts'
import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import { type Definicao, LIMITES } from '../../../../src/domain/casos/agravos/definicao.ts'
import { esquemaOf } from '../../../../src/domain/casos/agravos/esquema.ts'
import { formularioOf } from '../../../../src/domain/casos/agravos/formulario.ts'
import { canonical, lerDefinicao } from '../../../../src/domain/casos/agravos/ler.ts'
import { MODELOS } from '../../../../src/domain/casos/agravos/modelos.ts'
import { menoresMax, mudancasEntre, refusalsOf } from '../../../../src/domain/casos/agravos/versoes.ts'
import { VOCABULARIO } from '../../../../src/domain/casos/agravos/vocabulario.ts'
import { problemText } from '../../../../src/errors/texts.ts'
import { PEQUENA } from './definicoes.ts'

/**
 * Definitions with parts replaced, taken away, repeated and moved at random: none is an error of the service, none is accepted that
 * breaks what is made of it later. `DEFINICOES_RUNS` asks for more of them than a test run should take, `DEFINICOES_SEED` for others.
 */
const RUNS = Number(process.env.DEFINICOES_RUNS ?? 3_000)
const SEED = Number(process.env.DEFINICOES_SEED ?? 20_261_117)
/** One of so many accepted ones is compiled by a validator of JSON Schema, which takes longest. */
const COMPILED = 40

/** Random numbers below 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

type Random = () => number
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T

const BASES: readonly unknown[] = [PEQUENA, PEQUENA, PEQUENA, ...CONHECIDOS, ...MODELOS]
const BASE_TEXTS = BASES.map((base) => JSON.stringify(base))

const VALUES: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => -1,
  () => 1.5,
  () => 1e308,
  () => '',
  () => ' ',
  () => 'x'.repeat(1_001),
  () => '\u0000',
  () => '\ud800',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => '2024-02-30',
  () => '2024-02-29',
  () => 'bool',
  () => 'opcao',
  () => 'opcoes',
  () => 'numero',
  () => 'data',
  () => 'texto',
  () => 'municipio',
  () => 'algum',
  () => 'ne',
  () => 'in',
  () => 'lte',
  () => 'ausente',
  () => 'febre',
  () => 'evolucao',
  () => 'data_notificacao',
  () => 'investigacao.locais_frequentados',
  () => 'vacinado',
  () => 'confirmado',
  () => 'A90',
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ['x', 'x'],
  () => JSON.parse('{"__proto__": {"codigo": "x"}}'),
  () => Array.from({ length: 300 }, (_, i) => i),
  () => [{ campo: 'vacinado', op: 'eq', valor: true }],
  () => [{ campo: 'data_notificacao', op: 'gt', valor: '0001-01-01' }],
  () => [{ campo: 'municipio_residencia', op: 'eq', valor: 2_611_606 }],
]
const KEYS = [
  'ativo',
  'sigiloso',
  'filtravel',
  'obrigatorio',
  'mostrar_quando',
  'obrigatorio_quando',
  'mostrar_quando_modo',
  'depois_de',
  'antes_de',
  'classificacao_padrao',
  'layouts',
  'epidemiologia',
  'ajuda',
  'rotulo_en',
  'opcoes',
  '__proto__',
  'toJSON',
]

type Node = Record<string, unknown> | unknown[]

/** An object or list inside, at any depth. */
function someNode(random: Random, root: Node): Node {
  let node = root
  for (;;) {
    const inner = Object.values(node).filter(
      (value): value is Node => typeof value === 'object' && value !== null,
    )
    if (inner.length === 0 || random() < 0.25) return node
    node = pick(random, inner)
  }
}

function mutate(random: Random, root: Node): void {
  const node = someNode(random, root) as Record<string, unknown>
  const keys = Object.keys(node)
  const key = keys.length === 0 || random() < 0.2 ? pick(random, KEYS) : pick(random, keys)
  const action = random()
  if (Array.isArray(node) && action < 0.3)
    node.splice(Math.floor(random() * (node.length + 1)), 0, node[0] ?? 'x')
  else if (Array.isArray(node) && action < 0.5) node.reverse()
  else if (action < 0.6 && keys.length > 0) delete node[pick(random, keys)]
  else if (action < 0.7) define(node, key, structuredClone(someNode(random, root)))
  else define(node, key, pick(random, VALUES)())
}

/** As parsed JSON has it: also for `__proto__` a property of its own. */
const define = (node: object, key: string, value: unknown) =>
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true })

function definicaoAt(seed: number): unknown {
  const random = randomFrom(seed)
  const root = JSON.parse(pick(random, BASE_TEXTS)) as Node
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) mutate(random, root)
  return root
}

const outras = [...CONHECIDOS]
const read = (json: unknown) => lerDefinicao(json, { vocabulario: VOCABULARIO, outras })

function useOf(definicao: Definicao, random: Random): void {
  for (const language of ['pt-BR', 'en-US', 'es-ES'] as const)
    assert.ok(formularioOf(definicao, { language, vocabulario: VOCABULARIO }).grupos.length >= 4)
  const proprios = compileProprios(definicao)
  for (const { check } of proprios) {
    const refusal = check(pick(random, VALUES)())
    if (refusal !== null) assert.equal(typeof refusal.code, 'string')
  }
  const values = new Map(proprios.map(({ flat }) => [flat, pick(random, VALUES)()]))
  compileCondicoes(definicao)(
    (campo) => values.get(campo) ?? null,
    () => random() < 0.5,
    (nome) => assert.ok(proprios.some((one) => one.nome === nome)),
  )
  escondidos(definicao)((campo) => values.get(campo) ?? null)
  assert.ok(JSON.stringify(esquemaOf(definicao)).length > 0)
  assert.deepEqual(refusalsOf(definicao, definicao, { protegido: true }), [])
  assert.deepEqual(menoresMax(definicao, definicao), [])
  assert.deepEqual(mudancasEntre(definicao, definicao).textos, [])
}

describe('hostile definitions', () => {
  it(`are refused with paths, or work: ${RUNS} of them`, () => {
    let accepted = 0
    for (let i = 0; i < RUNS; i++) {
      const seed = SEED + i
      const json = definicaoAt(seed)
      try {
        const { definicao, problems } = read(json)
        assert.ok(problems.length <= LIMITES.problemas)
        for (const problem of problems) assert.ok(problemText(problem, 'pt-BR').length > 0)
        if (problems.length > 0) continue
        accepted++
        // Stored and read again, it is the same.
        const again = read(JSON.parse(canonical(definicao)))
        assert.deepEqual(again.problems, [])
        assert.equal(canonical(again.definicao), canonical(definicao))
        useOf(definicao, randomFrom(seed))
        if (accepted % COMPILED === 0) compileSchema(definicao)
      } catch (error) {
        throw new Error(`definition of DEFINICOES_SEED=${seed}: ${error}`, { cause: error })
      }
    }
    // Mutations that all fail, or none of them, would test nothing.
    assert.ok(accepted > RUNS / 50 && accepted < RUNS / 2, `${accepted} of ${RUNS} accepted`)
  })
})

function compileSchema(definicao: Definicao): void {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  addFormats.default(ajv, ['date'])
  ajv.compile(esquemaOf(definicao))
}
