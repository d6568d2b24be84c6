import { useId, useRef, useState } from 'preact/hooks'
import { texts } from '../state/texts.ts'

export interface ComboboxOption {
  key: string
  label: string
  note?: string
}

interface ComboboxProps {
  label: string
  /** Label of what is chosen; empty: nothing. */
  value: string
  options: ComboboxOption[]
  /** Text that is typed, to look for options by. */
  onInput(text: string): void
  onChoose(key: string): void
  /** The text was emptied; without it that brings the old value back. */
  onClear?: () => void
  /** The field was left with text that nothing was chosen for; without it the text goes. */
  onLeave?: (text: string) => void
  placeholder?: string
  /** Said where nothing matches. */
  none: string
  /** Said instead of options, while too little is typed. */
  hint?: string | undefined
  isLoading?: boolean
  problem?: string | undefined
  note?: string | undefined
  name?: string
  isFirst?: boolean
  isLabelHidden?: boolean
}

/**
 * Editable combobox with a list (ARIA authoring practices): what is typed narrows the options, arrows move among them, Enter chooses, Esc closes
 * and brings back what was chosen.
 */
export function Combobox(props: ComboboxProps) {
  const {
    label,
    value,
    options,
    onInput,
    onChoose,
    onClear,
    onLeave,
    placeholder,
    none,
    hint,
    isLoading = false,
  } = props
  const { problem, note, name, isLabelHidden = false } = props
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  // Tab chooses and leaves at once, before anything is drawn again.
  const isChosen = useRef(false)
  const id = useId()
  const t = texts().filtros

  const type = (text: string) => {
    isChosen.current = false
    setTyped(text)
    setOpen(true)
    setActive(text.trim() === '' ? -1 : 0)
    onInput(text)
  }
  const close = () => {
    setOpen(false)
    setTyped(null)
    setActive(-1)
  }
  const choose = (option: ComboboxOption | undefined) => {
    if (option === undefined) return
    isChosen.current = true
    close()
    onChoose(option.key)
  }
  const open = () => {
    if (isOpen) return
    setOpen(true)
    onInput(typed ?? '')
  }
  const move = (step: number) => {
    open()
    if (options.length === 0) return
    const next =
      active === -1 && step < 0 ? options.length - 1 : (active + step + options.length) % options.length
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Tab takes what was found for what is typed: in a form nobody presses Enter first.
    if (event.key === 'Tab' && typed !== null && typed.trim() !== '') return choose(shown[active])
    const steps: Record<string, (() => void) | undefined> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: isOpen && active >= 0 ? () => choose(options[active]) : undefined,
      Escape: isOpen ? close : undefined,
    }
    const act = steps[event.key]
    if (act === undefined) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const onBlur = () => {
    const text = typed?.trim()
    if (text === '' && value !== '') onClear?.()
    if (text && !isChosen.current) onLeave?.(text)
    close()
  }
  const shown = isOpen && hint === undefined ? options : []
  const said = hint ?? (isLoading ? t.searching : options.length === 0 ? none : t.options(options.length))
  const described = [problem !== undefined && `${id}-problem`, note !== undefined && `${id}-note`].filter(
    Boolean,
  )
  return (
    <div class="field combobox">
      <label for={id} class={isLabelHidden ? 'unseen' : undefined}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        name={name}
        class="input"
        role="combobox"
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-expanded={isOpen && shown.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={shown[active] === undefined ? undefined : `${id}-${active}`}
        aria-invalid={problem !== undefined}
        aria-describedby={described.length > 0 ? described.join(' ') : undefined}
        value={typed ?? value}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onClick={open}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={onBlur}
      />
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        class="combobox-list"
        hidden={shown.length === 0}
        aria-busy={isLoading}
      >
        {shown.map((option, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are those of the combobox
          <div
            key={option.key}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            // Before the field loses the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(option)}
          >
            <span>{option.label}</span>
            {option.note !== undefined && <small>{option.note}</small>}
          </div>
        ))}
      </div>
      <p class={isOpen && shown.length === 0 ? 'combobox-said' : 'unseen'} role="status">
        {isOpen ? said : ''}
      </p>
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
      {note !== undefined && (
        <p class="note" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}
