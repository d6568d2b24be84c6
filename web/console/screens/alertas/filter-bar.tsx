import { useRef } from 'preact/hooks'
import { type AlertaFilters, NIVEIS, NO_FILTERS, SITUACOES } from '../../state/alertas.ts'
import { ufOfCode } from '../../state/estados.ts'
import type { LeftOut } from '../../state/filter-address.ts'
import { alertasTexts } from '../../state/texts/alertas.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { AgravoPill, LugarPill } from '../../ui/filter-pills.tsx'
import { useKeys } from '../../ui/keys.ts'
import { LeftOutNotice } from '../../ui/left-out.tsx'

interface AlertaFilterBarProps {
  filters: AlertaFilters
  leftOut: readonly LeftOut[]
  onChange(next: AlertaFilters, replace?: boolean): void
}

/** Disease, place, level and notice; one step of the history for each opening of a field. */
export function AlertaFilterBar({ filters, leftOut, onChange }: AlertaFilterBarProps) {
  const t = texts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const { agravo, nivel, situacao } = filters
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<AlertaFilters>) => {
    onChange(withState({ ...filters, ...next }), isChanged.current)
    isChanged.current = true
  }
  const onOpen = () => {
    isChanged.current = false
  }
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.filtros.bar} ref={bar}>
        <AgravoPill agravo={agravo} onOpen={onOpen} set={set} />
        <LugarPill filters={filters} onOpen={onOpen} set={set} />
        <Pill
          name={alertasTexts().level}
          value={nivel === null ? alertasTexts().anyLevel : t.niveis.nomes[nivel]}
          isOn={nivel !== null}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={alertasTexts().level}
              value={nivel ?? ''}
              options={[
                { value: '', label: alertasTexts().anyLevel },
                ...NIVEIS.toReversed().map((value) => ({
                  value,
                  label: t.niveis.nomes[value],
                  note: t.niveis.significados[value],
                })),
              ]}
              onChange={(value) => set({ nivel: NIVEIS.find((one) => one === value) ?? null })}
              close={close}
            />
          )}
        />
        <Pill
          name={alertasTexts().state}
          value={alertasTexts().states[situacao ?? 'todos']}
          isOn={situacao !== null}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={alertasTexts().state}
              value={situacao ?? ''}
              options={[
                { value: '', label: alertasTexts().states.todos },
                ...SITUACOES.map((value) => ({ value, label: alertasTexts().states[value] })),
              ]}
              onChange={(value) => set({ situacao: SITUACOES.find((one) => one === value) ?? null })}
              close={close}
            />
          )}
        />
        {Object.values(filters).some((value) => value !== null) && (
          <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
      <LeftOutNotice leftOut={leftOut} />
    </div>
  )
}

/** One place, with the state it is in, as the address has it. */
function withState(filters: AlertaFilters): AlertaFilters {
  const codigo = filters.municipio ?? filters.regiao
  return codigo === null ? filters : { ...filters, uf: ufOfCode(codigo) }
}
