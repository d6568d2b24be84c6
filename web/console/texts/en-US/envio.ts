import type { envio as pt } from '../pt-BR/envio.ts'
import { formats } from './formats.ts'

const { number } = formats
const counted = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`
const moment = (at: Date) => formats.date(at, { dateStyle: 'short', timeStyle: 'short' })
const bytes = (size: number) =>
  size < 1024 ** 2
    ? `${number(Math.max(1, Math.round(size / 1024)))} KB`
    : `${formats.number(size / 1024 ** 2, { maximumFractionDigits: 1 })} MB`

/** Words of every import, whatever it brings. */
export const envio: typeof pt = {
  lead: 'Nothing is stored before you have checked it and decided.',
  number,
  moment,
  bytes,
  ofBytes: (sent, total) => `${bytes(sent)} of ${bytes(total)}`,
  percent: (value) => `${number(value)}%`,
  changeFile: 'Change the file',
  checking: 'Checking the file',
  importing: 'Importing',
  withheld:
    'The territory of your account has changed since this was sent, and the result is no longer shown.',
  lineRead: (line) => `Line ${number(line)}.`,
  linesPerSecond: (lines) => `${number(lines)} lines per second.`,
  remaining: (seconds) =>
    seconds < 60
      ? 'Less than a minute left.'
      : `About ${counted(Math.round(seconds / 60), 'minute', 'minutes')} left.`,
  stages: {
    WAITING: 'Waiting in line',
    INTERRUPTED: 'Waiting to go on after an interruption',
    READING: 'Reading and checking the file',
    RUNNING: 'Comparing with the cases',
    CANCELING: 'Canceling',
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
    first: 'Choose a file',
    file: 'File',
    who: 'Who',
    when: 'When',
    lines: 'Lines',
    state: 'State',
    actions: 'Actions',
    done: 'Done',
    undone: 'Undone',
    open: 'Open',
    openUndo: 'Open or undo',
    openOf: (file) => `Open the import of ${file}`,
    follow: 'Follow',
    importOf: (id) => `import ${id}`,
  },
  file: {
    title: 'Choose the file',
    drop: 'Choose a file or drop it here',
    empty: 'The file is empty. Choose another.',
    tooLarge: 'The file is larger than 2 GB. Split it.',
    sending: (name) => `Sending ${name}`,
    sendingNote: 'Sending goes on if you open another screen of Vigia; do not close this tab.',
    stop: 'Stop sending',
    failed: (name, reason) => `${name} was not sent completely. ${reason}`,
    kept: (name) => `${name} is still here.`,
    again: 'Send again',
    refused: (reason) => `The file could not be read. ${reason}`,
    canceled: 'The check was canceled. Nothing was stored.',
  },
  problems: {
    title: 'Problems found',
    download: (lines) =>
      lines === 1 ? 'Download the rejected line' : `Download the ${number(lines)} rejected lines`,
  },
  decide: {},
  result: {
    took: (seconds, file) => `${file}, in ${number(seconds)} s.`,
    undo: 'See or undo',
    another: 'Import another file',
  },
  failed: {
    title: 'The import was not made',
    canceled: 'Import canceled',
    nothing: 'Nothing was stored.',
    resume: 'Back to the check',
    again: 'Start again',
  },
  undo: {
    title: 'Undo',
    simulate: 'Simulate',
    simulated: 'The simulation is done. Nothing has changed yet.',
    nothing: 'There is nothing to undo.',
    sending: 'Undoing…',
    done: 'Import undone.',
    undone: (at, by) => `Undone on ${at}${by === null ? '' : ` by ${by}`}.`,
  },
  /** Of imports that are checked line by line. */
  check: {
    checkTitle: (lines: number) => `What would happen to ${counted(lines, 'line', 'lines')}`,
    problems: 'Rejected lines',
    warnings: 'Warnings',
    noProblems: 'No problems: all lines were understood.',
    line: 'Line',
    said: 'What is in the line',
    firstOf: (shown: number, all: number) => `The first ${number(shown)} of ${number(all)}.`,
    decide: 'How to import',
    good: 'Import the good lines',
    goodNote: 'The rejected ones come back as a file to mend.',
    allOr: 'Import only if everything is right',
    allOrNote: (lines: number) =>
      `With ${counted(lines, 'rejected line', 'rejected lines')}, nothing would be stored.`,
    allWrong: 'Nothing to import: all lines were rejected.',
    safe: 'Can be undone later, after a preview of what comes back.',
    chooseAgain: (name: string) =>
      `The page was loaded again and no longer has the file. Choose ${name} again to import it.`,
    otherFile: (name: string) => `This is not the file that was checked. Choose ${name}.`,
    sendingImport: 'Sending to import…',
    detailTitle: 'What happened',
    undoLead: 'First a simulation shows what would be removed and what would be as before.',
    restored: 'Will be as before',
    kept: 'Stay as they are: somebody changed them since',
    running: 'Under way',
    follow: (name: string) => `Follow: ${name}`,
  },
}
