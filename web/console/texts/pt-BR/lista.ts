/** Of every list with a filter. */
export const lista = {
  without: (name: string) => `Sem o filtro ${name}:`,
  withoutAny: 'Sem filtro algum:',
  number: (value: number) => value.toLocaleString('pt-BR'),
}
