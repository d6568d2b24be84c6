import { endsAt, stay } from '../state/idle.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { useSecondsUntil } from './countdown.ts'
import { Dialog } from './dialog.tsx'
import { remainingText } from './sign-in.tsx'

/** Five minutes before a session without use ends. */
export default function IdleWarning() {
  const t = texts().idle
  const seconds = useSecondsUntil(endsAt.value)
  return (
    <Dialog title={t.title} onClose={stay}>
      <p>{t.lead(remainingText(seconds))}</p>
      <div class="row">
        <Button kind="primary" onClick={stay}>
          {t.stay}
        </Button>
      </div>
    </Dialog>
  )
}
