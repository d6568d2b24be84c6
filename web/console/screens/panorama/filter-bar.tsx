import { useRef } from 'preact/hooks'
import { UFS } from '../../../../src/brasil/uf.ts'
import { agravos } from '../../state/agravos.ts'
import { anosUntil } from '../../state/anos.ts'
import { estadoNome } from '../../state/estados.ts'
import type { LeftOut } from '../../state/filter-address.ts'
import { valorWords } from '../../state/filter-words.ts'
import { panoramaTexts } from '../../state/texts/panorama.ts'
import { texts } from '../../state/texts.ts'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { useKeys } from '../../ui/keys.ts'
import { LeftOutNotice } from '../../ui/left-out.tsx'
import type { Pedido } from './address.ts'

interface PedidoBarProps {
  pedido: Pedido
  today: string
  leftOut: readonly LeftOut[]
  onChange(next: Pedido, replace?: boolean): void
}

/** Disease, year and state; one step of the history for each opening of a field. */
export function PedidoBar({ pedido, today, leftOut, onChange }: PedidoBarProps) {
  const t = texts()
  const own = panoramaTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const options = {
    agravo: agravos().map((value) => ({ value, label: valorWords(value, t) })),
    ano: anosUntil(today).map((value) => ({ value, label: value })),
    uf: [
      { value: '', label: own.allStates },
      ...UFS.map((value) => ({ value: value as string, label: estadoNome(value) })),
    ],
  }
  const names = { agravo: t.filtros.names.agravo, ano: own.ano, uf: t.filtros.estado }
  const field = (name: keyof Pedido) => {
    const value = pedido[name] ?? ''
    return (
      <Pill
        name={names[name]}
        value={options[name].find((one) => one.value === value)?.label ?? value}
        isOn={name === 'uf' && value !== ''}
        onOpen={() => {
          isChanged.current = false
        }}
        panel={(close) => (
          <Choices
            label={names[name]}
            value={value}
            options={options[name]}
            onChange={(chosen) => {
              onChange({ ...pedido, [name]: chosen === '' ? null : chosen }, isChanged.current)
              isChanged.current = true
            }}
            close={close}
          />
        )}
      />
    )
  }
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={t.filtros.bar} ref={bar}>
        {field('agravo')}
        {field('ano')}
        {field('uf')}
      </div>
      <LeftOutNotice leftOut={leftOut} />
    </div>
  )
}
