import { formatsOf } from '../formats.ts'
import type { registro as pt } from '../pt-BR/registro.ts'
import { formats } from './formats.ts'

const british = formatsOf('en-GB')
const hour = (moment: Date) => formats.date(moment, { hour: '2-digit', minute: '2-digit' })
const dayAndHour = (moment: Date) =>
  `${british.date(moment, { day: '2-digit', month: '2-digit', year: 'numeric' })} ${hour(moment)}`

export const registro: typeof pt = {
  conflict: {
    title: 'Somebody changed this record',
    lead: (nome, moment) =>
      `${
        moment === null
          ? 'The record changed while you were editing.'
          : nome === null
            ? `Another version was saved on ${dayAndHour(moment)} while you were editing.`
            : `${nome} saved another version on ${dayAndHour(moment)} while you were editing.`
      } Choose what holds in each field and save again.`,
    field: 'Field',
    mine: 'Yours',
    theirs: 'Saved now',
    before: 'Was:',
    in: 'added',
    out: 'taken out',
    changed: 'Somebody changed this record while it was open. See how it is now and decide again.',
    others: 'Also changed, and stays as it is saved:',
    empty: 'empty',
    none: 'The changes are in different fields: yours can be saved together with the others.',
    send: 'Save with these choices',
    back: 'Back to the form',
  },
  draft: {
    saving: 'Saving draft…',
    saved: (moment) => `Draft saved ${hour(moment)}`,
    failed: 'Draft not saved yet. What you typed is still in this tab.',
    full: 'You have too many drafts. Discard one so that this one can be saved.',
    foundTitle: 'Drafts you left',
    foundEdit: (moment) => `You left changes of this case unsent on ${dayAndHour(moment)}.`,
    found: (moment) => `Form of ${dayAndHour(moment)}`,
    goOn: 'Go on',
    discard: 'Discard',
    restored: (moment) => `You go on with the draft of ${dayAndHour(moment)}.`,
    gone: 'This draft is gone: it was sent, discarded, or is older than 30 days.',
  },
}
