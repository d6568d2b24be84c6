import { api, loadSession, signOut } from '../../state/session.ts'
import { senhaTexts } from '../../state/texts/senha.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Gate } from '../../ui/gate.tsx'
import { NewPasswordForm } from '../../ui/new-password-form.tsx'

/** A password that somebody else has set: nothing else is open until it is changed. */
export default function TrocarSenha() {
  const t = texts()
  return (
    <Gate title={t.screens.trocarSenha} lead={senhaTexts().trocar.lead}>
      <NewPasswordForm
        send={async (body) => {
          await api.post('/api/v1/auth/change-password', { body }, { withoutSession: true })
          await loadSession()
        }}
      >
        <Button kind="quiet" onClick={() => void signOut()}>
          {t.app.signOut}
        </Button>
      </NewPasswordForm>
    </Gate>
  )
}
