import { useLocation } from 'preact-iso/router'
import { addressOf, CHIP_NAMES, type Filters } from '../../state/filter-address.ts'
import { texts } from '../../state/texts.ts'
import type { FilterState } from '../../ui/use-filters.ts'

const NO_CHIPS: Partial<Filters> = {
  ...Object.fromEntries(CHIP_NAMES.map((name) => [name, null])),
  especificos: {},
}

/** Frequent questions about the same place and time, each an address. */
const VIEWS = {
  todos: {},
  abertos: { status: 'em_investigacao' },
  atrasados: { pendencia: 'atrasado' },
  obitos: { evolucao: 'obito' },
  obitosEmInvestigacao: { evolucao: 'obito_em_investigacao' },
  hospitalizados: { hospitalizacao: 'sim' },
  meus: { responsavel: 'eu' },
} as const satisfies Record<string, Partial<Filters>>

export function Views({ state: { filters, rules } }: { state: FilterState }) {
  const { path } = useLocation()
  const t = texts().casos
  const present = addressOf(path, filters, rules)
  return (
    <nav class="views" aria-label={t.views}>
      {Object.entries(VIEWS).map(([name, chips]) => {
        const address = addressOf(path, { ...filters, ...NO_CHIPS, ...chips }, rules)
        return (
          <a key={name} href={address} aria-current={address === present ? 'true' : undefined}>
            {t.viewNames[name as keyof typeof VIEWS]}
          </a>
        )
      })}
    </nav>
  )
}
