import { useRef } from 'preact/hooks'
import { seriesTexts } from '../../state/texts/series.ts'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { LugarPill } from '../../ui/filter-pills.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ANOS, periodsOf } from './recorte.ts'
import type { CardProps } from './serie.tsx'

/** Place, period and years: the whole screen follows them. */
export function RecorteBar({ serie, recorte, change }: CardProps) {
  const t = seriesTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<typeof recorte>) => {
    change(next, isChanged.current)
    isChanged.current = true
  }
  const onOpen = () => {
    isChanged.current = false
  }
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.detail.recorte} ref={bar}>
        <LugarPill filters={recorte} onOpen={onOpen} set={set} />
        {periodsOf(serie).length > 1 && (
          <Pill
            name={t.detail.por}
            value={t.periodos[recorte.por]}
            isOn={false}
            onOpen={onOpen}
            panel={(close) => (
              <Choices
                label={t.detail.por}
                value={recorte.por}
                options={periodsOf(serie).map((value) => ({ value, label: t.periodos[value] }))}
                // A period of another length is no place on the new axis.
                onChange={(por) => set({ por: por as typeof recorte.por, em: null })}
                close={close}
              />
            )}
          />
        )}
        <Pill
          name={t.detail.anos}
          value={t.detail.lastYears(recorte.anos)}
          isOn={false}
          onOpen={onOpen}
          panel={(close) => (
            <Choices
              label={t.detail.anos}
              value={String(recorte.anos)}
              options={ANOS.map((anos) => ({ value: String(anos), label: t.detail.lastYears(anos) }))}
              onChange={(anos) => set({ anos: Number(anos) })}
              close={close}
            />
          )}
        />
      </div>
    </div>
  )
}
