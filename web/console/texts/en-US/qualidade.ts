import { formats } from './formats.ts'

const { number } = formats
const one = (value: number) => number(value, { maximumFractionDigits: 1 })
const after = (weeks: number) =>
  weeks === 0 ? 'in the same week' : `${number(weeks)} ${weeks === 1 ? 'week' : 'weeks'} later`

export const qualidade = {
  lead: (casos: number | undefined, de: string, ate: string) =>
    `${casos === undefined ? 'Records' : `${number(casos)} ${casos === 1 ? 'record' : 'records'}`} notified from ${de} to ${ate}.`,
  file: 'Download (CSV)',
  none: 'No record was notified in this place and period.',
  partial: 'Part of the place is outside your territory and does not count here.',
  period: 'Notification',
  lastYear: 'Last 365 days',
  by: 'Divide by',
  parts: {
    municipio: 'Municipality',
    regiao_saude: 'Health region',
    estado: 'State',
    unidade: 'Unit (CNES)',
  },
  records: 'Records',
  unknown: 'Unknown',
  percent: (value: number | null) => (value === null ? '–' : `${one(value)} %`),
  days: (value: number | null) => (value === null ? '–' : one(value)),
  of: (part: number, whole: number) => `${number(part)} of ${number(whole)}`,
  grades: { excelente: 'Excellent', bom: 'Good', regular: 'Fair', ruim: 'Poor', muito_ruim: 'Very poor' },
  completeness: {
    title: 'Completeness',
    note: 'Share of the records in which the field is filled in; "ignored" does not count. Excellent from 95 %, good 90 %, fair 80 %, poor 50 %.',
    field: 'Field',
    share: 'Filled in',
    grade: 'Grade',
    records: 'Records',
  },
  timeliness: {
    title: 'Timeliness',
    note: 'Days from one event to another, and the share of the records in time.',
    measure: 'From one to another',
    inTime: 'In time',
    mediana: 'Median (days)',
    p90: '90 % within (days)',
    measures: {
      notificacao: 'Symptoms to notification',
      digitacao: 'Notification to typing',
      encerramento: 'Notification to closing',
      obito: 'Death by the disease to notification',
    },
    limits: {
      notificacao: 'within 7 days',
      digitacao: 'within 7 days',
      encerramento: 'within the deadline of the disease, of records for which it is over',
      obito: 'within 1 day',
    },
    automatic: (count: number) =>
      `${number(count)} ${count === 1 ? 'record was closed' : 'records were closed'} as inconclusive on the 61st day by SINAN, without investigation.`,
  },
  contradictions: {
    title: 'Inconsistencies',
    note: 'What a record says and contradicts itself. Each number leads to the records.',
    none: 'No inconsistency.',
    pairs: 'pairs of records that may be of one person',
  },
  delays: {
    title: 'Time until typed in',
    note: 'Weeks from onset until the case is typed in, of the probable cases of the last 26 ended weeks.',
    choose: 'Choose a disease.',
    few: 'Fewer than 50 cases have a date of typing: too few to tell how long they take.',
    undated: (count: number) =>
      `${number(count)} ${count === 1 ? 'case without a date of typing is' : 'cases without a date of typing are'} left out.`,
    half: (half: number, most: number | null) =>
      `Half are typed in ${after(half)}${most === null ? '' : `, 90 % ${after(most)}`}.`,
    weeks: 'Typed in',
    share: 'Share of cases',
    until: 'Until then',
    after,
  },
  pending: {
    title: 'Where work is pending',
    note: 'By kind of work and municipality of residence, the largest number first.',
    none: 'Nothing is pending.',
    records: 'Records',
    work: 'Pending work',
    place: 'Municipality',
    unknown: 'Unknown municipality',
  },
  groups: {
    titles: {
      municipio: 'By municipality',
      regiao_saude: 'By health region',
      estado: 'By state',
      unidade: 'By notifying unit',
    },
    note: 'Only those with records, in the order of their codes.',
    inTime: {
      notificacao: 'Notified in time',
      digitacao: 'Typed in time',
      encerramento: 'Closed in time',
    },
    poor: 'Poor or very poor fields',
  },
}
