import type { Municipios } from '../../../brasil/municipios.ts'
import type { ProprioCompilado } from '../../casos/agravos/conferir.ts'
import type { CampoProprio } from '../../casos/agravos/definicao.ts'
import type { CampoValue, FieldName } from '../../casos/campos.ts'
import { findMunicipio } from '../../casos/municipio.ts'
import { cuttingReader, dateReader, type ReadColumn, unread, unreadDate, valueReader, warn } from './cells.ts'
import { type CodeTable, decode, definedTable, SIM_NAO } from './codes.ts'
import type { LayoutContext } from './layout.ts'
import { cached, isMissing, withoutFraction } from './values.ts'

/** Parsers of columns that hold a disease's own fields, in files of SINAN. */

export function proprioReader(
  proprio: ProprioCompilado,
  title: string,
  { municipios, today }: Pick<LayoutContext, 'municipios' | 'today'>,
): ReadColumn {
  const { campo } = proprio
  const nome = proprio.flat as FieldName
  switch (campo.tipo) {
    case 'data':
      return pastDateReader(nome, title, today)
    case 'texto':
      return cuttingReader(nome, campo.max as number, title)
    case 'opcoes':
      return choicesReader(nome, title, tableOf(campo))
    default:
      return valueReader(nome, title, cached(parserOf(proprio, municipios)))
  }
}

type Parse = (text: string) => CampoValue | undefined

function parserOf({ campo, check }: ProprioCompilado, municipios: Municipios): Parse {
  switch (campo.tipo) {
    case 'bool':
      return (text) => (isBlank(text) ? null : decode(SIM_NAO, text))
    case 'opcao':
      return optionParser(tableOf(campo)) as Parse
    case 'municipio':
      return (text) => (isBlank(text) ? null : findMunicipio(municipios, withoutFraction(text), null)?.codigo)
    default:
      return (text) => {
        if (isBlank(text)) return null
        const value = Number(text.replace(',', '.'))
        return check(value) === null ? value : undefined
      }
  }
}

/** Zero stands for a question left blank: files of fixed width write it where others write nothing. */
const isBlank = (text: string): boolean => isMissing(text) || Number(text) === 0

const tableOf = ({ opcoes }: CampoProprio): CodeTable<string> =>
  definedTable(opcoes.filter(({ ativo }) => ativo))

/** Blank and "unknown" of every form, where they are no options. */
const UNKNOWN: CodeTable<string> = new Map(['0', '9', '99', 'ignorado'].map((code) => [code, null]))

function optionParser(codes: CodeTable<string>): (text: string) => string | null | undefined {
  const all: CodeTable<string> = new Map([...UNKNOWN, ...codes])
  return (text) => decode(all, text)
}

/** Several codes in one cell, or the same field in several columns; the order is that of the file. */
function choicesReader(campo: FieldName, title: string, codes: CodeTable<string>): ReadColumn {
  const parse = optionParser(codes)
  return (row, text) => {
    const whole = parse(text)
    for (const item of whole === undefined ? text.split(/[\s,;|/]+/) : [text]) {
      const value = item === '' ? null : parse(item)
      if (value === undefined) unread(row, campo, title, item)
      if (value == null) continue
      const list = (row.campos[campo] ?? []) as string[]
      if (!list.includes(value)) row.campos[campo] = [...list, value] as CampoValue
    }
  }
}

function pastDateReader(campo: FieldName, title: string, today: string): ReadColumn {
  const read = dateReader(today, undefined)
  return (row, text) => {
    const date = read(text, row.values)
    if (date === null) {
      if (!isBlank(text)) unreadDate(row, campo, title, text)
    } else if (date <= today) row.campos[campo] = date
    else
      warn(row, title, 'Data no futuro: não aproveitada', {
        codigo: 'IN_FUTURE',
        campo,
      })
  }
}
