import { useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

const ACCEPTED = '.csv,.txt,.xlsx,.dbf,.dbc,.zip'

interface DropProps {
  text: string
  formats: string
  onChoose(file: File | undefined): void
}

/** A file input over the whole area: it takes the click, the keys and the drop. */
export function Drop({ text, formats, onChoose }: DropProps) {
  const [isOver, setOver] = useState(false)
  return (
    <label class={isOver ? 'drop over' : 'drop'}>
      <Icon name="importacoes" />
      <span>
        <b>{text}</b>
        <small>{formats}</small>
      </span>
      <input
        type="file"
        accept={ACCEPTED}
        onDragEnter={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        onChange={({ currentTarget }) => {
          onChoose(currentTarget.files?.[0])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
