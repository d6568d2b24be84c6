import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Identidade, Usuario } from './usuario-texts.ts'

interface UnlinkDialogProps {
  conta: Usuario
  identidade: Identidade
  onDone(): void
  onClose(): void
}

/** Asks before somebody loses a way into their account, and says who will learn of it. */
export function UnlinkDialog({ conta, identidade, onDone, onClose }: UnlinkDialogProps) {
  const t = usuariosTexts()
  const own = t.identities
  const { form, isSending, error, submit } = useSending(async () => {
    const params = { id: conta.id, identidade_id: identidade.id }
    await api.delete('/api/v1/usuarios/{id}/identidades/{identidade_id}', { params })
    onDone()
  })
  return (
    <Dialog title={own.unlinkOf(identidade.provedor_nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.lead}</p>
        <p class="note">{own.told}</p>
        <div class="row">
          <Button onClick={onClose}>{texts().app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.unlink}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
