import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { plain } from '../state/plain.ts'
import { texts } from '../state/texts.ts'
import { Dialog } from './dialog.tsx'
import { Icon, type IconName } from './icon.tsx'

/** Something that the palette can do: go to an address, or run. */
export interface Command {
  label: string
  icon: IconName
  group: 'screens' | 'actions' | 'cases' | 'places'
  path?: string
  run?: () => void
}

/** Milliseconds after the last key. */
const PAUSE_MS = 250
const SHORTEST = 2

interface PaletteProps {
  commands: Command[]
  /** What is looked for beside the commands: cases and municipalities, these alone, or nothing. */
  finds: 'cases' | 'places' | null
  onClose: () => void
}

/** Combobox with a list (ARIA authoring practices): arrows choose, Enter does, Esc closes. */
export default function CommandPalette({ commands, finds, onClose }: PaletteProps) {
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState(0)
  const { route } = useLocation()
  const id = useId()
  const t = texts().palette
  const placeholder = finds === null ? t.placeholder : t.placeholders[finds]
  const { more, isLooking } = useFound(finds === null ? '' : wanted.trim())
  const found = [...commands.filter(({ label }) => plain(label).includes(plain(wanted))), ...more]
  // Enter before the answer is for the first that it brings.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isAwaited.current && !isLooking) perform(found[0])
    if (!isLooking) isAwaited.current = false
  }, [isLooking])
  const perform = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    if (command.path !== undefined) route(command.path)
    command.run?.()
  }
  const move = (step: number) => {
    const next = (chosen + step + found.length) % Math.max(found.length, 1)
    setChosen(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => {
        isAwaited.current = found.length === 0 && isLooking
        perform(found[chosen])
      },
    }
    const act = steps[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  }
  return (
    <Dialog title={t.title} hiddenTitle kind="palette" onClose={onClose}>
      <div class="palette-input">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={placeholder}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${chosen}` : undefined}
          aria-autocomplete="list"
          placeholder={placeholder}
          autocomplete="off"
          spellcheck={false}
          value={wanted}
          onInput={(event) => {
            isAwaited.current = false
            setWanted(event.currentTarget.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={t.title} class="palette-list" aria-busy={isLooking}>
        {found.map((command, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: keys are those of the combobox
          <div
            key={command.path ?? command.label}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === chosen}
            onClick={() => perform(command)}
          >
            <Icon name={command.icon} />
            {command.label}
            <small>{t[command.group]}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p class="palette-none" role="status">
          {isLooking ? texts().filtros.searching : t.none}
        </p>
      )}
    </Dialog>
  )
}

/** Asks the service for what is typed, a moment after the last key. Without an answer there is nothing more to offer. */
function useFound(text: string): { more: Command[]; isLooking: boolean } {
  const [found, setFound] = useState<{ of: string; commands: Command[] }>({ of: '', commands: [] })
  const isAsked = text.length >= SHORTEST
  useEffect(() => {
    if (!isAsked) return
    const stop = new AbortController()
    const timer = setTimeout(async () => {
      const commands = await import('./find-commands.ts')
        .then(({ findCommands }) => findCommands(text, stop.signal))
        .catch(() => [])
      if (!stop.signal.aborted) setFound({ of: text, commands })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  const isOf = isAsked && found.of === text
  return { more: isOf ? found.commands : [], isLooking: isAsked && !isOf }
}
