import { PATHS } from '../../paths.ts'
import { anosUntil } from '../../state/anos.ts'
import {
  addressOf,
  emptyFilters,
  type FilterRules,
  type LeftOut,
  readFilters,
} from '../../state/filter-address.ts'

/** Address of the panorama, with disease, year and state alone: the difference of two narrower answers would disclose hidden numbers. */

export interface Pedido {
  agravo: string
  ano: string
  /** Null: all states. */
  uf: string | null
}

const DEFAULT = 'dengue'
const OWN: readonly string[] = ['agravo', 'uf']
const rulesAt = (today: string): FilterRules => ({ today, agravo: DEFAULT })

export function readPedido(search: string, today: string): { pedido: Pedido; leftOut: LeftOut[] } {
  const { filters, leftOut } = readFilters(search, rulesAt(today))
  const own = leftOut.filter(({ name }) => OWN.includes(name))
  const given = new URLSearchParams(search).get('ano') ?? ''
  const anos = anosUntil(today)
  const isKnown = given === '' || anos.includes(given)
  const ano = given !== '' && isKnown ? given : today.slice(0, 4)
  return {
    pedido: { agravo: filters.agravo ?? DEFAULT, ano, uf: filters.uf },
    leftOut: isKnown ? own : [...own, { name: 'ano', value: given }],
  }
}

export function panoramaPath({ agravo, ano, uf }: Pedido, today: string): string {
  const search = ano === today.slice(0, 4) ? '' : `ano=${ano}`
  const rules = rulesAt(today)
  return addressOf(PATHS.panorama, { ...emptyFilters(rules), agravo, uf }, rules, { search })
}
