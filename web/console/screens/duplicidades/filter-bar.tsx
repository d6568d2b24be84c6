import { useRef } from 'preact/hooks'
import { SITUACOES } from '../../../../src/domain/casos/duplicidades/situacao.ts'
import { FAIXAS, NO_FILTERS, type ParFilters } from '../../state/duplicidades.ts'
import { ufOfCode } from '../../state/estados.ts'
import type { LeftOut } from '../../state/filter-address.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { AgravoPill, LugarPill } from '../../ui/filter-pills.tsx'
import { useKeys } from '../../ui/keys.ts'
import { LeftOutNotice } from '../../ui/left-out.tsx'

interface ParFilterBarProps {
  filters: ParFilters
  leftOut: readonly LeftOut[]
  onChange(next: ParFilters, replace?: boolean): void
}

/** State, band, disease, place and import; one step of the history for each opening of a field. */
export function ParFilterBar({ filters, leftOut, onChange }: ParFilterBarProps) {
  const t = texts()
  const own = duplicidadesTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const { agravo, faixa, importacao } = filters
  const situacao = filters.situacao ?? 'pendente'
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<ParFilters>) => {
    onChange(withState({ ...filters, ...next }), isChanged.current)
    isChanged.current = true
  }
  const onOpen = () => {
    isChanged.current = false
  }
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={own.bar} ref={bar}>
        <Pill
          name={own.state}
          value={own.states[situacao]}
          isOn={situacao !== 'pendente'}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={own.state}
              value={situacao}
              options={SITUACOES.map((value) => ({ value, label: own.states[value] }))}
              onChange={(value) => set({ situacao: SITUACOES.find((one) => one === value) ?? null })}
              close={close}
            />
          )}
        />
        <Pill
          name={own.band}
          value={faixa === null ? own.anyBand : own.bands[faixa]}
          isOn={faixa !== null}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={own.band}
              value={faixa ?? ''}
              options={[
                { value: '', label: own.anyBand },
                ...FAIXAS.map((value) => ({ value, label: own.bands[value], note: own.bandNotes[value] })),
              ]}
              onChange={(value) => set({ faixa: FAIXAS.find((one) => one === value) ?? null })}
              close={close}
            />
          )}
        />
        <AgravoPill agravo={agravo} onOpen={onOpen} set={set} />
        <LugarPill filters={filters} onOpen={onOpen} set={set} />
        {importacao !== null && <span class="tag amber">{own.importOf(importacao)}</span>}
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
function withState(filters: ParFilters): ParFilters {
  const codigo = filters.municipio ?? filters.regiao
  return codigo === null ? filters : { ...filters, uf: ufOfCode(codigo) }
}
