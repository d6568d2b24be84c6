import type { seriesImportacoes as pt } from '../pt-BR/series-importacoes.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const utc = (date: string, options: Intl.DateTimeFormatOptions) =>
  formats.date(new Date(`${date}T00:00:00Z`), { ...options, timeZone: 'UTC' })
const day = (date: string) => utc(date, { year: 'numeric', month: 'short', day: 'numeric' })

export const seriesImportacoes: typeof pt = {
  number,
  day,
  none: '–',
  columns: {
    serie: 'Series',
    valores: 'Values',
    lugares: 'Places',
    alcance: 'From – to',
  },
  fromTo: (first: string, last: string) => `${first} – ${last}`,
  start: 'Import a file',
  series: 'All series',
  lead: 'Files and requests that brought values; each can be undone.',
  empty: 'No imports of series yet.',
  layouts: {
    inmet: 'INMET station',
    infodengue: 'InfoDengue table',
    larga: 'Wide table',
    longa: 'Long table',
    liraa: 'LIRAa',
    valores: 'Values by request',
  },
  values: 'Values',
  summary: (created: number, updated: number, rejected: number) =>
    `${number(created)} new, ${number(updated)} changed, ${counted(rejected, 'line rejected', 'lines rejected')}`,
  steps: {
    arquivo: 'File',
    reconhecido: 'What is in it',
    conferencia: 'Check',
    importacao: 'Import',
    resultado: 'Result',
  },
  formats: 'CSV, XLSX, DBF or DBC, also zipped; INMET station, InfoDengue, TabNet, LIRAa or a long table',
  note: 'The file is sent only to be checked. Values that Vigia already has do not change.',
  notInFile: 'What the file does not say',
  notInFileNote: 'Only what it lacks. After a change, send it again.',
  serie: 'Series',
  noSerie: 'The file says it',
  municipio: 'Municipality',
  estado: 'State',
  noEstado: 'The file says it',
  ano: 'Year',
  anoProblem: 'Four digits, from 1950 on.',
  recognised: (name: string) => `Recognised: ${name}`,
  layout: 'Layout',
  seriesOf: 'Series of the file',
  withoutSeries: 'No value was read. See the problems in the check.',
  sem_lugar: 'Lines without a place',
  next: 'Go on to the check',
  back: 'See what is in it',
  parts: {
    importados: 'New values',
    atualizados: 'Changed values',
    inalterados: 'Values already equal',
    duplicados_no_arquivo: 'Repeated in the file',
    erros: 'Rejected lines',
  },
  import: (values: number) => `Import ${counted(values, 'value', 'values')}`,
  nothing: 'Nothing to import: Vigia already has these values.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Import done; nothing changed'
      : `${counted(created, 'new value', 'new values')} and ${number(updated)} changed`,
  removed: 'Values removed',
  confirmUndo: (values: number) => `Undo in ${counted(values, 'value', 'values')}`,
  notAllowed: 'Only the sender, or somebody who may register series, undoes this import.',
  wroteNothing: 'This import changed no value.',
  stages: { RUNNING: 'Comparing with the values' },
  mayLeave: 'You may leave this screen: the progress is under Imports of series.',
  all: 'All imports of series',
  notAnImport: 'This address is not of an import of series.',
}
