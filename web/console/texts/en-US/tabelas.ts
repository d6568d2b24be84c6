import { formats } from './formats.ts'

const { number } = formats

export const tabelas = {
  lead: (parts: readonly string[]) =>
    `Cases by the answer to a question of the form and by classification. Selection: ${parts.join(', ')}.`,
  question: 'Question of the form',
  answer: 'Answer',
  total: 'Cases',
  share: 'Of those with an answer',
  unknown: 'No information',
  cases: (total: number, unknown: number) =>
    `${number(total)} ${total === 1 ? 'case' : 'cases'}, ${number(unknown)} without information.`,
  several: 'A case counts in each answer that it has: the sum may exceed the total.',
  percent: (part: number, whole: number) =>
    whole === 0 ? '–' : `${number((100 * part) / whole, { maximumFractionDigits: 1 })} %`,
  none: 'No cases in this selection.',
  noQuestions: 'The form of this disease has no questions that can be tabulated.',
}
