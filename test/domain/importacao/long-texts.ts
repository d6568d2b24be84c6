import { parentPort, workerData } from 'node:worker_threads'
import { csvLine } from '../../../src/domain/arquivos/csv.ts'
import { CAMPOS, type Campo, FIELD_NAMES } from '../../../src/domain/casos/campos.ts'
import { openTable } from '../../../src/domain/importacao/formats/open.ts'
import { InvalidFile } from '../../../src/domain/importacao/formats/table.ts'
import {
  decodeEscapes,
  formatNumber,
  isDateFormat,
} from '../../../src/domain/importacao/formats/xlsx-values.ts'
import { chooseLayout } from '../../../src/domain/importacao/layouts/choose.ts'
import { SINAN_COLUMNS } from '../../../src/domain/importacao/layouts/columns.ts'
import { deviceOf } from '../../../src/domain/sessoes/device.ts'
import { parseFilters } from '../../../src/http/filters.ts'
import { chooseLanguage } from '../../../src/http/language.ts'
import { Text } from '../../../src/http/schemas.ts'
import { Type } from '../../../src/http/type.ts'
import { createValidators } from '../../../src/http/validation.ts'
import { PUBLIC_TARGETS } from '../../../src/outbound/policy.ts'
import { readTarget } from '../../../src/outbound/target.ts'
import { cell, count, makeDbf, makeXlsx, sourceOf } from './formats/files.ts'
import { contexto, layoutOf, PROPRIO, SINAN } from './layouts/rows.ts'

/** Reads a long run of each sign with everything that reads strangers' text, in a thread that can be ended. */

const { length } = workerData as { length: number }

const SIGNS = [
  ...' \t\n\r"\'.,;:-/\\|_%0ah([{<á\u{1F9A0}',
  // Each of these marks belongs before the one it follows.
  '\u0301\u0323',
]

const body = createValidators().body(
  Type.Object({
    email: Type.String({ format: 'email', maxLength: 254 }),
    uri: Type.String({ format: 'uri', maxLength: 500 }),
    moment: Type.String({ format: 'date-time' }),
    text: Text({ maxLength: 100 }),
  }),
)
const LIST = {
  fields: { nome: { type: 'text' }, n: { type: 'number' }, em: { type: 'datetime' } },
  sortable: [],
  defaultSort: { field: 'nome', order: 'asc' },
} as const

const readers: Record<string, (text: string) => unknown> = {
  'a header': (text) => chooseLayout([text], contexto()),
  'a number format': (text) => isDateFormat(200, text),
  'a number of a sheet': formatNumber,
  'a text of a sheet': decodeEscapes,
  'a cell of CSV': (text) => csvLine([text]),
  'a user agent': deviceOf,
  'a language': chooseLanguage,
  'a target': (text) => readTarget(`https://${text}`, PUBLIC_TARGETS),
  'a filter': (text) => parseFilters({ [text]: '', nome: text, 'n[gt]': text, em: text }, LIST),
  'a search': (text) => parseFilters({ search: `{"nome":"${text}"}` }, LIST),
  'a body': (text) => body({ email: text, uri: text, moment: text, text }, 'body'),
}

/** One column for each way of reading one, with all others as they should be. */
function addColumns(layout: string, linha: Record<string, string>, kinds: [nome: string, kind: string][]) {
  const whole = { ...Object.fromEntries(kinds.map(([nome]) => [nome, ''])), ...linha }
  const { convert } = layoutOf(Object.keys(whole))
  const valores = Object.values(whole)
  for (const [kind, nome] of new Map(kinds.map(([nome, kind]) => [kind, nome]))) {
    const at = Object.keys(whole).indexOf(nome)
    readers[`${layout}, a column of ${kind}`] = (text) => convert(valores.with(at, text))
  }
}
addColumns(
  'sinan',
  SINAN,
  Object.entries(SINAN_COLUMNS).map(([nome, { reads }]) => [nome, reads]),
)
const kindOf = (campo: Campo) => (campo.kind === 'code' ? campo.form : campo.kind)
addColumns(
  'proprio',
  PROPRIO,
  FIELD_NAMES.map((nome) => [nome, kindOf(CAMPOS[nome])]),
)

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<"]/g, (sign) => XML[sign] as string)
const HEADER = `<row>${cell('A1', 'a')}</row>`
const COLUMNS = ['C', 'D', 'N'] as const

const files: Record<string, (text: string) => Promise<Buffer> | Buffer> = {
  'CSV, all of it': (text) => Buffer.from(text),
  'CSV, quoted': (text) => Buffer.from(`a;b\n"${text}";1\n`),
  'XLSX, cells': (text) =>
    makeXlsx({ data: `${HEADER}<row>${cell('A2', text)}</row><row><c><v>${text}</v></c></row>` }),
  'XLSX, references': (text) =>
    makeXlsx({ data: `${HEADER}<row r="${text}"><c r="${text}" s="${text}"><v>1</v></c></row>` }),
  'XLSX, shared texts': (text) =>
    makeXlsx({
      data: `${HEADER}<row><c t="s"><v>0</v></c></row>`,
      strings: `<sst><si><t>${text}</t></si></sst>`,
    }),
  'XLSX, a number format of many styles': (text) =>
    makeXlsx({
      data: `${HEADER}<row><c s="1"><v>1</v></c></row>`,
      styles: `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${text}"/></numFmts><cellXfs>${'<xf numFmtId="200"/>'.repeat(length / 100)}</cellXfs></styleSheet>`,
    }),
  DBF: (text) => {
    const latin1 = Buffer.from(text).toString('latin1')
    return makeDbf(
      COLUMNS.map((tipo) => [tipo, tipo, 250]),
      Array.from({ length: length / 750 }, (_, i) =>
        COLUMNS.map((_, j) => latin1.slice(750 * i + 250 * j, 750 * i + 250 * (j + 1))),
      ),
    )
  },
  DBC: (text) => {
    const dbf = makeDbf([['A', 'C', 250]], [])
    dbf.writeUInt32LE(length / 250, 4)
    return Buffer.concat([dbf.subarray(0, dbf.readUInt16LE(8)), Buffer.from('crc!\0\x06'), Buffer.from(text)])
  },
}

async function readFile(file: Buffer): Promise<void> {
  try {
    await count((await openTable(sourceOf(file), null)).table)
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error
  }
}

for (const sign of SIGNS) {
  const run = sign.repeat(length / sign.length)
  // Between letters: an expression that looks for the end of such a run finds none.
  const text = sign === '0' ? run : `x${run}x`
  const begin = (reader: string) => parentPort?.postMessage(`${reader}: ${length} of ${JSON.stringify(sign)}`)
  for (const [reader, read] of Object.entries(readers)) {
    begin(reader)
    read(text)
  }
  for (const [reader, make] of Object.entries(files)) {
    begin(reader)
    await readFile(await make(reader.startsWith('XLSX') ? escaped(text) : text))
  }
}
