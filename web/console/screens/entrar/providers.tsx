import { provedores } from '../../state/provedores.ts'
import { ssoTexts } from '../../state/texts/sso.ts'
import entrarCss from '../../styles/entrar.screen.css'
import { adopt } from '../../ui/adopt.ts'
import { Notice } from '../../ui/notice.tsx'

adopt(entrarCss)

/** A button for each provider. `_top`: the address is the service's, not a screen of the page. */
export function Providers({ voltar }: { voltar: string | undefined }) {
  const own = ssoTexts()
  const query = voltar === undefined ? '' : `?${new URLSearchParams({ volta: voltar })}`
  return (
    <div class="providers">
      <p class="or">{own.or}</p>
      {provedores.map(({ id, nome }) => (
        <a key={id} class="button plain" href={`/entrar/oidc/${id}${query}`} target="_top">
          {own.withProvider(nome)}
        </a>
      ))}
    </div>
  )
}

/** Why a sign-in by a provider was refused; the address may hold anything. */
export function SsoProblem({ motivo }: { motivo: string }) {
  const { errors, unknown } = ssoTexts()
  const text = Object.hasOwn(errors, motivo) ? errors[motivo as keyof typeof errors] : unknown
  return <Notice kind="error" text={text} />
}
