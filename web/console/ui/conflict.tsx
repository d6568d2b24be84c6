import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { registroTexts } from '../state/texts/registro.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export type Side = 'mine' | 'theirs'

/** A field that both sides changed, each value in words. */
export interface ConflictRow {
  key: string
  label: string
  before: ComponentChildren
  mine: ComponentChildren
  theirs: ComponentChildren
}

interface ConflictProps {
  rows: ConflictRow[]
  /** Changed by the other side alone: it stays. */
  others: { key?: string; label: string; value: ComponentChildren }[]
  who: string | null
  when: Date | null
  isSending: boolean
  onSend(sides: Record<string, Side>): void
  onClose(): void
}

/** Answer to 409: both values side by side, field by field; a choice for each, then sent again. */
export function ConflictDialog({ rows, others, who, when, isSending, onSend, onClose }: ConflictProps) {
  const [sides, setSides] = useState<Record<string, Side>>(() =>
    Object.fromEntries(rows.map(({ key }) => [key, 'mine'])),
  )
  const t = registroTexts().conflict
  return (
    <Dialog title={t.title} kind="conflict" onClose={onClose}>
      <p class="sub">{t.lead(who, when)}</p>
      {rows.length === 0 && <p>{t.none}</p>}
      {rows.map((row) => (
        <Choice
          key={row.key}
          row={row}
          side={sides[row.key] ?? 'mine'}
          onChoose={(side) => setSides({ ...sides, [row.key]: side })}
        />
      ))}
      {others.length > 0 && (
        <div class="conflict-others">
          <p>{t.others}</p>
          <ul>
            {others.map(({ key, label, value }) => (
              <li key={key ?? label}>
                {label}: <b>{value}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="row">
        <Button onClick={onClose}>{t.back}</Button>
        <Button kind="primary" aria-disabled={isSending} onClick={() => !isSending && onSend(sides)}>
          {isSending ? texts().formulario.saving : t.send}
        </Button>
      </div>
    </Dialog>
  )
}

function Choice({ row, side, onChoose }: { row: ConflictRow; side: Side; onChoose(side: Side): void }) {
  const id = useId()
  const t = registroTexts().conflict
  return (
    <fieldset class="conflict-row">
      <legend>{row.label}</legend>
      <p class="note">
        {t.before} {row.before}
      </p>
      <div class="sides">
        {(['mine', 'theirs'] as const).map((one) => (
          <label key={one} class="side">
            <input type="radio" name={id} checked={side === one} onChange={() => onChoose(one)} />
            <span>
              <small>{t[one]}</small>
              <b>{row[one]}</b>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
