import { api } from '../../state/session.ts'
import { linksTexts } from '../../state/texts/links.ts'
import { texts } from '../../state/texts.ts'
import { LinkGate, OneButton } from '../../ui/link-gate.tsx'

/** Undoes what a notice told of: a new address, a second factor. */
export default function NaoFuiEu() {
  const t = linksTexts().naoFuiEu
  return (
    <LinkGate title={texts().screens.naoFuiEu} lead={t.lead} t={t} canReset>
      {(use) => (
        <OneButton
          label={t.submit}
          onUse={() =>
            use((token) => api.post('/api/v1/auth/nao-fui-eu', { body: { token } }, { withoutSession: true }))
          }
        />
      )}
    </LinkGate>
  )
}
