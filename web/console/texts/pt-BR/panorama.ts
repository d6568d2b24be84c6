import { formats } from './formats.ts'

const { number } = formats

export const panorama = {
  lead: 'Fichas de um ano inteiro em qualquer lugar, também fora do seu território, por residência.',
  ano: 'Ano',
  place: 'Lugar',
  records: 'Fichas',
  allStates: 'Todos os estados',
  unknown: 'Lugar desconhecido',
  hidden: 'oculto',
  total: 'Total',
  note: (minimo: number) =>
    `Números de 1 a ${number(minimo - 1)} estão ocultos, e outros com eles, para que ninguém seja reconhecido.`,
  none: 'Nenhuma ficha neste ano.',
  titles: { estado: 'Por estado', municipio: 'Por município' },
}
