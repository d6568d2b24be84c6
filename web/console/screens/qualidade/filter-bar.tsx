import { useRef } from 'preact/hooks'
import { DIVISOES, type Divisao } from '../../../../src/domain/casos/qualidade/regras.ts'
import { anosUntil } from '../../state/anos.ts'
import type { LeftOut } from '../../state/filter-address.ts'
import { qualidadeTexts } from '../../state/texts/qualidade.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { AgravoPill, LugarPill } from '../../ui/filter-pills.tsx'
import { useKeys } from '../../ui/keys.ts'
import { LeftOutNotice } from '../../ui/left-out.tsx'
import { NOTHING, porOf, type Recorte } from './address.ts'

interface RecorteBarProps {
  recorte: Recorte
  today: string
  leftOut: readonly LeftOut[]
  onChange(next: Recorte, replace?: boolean): void
}

/** Disease, place, period and parts; one step of the history for each opening of a field. */
export function RecorteBar({ recorte, today, leftOut, onChange }: RecorteBarProps) {
  const t = texts()
  const own = qualidadeTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<Recorte>) => {
    onChange({ ...recorte, ...next }, isChanged.current)
    isChanged.current = true
  }
  const onOpen = () => {
    isChanged.current = false
  }
  const { agravo, ano } = recorte
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.filtros.bar} ref={bar}>
        <AgravoPill agravo={agravo} onOpen={onOpen} set={set} />
        <LugarPill filters={recorte} onOpen={onOpen} set={set} />
        <Pill
          name={own.period}
          value={ano ?? own.lastYear}
          isOn={ano !== null}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={own.period}
              value={ano ?? ''}
              options={[
                { value: '', label: own.lastYear },
                ...anosUntil(today).map((value) => ({ value, label: value })),
              ]}
              onChange={(value) => set({ ano: value === '' ? null : value })}
              close={close}
            />
          )}
        />
        <Pill
          name={own.by}
          value={own.parts[porOf(recorte)]}
          isOn={recorte.por !== null}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={own.by}
              value={porOf(recorte)}
              options={DIVISOES.map((value) => ({ value, label: own.parts[value] }))}
              onChange={(value) => set({ por: value as Divisao })}
              close={close}
            />
          )}
        />
        {Object.values(recorte).some((value) => value !== null) && (
          <Button kind="quiet" onClick={() => onChange(NOTHING)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
      <LeftOutNotice leftOut={leftOut} />
    </div>
  )
}
