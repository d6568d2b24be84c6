import { CAMPOS, type Campo, FIELD_NAMES, type FieldName, leafOf } from '../campos.ts'
import { padraoOf } from './blocos.ts'
import { type CampoProprio, type Definicao, isProprio } from './definicao.ts'

/** Fields by the names that a definition uses for them, each with the values that it can hold. */

export type Valores =
  | { tipo: 'bool' | 'data' | 'municipio' | 'textos' | 'locais' }
  | { tipo: 'opcao' | 'opcoes'; codigos: ReadonlySet<string> }
  | { tipo: 'inteiro' | 'numero'; minimo: number; maximo: number }
  | { tipo: 'texto'; max: number }

export interface CampoConhecido {
  /** Name in requests and answers, a dot leads into a group. */
  enviado: string
  /** Name inside the service: encrypted fields of a definition have a group of their own. */
  flat: string
  valores: Valores
}

const PADRAO = new Map<string, FieldName>([
  ...FIELD_NAMES.map((nome) => [leafOf(nome), nome] as const),
  ...FIELD_NAMES.map((nome) => [nome, nome] as const),
])

/** Standard field by its name or the last part of it. */
export const padraoNamed = (nome: string): FieldName | null => PADRAO.get(nome) ?? null

const LEAVES = new Set(FIELD_NAMES.map(leafOf))
export const isPadraoLeaf = (nome: string) => LEAVES.has(nome)

export const sentName = (nome: string) => `dados_especificos.${nome}`
export const flatName = ({ nome, sigiloso }: Pick<CampoProprio, 'nome' | 'sigiloso'>) =>
  `${sigiloso ? 'dados_sigilosos' : 'dados_especificos'}.${nome}`

type Vocabularios = Pick<Definicao, 'codigo' | 'classificacoes' | 'criterios' | 'evolucoes'>
const codesOf = (codigos: readonly { codigo: string }[]) => codigos.map(({ codigo }) => codigo)

/** Codes that a definition allows in a standard field; null: those of the table of fields. */
export function allowedCodes(nome: FieldName, definicao: Vocabularios): string[] | null {
  switch (nome) {
    case 'tipo_agravo':
      return [definicao.codigo]
    case 'classificacao_inicial':
      return ['suspeito', ...codesOf(definicao.classificacoes)]
    case 'classificacao_final':
      return codesOf(definicao.classificacoes)
    case 'criterio_confirmacao':
      return codesOf(definicao.criterios)
    case 'evolucao':
      return codesOf(definicao.evolucoes)
    default:
      return null
  }
}

export function valoresDoPadrao(nome: FieldName, definicao: Vocabularios): Valores {
  const campo: Campo = CAMPOS[nome]
  switch (campo.kind) {
    case 'boolean':
      return { tipo: 'bool' }
    case 'date':
      return { tipo: 'data' }
    case 'one-of':
      return { tipo: 'opcao', codigos: new Set(allowedCodes(nome, definicao) ?? campo.values) }
    case 'list-of':
      return { tipo: 'opcoes', codigos: new Set(campo.values) }
    case 'integer':
      return { tipo: 'inteiro', minimo: campo.min, maximo: campo.max }
    case 'number':
      return { tipo: 'numero', minimo: campo.min, maximo: campo.max }
    case 'text':
      return { tipo: 'texto', max: campo.max }
    case 'code':
      return { tipo: 'texto', max: LONGEST_CODE }
    case 'municipio':
      return { tipo: 'municipio' }
    case 'texts':
      return { tipo: 'textos' }
    case 'locais':
      return { tipo: 'locais' }
  }
}
const LONGEST_CODE = 20

export function valoresDoProprio(campo: CampoProprio): Valores {
  switch (campo.tipo) {
    case 'opcao':
    case 'opcoes':
      return { tipo: campo.tipo, codigos: new Set(codesOf(campo.opcoes)) }
    case 'inteiro':
    case 'numero':
      return { tipo: campo.tipo, minimo: campo.minimo as number, maximo: campo.maximo as number }
    case 'texto':
      return { tipo: 'texto', max: campo.max as number }
    default:
      return { tipo: campo.tipo }
  }
}

/** Look-up of fields by name; own ones are found once they are added. */
export class CamposConhecidos {
  readonly #campos = new Map<string, CampoConhecido>()

  constructor(definicao: Vocabularios & Pick<Definicao, 'blocos' | 'campos'>) {
    for (const nome of padraoOf(definicao)) {
      const campo = { enviado: nome, flat: nome, valores: valoresDoPadrao(nome, definicao) }
      this.#campos.set(nome, campo)
      this.#campos.set(leafOf(nome), campo)
    }
  }

  add(campo: CampoProprio): void {
    const { nome } = campo
    this.#campos.set(nome, {
      enviado: sentName(nome),
      flat: flatName(campo),
      valores: valoresDoProprio(campo),
    })
  }

  named(nome: string): CampoConhecido | null {
    return this.#campos.get(nome) ?? null
  }
}

/** All fields of a definition that was read without problem. */
export function conhecidosOf(definicao: Definicao): CamposConhecidos {
  const campos = new CamposConhecidos(definicao)
  for (const campo of definicao.campos) if (isProprio(campo)) campos.add(campo)
  return campos
}
