import { formats } from './formats.ts'

const { number } = formats
const counted = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`

export const pessoas = {
  lead: 'Cases of all diseases whose name and birth date, or municipality, resemble those of a person.',
  recorded:
    'Each search is recorded in the audit with its reason and the cases it found; the name that was searched for is not. Up to 30 searches an hour.',
  name: 'Name',
  birth: 'Birth',
  birthNote: 'Day, month or year: 06/05/1990, 05/1990 or 1990 (day first).',
  birthWrong: 'Write a day, a month or a year, as 06/05/1990, 05/1990 or 1990.',
  town: 'Municipality of residence',
  townNote: 'Needed where the birth date is missing.',
  oneOf: 'Give the birth date or the municipality.',
  required: 'Fill in this field.',
  motive: 'Reason',
  motiveNote: 'Kept encrypted in the audit; only those who may identify patients read it.',
  search: 'Search',
  searching: 'Searching…',
  found: (count: number) =>
    count === 0
      ? 'No case that your account may open resembles this person.'
      : `${counted(count, 'case resembles', 'cases resemble')} this person.`,
  most: 'Only the 50 most similar are shown; with the day of birth and the municipality the search is more exact.',
  columns: {
    caso: 'Case',
    nome: 'Name',
    nascimento: 'Birth',
    agravo: 'Disease',
    lugar: 'Residence',
    semelhanca: 'Similarity',
  },
  openOf: (numero: string) => `Notification ${numero} (in another tab)`,
  notified: (day: string) => `notified on ${day}`,
  score: (value: number) => `${number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })} points`,
  selected: (count: number) => counted(count, 'case selected', 'cases selected'),
  unselect: 'Clear selection',
  report: {
    open: 'Report on the person…',
    title: 'Report of what is held of the person',
    effect: (count: number) =>
      `All that the service holds in ${counted(count, 'case', 'cases')}: every field, the changes, the attachments, and who read the data. It answers a request of the person themselves (LGPD, article 18). Make sure first that the cases are theirs.`,
    recorded: 'The report is recorded in the audit of each case, with its reason.',
    tooMany: (most: number) => `A report has at most ${most} cases.`,
    make: 'Make the report',
    making: 'Making…',
    done: 'The report is ready. The file identifies the person: hand it to them alone, and delete it afterwards.',
    download: 'Download the report',
    file: 'report-on-the-person.html',
  },
}
