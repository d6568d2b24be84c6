import { api } from '../../state/session.ts'
import { linksTexts } from '../../state/texts/links.ts'
import { texts } from '../../state/texts.ts'
import { LinkGate, OneButton } from '../../ui/link-gate.tsx'

export default function VerificarEmail() {
  const t = linksTexts().verificar
  return (
    <LinkGate title={texts().screens.verificarEmail} lead={t.lead} t={t}>
      {(use) => (
        <OneButton
          label={t.submit}
          onUse={() =>
            use((token) =>
              api.post('/api/v1/auth/verificar-email', { body: { token } }, { withoutSession: true }),
            )
          }
        />
      )}
    </LinkGate>
  )
}
