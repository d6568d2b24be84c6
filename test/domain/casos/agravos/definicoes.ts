import { CONHECIDOS } from '../../../../src/domain/casos/agravos/conhecidos.ts'
import type { CampoProprio, Definicao } from '../../../../src/domain/casos/agravos/definicao.ts'
import { lerDefinicao } from '../../../../src/domain/casos/agravos/ler.ts'
import { VOCABULARIO } from '../../../../src/domain/casos/agravos/vocabulario.ts'

/** Definitions that tests make: a small one that has a field of each kind, and changes of it. */

export type Json = Record<string, unknown>

const opcao = (codigo: string, sinan: string[] = []): Json => ({ codigo, rotulo: `Opção ${codigo}`, sinan })

export const CAMPOS: Json[] = [
  { padrao: 'dados_especificos.febre', sinan: ['FEBRE'] },
  {
    nome: 'vacinado',
    rotulo: 'Vacinado',
    tipo: 'bool',
    grupo: 'Vacina',
    sinan: ['VACINADO'],
    filtravel: true,
  },
  {
    nome: 'exame',
    rotulo: 'Exame',
    rotulo_en: 'Test',
    tipo: 'opcao',
    grupo: 'Laboratório',
    opcoes: [opcao('reagente', ['1']), opcao('nao_reagente', ['2'])],
  },
  {
    nome: 'sinais',
    rotulo: 'Sinais',
    tipo: 'opcoes',
    grupo: 'Clínica',
    opcoes: [opcao('tosse'), opcao('coriza'), { ...opcao('soluco'), ativo: false }],
  },
  { nome: 'doses', rotulo: 'Doses', tipo: 'inteiro', grupo: 'Vacina', minimo: 0, maximo: 9 },
  { nome: 'peso', rotulo: 'Peso', tipo: 'numero', grupo: 'Clínica', minimo: 0.5, maximo: 300, casas: 1 },
  {
    nome: 'data_dose',
    rotulo: 'Data da dose',
    tipo: 'data',
    grupo: 'Vacina',
    mostrar_quando: [{ campo: 'vacinado', op: 'eq', valor: true }],
    depois_de: 'paciente_data_nascimento',
    antes_de: 'data_notificacao',
  },
  { nome: 'obs', rotulo: 'Observação', tipo: 'texto', grupo: 'Clínica', max: 30 },
  { nome: 'origem', rotulo: 'Origem', tipo: 'municipio', grupo: 'Clínica' },
  {
    nome: 'lote',
    rotulo: 'Lote',
    tipo: 'texto',
    grupo: 'Vacina',
    sigiloso: false,
    obrigatorio_quando: [
      { campo: 'doses', op: 'gte', valor: 2 },
      { campo: 'exame', op: 'in', valor: ['reagente'] },
    ],
    obrigatorio_quando_modo: 'algum',
  },
]

export const PEQUENA: Json = {
  codigo: 'coqueluche',
  nome: 'Coqueluche',
  cid10_codes: ['A37.9'],
  blocos: ['notificacao', 'paciente', 'residencia', 'conclusao'],
  sinan: {
    agravos: ['A379'],
    prefixos: ['A37'],
    arquivo: 'COQU',
    colunas: { evolucao: 'EVO_CASO', cnes: null },
  },
  classificacoes: [
    { codigo: 'confirmado', sinan: ['1'] },
    { codigo: 'descartado', sinan: ['2'] },
  ],
  criterios: [{ codigo: 'laboratorial', sinan: ['1'] }],
  evolucoes: [
    { codigo: 'cura', sinan: ['1'] },
    { codigo: 'mudanca_diagnostico', sinan: ['5'], classificacao: 'descartado' },
  ],
  campos: CAMPOS,
}

export const ler = (json: unknown, outras: readonly Definicao[] = CONHECIDOS) =>
  lerDefinicao(json, { vocabulario: VOCABULARIO, outras })

/** A definition that must be right. */
export function definicaoOf(json: unknown): Definicao {
  const { definicao, problems } = ler(json)
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return definicao
}

/** A copy with the value at a dotted path replaced; `undefined` takes the key away. */
export function withValue(json: unknown, path: string, value: unknown): Json {
  const copy = structuredClone(json) as Json
  const parts = path.split('.')
  const leaf = parts.pop() as string
  const node = parts.reduce<Json>((inner, part) => inner[part] as Json, copy)
  if (value === undefined) delete node[leaf]
  else node[leaf] = value
  return copy
}

/** Place of a field in `CAMPOS`. */
export const indexOf = (nome: string) => CAMPOS.findIndex((campo) => campo.nome === nome)

export const proprioOf = (definicao: Definicao, nome: string) =>
  definicao.campos.find((campo) => 'nome' in campo && campo.nome === nome) as CampoProprio
