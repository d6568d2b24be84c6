import { useState } from 'preact/hooks'
import { api, cache } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { NewPasswordForm } from '../../ui/new-password-form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CONTA } from './conta-data.ts'

/** Changes the password; the other sessions end with the old one. */
export function PasswordCard() {
  const t = texts()
  const own = contaTexts().password
  const [isOpen, setOpen] = useState(false)
  const [ended, setEnded] = useState<number | null>(null)
  return (
    <section class="card form">
      <h2>{own.title}</h2>
      {ended !== null && <Notice kind="done" text={own.done(ended)} />}
      <p class="sub">{own.lead}</p>
      <div>
        <Button icon="lock" onClick={() => setOpen(true)}>
          {own.open}
        </Button>
      </div>
      {isOpen && (
        <Dialog title={own.open} onClose={() => setOpen(false)}>
          <NewPasswordForm
            send={async (body) => {
              const { sessions_invalidated } = await api.post('/api/v1/auth/change-password', { body })
              setEnded(sessions_invalidated)
              setOpen(false)
              void cache.invalidateQueries({ queryKey: CONTA })
            }}
          >
            <Button kind="quiet" onClick={() => setOpen(false)}>
              {t.app.cancel}
            </Button>
          </NewPasswordForm>
        </Dialog>
      )}
    </section>
  )
}
