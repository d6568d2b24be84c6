import type { lista as pt } from '../pt-BR/lista.ts'

export const lista: typeof pt = {
  without: (name: string) => `Without the filter ${name}:`,
  withoutAny: 'Without any filter:',
  number: (value: number) => value.toLocaleString('en-US'),
}
