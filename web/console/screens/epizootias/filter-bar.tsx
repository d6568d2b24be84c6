import { useQuery } from '@tanstack/preact-query'
import { useId, useRef, useState } from 'preact/hooks'
import { CLASSIFICACOES_DE_EPIZOOTIA, ESPECIE_GRUPOS } from '../../../../src/domain/epizootias/campos.ts'
import { valores, word } from '../../state/epizootias.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { type Choice, Choices, Pill } from '../../ui/filter-bar.tsx'
import { LugarPill } from '../../ui/filter-pills.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeys } from '../../ui/keys.ts'
import { type EpizootiaFilters, NO_FILTERS } from './address.ts'

interface EpizootiaFilterBarProps {
  filters: EpizootiaFilters
  onChange(next: EpizootiaFilters, replace?: boolean): void
}

/** Place, suspicion, animals, classification and time; one step of the history for each opening of a field. */
export function EpizootiaFilterBar({ filters, onChange }: EpizootiaFilterBarProps) {
  const t = texts()
  const own = epizootiasTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const { data } = useQuery(valores())
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const onOpen = () => {
    isChanged.current = false
  }
  const set = (next: Partial<EpizootiaFilters>) => {
    onChange({ ...filters, ...next }, isChanged.current)
    isChanged.current = true
  }
  const pill = (name: 'suspeita' | 'grupo' | 'classificacao', label: string, codes: readonly string[]) => {
    const options: Choice[] = [
      { value: '', label: own.list.any[name] },
      ...codes.map((value) => ({ value, label: word(value, data?.items) })),
    ]
    const value = filters[name]
    return (
      <Pill
        name={label}
        value={value === null ? own.list.any[name] : word(value, data?.items)}
        isOn={value !== null}
        onOpen={onOpen}
        panel={(close) => (
          <Choices
            label={label}
            value={value ?? ''}
            options={options}
            onChange={(chosen) => set({ [name]: chosen === '' ? null : chosen })}
            close={close}
          />
        )}
      />
    )
  }
  const suspeitas = (data?.items ?? [])
    .filter(({ campo }) => campo === 'suspeita')
    .map(({ codigo }) => codigo)
  const { de, ate, importacao } = filters
  const period = [de === null ? '' : own.list.from(de), ate === null ? '' : own.list.to(ate)]
    .filter(Boolean)
    .join(' ')
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={own.list.bar} ref={bar}>
        <LugarPill filters={filters} onOpen={onOpen} set={set} />
        {pill('suspeita', own.campos.suspeita, suspeitas)}
        {pill('grupo', own.campos.especie_grupo, ESPECIE_GRUPOS)}
        {pill('classificacao', own.campos.classificacao, CLASSIFICACOES_DE_EPIZOOTIA)}
        <Pill
          name={own.list.period}
          value={period === '' ? own.list.anyTime : period}
          isOn={period !== ''}
          onOpen={onOpen}
          panel={(close) => <PeriodPanel filters={filters} set={set} close={close} />}
        />
        {Object.values(filters).some((value) => value !== null) && (
          <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
      {importacao !== null && (
        <ul class="chips" aria-label={t.filtros.chosen}>
          <li>
            <button
              type="button"
              class="chip"
              aria-label={t.filtros.remove(own.list.ofImport(importacao))}
              onClick={() => onChange({ ...filters, importacao: null })}
            >
              <span>{own.list.ofImport(importacao)}</span>
              <Icon name="close" />
            </button>
          </li>
        </ul>
      )}
    </div>
  )
}

interface PeriodPanelProps {
  filters: EpizootiaFilters
  set(next: Partial<EpizootiaFilters>): void
  close(): void
}

function PeriodPanel({ filters, set, close }: PeriodPanelProps) {
  const own = epizootiasTexts().list
  const [de, setDe] = useState(filters.de ?? '')
  const [ate, setAte] = useState(filters.ate ?? '')
  const isWrong = de !== '' && ate !== '' && ate < de
  return (
    <form
      class="form in-panel"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWrong) return
        close()
        set({ de: de || null, ate: ate || null })
      }}
    >
      <Day label={own.since} value={de} onInput={setDe} />
      <Day label={own.until} value={ate} onInput={setAte} problem={isWrong ? own.wrongPeriod : undefined} />
      <Button type="submit" kind="primary">
        {own.apply}
      </Button>
    </form>
  )
}

interface DayProps {
  label: string
  value: string
  onInput(value: string): void
  problem?: string | undefined
}

function Day({ label, value, onInput, problem }: DayProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="date"
        class="input"
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
