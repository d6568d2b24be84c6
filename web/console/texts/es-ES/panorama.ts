import { formats } from './formats.ts'

const { number } = formats

export const panorama = {
  lead: 'Fichas de un año entero en cualquier lugar, también fuera de su territorio, por residencia.',
  ano: 'Año',
  place: 'Lugar',
  records: 'Fichas',
  allStates: 'Todos los estados',
  unknown: 'Lugar desconocido',
  hidden: 'oculto',
  total: 'Total',
  note: (minimo: number) =>
    `Los números de 1 a ${number(minimo - 1)} están ocultos, y otros con ellos, para que nadie sea reconocido.`,
  none: 'Ninguna ficha en este año.',
  titles: { estado: 'Por estado', municipio: 'Por municipio' },
}
