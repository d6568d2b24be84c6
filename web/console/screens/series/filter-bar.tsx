import { useRef } from 'preact/hooks'
import { PERIODOS } from '../../../../src/domain/series/periodos.ts'
import { DOMINIOS, TEMAS } from '../../../../src/domain/series/serie.ts'
import { seriesTexts } from '../../state/texts/series.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { type Choice, Choices, Pill } from '../../ui/filter-bar.tsx'
import { useKeys } from '../../ui/keys.ts'
import { NO_FILTERS, type SerieFilters, SITUACOES } from './address.ts'

interface SerieFilterBarProps {
  filters: SerieFilters
  onChange(next: SerieFilters, replace?: boolean): void
}

/** Domain, theme, period and state; one step of the history for each opening of a field. */
export function SerieFilterBar({ filters, onChange }: SerieFilterBarProps) {
  const t = texts()
  const own = seriesTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const pill = (name: Exclude<keyof SerieFilters, 'busca'>, options: Choice[]) => (
    <Pill
      key={name}
      name={own.list[name]}
      value={options.find(({ value }) => value === (filters[name] ?? ''))?.label ?? ''}
      isOn={filters[name] !== null}
      onOpen={() => {
        isChanged.current = false
      }}
      panel={(close) => (
        <Choices
          label={own.list[name]}
          value={filters[name] ?? ''}
          options={options}
          onChange={(value) => {
            onChange({ ...filters, [name]: value === '' ? null : value }, isChanged.current)
            isChanged.current = true
          }}
          close={close}
        />
      )}
    />
  )
  const { situacoes } = own.list
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={own.list.bar} ref={bar}>
        {pill('dominio', [
          { value: '', label: own.list.anyDominio },
          ...DOMINIOS.map((value) => ({ value, label: own.dominios[value] })),
        ])}
        {pill('tema', [
          { value: '', label: own.list.anyTema },
          ...TEMAS.map((value) => ({ value, label: own.temas[value] })),
        ])}
        {pill('periodo', [
          { value: '', label: own.list.anyPeriodo },
          ...PERIODOS.map((value) => ({ value, label: own.periodos[value] })),
        ])}
        {pill('situacao', [
          { value: '', label: situacoes.ativas },
          ...SITUACOES.map((value) => ({ value, label: situacoes[value] })),
        ])}
        {Object.values(filters).some((value) => value !== null) && (
          <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
