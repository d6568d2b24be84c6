import type { Language } from '../../../errors/texts.ts'
import {
  CAMPOS,
  type Campo,
  CODES,
  type FieldName,
  isSecret,
  MAX_LOCAIS,
  REQUIRED_ON_CREATION,
} from '../campos.ts'
import { ROTULOS as EN } from '../rotulos/en-US.ts'
import { ROTULOS as ES } from '../rotulos/es-ES.ts'
import { ROTULOS as PT } from '../rotulos/pt-BR.ts'
import { CAMPOS_DO_BLOCO } from './blocos.ts'
import {
  type BlocoDeCampos,
  type CampoDaDefinicao,
  type CampoPadrao,
  type CampoProprio,
  type CodigoDoVocabulario,
  type CodigoPermitido,
  type Condicao,
  type Definicao,
  isProprio,
  type Lista,
  type ModoDeCondicao,
  type TipoDeCampo,
} from './definicao.ts'
import { INICIO, TITULOS } from './formulario-textos.ts'
import { type CamposConhecidos, conhecidosOf, sentName, valoresDoPadrao } from './nomes.ts'
import { wordsOf } from './vocabulario-textos.ts'

/** Form of a disease: its fields in groups, standard ones and its own described alike, for consoles to draw. */

export interface FormularioDoAgravo {
  codigo: string
  nome: string
  grupos: GrupoDoFormulario[]
}

export interface GrupoDoFormulario {
  /** Block of standard fields; null for a heading of the definition. */
  bloco: BlocoDeCampos | null
  rotulo: string
  campos: CampoDoFormulario[]
}

export interface CondicaoDoFormulario {
  modo: ModoDeCondicao
  /** Fields by the names as sent. */
  condicoes: Condicao[]
}

export interface CampoDoFormulario {
  /** As sent; a dot leads into a group. */
  nome: string
  rotulo: string
  /** The definition words it; else it is the label of a standard field. */
  renomeado: boolean
  ajuda: string | null
  tipo: TipoDeCampo | 'textos' | 'locais'
  /** Form of a text: postal code, code of a unit, telephone. */
  formato: string | null
  opcoes: { codigo: string; rotulo: string; ativo: boolean }[]
  minimo: number | null
  maximo: number | null
  casas: number | null
  /** Characters of a text, or of each of several. */
  max: number | null
  /** Most entries of a list. */
  itens: number | null
  depois_de: string | null
  antes_de: string | null
  obrigatorio: boolean
  obrigatorio_quando: CondicaoDoFormulario | null
  mostrar_quando: CondicaoDoFormulario | null
  sigiloso: boolean
  filtravel: boolean
  /** False: shown where there is a value, and not asked for. */
  ativo: boolean
}

interface Contexto {
  definicao: Definicao
  language: Language
  vocabulario: ReadonlyMap<string, CodigoDoVocabulario>
  conhecidos: CamposConhecidos
}

/** Blocks before and after the headings of the definition, in the order of the paper form. */
const BEFORE: readonly BlocoDeCampos[] = [
  'notificacao',
  'unidade',
  'paciente',
  'gestacao',
  'residencia',
  'arbovirus_clinico',
]
const AFTER: readonly BlocoDeCampos[] = [
  'arbovirus_laboratorio',
  'hospitalizacao',
  'infeccao',
  'conclusao',
  'investigacao',
]

export function formularioOf(
  definicao: Definicao,
  { language, vocabulario }: { language: Language; vocabulario: readonly CodigoDoVocabulario[] },
): FormularioDoAgravo {
  const contexto: Contexto = {
    definicao,
    language,
    vocabulario: new Map(vocabulario.map((one) => [keyOf(one.lista, one.codigo), one])),
    conhecidos: conhecidosOf(definicao),
  }
  const blocks = (blocos: readonly BlocoDeCampos[]) =>
    blocos.filter((bloco) => definicao.blocos.includes(bloco)).map((bloco) => blockOf(bloco, contexto))
  const grupos = [...blocks(BEFORE), ...ownGroups(contexto), ...blocks(AFTER)]
  return {
    codigo: definicao.codigo,
    nome: definicao.nome,
    grupos: grupos.filter(({ campos }) => campos.length > 0),
  }
}

const keyOf = (lista: Lista, codigo: string) => `${lista}.${codigo}`

function blockOf(bloco: BlocoDeCampos, contexto: Contexto): GrupoDoFormulario {
  return {
    bloco,
    rotulo: TITULOS[bloco][contexto.language],
    campos: CAMPOS_DO_BLOCO[bloco].map((nome) => padraoField(nome, contexto)),
  }
}

/** Headings in the order of appearance. A standard field outside the blocks stands under that of its neighbour in the list. */
function ownGroups(contexto: Contexto): GrupoDoFormulario[] {
  const { blocos, campos } = contexto.definicao
  const inBlocks = new Set<string>(blocos.flatMap((bloco) => CAMPOS_DO_BLOCO[bloco]))
  const first = campos.find(isProprio)?.grupo ?? TITULOS.arbovirus_clinico[contexto.language]
  const grupos = new Map<string, CampoDoFormulario[]>()
  let current = first
  for (const campo of campos) {
    if (isProprio(campo)) current = campo.grupo
    else if (inBlocks.has(campo.padrao)) continue
    const list = grupos.get(current) ?? []
    list.push(fieldOf(campo, contexto))
    grupos.set(current, list)
  }
  return [...grupos].map(([rotulo, list]) => ({ bloco: null, rotulo, campos: list }))
}

const fieldOf = (campo: CampoDaDefinicao, contexto: Contexto) =>
  isProprio(campo) ? proprioField(campo, contexto) : padraoField(campo.padrao as FieldName, contexto)

const NO_LIMITS = {
  formato: null,
  opcoes: [],
  minimo: null,
  maximo: null,
  casas: null,
  max: null,
  itens: null,
  depois_de: null,
  antes_de: null,
}

const ROTULOS: Record<Language, Record<FieldName, string>> = { 'pt-BR': PT, 'en-US': EN, 'es-ES': ES }

const LABELS: Record<Language, 'rotulo' | 'rotulo_en' | 'rotulo_es'> = {
  'pt-BR': 'rotulo',
  'en-US': 'rotulo_en',
  'es-ES': 'rotulo_es',
}

/** Label of an own field in a language; in Portuguese where the definition has no other. */
export const labelOf = (campo: CampoProprio, language: Language): string =>
  campo[LABELS[language]] ?? campo.rotulo

function proprioField(campo: CampoProprio, { language, conhecidos }: Contexto): CampoDoFormulario {
  const named = (nome: string | undefined) =>
    nome === undefined ? null : (conhecidos.named(nome)?.enviado ?? null)
  const when = (condicoes: Condicao[] | undefined, modo: ModoDeCondicao) =>
    condicoes === undefined
      ? null
      : { modo, condicoes: condicoes.map((one) => ({ ...one, campo: named(one.campo) ?? one.campo })) }
  return {
    ...NO_LIMITS,
    nome: sentName(campo.nome),
    rotulo: labelOf(campo, language),
    renomeado: true,
    ajuda: campo.ajuda ?? null,
    tipo: campo.tipo,
    opcoes: campo.opcoes.map(({ codigo, rotulo, ativo }) => ({ codigo, rotulo, ativo })),
    minimo: campo.minimo ?? null,
    maximo: campo.maximo ?? null,
    casas: campo.casas ?? null,
    max: campo.max ?? null,
    depois_de: named(campo.depois_de),
    antes_de: named(campo.antes_de),
    obrigatorio: campo.obrigatorio,
    obrigatorio_quando: when(campo.obrigatorio_quando, campo.obrigatorio_quando_modo),
    mostrar_quando: when(campo.mostrar_quando, campo.mostrar_quando_modo),
    sigiloso: campo.sigiloso,
    filtravel: campo.filtravel,
    ativo: campo.ativo,
  }
}

function padraoField(nome: FieldName, contexto: Contexto): CampoDoFormulario {
  return {
    ...NO_LIMITS,
    nome,
    rotulo: wordedBy(nome, contexto) ?? ROTULOS[contexto.language][nome],
    renomeado: wordedBy(nome, contexto) !== null,
    ajuda: null,
    ...limitsOf(nome, contexto),
    obrigatorio: (REQUIRED_ON_CREATION as readonly string[]).includes(nome),
    obrigatorio_quando: null,
    mostrar_quando: null,
    sigiloso: isSecret(nome),
    filtravel: false,
    ativo: true,
  }
}

/** Label that the definition gives to a standard field. */
function wordedBy(nome: FieldName, { definicao, language }: Contexto): string | null {
  const renamed = definicao.campos.find(
    (campo): campo is CampoPadrao => !isProprio(campo) && campo.padrao === nome,
  )
  if (renamed?.rotulo !== undefined) return renamed.rotulo
  return nome === 'data_inicio_sintomas' ? INICIO[definicao.data_de_inicio][language] : null
}

function limitsOf(nome: FieldName, contexto: Contexto) {
  const campo: Campo = CAMPOS[nome]
  const valores = valoresDoPadrao(nome, contexto.definicao)
  switch (valores.tipo) {
    case 'opcao':
    case 'opcoes':
      return {
        tipo: valores.tipo,
        opcoes: [...valores.codigos].map((codigo) => ({
          codigo,
          rotulo: codeLabel(nome, codigo, contexto),
          ativo: true,
        })),
      }
    case 'inteiro':
    case 'numero':
      return { tipo: valores.tipo, minimo: valores.minimo, maximo: valores.maximo }
    case 'texto':
      return campo.kind === 'code'
        ? { tipo: valores.tipo, formato: CODES[campo.form].expected }
        : { tipo: valores.tipo, max: valores.max }
    case 'textos':
      return campo.kind === 'texts'
        ? { tipo: valores.tipo, itens: campo.items, max: campo.max }
        : { tipo: valores.tipo }
    case 'locais':
      return { tipo: valores.tipo, itens: MAX_LOCAIS }
    default:
      return { tipo: valores.tipo }
  }
}

/** Lists of the standard fields whose codes are those of a vocabulary. */
const VOCABULARIES: Partial<
  Record<FieldName, { lista: Lista; key: 'classificacoes' | 'criterios' | 'evolucoes' }>
> = {
  classificacao_inicial: { lista: 'classificacao', key: 'classificacoes' },
  classificacao_final: { lista: 'classificacao', key: 'classificacoes' },
  criterio_confirmacao: { lista: 'criterio', key: 'criterios' },
  evolucao: { lista: 'evolucao', key: 'evolucoes' },
}

/** The definition's own word for a code, else that of every installation, else that of the vocabulary, which is in one language. */
function codeLabel(nome: FieldName, codigo: string, { definicao, language, vocabulario }: Contexto): string {
  if (nome === 'tipo_agravo') return definicao.nome
  const from = VOCABULARIES[nome]
  const permitidos: readonly CodigoPermitido[] = from === undefined ? [] : definicao[from.key]
  const own = permitidos.find((one) => one.codigo === codigo)?.rotulo
  const shared = from && vocabulario.get(keyOf(from.lista, codigo))?.rotulo
  return own ?? wordsOf(codigo, language) ?? shared ?? inWords(codigo)
}

function inWords(codigo: string): string {
  const words = codigo.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}
