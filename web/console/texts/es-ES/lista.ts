import type { lista as pt } from '../pt-BR/lista.ts'
import { formats } from './formats.ts'

export const lista: typeof pt = {
  without: (name: string) => `Sin el filtro ${name}:`,
  withoutAny: 'Sin ningún filtro:',
  number: formats.number,
}
