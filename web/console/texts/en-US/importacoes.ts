import type { importacoes as model } from '../pt-BR/importacoes.ts'

const LOCALE = 'en-US'
const number = (value: number) => value.toLocaleString(LOCALE)
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const day = (date: string) => new Date(`${date}T12:00:00Z`).toLocaleDateString(LOCALE, { timeZone: 'UTC' })
const moment = (at: Date) => at.toLocaleString(LOCALE, { dateStyle: 'short', timeStyle: 'short' })
const week = (codigo: string) => `EW ${Number(codigo.slice(4))}/${codigo.slice(0, 4)}`
const bytes = (size: number) =>
  size < 1024 ** 2
    ? `${number(Math.max(1, Math.round(size / 1024)))} KB`
    : `${(size / 1024 ** 2).toLocaleString(LOCALE, { maximumFractionDigits: 1 })} MB`

export const importacoes: typeof model = {
  lead: 'Nothing is stored before you have checked it and decided.',
  number,
  moment,
  bytes,
  ofBytes: (sent, total) => `${bytes(sent)} of ${bytes(total)}`,
  percent: (value) => `${number(value)}%`,
  period: (first, last) => `${day(first)} to ${day(last)}`,
  delimiterName: (delimiter) =>
    ({ ';': 'semicolon', ',': 'comma', '\t': 'tab', '|': 'vertical bar' })[delimiter] ?? delimiter,
  layouts: { proprio: 'Vigia', sinan: 'SINAN' },
  line: 'Line',
  changeFile: 'Change the file',
  toList: 'See all imports',
  checking: 'Checking the file',
  importing: 'Importing',
  mayLeave: 'You may leave this screen: the progress is kept under Imports.',
  withheld:
    'The territory of your account has changed since this was sent, and the result is no longer shown.',
  notAnImport: 'This address is not that of an import.',
  lineRead: (line) => `Line ${number(line)}.`,
  linesPerSecond: (lines) => `${number(lines)} lines per second.`,
  remaining: (seconds) =>
    seconds < 60
      ? 'Less than a minute left.'
      : `About ${counted(Math.round(seconds / 60), 'minute', 'minutes')} left.`,
  steps: {
    arquivo: 'File',
    colunas: 'Columns',
    conferencia: 'Check',
    importacao: 'Import',
    resultado: 'Result',
  },
  stages: {
    WAITING: 'Waiting in line',
    INTERRUPTED: 'Waiting to go on after an interruption',
    READING: 'Reading and checking the file',
    RUNNING: 'Comparing with the cases',
    CANCELING: 'Canceling',
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
  cancelJob: {
    importacao: 'Cancel the import',
    validacao: 'Cancel the check',
    exportacao: 'Cancel',
    desfazimento: 'Cancel',
    simulacao: 'Cancel',
    boletim: 'Cancel',
    verificacao: 'Cancel',
    varredura: 'Cancel',
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
  facts: {
    file: 'File',
    format: 'Format',
    layout: 'Layout',
    encoding: 'Encoding',
    delimiter: 'Separator',
    size: 'Size',
    lines: 'Lines',
    period: 'Notified from',
    warnings: 'Warnings',
  },
  list: {
    lead: 'Files of SINAN and spreadsheets that brought cases.',
    new: 'Import a file',
    first: 'Choose a file',
    empty: 'No imports yet. Begin with a file of SINAN or a spreadsheet.',
    unfinished: 'Unfinished',
    checked: 'Checked, not imported',
    keptUntil: (lines, until) =>
      `${lines === null ? '' : `${counted(lines, 'line', 'lines')}; `}kept until ${moment(until)}`,
    continue: 'Continue',
    continueOf: (name) => `Continue the import of ${name}`,
    file: 'File',
    who: 'Who',
    when: 'When',
    lines: 'Lines',
    result: 'Result',
    state: 'State',
    actions: 'Actions',
    done: 'Done',
    undone: 'Undone',
    failed: 'Failed',
    summary: (created, updated, rejected) =>
      `${number(created)} new, ${number(updated)} updated, ${number(rejected)} rejected`,
    cases: 'See cases',
    casesOf: (file) => `See cases of ${file}`,
    open: 'Open',
    openUndo: 'Open or undo',
    openOf: (file) => `Open the import of ${file}`,
    follow: 'Follow',
    followOf: (name) => `Follow: ${name}`,
    see: 'See what happened',
    seeOf: (name) => `See what happened: ${name}`,
    importOf: (id) => `import ${id}`,
  },
  file: {
    title: 'Choose the file',
    drop: 'Choose a file or drop it here',
    formats: 'CSV, XLSX, DBF, DBC, or a ZIP with one of them; up to 2 GB',
    note: 'The file is sent to be checked only. Lines that Vigia already has are not repeated.',
    empty: 'The file is empty. Choose another.',
    tooLarge: 'The file is larger than 2 GB. Split it.',
    sending: (name) => `Sending ${name}`,
    sendingNote: 'Sending goes on if you open another screen of Vigia; do not close this tab.',
    stop: 'Stop sending',
    failed: (name, reason) => `${name} was not sent completely. ${reason}`,
    kept: (name) => `${name} is still here.`,
    again: 'Send again',
    forget: 'Choose another',
    refused: (reason) => `The file could not be read. ${reason}`,
    canceled: 'The check was canceled. Nothing was stored.',
    withoutDisease: 'The file does not tell the disease of its cases. Name it to go on.',
    disease: 'Disease of all cases in the file',
    chooseDisease: 'Choose…',
    diseaseFirst: 'Name the disease before you send the file.',
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
    title: 'Problems found',
    note: 'Grouped by cause; rejected lines come back as a file ready to be mended.',
    none: 'None. Every line was understood.',
    download: (lines) =>
      lines === 1 ? 'Download the rejected line' : `Download the ${number(lines)} rejected lines`,
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
    offline: 'No connection; waiting',
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
    title: (created, updated) =>
      created + updated === 0
        ? 'Import done; nothing changed'
        : `${counted(created, 'new case', 'new cases')} and ${number(updated)} updated`,
    took: (seconds, file) => `${file}, in ${number(seconds)} s.`,
    cases: 'See the cases',
    casesOf: (cases) => (cases === 1 ? 'See the case' : `See the ${number(cases)} cases`),
    undo: 'See or undo',
    another: 'Import another file',
    mend: 'Mend the rejected lines in the downloaded file and import it: only they are added.',
    duplicates: (total, certain) =>
      total === 0
        ? 'None of the cases looks like another.'
        : `${counted(total, 'possible duplicate', 'possible duplicates')}, ${number(certain)} nearly certain.`,
    seeDuplicates: (total) =>
      total === 1 ? 'See the possible duplicate' : `See the ${number(total)} possible duplicates`,
    searching: 'Looking for repeated cases…',
  },
  failed: {
    title: 'The import was not made',
    canceled: 'Import canceled',
    nothing: 'Nothing was stored.',
    again: 'Start again',
  },
  detail: {
    title: (lines) => `What happened to ${counted(lines, 'line', 'lines')}`,
  },
  undo: {
    title: 'Undo',
    lead: 'A simulation first shows what would be removed and what would be as before.',
    simulate: 'Simulate',
    simulated: 'The simulation is done. Nothing has changed yet.',
    removed: 'New cases, removed',
    restored: 'As before again',
    kept: 'Stay as they are',
    keptNote: (numbers, more) =>
      `Changed after this import: ${numbers}${more > 0 ? ` and ${number(more)} more` : ''}.`,
    nothing: 'There is nothing to undo.',
    type: (cases) => `To confirm, type the number of cases: ${number(cases)}`,
    mistyped: (cases) => `Type ${number(cases)} to confirm.`,
    confirm: (cases) => `Undo in ${counted(cases, 'case', 'cases')}`,
    sending: 'Undoing…',
    done: 'Import undone.',
    undone: (at, by) => `Undone on ${at}${by === null ? '' : ` by ${by}`}.`,
    notAllowed: 'Only its importer, or somebody who may delete cases, undoes this import.',
    wroteNothing: 'This import changed no case.',
  },
}
