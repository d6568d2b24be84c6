import { formats } from './formats.ts'

const { number } = formats

export const tabelas = {
  lead: (parts: readonly string[]) =>
    `Casos por respuesta a una pregunta de la ficha y por clasificación. Recorte: ${parts.join(', ')}.`,
  question: 'Pregunta de la ficha',
  answer: 'Respuesta',
  total: 'Casos',
  share: 'De los que tienen respuesta',
  unknown: 'Sin información',
  cases: (total: number, unknown: number) =>
    `${number(total)} ${total === 1 ? 'caso' : 'casos'}, ${number(unknown)} sin información.`,
  several: 'Un caso cuenta en cada respuesta que tiene: la suma puede superar el total.',
  percent: (part: number, whole: number) =>
    whole === 0 ? '–' : `${number((100 * part) / whole, { maximumFractionDigits: 1 })} %`,
  none: 'Ningún caso en este recorte.',
  noQuestions: 'La ficha de esta enfermedad no tiene preguntas que se puedan tabular.',
}
