import { formats } from './formats.ts'

const { number } = formats

export const panorama = {
  lead: 'Records of a whole year anywhere, outside of your territory too, by residence.',
  ano: 'Year',
  place: 'Place',
  records: 'Records',
  allStates: 'All states',
  unknown: 'Unknown place',
  hidden: 'hidden',
  total: 'Total',
  note: (minimo: number) =>
    `Numbers from 1 to ${number(minimo - 1)} are hidden, and others with them, so that nobody is recognised.`,
  none: 'No records in this year.',
  titles: { estado: 'By state', municipio: 'By municipality' },
}
