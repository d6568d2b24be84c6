import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { generatePassword } from './password.ts'
import { Secret } from './secret.tsx'
import type { Usuario } from './usuario-texts.ts'

interface PasswordDialogProps {
  conta: Usuario
  onDone(text: string): void
  onClose(): void
}

/** Sets a generated password, which is shown once it holds and never again. */
export function PasswordDialog({ conta, onDone, onClose }: PasswordDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [forces, setForces] = useState(true)
  const [made, setMade] = useState<{ senha: string; sessions: number } | null>(null)
  const { form, isSending, error, submit } = useSending(async () => {
    const senha = generatePassword()
    const body = { nova_senha: senha, forcar_troca: forces }
    const { sessoes_invalidadas } = await api.post('/api/v1/usuarios/{id}/alterar-senha', {
      params: { id: conta.id },
      body,
    })
    setMade({ senha, sessions: sessoes_invalidadas })
  })
  const finish = () => {
    if (made !== null) onDone(own.passwordSet(made.sessions))
    onClose()
  }
  return (
    <Dialog title={own.setPassword} {...(made === null && { onClose })}>
      {made !== null ? (
        <div class="form">
          <Notice kind="done" text={own.passwordSet(made.sessions)} />
          <Secret senha={made.senha} />
          <div class="row">
            <Button kind="primary" onClick={finish}>
              {own.passwordKept}
            </Button>
          </div>
        </div>
      ) : (
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <p>{own.setPasswordLead}</p>
          <Check label={own.forceChange} note={own.forceChangeNote} checked={forces} onChange={setForces} />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.setPassword}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  )
}
