import type { lista as pt } from '../pt-BR/lista.ts'

export const lista: typeof pt = {
  without: (name: string) => `Sin el filtro ${name}:`,
  withoutAny: 'Sin ningún filtro:',
  number: (value: number) => value.toLocaleString('es-ES'),
}
