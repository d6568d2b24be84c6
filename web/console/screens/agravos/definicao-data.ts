import type {
  CampoDaDefinicao,
  CampoPadrao,
  CampoProprio,
  CodigoPermitido,
  Condicao,
  Definicao,
  Opcao,
} from '../../../../src/domain/casos/agravos/definicao.ts'
import { FIELD_NAMES, type FieldName, leafOf } from '../../../../src/domain/casos/campos.ts'
import { slug } from '../../state/slug.ts'

/** A definition while it is written: the shape of the service, with rows that keep their identity when they move. */

export type { CampoPadrao, CampoProprio, CodigoPermitido, Condicao, Definicao }

export interface Linha {
  key: number
  campo: CampoDaDefinicao
  /** In force already: its name and kind are for ever, and it is retired instead of removed. */
  isStored: boolean
  /** Options as they are typed. */
  opcoes: string
}

export type LinhaPropria = Linha & { campo: CampoProprio }
export const isPropria = (linha: Linha): linha is LinhaPropria => 'nome' in linha.campo

/** Keys of a field that change; undefined: the field is to have none. */
export type Mudanca = { [K in keyof CampoProprio]?: CampoProprio[K] | undefined }

export const LISTAS = ['classificacoes', 'criterios', 'evolucoes'] as const
export type ListaDeCodigos = (typeof LISTAS)[number]

export const GRUPOS_DE: Record<ListaDeCodigos, readonly string[]> = {
  classificacoes: ['confirmado', 'descartado', 'inconclusivo'],
  criterios: ['final'],
  evolucoes: ['cura', 'obito_outras', 'obito_investigacao', 'outro', 'ignorado'],
}

/** Codes that every installation has, to choose from. */
export const CONHECIDOS: Record<ListaDeCodigos, readonly string[]> = {
  classificacoes: ['confirmado', 'descartado', 'inconclusivo'],
  criterios: ['laboratorial', 'clinico_epidemiologico', 'clinico', 'em_investigacao'],
  evolucoes: [
    ...['cura', 'obito', 'obito_outras_causas', 'obito_em_investigacao', 'ignorado', 'vivo', 'abandono'],
    ...['transferencia', 'mudanca_diagnostico', 'aborto', 'natimorto'],
  ],
}

export const TIPOS = [
  'bool',
  'opcao',
  'opcoes',
  'inteiro',
  'numero',
  'data',
  'texto',
  'municipio',
] as const satisfies readonly CampoProprio['tipo'][]

export const BLOCOS_OPCIONAIS = [
  'unidade',
  'infeccao',
  'hospitalizacao',
  'gestacao',
  'arbovirus_clinico',
  'arbovirus_laboratorio',
  'investigacao',
] as const satisfies readonly Definicao['blocos'][number][]

const code = (codigo: string, ...sinan: string[]): CodigoPermitido => ({ codigo, sinan })

/** Beginning from nothing: what most forms of SINAN have. */
export const vazia = (): Definicao => ({
  codigo: '',
  nome: '',
  descricao: '',
  cid10_codes: [],
  notificacao_obrigatoria: true,
  notificacao_imediata: false,
  prazo_encerramento_dias: 60,
  data_de_inicio: 'sintomas',
  blocos: ['notificacao', 'paciente', 'residencia', 'conclusao', 'unidade', 'infeccao', 'hospitalizacao'],
  sinan: { agravos: [], prefixos: [], colunas: {} },
  classificacoes: [code('confirmado', '1'), code('descartado', '2'), code('inconclusivo', '8')],
  criterios: [code('laboratorial', '1'), code('clinico_epidemiologico', '2')],
  evolucoes: [code('cura', '1'), code('obito', '2'), code('obito_outras_causas', '3'), code('ignorado', '9')],
  campos: [],
  layouts: [],
  epidemiologia: { curva: true, alertas: false, intervalo_geracao: null },
  fonte: '',
})

/** Another disease's definition as the beginning of a new one: what only one disease may claim is left out. */
export const copiada = (definicao: Definicao): Definicao => ({
  ...definicao,
  codigo: '',
  nome: '',
  sinan: { ...definicao.sinan, agravos: [], prefixos: [] },
})

let lastKey = 0

export const linhaOf = (campo: CampoDaDefinicao, isStored: boolean): Linha => ({
  key: ++lastKey,
  campo,
  isStored,
  opcoes: 'nome' in campo ? writeOpcoes(campo.opcoes) : '',
})

/** A new row: yes or no, under the heading of the row before. */
export const novaLinha = (grupo: string): Linha =>
  linhaOf(
    {
      ...{ nome: '', rotulo: '', tipo: 'bool', grupo, sinan: [], opcoes: [], obrigatorio: false },
      ...{ obrigatorio_quando_modo: 'todos', mostrar_quando_modo: 'todos' },
      ...{ sigiloso: false, filtravel: false, ativo: true },
    },
    false,
  )

/** Options in one line: `1=Reagente; 2=Não reagente`, the number being the code of SINAN. */
export const writeOpcoes = (opcoes: readonly Opcao[]): string =>
  opcoes
    .filter(({ ativo }) => ativo)
    .map(({ rotulo, sinan }) => (sinan.length === 0 ? rotulo : `${sinan.join(',')}=${rotulo}`))
    .join('; ')

/** Options that were there keep their codes by their words; stored ones that are left out are retired. */
export function readOpcoes(text: string, before: readonly Opcao[], isStored: boolean): Opcao[] {
  const named = text
    .split(';')
    .map((part) => /^\s*(?:([\w,]{1,20})\s*=)?\s*(.*?)\s*$/.exec(part))
    .flatMap((found) => (found?.[2] ? [{ rotulo: found[2], sinan: wordsOf(found[1] ?? '') }] : []))
  const read = named.map(({ rotulo, sinan }) => {
    const known = before.find((one) => one.rotulo === rotulo)
    return { codigo: known?.codigo ?? slug(rotulo, 60), rotulo, sinan, ativo: true }
  })
  const left = before.filter(({ codigo }) => !read.some((one) => one.codigo === codigo))
  return [...read, ...(isStored ? left.map((one) => ({ ...one, ativo: false })) : [])]
}

/** Standard fields, and the last parts of their names, by which a definition may name them. */
export const CAMPOS_PADRAO: readonly { nome: FieldName; folha: string }[] = FIELD_NAMES.map((nome) => ({
  nome,
  folha: leafOf(nome),
}))

/** Parts of a line that may hold blanks. */
export const partsOf = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)

/** `ÓBITO=obito; Alta=cura`; a part without a sign of equality is the name of nothing, which the service refuses. */
export const readPairs = (text: string): Record<string, string> =>
  Object.fromEntries(
    partsOf(text).map((part) => {
      const at = part.indexOf('=')
      return at === -1 ? [part, ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
    }),
  )

export const writePairs = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Words of a text field that takes several. */
export const wordsOf = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)

/** Fields of another kind: what the new one needs, and nothing of the old one. */
export function withTipo(campo: CampoProprio, tipo: CampoProprio['tipo']): CampoProprio {
  const { minimo: _1, maximo: _2, casas: _3, max: _4, depois_de: _5, antes_de: _6, ...rest } = campo
  const isChoice = tipo === 'opcao' || tipo === 'opcoes'
  return {
    ...rest,
    tipo,
    opcoes: isChoice ? campo.opcoes : [],
    sigiloso: tipo === 'texto',
    filtravel: campo.filtravel && (tipo === 'bool' || tipo === 'opcao'),
    ...((tipo === 'inteiro' || tipo === 'numero') && { minimo: 0, maximo: 999 }),
  }
}

/** Changed words change the name too, until the field is stored or has a name of its own. */
export function withRotulo({ campo, isStored }: LinhaPropria, rotulo: string): CampoProprio {
  const isMade = !isStored && campo.nome === slug(campo.rotulo, 40)
  return { ...campo, rotulo, nome: isMade ? slug(rotulo, 40) : campo.nome }
}

export const definicaoOf = (base: Definicao, linhas: readonly Linha[]): Definicao => ({
  ...base,
  campos: linhas.filter((linha) => !isBlank(linha)).map(({ campo }) => campo),
})

/** A row that nobody has written in is no field. */
export const isBlank = (linha: Linha): boolean =>
  isPropria(linha) && !linha.isStored && linha.campo.rotulo.trim() === '' && linha.campo.nome === ''

export interface Problema {
  campo: string
  mensagem: string
}

/** Problems of a place in the definition, and of all that is inside of it. */
export const problemsAt = (problemas: readonly Problema[], path: string): string[] =>
  problemas
    .filter(({ campo }) => campo === path || campo.startsWith(`${path}.`))
    .map(({ mensagem }) => mensagem)
