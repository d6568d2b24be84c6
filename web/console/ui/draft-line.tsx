import { draftStatus } from '../state/drafts.ts'
import { registroTexts } from '../state/texts/registro.ts'

/** State of the draft of a form. */
export function DraftLine({ uuid }: { uuid: string }) {
  const t = registroTexts().draft
  const status = draftStatus(uuid).value
  const text =
    status.kind === 'saved'
      ? t.saved(status.at)
      : status.kind === 'none' || status.kind === 'typed'
        ? ''
        : t[status.kind]
  const isWarning = ['failed', 'full'].includes(status.kind)
  return (
    <p class={isWarning ? 'draft-line warn' : 'draft-line'} role="status">
      {text}
    </p>
  )
}
