import type { boletins as boletimTexts } from '../pt-BR/boletins.ts'

const LOCALE = 'en-US'
const week = (semana: string) => `EW ${Number(semana.slice(4))}/${semana.slice(0, 4)}`
const moment = (at: Date) =>
  `${at.toLocaleDateString(LOCALE)} at ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`

export const boletins: typeof boletimTexts = {
  lead: 'The weekly picture of a place, with its numbers frozen on the day it was made.',
  new: 'New bulletin',
  none: 'No bulletin yet.',
  first: 'Make the first one',
  what: 'Bulletin',
  semana: 'Week',
  by: 'Made by',
  kind: 'Numbers',
  public: 'Public',
  internal: 'Internal',
  actions: 'Actions',
  page: 'Page',
  pdf: 'PDF',
  pageOf: (what: string) => `Page of the bulletin of ${what}`,
  pdfOf: (what: string) => `PDF of the bulletin of ${what}`,
  todos: 'Dengue, Zika and chikungunya',
  agravo: 'Disease',
  everyAgravo: 'All, a section each',
  estado: 'State',
  brasil: 'Brazil',
  municipio: 'Municipality, if of one alone',
  titulo: 'Title (optional)',
  publish: 'To be published',
  publishNote: 'Small numbers are suppressed, and nobody can be recognised by them.',
  weekNote: 'With the numbers of the last ended week. Later numbers do not change it.',
  make: 'Make the bulletin',
  open: 'Open',
  all: 'All bulletins',
  frozen: 'Frozen numbers; always the same file.',
  hash: 'Fingerprint (SHA-256)',
  version: 'Version of Vigia',
  scheduled: 'Made by a schedule',
  week,
  moment,
}
