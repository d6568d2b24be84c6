import { agravos } from '../state/agravos.ts'
import type { Filters } from '../state/filter-address.ts'
import { lugarOf, valorWords } from '../state/filter-words.ts'
import { texts } from '../state/texts.ts'
import { Choices, Pill } from './filter-bar.tsx'
import { TerritorioPanel } from './territorio-panel.tsx'
import { usePlaceNames } from './use-filters.ts'

type Lugar = Pick<Filters, 'uf' | 'regiao' | 'municipio'>

interface AgravoPillProps {
  agravo: string | null
  onOpen(): void
  set(next: { agravo: string | null }): void
}

/** Disease of a list beside those of cases. */
export function AgravoPill({ agravo, onOpen, set }: AgravoPillProps) {
  const t = texts()
  return (
    <Pill
      name={t.filtros.names.agravo}
      value={agravo === null ? t.filtros.allAgravos : valorWords(agravo, t)}
      isOn={agravo !== null}
      onOpen={onOpen}
      panel={(close) => (
        <Choices
          label={t.filtros.names.agravo}
          value={agravo ?? ''}
          options={[
            { value: '', label: t.filtros.allAgravos },
            ...agravos().map((value) => ({ value, label: valorWords(value, t) })),
          ]}
          onChange={(value) => set({ agravo: value === '' ? null : value })}
          close={close}
        />
      )}
    />
  )
}

/** The same place among the parts of a filter in words; null: everywhere. */
export function useLugarPart(filters: Lugar) {
  const lugar = lugarOf(filters, usePlaceNames(filters))
  return {
    of: ['uf', 'regiao', 'municipio'] as const,
    name: texts().filtros.names.territorio,
    value: lugar?.nome ?? null,
  }
}

interface LugarPillProps {
  filters: Lugar
  onOpen(): void
  set(next: Lugar): void
}

/** Place of such a list. */
export function LugarPill({ filters, onOpen, set }: LugarPillProps) {
  const t = texts()
  const lugar = lugarOf(filters, usePlaceNames(filters))
  return (
    <Pill
      name={t.filtros.names.territorio}
      value={lugar?.nome ?? t.filtros.brasil}
      isOn={lugar !== null}
      onOpen={onOpen}
      panel={(close) => (
        <TerritorioPanel
          filters={filters}
          lugar={lugar?.nome ?? ''}
          set={({ uf = null, regiao = null, municipio = null }) => set({ uf, regiao, municipio })}
          close={close}
        />
      )}
    />
  )
}
