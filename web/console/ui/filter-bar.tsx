import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { DENGUE_ONLY } from '../../../src/domain/casos/enumeracoes.ts'
import { agravos } from '../state/agravos.ts'
import {
  BASES,
  CHIP_NAMES,
  type ChipName,
  CLASSIFICACOES_DO_FILTRO,
  emptyFilters,
  type Filters,
  withAgravo,
  writeFilters,
} from '../state/filter-address.ts'
import { chipWords, classificacaoWords, lugarOf, periodoWords, valorWords } from '../state/filter-words.ts'
import { codigosIn, type FormularioDoAgravo, formularioOf, hasOwnCode } from '../state/formularios.ts'
import type { Periodo } from '../state/periodo.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { afterPaint } from './in-turn.ts'
import { useKeys } from './keys.ts'
import { LeftOutNotice } from './left-out.tsx'
import { especificoWords, MoreFilters } from './more-filters.tsx'
import { OnDemand } from './on-demand.tsx'
import { PeriodoPanel } from './periodo-panel.tsx'
import { Popover } from './popover.tsx'
import { TerritorioPanel } from './territorio-panel.tsx'
import type { FilterState } from './use-filters.ts'

/** Numbers of cases by value, for the options of a filter. */
export type Counts = ReadonlyMap<string, number>

/** By filter, for those that can be counted. */
export type CountsByFilter = Partial<
  Record<'agravo' | 'uf' | 'municipio' | 'base' | 'classificacao' | 'faixa' | ChipName, Counts> & {
    /** Null where a period cannot be counted by weeks. */
    periodo: ((of: Periodo) => number | null) | undefined
  }
>

/**
 * The filter of a screen. One step of the history for each opening of a field, however much is changed in it; how many cases each value
 * would have comes when its options are opened.
 */
export function FilterBar({ state }: { state: FilterState }) {
  const { filters, rules, leftOut, names, change } = state
  const t = texts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const [counts, setCounts] = useState<CountsByFilter>({})
  const [openedFor, setOpenedFor] = useState<string | null>(null)
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<Filters>) => {
    change({ ...filters, ...next }, isChanged.current)
    isChanged.current = true
  }
  const opened = (name: string) => {
    isChanged.current = false
    setOpenedFor(filters.agravo)
    setCounts({})
    import('./counts.ts')
      .then(({ askCounts }) => askCounts(filters, rules.today, name))
      .then(
        (found) => setCounts((before) => ({ ...before, ...found })),
        () => undefined,
      )
  }
  const { agravo, periodo, base, classificacao } = filters
  const form = formularioOf(agravo, rules)
  // Numbers of another disease are two requests: its form waits until there is something to choose from it, or to name.
  const isNeeded = !rules.isCounted || openedFor === agravo || hasOwnCode(filters)
  const { data: formulario } = useQuery({ ...form, enabled: form.enabled && isNeeded })
  const lugar = lugarOf(filters, names)
  const isNarrowed = writeFilters(filters, rules).size > 0
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.filtros.bar} ref={bar}>
        <Pill
          name={t.filtros.names.agravo}
          value={agravo === null ? t.filtros.allAgravos : valorWords(agravo, t)}
          isOn={agravo !== (rules.agravo ?? null)}
          onOpen={() => opened('agravo')}
          panel={(close) => (
            <Choices
              label={t.filtros.names.agravo}
              value={agravo ?? ''}
              options={[
                ...(rules.agravo === undefined ? [{ value: '', label: t.filtros.allAgravos }] : []),
                ...agravos().map((value) => ({ value, label: valorWords(value, t) })),
              ]}
              counts={counts.agravo}
              onChange={(value) => set(withAgravo(filters, value === '' ? null : value))}
              close={close}
            />
          )}
        />
        <Pill
          name={t.filtros.names.territorio}
          value={lugar?.nome ?? t.filtros.brasil}
          isOn={lugar !== null}
          onOpen={() => opened('territorio')}
          panel={(close) => (
            <>
              <TerritorioPanel
                filters={filters}
                lugar={lugar?.nome ?? ''}
                counts={counts}
                set={set}
                close={close}
              />
              {filters.municipio !== null && (
                <OnDemand
                  load={() => import('./bairro-field.tsx')}
                  props={{ filters, today: rules.today, set, close }}
                />
              )}
            </>
          )}
        />
        <Pill
          name={t.filtros.names.periodo}
          value={periodoWords(periodo, t.filtros)}
          isOn={writeFilters(filters, rules).has('periodo')}
          onOpen={() => opened('periodo')}
          panel={(close) => (
            <PeriodoPanel
              periodo={periodo}
              rules={rules}
              countOf={counts.periodo}
              onChange={(periodo) => set({ periodo })}
              close={close}
            />
          )}
        />
        <Pill
          name={t.filtros.names.base}
          value={t.filtros.bases[base]}
          isOn={base !== 'sintomas'}
          onOpen={() => opened('base')}
          panel={(close) => (
            <Choices
              label={t.filtros.names.base}
              value={base}
              options={BASES.map((value) => ({ value, label: t.filtros.bases[value] }))}
              counts={counts.base}
              onChange={(value) => set({ base: value as Filters['base'] })}
              close={close}
            />
          )}
        />
        <Pill
          name={t.filtros.names.classificacao}
          value={classificacaoWords(classificacao, t)}
          isOn={classificacao !== 'provavel'}
          onOpen={() => opened('classificacao')}
          panel={(close) => (
            <Choices
              label={t.filtros.names.classificacao}
              value={classificacao}
              options={classificacoesFor(agravo, formulario).map((value) => ({
                value,
                label: classificacaoWords(value, t),
                ...(value === 'provavel' && { note: t.filtros.provavelNote }),
                ...(value === 'notificado' && { note: t.filtros.notificadoNote }),
              }))}
              counts={counts.classificacao}
              onChange={(value) => set({ classificacao: value as Filters['classificacao'] })}
              close={close}
            />
          )}
        />
        <Popover
          label={t.filtros.more}
          kind="button quiet"
          onOpen={() => opened('more')}
          panel={(close) => (
            <MoreFilters
              filters={filters}
              rules={rules}
              formulario={formulario}
              set={set}
              counts={counts}
              close={close}
            />
          )}
        >
          {t.filtros.more}
        </Popover>
        {isNarrowed && (
          <Button kind="quiet" onClick={() => change(emptyFilters(rules))}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
      <Chips filters={filters} formulario={formulario} change={change} />
      <LeftOutNotice leftOut={leftOut} />
    </div>
  )
}

/** Classes of dengue are of no use for other diseases; one with a definition has those that it allows. */
const classificacoesFor = (agravo: string | null, formulario: FormularioDoAgravo | undefined) => [
  ...new Set([
    ...CLASSIFICACOES_DO_FILTRO.filter(
      (one) => agravo === null || agravo === 'dengue' || !DENGUE_ONLY.includes(one),
    ),
    ...(codigosIn(formulario, 'classificacao_final') ?? []),
  ]),
]

interface PillProps {
  name: string
  value: string
  isOn: boolean
  onOpen: () => void
  panel(close: () => void): ComponentChildren
}

/** A field of the bar: its name, what is chosen, and the choice in a panel. */
export function Pill({ name, value, isOn, onOpen, panel }: PillProps) {
  return (
    <Popover label={name} kind={isOn ? 'pill on' : 'pill'} onOpen={onOpen} panel={panel}>
      <small>{name}</small>
      <b>{value}</b>
    </Popover>
  )
}

export interface Choice {
  value: string
  label: string
  note?: string
}

interface ChoicesProps {
  label: string
  value: string
  options: Choice[]
  counts?: Counts | undefined
  onChange(value: string): void
  close(): void
}

/**
 * One of several. A click is the whole choice and closes; arrows go on choosing, Enter closes. What is chosen is painted before the screen
 * follows it, which takes a slow computer a tenth of a second.
 */
export function Choices({ label, value, options, counts, onChange, close }: ChoicesProps) {
  const name = useId()
  const cancel = useRef(() => {})
  const choose = (chosen: string) => {
    cancel.current()
    cancel.current = afterPaint(() => onChange(chosen))
  }
  const t = texts().filtros
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => choose(option.value)}
            onClick={(event) => {
              // A click that keys made has no count.
              if (event.detail > 0) close()
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') close()
            }}
          />
          <span>
            {option.label}
            {option.note !== undefined && <small>{option.note}</small>}
          </span>
          {counts !== undefined && <span class="count">{t.number(counts.get(option.value) ?? 0)}</span>}
        </label>
      ))}
    </fieldset>
  )
}

interface ChipsProps {
  filters: Filters
  formulario: FormularioDoAgravo | undefined
  change(next: Filters): void
}

/** Filters beside the fields of the bar, each with its end. */
function Chips({ filters, formulario, change }: ChipsProps) {
  const t = texts()
  const active = CHIP_NAMES.filter((name) => filters[name] !== null) as ChipName[]
  const { especificos } = filters
  const chips = [
    ...active.map((name) => ({
      name: t.filtros.names[name] as string,
      value: chipWords(name, filters[name] as string, t),
      without: { ...filters, [name]: null },
    })),
    ...Object.keys(especificos).map((nome) => {
      const { [nome]: value = '', ...without } = especificos
      return { ...especificoWords(formulario, nome, value, t), without: { ...filters, especificos: without } }
    }),
  ]
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label={t.filtros.chosen}>
      {chips.map(({ name, value, without }) => (
        <li key={name}>
          <button
            type="button"
            class="chip"
            aria-label={t.filtros.remove(name)}
            onClick={() => change(without)}
          >
            <span>
              {name}: <b>{value}</b>
            </span>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}
