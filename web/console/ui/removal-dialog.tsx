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
  remove(): Promise<void>
  onClose(): void
}

/** Question before something is removed. */
export function RemovalDialog({ title, note, action, remove, onClose }: RemovalDialogProps) {
  const { form, isSending, error, submit } = useSending(remove)
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={presentText(error)} />}
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
