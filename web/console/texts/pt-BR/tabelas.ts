import { formats } from './formats.ts'

const { number } = formats

export const tabelas = {
  lead: (parts: readonly string[]) =>
    `Casos por resposta a uma pergunta da ficha e por classificação. Recorte: ${parts.join(', ')}.`,
  question: 'Pergunta da ficha',
  answer: 'Resposta',
  total: 'Casos',
  share: 'Dos que têm resposta',
  unknown: 'Sem informação',
  cases: (total: number, unknown: number) =>
    `${number(total)} ${total === 1 ? 'caso' : 'casos'}, ${number(unknown)} sem informação.`,
  several: 'Um caso conta em cada resposta que tem: a soma pode passar do total.',
  percent: (part: number, whole: number) =>
    whole === 0 ? '–' : `${number((100 * part) / whole, { maximumFractionDigits: 1 })} %`,
  none: 'Nenhum caso neste recorte.',
  noQuestions: 'A ficha deste agravo não tem perguntas que se possam tabular.',
}
