import type { importacoes as model } from '../pt-BR/importacoes.ts'
import { envio } from './envio.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => formats.date(new Date(`${date}T12:00:00Z`), { timeZone: 'UTC' })
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const week = (codigo: string) => `EW ${Number(codigo.slice(4))}/${codigo.slice(0, 4)}`

export const importacoes: typeof model = {
  ...envio,
  period: (first, last) => `${day(first)} to ${day(last)}`,
  delimiterName: (delimiter) =>
    ({ ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'vertical bar' })[delimiter] ?? delimiter,
  layouts: { proprio: 'Vigia', sinan: 'SINAN', definido: 'of a definition' },
  line: 'Line',
  toList: 'See all imports',
  mayLeave: 'You may leave this screen: the progress is kept under Imports.',
  notAnImport: 'This address is not that of an import.',
  steps: {
    arquivo: 'File',
    colunas: 'Columns',
    conferencia: 'Check',
    importacao: 'Import',
    resultado: 'Result',
  },
  works: {
    importacao: 'Import',
    validacao: 'Check',
    exportacao: 'Export',
    desfazimento: 'Undo',
    simulacao: 'Simulated undo',
    boletim: 'Bulletin',
    verificacao: 'Verification of the audit',
    varredura: 'Search for duplicates',
  },
  parts: {
    importados: 'New',
    atualizados: 'Updated',
    inalterados: 'Already equal',
    duplicados_no_arquivo: 'Repeated in the file',
    erros: 'Rejected',
  },
  partsBefore: {
    importados: 'New',
    atualizados: 'Update an existing case',
    inalterados: 'Already equal',
    duplicados_no_arquivo: 'Repeated in the file',
    erros: 'Rejected',
  },
  list: {
    ...envio.list,
    lead: 'Files of SINAN and spreadsheets that brought cases.',
    new: 'Import a file',
    empty: 'No imports yet. Begin with a file of SINAN or a spreadsheet.',
    unfinished: 'Unfinished',
    checked: 'Checked, not imported',
    keptUntil: (lines, until) =>
      `${lines === null ? '' : `${counted(lines, 'line', 'lines')}; `}kept until ${moment(until)}`,
    continue: 'Continue',
    continueOf: (name) => `Continue the import of ${name}`,
    result: 'Result',
    failed: 'Failed',
    summary: (created, updated, rejected) =>
      `${number(created)} new, ${number(updated)} updated, ${number(rejected)} rejected`,
    cases: 'See cases',
    casesOf: (file) => `See cases of ${file}`,
    followOf: (name) => `Follow: ${name}`,
    see: 'See what happened',
    seeOf: (name) => `See what happened: ${name}`,
  },
  file: {
    ...envio.file,
    formats: 'CSV, XLSX, DBF, DBC, or a ZIP with one of them; up to 2 GB',
    note: 'The file is sent to be checked only. Lines that Vigia already has are not repeated.',
    forget: 'Choose another',
    withoutDisease: 'The file does not tell the disease of its cases. Name it to go on.',
    disease: 'Disease of all cases in the file',
    chooseDisease: 'Choose…',
    diseaseFirst: 'Name the disease before you send the file.',
    textos: 'Read free texts too',
    textosNote: 'Only of fields that the disease has. Free texts may hold names of people.',
  },
  columns: {
    title: (used, all) => `${number(used)} of ${counted(all, 'column used', 'columns used')}`,
    used: (used, all) => `${number(used)} of ${number(all)} used`,
    next: 'Go on to the check',
    columns: 'Columns of the file',
    columnsNote: 'What becomes of each column in Vigia.',
    column: 'Column',
    field: 'Field',
    use: 'Use',
    example: 'Example',
    uses: { usada: 'Used', ignorada: 'Ignored on purpose', desconhecida: 'Unknown' },
    suggestion: (name) => `Resembles ${name}`,
    sample: (lines) => (lines === 1 ? 'The first line' : `The first ${number(lines)} lines`),
    sampleNote: 'Data of patients are shown as ***.',
  },
  check: {
    title: (lines) => `What would happen to ${counted(lines, 'line', 'lines')}`,
    problems: (lines) =>
      lines === 0 ? 'no problems' : counted(lines, 'line with problems', 'lines with problems'),
  },
  problems: {
    ...envio.problems,
    note: 'Grouped by cause; rejected lines come back as a file ready to be mended.',
    none: 'None. Every line was understood.',
    rejected: 'Rejected',
    causes: (lines, causes) => `${counted(lines, 'line', 'lines')} by ${counted(causes, 'cause', 'causes')}`,
    warnings: 'Warnings',
    warningsNote: (warnings) =>
      `${counted(warnings, 'warning', 'warnings')}; the lines are imported all the same`,
    said: 'What the line has',
    firstLines: (shown, all) =>
      shown === 1
        ? `The first of ${number(all)} lines.`
        : `The first ${number(shown)} of ${number(all)} lines.`,
  },
  effect: {
    title: 'How the curve changes',
    note: 'Cases by week of onset, in the municipalities of the file.',
    none: 'The curve does not change.',
    today: 'In Vigia today',
    added: 'Added by the import',
    removed: 'Taken away by the import',
    table: 'See the table by week',
    week: 'Week',
    before: 'Before',
    after: 'After',
    number,
    weekName: week,
    shortWeek: (codigo) => `EW ${Number(codigo.slice(4))}`,
    withoutWeek: (cases) =>
      `${counted(cases, 'new case', 'new cases')} without a week of onset not in the curve.`,
    summary: (weeks, added, removed) =>
      `Cases by week before and after, in ${counted(weeks, 'week', 'weeks')}: ${number(added)} more, ${number(removed)} fewer.`,
  },
  decide: {
    ...envio.decide,
    title: 'How to import',
    good: 'Import the good lines',
    goodNote: (lines) =>
      lines === 1
        ? 'The rejected one is kept apart to be mended and sent again.'
        : `The ${number(lines)} rejected ones are kept apart to be mended and sent again.`,
    all: 'Import only if everything is right',
    allNote: (lines) => `With ${counted(lines, 'rejected line', 'rejected lines')}, nothing would be stored.`,
    mend: 'Mend the file and send it again, or import the good lines.',
    import: (cases) => `Import ${counted(cases, 'case', 'cases')}`,
    starting: 'Starting…',
    back: 'See columns',
    safe: 'It can be undone later, with a preview of what comes back. Cases that somebody edits meanwhile are kept.',
    keptUntil: (until) => `The checked file is kept until ${moment(until)}.`,
    gone: 'The checked file is no longer kept, or was imported already. Look under Imports, or send it again.',
    nothing: 'Nothing to import: Vigia already has the good lines of this file.',
    allWrong: 'Nothing to import: every line was rejected. Mend the file and send it again.',
    same: (at) => `This file was imported on ${moment(at)}; nothing changes.`,
    seeEarlier: 'See that import',
    other: (file) => `Another import of yours is under way (${file}). This one waits its turn.`,
  },
  result: {
    ...envio.result,
    title: (created, updated) =>
      created + updated === 0
        ? 'Import done; nothing changed'
        : `${counted(created, 'new case', 'new cases')} and ${number(updated)} updated`,
    cases: 'See the cases',
    casesOf: (cases) => (cases === 1 ? 'See the case' : `See the ${number(cases)} cases`),
    mend: 'Mend the rejected lines in the downloaded file and import it: only they are added.',
    duplicates: (total, certain) =>
      total === 0
        ? 'None of the cases looks like another.'
        : `${counted(total, 'possible duplicate', 'possible duplicates')}, ${number(certain)} nearly certain.`,
    seeDuplicates: (total) =>
      total === 1 ? 'See the possible duplicate' : `See the ${number(total)} possible duplicates`,
    searching: 'Looking for repeated cases…',
  },
  detail: {
    title: (lines) => `What happened to ${counted(lines, 'line', 'lines')}`,
  },
  undo: {
    ...envio.undo,
    lead: 'A simulation first shows what would be removed and what would be as before.',
    removed: 'New cases, removed',
    restored: 'As before again',
    kept: 'Stay as they are',
    keptNote: (numbers, more) =>
      `Changed after this import: ${numbers}${more > 0 ? ` and ${number(more)} more` : ''}.`,
    type: (cases) => `To confirm, type the number of cases: ${number(cases)}`,
    mistyped: (cases) => `Type ${number(cases)} to confirm.`,
    confirm: (cases) => `Undo in ${counted(cases, 'case', 'cases')}`,
    notAllowed: 'Only its importer, or somebody who may delete cases, undoes this import.',
    wroteNothing: 'This import changed no case.',
  },
}
