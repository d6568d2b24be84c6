import type { JobTexts, Trabalho } from './texts.ts'

const works: Record<Trabalho, string> = {
  importacao: 'Import',
  validacao: 'Validation',
  exportacao: 'Export',
  desfazimento: 'Undo',
  simulacao: 'Simulation',
  boletim: 'Bulletin',
  verificacao: 'Verification of the audit',
  varredura: 'Search for duplicates',
}
const running: Record<Trabalho, string> = {
  importacao: 'Comparing with the cases and storing',
  validacao: 'Comparing with the cases',
  exportacao: 'Exporting',
  desfazimento: 'Undoing the import',
  simulacao: 'Simulating the undo',
  boletim: 'Making the bulletin',
  verificacao: 'Verifying the audit',
  varredura: 'Searching for duplicates',
}
const completed: Record<Trabalho, string> = {
  importacao: 'Import completed',
  validacao: 'Validation completed',
  exportacao: 'Export completed',
  desfazimento: 'Import undone',
  simulacao: 'Simulation completed',
  boletim: 'Bulletin ready',
  verificacao: 'Audit verified',
  varredura: 'Search for duplicates completed',
}

export const enUS: JobTexts = {
  works,
  messages: {
    WAITING: ({ trabalho }) => `${works[trabalho]} in the queue`,
    INTERRUPTED: ({ trabalho }) => `${works[trabalho]} in the queue to go on, after an interruption`,
    READING: () => 'Reading and checking the file',
    RUNNING: ({ trabalho }) => running[trabalho],
    CANCELING: () => 'Canceling',
    COMPLETED: ({ trabalho, rejeitadas }) =>
      rejeitadas > 0
        ? `${completed[trabalho]}, with ${rejeitadas} rejected ${rejeitadas === 1 ? 'row' : 'rows'}`
        : completed[trabalho],
    REFUSED: ({ trabalho, linhas }) =>
      `Nothing ${trabalho === 'validacao' ? 'would be' : 'was'} imported: ${linhas} ${linhas === 1 ? 'row' : 'rows'} with errors`,
    INVALID_FILE: ({ motivo }) => `The file cannot be imported: ${motivo}`,
    WITHOUT_DISEASE: ({ motivo }) => `The file cannot be imported: ${motivo}`,
    TOO_MANY_ROWS: ({ linhas, limite }) =>
      `There are ${linhas} rows, and the file holds ${limite}: export as csv, or in parts`,
    TOTAL_DIFFERS: ({ contadas, linhas }) =>
      `The header of the file would say ${contadas} rows, and ${linhas} were read: nothing was stored. Ask for it again, or in csv; if it happens once more, tell the administrators of the service`,
    TOO_FEW_CASES: ({ k }) =>
      `Too few cases for ${k} of them to be alike: widen the filter or ask for fewer quasi-identifiers`,
    ALREADY_UNDONE: () => 'The import was undone before',
    LEVELS_COMPUTED: () => 'Alert levels computed',
    PAIRS_FOUND: () => 'Duplicates searched for',
    CANCELED: () => 'Canceled',
    ACCOUNT_OFF: () => 'Canceled: the account was deactivated',
    NOT_PERMITTED: () => 'The account has no permission for this any more; nothing was stored',
    STALLED: () => 'Ended after a minute of processing without progress',
    FAILED: () => 'Internal error',
  },
}
