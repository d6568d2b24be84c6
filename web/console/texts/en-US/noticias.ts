import type { noticias as pt } from '../pt-BR/noticias.ts'
import { formats } from './formats.ts'

const date = (at: Date) => formats.date(at, { day: 'numeric', month: 'long', year: 'numeric' })
const moment = (at: Date) =>
  `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const noticias: typeof pt = {
  lead: 'Published for the users of Vigia, from the newest to the oldest.',
  new: 'Publish news',
  none: 'No news yet.',
  noneCreate: 'No news yet. Publish the first.',
  all: 'All news',
  scheduled: (at) => `Scheduled for ${moment(at)}`,
  source: 'Source',
  original: 'Read the original',
  originalNote: '(opens another window)',
  changed: (at) => `Changed ${moment(at)}`,
  edit: 'Change',
  remove: 'Delete',
  removeTitle: 'Delete this item?',
  removeNote: 'Nobody reads it any more. There is no way back.',
  saved: 'News saved.',
  form: {
    create: 'Publish news',
    edit: 'Change news',
    titulo: 'Title',
    resumo: 'Summary (optional)',
    conteudo: 'Text',
    conteudoNote: 'Plain text: an empty line separates paragraphs.',
    fonte: 'Source (optional)',
    url: 'Address of the original (optional)',
    publicado: "Publish at (this computer's time)",
    publicadoNote: 'Empty: now. With a date in the future it is shown as scheduled.',
    missing: 'Fill in this field.',
    preview: 'See how it looks',
    write: 'Go on writing',
    publish: 'Publish',
    save: 'Save',
  },
  date,
  moment,
}
