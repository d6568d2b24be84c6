import { CAMPOS, type Campo, type CampoValue, type FieldName } from '../../casos/campos.ts'
import {
  cuttingReader,
  dateReader,
  quoted,
  type ReadColumn,
  unread,
  unreadDate,
  valueReader,
  warn,
} from './cells.ts'
import { CLASSIFICACAO, type CodeTable, decode, GESTANTE, RESULTADO, SIM_NAO } from './codes.ts'
import type { SinanColumn } from './columns.ts'
import type { FoundColumn } from './header.ts'
import type { LayoutContext } from './layout.ts'
import { municipioReader, readIbge } from './places.ts'
import { proprioReader } from './proprios.ts'
import { readUf } from './states.ts'
import {
  cached,
  codeOf,
  isDigits,
  isMissing,
  MAX_ANOS,
  readCep,
  readIdade,
  readMeasure,
  readOcupacao,
  readPadded,
  readText,
} from './values.ts'

/** Compiles the columns of a SINAN file into parsers, one per column; each row runs through them in order. */

export interface Step {
  index: number
  read: ReadColumn
}

/** Columns of the files of a disease, in the order that they are read in. */
export type ColumnTable = readonly (readonly [nome: string, SinanColumn])[]

export function stepsOf(
  table: ColumnTable,
  found: ReadonlyMap<string, FoundColumn>,
  context: LayoutContext,
): Step[] {
  const steps: Step[] = []
  for (const [nome, column] of table) {
    const achada = found.get(nome)
    const read = achada && readerOf(column, achada.title, found, context)
    if (read) steps.push({ index: achada.index, read: onlyWhere(column, read) })
  }
  return steps
}

/** Applies the conditions of the table. */
function onlyWhere(column: SinanColumn, read: ReadColumn): ReadColumn {
  const only = 'only' in column ? column.only : undefined
  if (only !== undefined) return (row, text) => row.tipo === only && read(row, text)
  if ('fallback' in column && column.fallback) {
    const campo = 'campo' in column ? column.campo : (column.proprio.flat as FieldName)
    return (row, text) => row.campos[campo] == null && read(row, text)
  }
  return read
}

export function readerOf(
  column: SinanColumn,
  title: string,
  found: ReadonlyMap<string, FoundColumn>,
  context: LayoutContext,
): ReadColumn | null {
  switch (column.reads) {
    case 'date':
      return column.campo === 'data_notificacao'
        ? null
        : dateColumnReader(column, title, found, context.today)
    case 'code':
      return codeReader(column.campo, column.codes, title)
    case 'alarme':
      return alarmReader(column.campo, title)
    case 'item':
      return itemReader(column.campo, column.item, title)
    case 'text':
      return textReader(column.campo, title)
    case 'uf':
      return valueReader(column.campo, title, cached(readUf))
    case 'ibge':
      return valueReader(
        column.campo,
        title,
        cached((text) => readIbge(text, context.municipios)),
      )
    case 'municipio':
      return municipioReader(column.campo, title, context.municipios)
    case 'cnes':
      return valueReader(column.campo, title, (text) => readPadded(text, 7))
    case 'cep':
      return valueReader('cep_residencia', title, readCep)
    case 'ocupacao':
      return valueReader('paciente_ocupacao', title, readOcupacao)
    case 'idade':
      return ageReader(title)
    case 'measure':
      return measureReader(column.campo, title)
    case 'pais':
      return countryReader(title)
    case 'gestante':
      return pregnancyReader(title)
    case 'classificacao':
      return classificationReader(title)
    case 'soro-2':
      return secondSerumReader(title)
    case 'date-soro-2':
      return secondSerumDateReader(title, context.today)
    case 'proprio':
      return proprioReader(column.proprio, title, context)
    default:
      return null
  }
}

/** An age beyond all ages is no age, yet somebody filled it in: kept beside, to be counted and corrected. */
function ageReader(title: string): ReadColumn {
  const read = cached(readIdade)
  return (row, text) => {
    const years = read(text)
    if (years === undefined || (years ?? 0) > MAX_ANOS) unread(row, 'paciente_idade', title, text)
    if (years == null) return
    row.campos[years > MAX_ANOS ? 'dados_especificos.idade_informada' : 'paciente_idade'] = years
  }
}

const codeReader = (campo: FieldName, codes: CodeTable<string | boolean>, title: string): ReadColumn =>
  valueReader(
    campo,
    title,
    cached((text) => decode(codes, text) as CampoValue | undefined),
  )

function dateColumnReader(
  { campo, semana }: Extract<SinanColumn, { reads: 'date' }>,
  title: string,
  found: ReadonlyMap<string, FoundColumn>,
  today: string,
): ReadColumn {
  const read = dateReader(today, semana && found.get(semana)?.index)
  return (row, text) => {
    const date = read(text, row.values)
    if (date !== null) row.campos[campo] = date
    else if (!isMissing(text)) unreadDate(row, campo, title, text)
  }
}

function alarmReader(campo: FieldName, title: string): ReadColumn {
  const read = cached((text) => decode(SIM_NAO, text))
  return (row, text) => {
    const value = read(text)
    if (value === undefined) return unread(row, campo, title, text)
    if (value === null) return
    row.campos[campo] = value
    if (value || row.alarme === null) row.alarme = value
  }
}

function itemReader(campo: FieldName, item: string, title: string): ReadColumn {
  const read = cached((text) => decode(SIM_NAO, text))
  return (row, text) => {
    const value = read(text)
    if (value === undefined) return unread(row, campo, title, text)
    if (!value) return
    const list = row.campos[campo] as string[] | null
    if (list === null) row.campos[campo] = [item] as CampoValue
    else list.push(item)
  }
}

function textReader(campo: FieldName, title: string): ReadColumn {
  const { max } = CAMPOS[campo] as Extract<Campo, { kind: 'text' }>
  return cuttingReader(campo, max, title)
}

function measureReader(campo: FieldName, title: string): ReadColumn {
  const { max, kind } = CAMPOS[campo] as Extract<Campo, { max: number; min: number }>
  return valueReader(campo, title, (text) => readMeasure(text, max, kind === 'integer'))
}

/** 1 is Brazil; other codes have no public table, but mean a country abroad. */
function countryReader(title: string): ReadColumn {
  const { max } = CAMPOS.pais_infeccao
  return (row, text) => {
    const codigo = codeOf(text)
    if (isMissing(text) || codigo === '0') return
    if (codigo === '1' || codigo.toLowerCase() === 'brasil') row.campos.pais_infeccao = 'Brasil'
    else if (isDigits(codigo) && codigo.length <= 6) {
      row.campos.pais_infeccao = `Exterior (código ${codigo})`
      warn(row, title, `País de código ${codigo} sem nome conhecido: guardado pelo código`, {
        codigo: 'UNKNOWN_COUNTRY',
        campo: 'pais_infeccao',
        regra: 'País sem nome conhecido: guardado pelo código',
      })
    } else row.campos.pais_infeccao = readText(text, max).text
  }
}

function pregnancyReader(title: string): ReadColumn {
  const read = cached((text) => decode(GESTANTE, text))
  return (row, text) => {
    const value = read(text)
    if (value === undefined) return unread(row, 'paciente_gestante', title, text)
    if (value === null) return
    row.campos.paciente_gestante = value !== 'nao'
    if (value !== 'nao') row.campos['dados_especificos.idade_gestacional'] = value
  }
}

function classificationReader(title: string): ReadColumn {
  return (row, text) => {
    const value = decode(CLASSIFICACAO[row.tipo as keyof typeof CLASSIFICACAO] as CodeTable<string>, text)
    if (value === undefined)
      warn(row, title, `Classificação${quoted(text)} não existe para ${row.tipo}: não aproveitada`, {
        codigo: 'UNKNOWN_CLASS',
        campo: 'classificacao_final',
        regra: `Classificação não existe para ${row.tipo}: não aproveitada`,
      })
    else if (value !== null) row.campos.classificacao_final = value as CampoValue
  }
}

/** Dictionary of SINAN: the second serum overrides the first, unless it was not tested. */
function secondSerumReader(title: string): ReadColumn {
  const igm = 'dados_laboratoriais.igm'
  return (row, text) => {
    const value = decode(RESULTADO, text)
    if (value === undefined) return unread(row, igm, title, text)
    if (value === null || (value === 'nao_realizado' && row.campos[igm] !== null)) return
    row.campos[igm] = value
    row.soro2 = value !== 'nao_realizado'
  }
}

function secondSerumDateReader(title: string, today: string): ReadColumn {
  const campo = 'dados_laboratoriais.data_igm'
  const read = dateColumnReader({ reads: 'date', campo }, title, new Map(), today)
  return (row, text) => {
    if (row.soro2 || row.campos[campo] === null) read(row, text)
  }
}
