import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Usuario } from './usuario-texts.ts'

export type Ended = 'mfa' | 'sessoes'

interface EndDialogProps {
  conta: Usuario
  what: Ended
  onDone(text: string): void
  onClose(): void
}

/** Asks before somebody else's second factor or sessions end, and says who will learn of it. */
export function EndDialog({ conta, what, onDone, onClose }: EndDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const title = what === 'mfa' ? own.endFactor : own.endSessions
  const { form, isSending, error, submit } = useSending(async () => {
    const params = { id: conta.id }
    const { sessoes_encerradas } = await (what === 'mfa'
      ? api.delete('/api/v1/usuarios/{id}/mfa', { params })
      : api.delete('/api/v1/usuarios/{id}/sessoes', { params }))
    onDone(own.ended(sessoes_encerradas))
  })
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{what === 'mfa' ? own.endFactorLead : own.endSessionsLead}</p>
        <p>{own.effectSessions(conta.situacao?.sessoes_ativas ?? 0)}</p>
        <p class="note">{own.ownerTold}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {title}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
