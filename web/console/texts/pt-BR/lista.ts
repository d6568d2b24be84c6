import { formats } from './formats.ts'

/** Of every list with a filter. */
export const lista = {
  without: (name: string) => `Sem o filtro ${name}:`,
  withoutAny: 'Sem filtro algum:',
  number: formats.number,
}
