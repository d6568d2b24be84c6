import type { alertas as alertaTexts } from '../pt-BR/alertas.ts'
import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis

export const alertas: typeof alertaTexts = {
  lead: 'Changes of level of each place, as they were told; newest first.',
  place: 'Place',
  agravo: 'Disease',
  level: 'Level',
  since: 'Since',
  reasons: 'Reasons',
  cases: 'Expected cases',
  state: 'Acknowledgement',
  actions: 'Actions',
  anyLevel: 'All levels',
  states: { todos: 'All', abertos: 'Not acknowledged', reconhecidos: 'Acknowledged' },
  first: 'told for the first time',
  before: (nivel) => `before: ${nivel.toLowerCase()}`,
  told: (at) => `told on ${formats.date(at)}`,
  ofKnown: (known) => `${number(known)} known then`,
  kinds: { pais: 'country', estado: 'state', regiao_saude: 'health region', municipio: 'municipality' },
  painelOf: (place) => `Dashboard of ${place}`,
  painel: 'Dashboard',
  casesOf: (place, semana) => `Cases of ${place} in ${week(semana)}`,
  casesLink: 'Cases of the week',
  none: 'No alert yet. Levels are computed after each import and every Sunday; an alert appears when the level of a place changes.',
  noneFiltered: 'No alert with these filters.',
  acknowledge: 'Acknowledge',
  acknowledgeOf: (nivel, place) => `Acknowledge: ${nivel}, ${place}`,
  acknowledgeTitle: (nivel, place) => `Acknowledge the alert: ${nivel}, ${place}`,
  acknowledgeNote:
    'It is recorded that you took notice. This cannot be undone; whoever sees the alerts reads the note.',
  note: 'What was done or is known',
  noteMissing: 'Write a note.',
  noteLeft: (left) => `${number(left)} characters left`,
  done: (place) => `Alert of ${place} acknowledged.`,
  conflict: (who, when) =>
    `${who ?? 'Somebody else'} already acknowledged this alert${when === null ? '' : ` on ${moment(when)}`}. Your note was not stored.`,
  theirNote: 'Stored note',
  by: (who) => (who === null ? 'Acknowledged' : `Acknowledged by ${who}`),
  noteOf: (place) => `Note of the acknowledgement, ${place}`,
}
