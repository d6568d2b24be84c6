import { useId, useState } from 'preact/hooks'
import { CRITERIOS, EVOLUCOES, RACAS, SEXOS, STATUS, ZONAS } from '../../../src/domain/casos/enumeracoes.ts'
import { type ChipName, type Filters, SIM_NAO } from '../state/filters.ts'
import { type Texts, texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import type { Counts } from './filter-bar.tsx'

/** Filters with a list of values, in the order of the panel. */
export const MORE = {
  sexo: SEXOS,
  raca: RACAS,
  gestante: SIM_NAO,
  zona: ZONAS,
  hospitalizacao: SIM_NAO,
  evolucao: EVOLUCOES,
  criterio: CRITERIOS,
  status: STATUS,
} as const satisfies Partial<Record<ChipName, readonly (keyof Texts['valores'])[]>>

interface MoreFiltersProps {
  filters: Filters
  set(next: Partial<Filters>): void
  countsOf?: ((name: ChipName) => Counts | undefined) | undefined
  close(): void
}

export function MoreFilters({ filters, set, countsOf, close }: MoreFiltersProps) {
  const t = texts()
  return (
    <div class="panel more-filters">
      {Object.entries(MORE).map(([name, values]) => (
        <Choice
          key={name}
          name={name as keyof typeof MORE}
          values={values}
          value={filters[name as keyof typeof MORE]}
          counts={countsOf?.(name as ChipName)}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Typed name="idade_de" filters={filters} set={set} pattern={/^\d{1,3}$/} />
      <Typed name="idade_ate" filters={filters} set={set} pattern={/^\d{1,3}$/} />
      <Typed name="cnes" filters={filters} set={set} pattern={/^\d{1,7}$/} />
      <div class="row">
        <Button kind="primary" onClick={close}>
          {t.app.close}
        </Button>
      </div>
    </div>
  )
}

interface ChoiceProps {
  name: keyof typeof MORE
  values: readonly (keyof Texts['valores'])[]
  value: string | null
  counts: Counts | undefined
  onChange(value: string | null): void
}

function Choice({ name, values, value, counts, onChange }: ChoiceProps) {
  const t = texts()
  const id = useId()
  const count = (one: string) => (counts === undefined ? '' : ` (${t.filtros.number(counts.get(one) ?? 0)})`)
  return (
    <div class="field">
      <label for={id}>{t.filtros.names[name]}</label>
      <select
        id={id}
        class="input"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      >
        <option value="">{t.filtros.any}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {t.valores[one]}
            {count(one)}
          </option>
        ))}
      </select>
    </div>
  )
}

interface TypedProps {
  name: 'idade_de' | 'idade_ate' | 'cnes'
  filters: Filters
  set(next: Partial<Filters>): void
  pattern: RegExp
}

/** Numbers, applied when the field is left or with Enter. */
function Typed({ name, filters, set, pattern }: TypedProps) {
  const t = texts().filtros
  const id = useId()
  const [text, setText] = useState(filters[name] ?? '')
  const apply = () => {
    const value = text.trim() === '' ? null : text.trim()
    if (value !== null && !pattern.test(value)) return setText(filters[name] ?? '')
    if (value !== filters[name]) set({ [name]: value })
  }
  return (
    <div class="field">
      <label for={id}>{t.names[name]}</label>
      <input
        id={id}
        class="input"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        maxLength={name === 'cnes' ? 7 : 3}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply()
        }}
      />
    </div>
  )
}
