import { useLayoutEffect } from 'preact/hooks'
import { isUnsaved, waiting } from '../state/leaving.ts'
import { saidaTexts } from '../state/texts/saida.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface LeaveQuestionProps {
  /** What would be lost. */
  note: string
  onDiscard(): void
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** Stands on a screen as long as something of it is not saved: asks before another screen, and has the browser ask before the tab is closed. */
export function LeaveQuestion({ note, onDiscard }: LeaveQuestionProps) {
  const t = saidaTexts()
  useLayoutEffect(() => {
    isUnsaved.value = true
    addEventListener('beforeunload', warn)
    return () => {
      isUnsaved.value = false
      removeEventListener('beforeunload', warn)
    }
  }, [])
  const way = waiting.value
  if (way === null) return null
  return (
    <Dialog title={t.title} onClose={way.stay}>
      <div class="form">
        <p>{note}</p>
        <div class="row">
          <Button onClick={way.stay}>{t.stay}</Button>
          <Button kind="primary" class="button danger" onClick={onDiscard}>
            {t.discard}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
