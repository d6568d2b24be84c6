import type { epizootiasImportacoes as pt } from '../pt-BR/epizootias-importacoes.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

export const epizootiasImportacoes: typeof pt = {
  start: 'Import a file',
  epizootias: 'All animal events',
  lead: 'Files that brought animal events; each can be undone.',
  empty: 'No import of animal events yet.',
  layouts: { epizootias: 'Layout of Vigia', ministerio_pnh: 'Primates, Ministry of Health' },
  values: 'Events',
  summary: (created: number, updated: number, rejected: number) =>
    `${number(created)} new, ${number(updated)} changed, ${counted(rejected, 'rejected line', 'rejected lines')}`,
  steps: {
    arquivo: 'File',
    conferencia: 'Check',
    importacao: 'Import',
    resultado: 'Result',
  },
  formats:
    'CSV, XLSX, DBF or DBC, also in ZIP; columns named as the fields, or the open file of primates of the Ministry of Health',
  note: 'The file is sent only to be checked. An empty cell leaves its field as it is.',
  parts: {
    importados: 'New events',
    atualizados: 'Changed events',
    inalterados: 'Events already equal',
    duplicados_no_arquivo: 'Repeated in the file',
    erros: 'Rejected lines',
  },
  import: (count: number) => `Import ${counted(count, 'event', 'events')}`,
  nothing: 'Nothing to import: Vigia already has these events.',
  resultTitle: (created: number, updated: number) =>
    created + updated === 0
      ? 'Import done; nothing changed'
      : `${counted(created, 'new event', 'new events')} and ${number(updated)} changed`,
  seeEvents: 'See the events',
  removed: 'Events removed',
  confirmUndo: (count: number) => `Undo in ${counted(count, 'event', 'events')}`,
  notAllowed: 'Only the sender, or somebody who may delete animal events, undoes this import.',
  wroteNothing: 'This import changed no event.',
  stages: { RUNNING: 'Comparing with the events' },
  mayLeave: 'You may leave this screen: the progress is under Imports of animal events.',
  all: 'All imports of animal events',
  notAnImport: 'This address is not of an import of animal events.',
}
