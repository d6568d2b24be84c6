import type { lista as pt } from '../pt-BR/lista.ts'
import { formats } from './formats.ts'

export const lista: typeof pt = {
  without: (name: string) => `Without the filter ${name}:`,
  withoutAny: 'Without any filter:',
  number: formats.number,
}
