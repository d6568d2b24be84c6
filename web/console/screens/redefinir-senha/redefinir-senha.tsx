import { api } from '../../state/session.ts'
import { linksTexts } from '../../state/texts/links.ts'
import { texts } from '../../state/texts.ts'
import { LinkGate } from '../../ui/link-gate.tsx'
import { NewPasswordForm } from '../../ui/new-password-form.tsx'

/** By the link of a forgotten password, or of an invitation. */
export default function RedefinirSenha() {
  return (
    <LinkGate title={texts().screens.trocarSenha} t={linksTexts().redefinir} canReset>
      {(use) => (
        <NewPasswordForm
          isForgotten
          send={({ senha_nova, confirmar_senha }) =>
            use((token) =>
              api.post(
                '/api/v1/auth/reset-password',
                { body: { token, senha_nova, confirmar_senha } },
                { withoutSession: true },
              ),
            )
          }
        />
      )}
    </LinkGate>
  )
}
