import { UFS } from '../../../brasil/uf.ts'
import { ZONAS } from '../../casos/enumeracoes.ts'
import { type FileRow, InvalidFile } from '../../importacao/formats/table.ts'
import { columnName, findColumns } from '../../importacao/layouts/header.ts'
import { ANY_YEAR, isMissing, labelOf, readDate, withoutFraction } from '../../importacao/layouts/values.ts'
import {
  AMBIENTES,
  CAMPO_NAMES,
  type CampoName,
  CLASSIFICACOES_DE_EPIZOOTIA,
  CRITERIOS_DE_EPIZOOTIA,
  type EntradaDeEpizootia,
  ESPECIE_GRUPOS,
  FIRST_YEAR,
  MOST_ANIMALS,
  PRECISOES,
  RESULTADOS,
} from '../campos.ts'

/** Layouts of files of events: columns to fields. */

export const LAYOUTS_DE_EPIZOOTIAS = ['epizootias', 'ministerio_pnh'] as const

/** A line that cannot be taken; the text is shown to the sender. */
export class EventoRecusado extends Error {}

export interface LayoutDeEpizootias {
  nome: (typeof LAYOUTS_DE_EPIZOOTIAS)[number]
  /** About the whole file. */
  avisos: string[]
  /** The year of the file counts, also where it is not that of the day. */
  anoDaFonte: boolean
  /** Fields that the line has a value for; throws `EventoRecusado`. */
  read(row: FileRow): EntradaDeEpizootia
}

type Cell = (text: string) => unknown

const NOT = Symbol('unreadable')

const text =
  (max: number): Cell =>
  (cell) =>
    [...cell].length > max || /[\p{Cc}\ud800-\udfff]/u.test(cell) ? NOT : cell
const oneOf =
  (values: readonly string[]): Cell =>
  (cell) =>
    values.find((value) => value === cell || labelOf(value) === labelOf(cell)) ?? NOT
const between =
  (min: number, max: number, isWhole: boolean): Cell =>
  (cell) => {
    const bare = isWhole ? withoutFraction(cell) : cell.replace(',', '.')
    const number = /^-?\d+(\.\d+)?$/.test(bare) ? Number(bare) : Number.NaN
    return number >= min && number <= max && (!isWhole || Number.isInteger(number)) ? number : NOT
  }
const day: Cell = (cell) => readDate(cell, ANY_YEAR) ?? NOT
const code: Cell = (cell) => (/^[a-z][a-z0-9_]{1,39}$/.test(labelOf(cell)) ? labelOf(cell) : NOT)
const YES = new Set(['sim', 's', 'true', '1'])
const NO = new Set(['nao', 'n', 'false', '0', '2'])
const bool: Cell = (cell) => (YES.has(labelOf(cell)) ? true : NO.has(labelOf(cell)) ? false : NOT)
const animals = between(0, MOST_ANIMALS, true)

const CELLS: Record<CampoName, Cell> = {
  numero: text(40),
  data_ocorrencia: day,
  mes_ocorrencia: between(1, 12, true),
  ano_ocorrencia: between(FIRST_YEAR, 2100, true),
  precisao_data: oneOf(PRECISOES),
  data_notificacao: day,
  municipio: text(200),
  estado: (cell) => oneOf(UFS)(cell.toUpperCase()),
  localidade: text(120),
  zona: oneOf(ZONAS),
  latitude: between(-34, 6, false),
  longitude: between(-74, -28, false),
  ambiente: oneOf(AMBIENTES),
  especie_grupo: oneOf(ESPECIE_GRUPOS),
  especie: text(80),
  animais_doentes: animals,
  animais_mortos: animals,
  suspeita: code,
  material_coletado: bool,
  data_coleta: day,
  laboratorio_resultado: oneOf(RESULTADOS),
  classificacao: oneOf(CLASSIFICACOES_DE_EPIZOOTIA),
  criterio: oneOf(CRITERIOS_DE_EPIZOOTIA),
  data_encerramento: day,
  observacao: (cell) => ([...cell].length > 1000 || cell.includes('\0') || !cell.isWellFormed() ? NOT : cell),
}

const REQUIRED = ['numero', 'municipio', 'especie_grupo', 'suspeita'] as const

export function chooseLayout(header: readonly string[]): LayoutDeEpizootias {
  const names = new Set(header.map(columnName))
  if (MINISTERIO.every((name) => names.has(name))) return ministerio(header)
  if (REQUIRED.every((name) => names.has(name))) return own(header)
  throw new InvalidFile(
    'As colunas não são de nenhum leiaute conhecido: o próprio (numero, data_ocorrencia ou ano_ocorrencia, municipio, especie_grupo, suspeita) ou o do Ministério da Saúde (COD_MUN_OCOR, DATA_OCOR, SE_OCOR, ANO_OCOR).',
  )
}

/** Columns named as the fields; an empty cell says nothing of its field. */
function own(header: readonly string[]): LayoutDeEpizootias {
  const { found, avisos } = findColumns(header, (name) => CAMPO_NAMES.find((campo) => campo === name))
  return {
    nome: 'epizootias',
    anoDaFonte: false,
    avisos: avisos.map(({ column, message }) => (column === null ? message : `${column}: ${message}`)),
    read: ({ values }) =>
      Object.fromEntries(
        [...found].flatMap(([campo, { index }]) => {
          const cell = (values[index] ?? '').trim()
          return isMissing(cell) ? [] : [[campo, readCell(campo, cell)]]
        }),
      ),
  }
}

function readCell(campo: CampoName, cell: string): unknown {
  const value = CELLS[campo](cell)
  if (value !== NOT) return value
  const shown = campo === 'observacao' ? '' : ` "${cell.slice(0, 40)}"`
  throw new EventoRecusado(`${campo}: valor${shown} não reconhecido`)
}

const MINISTERIO = ['cod_mun_ocor', 'data_ocor', 'se_ocor', 'ano_ocor', 'id']

/** Open file of primates: every line is a confirmed event of yellow fever. The week of the file is ignored. */
function ministerio(header: readonly string[]): LayoutDeEpizootias {
  const names = header.map(columnName)
  const cells = (values: readonly string[]) => (name: string) => (values[names.indexOf(name)] ?? '').trim()
  return {
    nome: 'ministerio_pnh',
    anoDaFonte: true,
    avisos: [],
    read({ values }) {
      const cell = cells(values)
      if (!/^\d{1,30}$/.test(withoutFraction(cell('id')))) throw new EventoRecusado('ID: não é um número')
      return {
        numero: `MS-${withoutFraction(cell('id'))}`,
        municipio: withoutFraction(cell('cod_mun_ocor')),
        ...occurrenceOf(cell),
        especie_grupo: 'pnh',
        suspeita: 'febre_amarela',
        classificacao: 'confirmada',
        criterio: 'laboratorial',
      }
    },
  }
}

/** A day where there is one, else what is known of month and year. */
function occurrenceOf(cell: (name: string) => string): EntradaDeEpizootia {
  const [date, ano, mes] = [cell('data_ocor'), cell('ano_ocor'), cell('mes_ocor')]
  const year = isMissing(ano) ? {} : { ano_ocorrencia: readCell('ano_ocorrencia', ano) as number }
  if (!isMissing(date)) return { data_ocorrencia: readCell('data_ocorrencia', date) as string, ...year }
  const month = isMissing(mes) ? {} : { mes_ocorrencia: readCell('mes_ocorrencia', mes) as number }
  return { data_ocorrencia: null, ...year, ...month }
}
