import { codigoDaSemana } from '../../../brasil/epi-week.ts'
import type { Municipios } from '../../../brasil/municipios.ts'
import { ESTADOS_IBGE, type Uf } from '../../../brasil/uf.ts'
import { type CampoValue, type FieldName, isSecret } from '../../casos/campos.ts'
import type { TipoAgravo } from '../../casos/enumeracoes.ts'
import type { CasoView } from '../../casos/view.ts'
import { CLASSIFICACAO, type CodeTable, GESTANTE, LACO, SIM_NAO } from './codes.ts'
import type { SinanColumn } from './columns.ts'
import { isDigits } from './values.ts'

/**
 * Writers of the columns of SINAN: each kind of column read backwards. The compiler demands one for every kind that has a reader
 * (`steps.ts`). Columns without a field of ours are blank, but for those that follow from others (`DERIVED`).
 */

/** Cell of a case; dates in ISO 8601, empty where nothing is known. */
export type WriteColumn = (caso: CasoView) => string

const fieldOf = (caso: CasoView, campo: FieldName): CampoValue =>
  isSecret(campo) ? (caso.sigilo?.[campo] ?? null) : (caso[campo] as CampoValue)
const textOf = (caso: CasoView, campo: FieldName): string => String(fieldOf(caso, campo) ?? '')
const blank: WriteColumn = () => ''

export function writerOf(nome: string, column: SinanColumn, municipios: Municipios): WriteColumn {
  const write = DERIVED[nome]?.(municipios) ?? cellWriter(column)
  const only = 'only' in column ? column.only : undefined
  return only === undefined ? write : (caso) => (caso.tipo_agravo === only ? write(caso) : '')
}

function cellWriter(column: SinanColumn): WriteColumn {
  // The column that it stands in for has the value.
  if ('fallback' in column && column.fallback) return blank
  switch (column.reads) {
    case 'numero':
      return (caso) => caso.numero_notificacao
    case 'individual':
      return () => INDIVIDUAL
    case 'agravo':
      return (caso) => CID[caso.tipo_agravo]
    case 'classificacao':
      return (caso) => encode(CLASSIFICACAO[caso.tipo_agravo], caso.classificacao_final) || classOf(caso)
    case 'gestante':
      return pregnancyOf
    case 'idade':
      return ageOf
    case 'pais':
      return countryOf
    case 'ocupacao':
      return ({ paciente_ocupacao }) => (isCbo(paciente_ocupacao) ? paciente_ocupacao : '')
    case 'cep':
      return (caso) => textOf(caso, 'cep_residencia').replace('-', '')
    case 'date':
    case 'text':
    case 'cnes':
    case 'measure':
      return (caso) => textOf(caso, column.campo)
    case 'uf':
      return (caso) => codeOfUf(fieldOf(caso, column.campo) as Uf | null)
    case 'ibge':
    case 'municipio':
      return (caso) => withoutCheckDigit(fieldOf(caso, column.campo) as number | null)
    case 'code':
      return (caso) => encode(column.codes, unlessDefault(column.codes, fieldOf(caso, column.campo)))
    case 'alarme':
      return (caso) => encode(SIM_NAO, fieldOf(caso, column.campo))
    case 'item':
      return (caso) => {
        const list = fieldOf(caso, column.campo) as string[] | null
        return list === null ? '' : encode(SIM_NAO, list.includes(column.item))
      }
    // The first serum has the result that counts; nobody deduplicated; weeks and the rest follow from other columns or are unknown.
    case 'soro-2':
    case 'date-soro-2':
    case 'duplicidade':
    case 'semana':
    case 'nothing':
      return blank
  }
}

const INDIVIDUAL = '2'
const CID: Record<TipoAgravo, string> = { dengue: 'A90', chikungunya: 'A920', zika: 'A928' }
/** Systems of SINAN: Net has Zika, Online the others. */
const SISTEMA: Record<TipoAgravo, string> = { dengue: '2', chikungunya: '2', zika: '1' }
const BRASIL = '1'

/** Columns that follow from fields of which they are not a copy. */
const DERIVED: Record<string, (municipios: Municipios) => WriteColumn> = {
  NU_ANO: () => (caso) => caso.data_notificacao.slice(0, 4),
  SEM_NOT: () => (caso) => codigoDaSemana(caso.data_notificacao),
  SEM_PRI:
    () =>
    ({ data_inicio_sintomas: inicio }) =>
      inicio === null ? '' : codigoDaSemana(inicio),
  // An unidentified export does not open the birth date for its year.
  ANO_NASC: () => (caso) => textOf(caso, 'paciente_data_nascimento').slice(0, 4),
  ID_RG_RESI:
    (municipios) =>
    ({ municipio_residencia: codigo }) =>
      String((codigo === null ? null : municipios.byCodigo(codigo)?.regiao?.codigo) ?? ''),
  ID_PAIS: () => () => BRASIL,
  TP_SISTEMA: () => (caso) => SISTEMA[caso.tipo_agravo],
}

/** Code of a value: the first that a table has for it. The codes of the sex are its values. */
function encode<V>(codes: CodeTable<V>, value: unknown): string {
  if (value === null) return ''
  let byValue = encoders.get(codes)
  if (byValue === undefined) {
    byValue = new Map([...codes].reverse().flatMap(([code, one]) => (isDigits(code) ? [[one, code]] : [])))
    encoders.set(codes, byValue)
  }
  return (
    byValue.get(value) ?? (codes.has(String(value).toLowerCase()) && byValue.size === 0 ? String(value) : '')
  )
}
const encoders = new WeakMap<object, Map<unknown, string>>()

/** A tourniquet test that was not made is left blank in SINAN, and read from there. */
const unlessDefault = (codes: unknown, value: CampoValue): CampoValue =>
  codes === LACO && value === 'nao_realizada' ? null : value

/** Dengue confirmed without a class has no code of its own: that of dengue without alarm signs, which is "dengue" in SINAN. */
const classOf = ({ tipo_agravo, classificacao_final }: CasoView): string =>
  tipo_agravo === 'dengue' && classificacao_final === 'confirmado' ? '10' : ''

function pregnancyOf(caso: CasoView): string {
  const { paciente_gestante: gestante, paciente_sexo: sexo } = caso
  if (gestante === null) return '9'
  if (!gestante) return sexo === 'M' ? '6' : '5'
  return encode(GESTANTE, caso['dados_especificos.idade_gestacional'] ?? 'idade_gestacional_ignorada')
}

/** Years, whose unit is 4; the age of babies is not kept in months. */
function ageOf(caso: CasoView): string {
  const years = caso.paciente_idade ?? caso['dados_especificos.idade_informada']
  return years === null ? '' : String(4000 + Math.min(years, 999))
}

function countryOf({ pais_infeccao: pais }: CasoView): string {
  if (pais === null) return ''
  if (pais.toLowerCase() === 'brasil') return BRASIL
  return /\(código (\d{1,4})\)$/.exec(pais)?.[1] ?? ''
}

/** A code of the classification of occupations; some of its newer ones have letters. */
const isCbo = (ocupacao: string | null): ocupacao is string =>
  ocupacao !== null && /^[\dA-Z]{6}$/.test(ocupacao)
const UF_CODES = new Map(ESTADOS_IBGE.map(({ uf, codigo }) => [uf as string, String(codigo)]))
const codeOfUf = (uf: Uf | null): string => (uf === null ? '' : (UF_CODES.get(uf) ?? ''))
const withoutCheckDigit = (codigo: number | null): string =>
  codigo === null ? '' : String(codigo).slice(0, 6)
