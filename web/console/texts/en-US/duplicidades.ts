import type { duplicidades as duplicidadeTexts } from '../pt-BR/duplicidades.ts'

const LOCALE = 'en-US'
const number = (value: number) => value.toLocaleString(LOCALE)
const moment = (at: Date) =>
  `${at.toLocaleDateString(LOCALE)} at ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`

export const duplicidades: typeof duplicidadeTexts = {
  lead: (total) =>
    total === undefined
      ? 'Cases that may be of the same person.'
      : `${counted(total, 'pair', 'pairs')} of cases in this filter.`,
  none: 'No pair waits for a decision. Cases are compared as they come in.',
  noneFiltered: 'No pair in this filter.',
  bar: 'Filter of duplicates',
  import: 'Import',
  importOf: (id) => `of import ${id}`,
  score: (value) =>
    `${value.toLocaleString(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} points`,
  scan: 'Search all cases',
  scanning: 'Asking…',
  scanAsked: 'The search through all cases has begun. Pairs appear here as they are found.',
  band: 'Band',
  anyBand: 'All',
  bands: { quase_certa: 'Nearly certain', provavel: 'Probable', possivel: 'Possible' },
  bandNotes: {
    quase_certa: 'From 12 points on',
    provavel: 'From 6 to 12 points',
    possivel: 'Up to 6 points',
  },
  state: 'State',
  states: {
    pendente: 'Waits for a decision',
    mesmo_caso: 'Same case: merged',
    outro_episodio: 'Another episode',
    outra_pessoa: 'Another person',
  },
  columns: {
    par: 'Pair',
    casos: 'Cases',
    agravo: 'Disease',
    lugar: 'Residence',
    razoes: 'Reasons',
    situacao: 'State',
    acoes: 'Actions',
  },
  notified: (day) => `notified on ${day}`,
  compare: 'Compare',
  compareOf: (one, other) => `Compare ${one} and ${other}`,
  see: 'See',
  seeOf: (one, other) => `See ${one} and ${other}`,
  title: (one, other) => `Notifications ${one} and ${other}`,
  missing:
    'This pair is no more: one of the cases changed or was deleted, or it is outside of your territory.',
  back: 'Back to the duplicates',
  reasons: 'Why they look like the same case',
  kinds: { a_favor: 'for', contra: 'against', neutra: 'neutral' },
  name: (equal, words, alike) =>
    `Name: ${equal} of ${counted(words, 'word equal', 'words equal')}${alike === 0 ? '' : `, ${number(alike)} alike`}`,
  first: {
    igual: 'Same first name',
    parecido: 'First names alike',
    outro: 'Different first names',
  },
  birth: {
    igual: 'Same date of birth',
    trocado: 'Day and month of birth swapped',
    duas_partes: 'Dates of birth with two of three parts equal',
    uma_parte: 'Dates of birth with one of three parts equal',
    outro: 'Different dates of birth',
    desconhecido: 'Date of birth unknown in one of the cases',
  },
  sex: { igual: 'Same sex', outro: 'Different sex', desconhecido: 'Sex unknown in one of the cases' },
  town: {
    igual: 'Same municipality of residence',
    outro: 'Different municipality of residence',
    desconhecido: 'Municipality unknown in one of the cases',
  },
  district: { igual: 'Same district', outro: 'Different district', desconhecido: '' },
  days: (days) =>
    days === 0 ? 'Notified on the same day' : `Notified ${counted(days, 'day', 'days')} apart`,
  sideBySide: 'Side by side',
  field: 'Field',
  caseOf: (numero) => `Notification ${numero}`,
  absorbed: 'merged into the other',
  excluded: 'deleted',
  differs: 'differs',
  onlyDifferences: 'Show only differences',
  differences: (count) =>
    count === 0 ? 'No visible field differs.' : `${counted(count, 'field differs', 'fields differ')}.`,
  unknown: 'not told',
  openCase: 'Open the case',
  decision: 'Decision',
  question: 'Are both records of the same illness of the same person?',
  same: 'Same case: merge…',
  otherPerson: 'Not the same person',
  otherEpisode: 'Same person, another episode',
  later: 'Decide later',
  next: 'Next pair',
  noNext: 'There is no other pair in this filter.',
  keys: 'Keys: F merges, N another person, O another episode, D decides later, Esc goes back.',
  decided: (state, who, at) =>
    `${state}. ${who === null ? 'Decided' : `Decided by ${who}`} on ${moment(at)}.`,
  reasonWas: 'Reason',
  done: {
    mesmo_caso: 'Cases merged. The merge can be undone here.',
    outro_episodio: 'Decision recorded: another episode of the same person.',
    outra_pessoa: 'Decision recorded: not the same person.',
  },
  undone: 'Merge undone: both cases exist again, and the pair waits for a decision.',
  motive: 'Reason (optional)',
  motiveNote: 'It is encrypted; only those who may identify patients read it.',
  confirm: {
    outro_episodio: 'Both cases stay as they are, and the pair leaves the list.',
    outra_pessoa: 'Both cases stay as they are, and the pair is not proposed again.',
  },
  register: 'Record the decision',
  sending: 'Sending…',
  stale: 'One of the cases changed since you opened this pair. Nothing was done. Reload and compare again.',
  reload: 'Reload the pair',
  merge: {
    title: 'Merge both cases',
    lead: 'One case stays; the other leaves all lists and counts without being lost. It can be undone.',
    keep: 'Which case stays?',
    earlier: 'earlier notification',
    values: 'Which value stays?',
    valuesNote:
      'The case that stays takes from the other what it lacks, and lists are united. Number, days of notification and of typing, disease and status are always those of the case that stays.',
    sealedNote: 'To choose name, birth and address, show the patient’s data first.',
    none: 'No field that both have differs.',
    simulate: 'See what will happen',
    back: 'Change the choices',
    result: (keeps, goes) => `Notification ${keeps} stays. ${goes} leaves the counts.`,
    changes: 'Changes of the case that stays',
    nothingChanges: 'No field of the case that stays changes.',
    fromOther: 'of the other case',
    fromBoth: 'of both',
    derived: 'computed',
    sealed: 'protected',
    leftOut: (fields) => `Left out, since it would contradict the case that stays: ${fields}.`,
    submit: 'Merge',
  },
  undo: {
    open: 'Undo the merge…',
    title: 'Undo the merge',
    lead: (goes) => `Notification ${goes} is back in lists and counts.`,
    back: (fields) => `As they were before, in the case that stayed: ${fields}.`,
    backNone: 'No field of the case that stayed changes.',
    kept: (fields) => `They stay, since they changed after the merge: ${fields}.`,
    submit: 'Undo',
  },
  ask: {
    title: 'This patient may have been notified before',
    lead: (count) =>
      `${count === 1 ? 'There is a case' : `There are ${number(count)} cases`} of the same disease, on days nearby, that ${count === 1 ? 'looks' : 'look'} like the same person. Nothing is saved yet.`,
    caso: (numero, day) => `Notification ${numero}, of ${day}`,
    unnamed: (id) => `Case ${id}`,
    open: 'Open that case',
    openOf: (name) => `Open: ${name} (in another tab)`,
    back: 'Back to the form',
    save: 'Save anyway',
  },
}
