import type { niveis as nivelTexts } from '../pt-BR/niveis.ts'
import { formats } from './formats.ts'

const number = (value: number) => formats.number(value, { maximumFractionDigits: 1 })
const percent = (share: number) =>
  `${formats.number(100 * share, { maximumFractionDigits: share > 0.99 ? 1 : 0 })}%`
const moment = (at: Date) =>
  `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`
const week = (semana: string) => `EW ${Number(semana.slice(4))}/${semana.slice(0, 4)}`

export const niveis: typeof nivelTexts = {
  nomes: { verde: 'Green', amarelo: 'Yellow', laranja: 'Orange', vermelho: 'Red' },
  significados: {
    verde: 'no sign of a rise',
    amarelo: 'attention',
    laranja: 'sustained transmission',
    vermelho: 'epidemic',
  },
  motivos: {
    crescimento: 'Cases are growing: each very probably causes more than one.',
    ears_c2: 'Cases far above the weeks before (EARS C2 alarm).',
    acima_da_media: 'Incidence above the historical mean of the week.',
    acima_do_limite: 'Incidence above the upper limit of the control diagram for two weeks.',
    incidencia_4_semanas: 'High incidence over four weeks together; too few years for a control diagram.',
    carencia: 'Above the limit until the week before; the level stays for one more.',
    dados_alterados: 'The cases of this week changed after it was first told.',
  },
  motivosCurtos: {
    crescimento: 'growth',
    ears_c2: 'EARS alarm',
    acima_da_media: 'above the mean',
    acima_do_limite: 'above the limit',
    incidencia_4_semanas: 'incidence over 4 weeks',
    carencia: 'grace week',
    dados_alterados: 'data changed',
  },
  alerta: 'Alert level',
  at: (semana) => `in ${week(semana)}`,
  why: 'Why',
  noReason: 'No condition of an alert is met this week.',
  known: 'Probable cases known',
  expected: 'Probable cases expected',
  incidence: 'Incidence per 100,000',
  limit: 'Upper limit per 100,000',
  noLimit: 'too few years',
  growth: 'Probability of growth',
  scope: 'Of all probable cases of the place, whatever the other filters; recent weeks are estimated.',
  mapNote: (semana) => `${week(semana)}: the level of the last week that ended, of all probable cases.`,
  open: 'See the alerts of this place',
  number,
  percent,
  week,
  moment,
}
