import { codigoDaSemana } from '../../../brasil/epi-week.ts'
import type { Municipios } from '../../../brasil/municipios.ts'
import { ESTADOS_IBGE, type Uf } from '../../../brasil/uf.ts'
import type { Definicao } from '../../casos/agravos/definicao.ts'
import type { CampoValue, FieldName } from '../../casos/campos.ts'
import type { AgravoConhecido, TipoAgravo } from '../../casos/enumeracoes.ts'
import { fieldReader, type WalkedCaso } from '../../casos/reading/walked.ts'
import { CLASSIFICACAO, type CodeTable, GESTANTE, LACO, SIM_NAO } from './codes.ts'
import type { SinanColumn } from './columns.ts'
import { isDigits } from './values.ts'
import { proprioWriter } from './writing-proprios.ts'

/**
 * Writers of the columns of SINAN: each kind of column read backwards. The compiler demands one for every kind that has a reader
 * (`steps.ts`). Columns without a field of ours are blank, but for those that follow from others (`DERIVED`).
 */

/** Cell of a case; dates in ISO 8601, empty where nothing is known. */
export type WriteColumn = (caso: WalkedCaso) => string

const textWriter = (campo: FieldName): WriteColumn => writing(campo, String)
const constant =
  (text: string): WriteColumn =>
  () =>
    text

/** Writer of a cell that is made of one field, and empty without it. */
function writing(campo: FieldName, write: (value: NonNullable<CampoValue>) => string): WriteColumn {
  const read = fieldReader(campo)
  return (caso) => {
    const value = read(caso)
    return value === null ? '' : write(value)
  }
}

/** Files of a disease; `definicao` null: of a known one, whose codes are here. */
export interface WriteContext {
  municipios: Municipios
  tipo: TipoAgravo
  definicao: Pick<Definicao, 'sinan' | 'cid10_codes'> | null
}

/** Null for a column that is empty in every file of the disease. */
export function writerOf(nome: string, column: SinanColumn, context: WriteContext): WriteColumn | null {
  if ('only' in column && column.only !== undefined && column.only !== context.tipo) return null
  // A column that a definition gives to its own field means nothing else.
  const derived = column.reads === 'proprio' ? undefined : DERIVED[nome]
  return derived?.(context) ?? cellWriter(nome, column, context)
}

function cellWriter(
  nome: string,
  column: SinanColumn,
  { tipo, definicao }: WriteContext,
): WriteColumn | null {
  // The column that it stands in for has the value.
  if ('fallback' in column && column.fallback) return null
  switch (column.reads) {
    case 'numero':
      return (caso) => caso.numero_notificacao
    case 'individual':
      return constant(INDIVIDUAL)
    case 'agravo':
      return constant(definicao === null ? CID[tipo as AgravoConhecido] : cidOf(definicao))
    case 'classificacao':
      return classWriter(tipo as AgravoConhecido)
    case 'gestante':
      return pregnancyOf
    case 'idade':
      return ageOf
    case 'pais':
      return definicao === null ? countryOf : (caso) => countryOf(caso) || UNKNOWN_COUNTRY
    case 'ocupacao':
      return ({ paciente_ocupacao }) => (isCbo(paciente_ocupacao) ? paciente_ocupacao : '')
    case 'cep':
      return writing('cep_residencia', (cep) => String(cep).replace('-', ''))
    case 'date':
    case 'text':
    case 'cnes':
    case 'measure':
      return textWriter(column.campo)
    case 'uf':
      return writing(column.campo, (uf) => UF_CODES.get(uf as Uf) ?? '')
    case 'ibge':
    case 'municipio':
      return writing(column.campo, (codigo) => String(codigo).slice(0, IBGE_DIGITS))
    case 'code':
      return codeWriter(column.campo, column.codes)
    case 'alarme':
      return writing(column.campo, YES_NO)
    case 'item':
      return itemWriter(column.campo, column.item)
    case 'duplicidade':
      return ({ marca }) => marca ?? ''
    // The first serum has the result that counts; weeks and the rest follow from other columns or are unknown.
    case 'soro-2':
    case 'date-soro-2':
    case 'semana':
    case 'nothing':
      return null
    case 'proprio':
      return proprioWriter(column.proprio, nome)
  }
}

const INDIVIDUAL = '2'
/** The first value of `ID_AGRAVO`, else the first ICD code, without its dot. */
const cidOf = ({ sinan, cid10_codes }: Pick<Definicao, 'sinan' | 'cid10_codes'>): string =>
  sinan.agravos[0] ?? (cid10_codes[0] ?? '').replace('.', '')
const CID: Record<AgravoConhecido, string> = { dengue: 'A90', chikungunya: 'A92.0', zika: 'A928' }
/** Systems of SINAN: Net has Zika, Online the others. */
const SISTEMA: Record<AgravoConhecido, string> = { dengue: '2', chikungunya: '2', zika: '1' }
const BRASIL = '1'

/** Columns that follow from fields of which they are not a copy. */
const DERIVED: Record<string, (context: WriteContext) => WriteColumn> = {
  NU_ANO: () => (caso) => caso.data_notificacao.slice(0, 4),
  SEM_NOT: () => (caso) => codigoDaSemana(caso.data_notificacao),
  SEM_PRI:
    () =>
    ({ data_inicio_sintomas: inicio }) =>
      inicio === null ? '' : codigoDaSemana(inicio),
  SEM_DIAG:
    () =>
    ({ data_inicio_sintomas: inicio }) =>
      inicio === null ? '' : codigoDaSemana(inicio),
  // An unidentified export does not open the birth date for its year.
  ANO_NASC: () => writing('paciente_data_nascimento', (date) => String(date).slice(0, 4)),
  ID_RG_RESI:
    ({ municipios }) =>
    ({ municipio_residencia: codigo }) =>
      String((codigo === null ? null : municipios.byCodigo(codigo)?.regiao?.codigo) ?? ''),
  ID_PAIS: () => constant(BRASIL),
  // Diseases with a definition are of SINAN Net.
  TP_SISTEMA: ({ tipo, definicao }) =>
    constant(SISTEMA[definicao === null ? (tipo as AgravoConhecido) : 'zika']),
}

/** Compiles the codes of values: the first that a table has for each. The codes of the sex are its values. */
function encoderOf<V>(codes: CodeTable<V>): (value: unknown) => string {
  const byValue = new Map<unknown, string>(
    [...codes].reverse().flatMap(([code, one]) => (isDigits(code) && one !== null ? [[one, code]] : [])),
  )
  if (byValue.size > 0) return (value) => byValue.get(value) ?? ''
  return (value) => (codes.has(String(value).toLowerCase()) ? String(value) : '')
}

const YES_NO = encoderOf(SIM_NAO)
const PREGNANCY = encoderOf(GESTANTE)
const CLASS_CODES: Record<AgravoConhecido, (value: unknown) => string> = {
  dengue: encoderOf(CLASSIFICACAO.dengue),
  chikungunya: encoderOf(CLASSIFICACAO.chikungunya),
  zika: encoderOf(CLASSIFICACAO.zika),
}

/**
 * Items of a list that has others are denied. Without a list nothing is known, except for comorbidities of a case from SINAN: its form
 * asks them together with the symptoms and takes no blank, so where a symptom is told all of them were denied.
 */
function itemWriter(campo: FieldName, item: string): WriteColumn {
  const read = fieldReader(campo)
  const isDenied = campo === 'dados_clinicos.comorbidades' ? hasAnsweredForm : () => false
  return (caso) => {
    const list = read(caso) as string[] | null
    if (list === null) return isDenied(caso) ? YES_NO(false) : ''
    return YES_NO(list.includes(item))
  }
}

const SINTOMAS = (
  [
    ...['febre', 'mialgia', 'cefaleia', 'exantema', 'vomito', 'nausea', 'dor_costas', 'conjuntivite'],
    ...['artrite', 'artralgia', 'petequias', 'leucopenia', 'dor_retro_orbital'],
  ] as const
).map((sintoma) => fieldReader(`dados_especificos.${sintoma}` as FieldName))
const hasAnsweredForm = (caso: WalkedCaso): boolean =>
  caso.do_sinan && SINTOMAS.some((read) => read(caso) !== null)

/** A tourniquet test that was not made is left blank in SINAN, and read from there. */
function codeWriter(campo: FieldName, codes: CodeTable<unknown>): WriteColumn {
  const encode = encoderOf(codes)
  return writing(campo, (value) => (codes === LACO && value === 'nao_realizada' ? '' : encode(value)))
}

/** Dengue confirmed without a class has no code of its own: that of dengue without alarm signs, which is "dengue" in SINAN. */
function classWriter(tipo: AgravoConhecido): WriteColumn {
  const encode = CLASS_CODES[tipo]
  const confirmed = tipo === 'dengue' ? '10' : ''
  return ({ classificacao_final: classe }) => encode(classe) || (classe === 'confirmado' ? confirmed : '')
}

const gestationOf = fieldReader('dados_especificos.idade_gestacional')
const toldAgeOf = fieldReader('dados_especificos.idade_informada')

/** Younger girls cannot be pregnant by the form: "does not apply", as for men. */
const PREGNANCY_AGE = 10

function pregnancyOf(caso: WalkedCaso): string {
  const { paciente_gestante: gestante, paciente_sexo: sexo, paciente_idade: idade } = caso
  if (gestante === null) return '9'
  if (!gestante) return sexo === 'M' || (idade !== null && idade < PREGNANCY_AGE) ? '6' : '5'
  return PREGNANCY(gestationOf(caso) ?? 'idade_gestacional_ignorada')
}

/** Years, whose unit is 4; the age of babies is not kept in months. */
function ageOf(caso: WalkedCaso): string {
  const years = caso.paciente_idade ?? toldAgeOf(caso)
  return years === null ? '' : String(4000 + Math.min(years, 999))
}

/** In SINAN Net. */
const UNKNOWN_COUNTRY = '0'

/** Unknown is zero in SINAN Net, blank in Online. */
function countryOf({ pais_infeccao: pais, tipo_agravo }: WalkedCaso): string {
  if (pais === null) return tipo_agravo === 'zika' ? UNKNOWN_COUNTRY : ''
  if (pais.toLowerCase() === 'brasil') return BRASIL
  return /\(código (\d{1,4})\)$/.exec(pais)?.[1] ?? ''
}

/** A code of the classification of occupations; some of its newer ones have letters. */
const isCbo = (ocupacao: string | null): ocupacao is string =>
  ocupacao !== null && /^[\dA-Z]{6}$/.test(ocupacao)
const UF_CODES = new Map(ESTADOS_IBGE.map(({ uf, codigo }) => [uf as string, String(codigo)]))
/** Of the code of a municipality without its check digit. */
const IBGE_DIGITS = 6
