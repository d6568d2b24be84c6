import { ApiError } from '../api/errors.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useSending } from './form.ts'
import { Notice } from './notice.tsx'
import { presentText } from './present.ts'

interface RemovalDialogProps {
  title: string
  /** What goes with it. */
  note: string
  /** Of the button. */
  action: string
  /** What the service names where the record may not go. */
  field?: string
  remove(): Promise<void>
  onClose(): void
}

/** Question before something is removed. */
export function RemovalDialog({ title, note, action, field, remove, onClose }: RemovalDialogProps) {
  const { form, isSending, error, submit } = useSending(remove)
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={problemOf(error, field) ?? presentText(error)} />}
        <p>{note}</p>
        <div class="row">
          <Button onClick={onClose}>{texts().app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const problemOf = (error: unknown, field: string | undefined) =>
  error instanceof ApiError && field !== undefined ? error.of(field) : undefined
