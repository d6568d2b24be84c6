import { provedores } from '../state/provedores.ts'
import { ssoTexts } from '../state/texts/sso.ts'
import entrarCss from '../styles/entrar.screen.css'
import { adopt } from './adopt.ts'

adopt(entrarCss)

interface ProvidersProps {
  /** Address to come back to. */
  voltar: string | undefined
  /** In a window of its own, whose sign-in this one notices. */
  isBeside?: boolean
}

/** A button for each provider. `_top`: the address is the service's, not a screen of the page. */
export function Providers({ voltar, isBeside = false }: ProvidersProps) {
  const own = ssoTexts()
  const query = voltar === undefined ? '' : `?${new URLSearchParams({ volta: voltar })}`
  return (
    <div class="providers">
      <p class="or">{own.or}</p>
      {provedores.map(({ id, nome }) => (
        <a
          key={id}
          class="button plain"
          href={`/entrar/oidc/${id}${query}`}
          target={isBeside ? '_blank' : '_top'}
          rel="noreferrer"
        >
          {own.withProvider(nome)}
        </a>
      ))}
      {isBeside && <p class="sub">{own.beside}</p>}
    </div>
  )
}
