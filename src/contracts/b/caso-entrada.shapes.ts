import { type TSchema, Type } from 'typebox'
import { isCalendarDate } from '../../brasil/calendar.ts'
import {
  CAMPOS,
  type Campo,
  EXIGIDOS_AO_CRIAR,
  type Kind,
  type Local,
  NOMES,
  type NomeDeCampo,
} from '../../domain/casos/campos.ts'
import { DESCRICOES, LOCAL } from '../../domain/casos/descriptions.ts'
import type { Entrada } from '../../domain/casos/input.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import { Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { Telefone } from '../usuario-fields.shapes.ts'

/** Spec 2.7: flat fields, and groups that merge. The schemas come from the table of fields. */

const LocalFrequentado = Type.Object({
  local: ProseText({ maxLength: 200, description: LOCAL.local }),
  endereco: Type.Optional(Nullable(Text({ maxLength: 300, description: LOCAL.endereco }))),
  periodo: Type.Optional(Nullable(Text({ maxLength: 100, description: LOCAL.periodo }))),
})

function schemaOf(campo: Campo): TSchema {
  switch (campo.kind) {
    case 'text':
      return Text({ maxLength: campo.max })
    case 'code':
      return CODES[campo.form]
    case 'one-of':
      return OneOf(campo.values)
    case 'boolean':
      return Type.Boolean()
    case 'date':
      return Type.String({ format: 'date' })
    case 'integer':
      return Type.Integer({ minimum: campo.min, maximum: campo.max })
    case 'number':
      return Type.Number({ minimum: campo.min, maximum: campo.max })
    case 'municipio':
      return Type.Unsafe<string | number>({ type: ['string', 'integer'], maxLength: 100 })
    case 'list-of':
      return Type.Array(OneOf(campo.values), { uniqueItems: true })
    case 'texts':
      return Type.Array(ProseText({ maxLength: campo.max }), { maxItems: campo.items, uniqueItems: true })
    case 'locais':
      return Type.Array(LocalFrequentado, { maxItems: 50 })
  }
}

const CODES = {
  cep: Type.String({ pattern: '^\\d{5}-?\\d{3}$', 'x-format': 'cep' }),
  cnes: Type.String({ pattern: '^\\d{1,7}$', 'x-format': 'cnes' }),
  telefone: Telefone,
}

/** The form's result of an IgM test has words of its own. */
const RESULTADOS_IGM: Record<string, string> = { reagente: 'positivo', nao_reagente: 'negativo' }

/** Where a field has a second place in the interface. */
const ALIASES: Record<string, NomeDeCampo> = {
  ...Object.fromEntries(
    ['febre', 'mialgia', 'cefaleia', 'exantema', 'nausea', 'dor_retro_orbital', 'artralgia'].map((sinal) => [
      `dados_clinicos.sinais_sintomas.${sinal}`,
      `dados_especificos.${sinal}` as NomeDeCampo,
    ]),
  ),
  'dados_clinicos.sinais_alarme': 'dados_especificos.sinais_alarme',
  'dados_clinicos.hospitalizacao': 'hospitalizacao',
  'dados_clinicos.data_internacao': 'data_internacao',
  'dados_clinicos.uti': 'uti',
}

type Properties = { [name: string]: TSchema | Properties }

/** Every place a field can be sent to, as nested properties; a second place points to the first. */
function properties(demand: (nome: NomeDeCampo, accepted: TSchema) => TSchema): Properties {
  const root: Properties = {}
  const add = (name: string, nome: NomeDeCampo, documentation: object) =>
    place(root, name, demand(nome, Type.Unsafe({ ...acceptedOf(nome), ...documentation })))
  for (const nome of NOMES) add(nome, nome, { description: descriptionOf(nome) })
  for (const [alias, nome] of Object.entries(ALIASES))
    add(alias, nome, { deprecated: true, description: `Use \`${nome}\`` })
  return root
}

function place(root: Properties, name: string, schema: TSchema): void {
  const path = name.split('.')
  const leaf = path.pop() as string
  let node = root
  for (const group of path) {
    node[group] ??= {}
    node = node[group] as Properties
  }
  node[leaf] = schema
}

function descriptionOf(nome: NomeDeCampo): string {
  const how =
    CAMPOS[nome].kind === 'municipio' ? ': código IBGE (6 ou 7 dígitos) ou nome dentro do estado' : ''
  return `${DESCRICOES[nome]}${how}`
}

const isSchema = (node: TSchema | Properties): node is TSchema => 'type' in node

/** The groups are the same wherever a case is sent, so each is one component. */
const groupTitle = (name: string) =>
  `Entrada${name
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}`

function objectOf(nodes: Properties): Record<string, TSchema> {
  return Object.fromEntries(
    Object.entries(nodes).map(([name, node]) => [
      name,
      isSchema(node) ? node : Type.Optional(Type.Object(objectOf(node), { title: groupTitle(name) })),
    ]),
  )
}

const REQUIRED: readonly string[] = EXIGIDOS_AO_CRIAR

function acceptedOf(nome: NomeDeCampo): TSchema {
  const campo: Campo = CAMPOS[nome]
  if (nome === 'dados_laboratoriais.igm' && campo.kind === 'one-of')
    return OneOf([...campo.values, ...Object.keys(RESULTADOS_IGM)])
  if (!REQUIRED.includes(nome)) return schemaOf(campo)
  if (campo.kind === 'text') return ProseText({ maxLength: campo.max })
  // Blank, it would be no municipality at all.
  if (campo.kind === 'municipio') return { ...ProseText({ maxLength: 100 }), ...schemaOf(campo) }
  return schemaOf(campo)
}

const EXEMPLO = {
  tipo_agravo: 'dengue',
  numero_notificacao: '1234567',
  data_notificacao: '2026-03-12',
  data_inicio_sintomas: '2026-03-08',
  paciente_nome: 'Maria da Silva Santos',
  paciente_data_nascimento: '1990-05-20',
  paciente_sexo: 'F',
  paciente_gestante: false,
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  bairro_residencia: 'Boa Viagem',
  zona_residencia: 'urbana',
  dados_especificos: { febre: true, mialgia: true, prova_laco: 'negativa' },
}

export const CriarCaso = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    objectOf(
      properties((nome, accepted) =>
        REQUIRED.includes(nome) ? accepted : Type.Optional(Nullable(accepted)),
      ),
    ),
    { title: 'CriarCaso', examples: [EXEMPLO] },
  ),
)

export const AlterarCaso = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    objectOf(
      properties((nome, accepted) =>
        Type.Optional(REQUIRED.includes(nome) || nome === 'status' ? accepted : Nullable(accepted)),
      ),
    ),
    {
      title: 'AlterarCaso',
      description: 'Só os campos a alterar; os grupos se fundem com o que já existe',
      examples: [{ classificacao_final: 'dengue_grave', dados_laboratoriais: { ns1: 'positivo' } }],
    },
  ),
)

/** Where in a body each field may be. */
const PLACES = [...NOMES.map((nome) => [nome, nome] as const), ...Object.entries(ALIASES)].map(
  ([place, nome]) => ({ path: place.split('.'), nome }),
)

/** Nested body → flat fields. The same field sent twice with different values is a contradiction. */
export function fromCaso(body: unknown): { entrada: Entrada; problems: Problem[] } {
  const entrada: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const { path, nome } of PLACES) {
    const value = at(body, path)
    if (value === undefined || !fits(CAMPOS[nome], value)) continue
    const told = spoken(nome, value)
    if (entrada[nome] !== undefined && entrada[nome] !== told)
      problems.push(problem('body', path, 'INCONSISTENT', { field: nome }))
    entrada[nome] = told
  }
  return { entrada: entrada as Entrada, problems }
}

function at(body: unknown, path: string[]): unknown {
  let node = body
  for (const key of path) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Record<string, unknown>)[key]
  }
  return node
}

function spoken(nome: NomeDeCampo, value: unknown): unknown {
  if (CAMPOS[nome].kind === 'municipio' && typeof value === 'number') return String(value)
  if (nome === 'dados_laboratoriais.igm') return RESULTADOS_IGM[value as string] ?? value
  if (nome === 'investigacao.locais_frequentados' && value !== null)
    return (value as Local[]).map(({ local, endereco = null, periodo = null }) => ({
      local,
      endereco,
      periodo,
    }))
  return value
}

/** Whether the rules can look at a value; what the schema refuses need not be looked at twice. */
function fits(kind: Kind, value: unknown): boolean {
  if (value === null) return true
  switch (kind.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && isCalendarDate(value)
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'municipio':
      return typeof value === 'string' || typeof value === 'number'
    case 'list-of':
    case 'texts':
      return Array.isArray(value)
    case 'locais':
      return Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null)
    default:
      return typeof value === 'string'
  }
}
