import type { alertas as alertaTexts } from '../pt-BR/alertas.ts'
import { formats } from './formats.ts'
import { niveis } from './niveis.ts'

const { number, moment, week } = niveis
const exact = (value: number) => formats.number(value, { maximumFractionDigits: 6 })

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
  rules: {
    title: 'Alert rules',
    lead: 'How many cases and how much growth make each level, by disease.',
    version: (versao) => `version ${number(versao)}`,
    summary: (amarelo, laranja, vermelho) =>
      `Yellow from ${number(amarelo)} cases in the week, orange from ${number(laranja)}, red from ${number(vermelho)}.`,
    growth: (percent) => `Growth above a probability of ${exact(percent)}%.`,
    change: 'Change',
    changeOf: (agravo) => `Change the rule of ${agravo}`,
    titleOf: (agravo) => `Alert rule of ${agravo}`,
    fields: {
      p_crescimento: 'Probability of growth (%)',
      casos_janela: 'Cases in the window of growth',
      casos_amarelo: 'Cases for yellow',
      casos_laranja: 'Cases for orange',
      casos_vermelho: 'Cases for red',
      incidencia_4_semanas: 'Incidence in 4 weeks',
    },
    notes: {
      p_crescimento: 'From 50 to 99.99. Above it cases are said to grow.',
      casos_janela: 'With fewer in three weeks they are not said to grow.',
      casos_amarelo: 'Expected in the week, with the EARS alarm.',
      casos_laranja: 'Expected in the week, with growth and an incidence above the mean.',
      casos_vermelho: 'Expected in the week, above the limit of the control diagram.',
      incidencia_4_semanas: 'Per 100,000; makes red only where a diagram has too few years.',
    },
    notNumber: 'Write a number.',
    effect: 'What saving changes',
    effectOf: (field, from, to) =>
      `${field}: from ${exact(from)} to ${exact(to)}; ${to > from ? 'fewer' : 'more'} places are in alert.`,
    since: (versao) =>
      `It is version ${number(versao)}, of levels computed from now on: of a place when its cases change, of all on Sunday. Alerts that were told stay as they are.`,
    back: 'Back to the rules',
    save: 'Save',
    done: (agravo) => `Rule of ${agravo} saved.`,
  },
}
