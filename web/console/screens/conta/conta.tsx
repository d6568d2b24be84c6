import { useQuery } from '@tanstack/preact-query'
import { provedores } from '../../state/provedores.ts'
import { holds } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Page } from '../../ui/page.tsx'
import { PreferenceFields } from '../../ui/preferences.tsx'
import { Answer } from '../../ui/states.tsx'
import { contaQuery } from './conta-data.ts'
import { Density } from './density.tsx'
import { IdentitiesCard } from './identities.tsx'
import { MfaCard } from './mfa.tsx'
import { PasswordCard } from './password.tsx'
import { ProfileCard } from './profile.tsx'
import { SecurityCard } from './security.tsx'
import { SessionsCard } from './sessions.tsx'
import { StartPlace } from './start-place.tsx'
import './styles.ts'

/** The account of the person: what it says, what protects it, where it is open, and how the console looks. */
export default function Conta() {
  const t = texts()
  const own = contaTexts()
  const query = useQuery(contaQuery())
  return (
    <Page title={t.screens.conta} lead={own.lead}>
      <div class="account">
        <Answer query={query} lines={8}>
          {(conta) => (
            <div class="sections">
              <ProfileCard conta={conta} />
              <MfaCard isOn={conta.mfa_habilitado === true} codes={conta.situacao?.codigos_backup} />
            </div>
          )}
        </Answer>
        <div class="sections">
          <SecurityCard />
          <PasswordCard />
          <section class="card">
            <h2>{own.preferences.title}</h2>
            <PreferenceFields />
            <Density />
            {holds(['dashboard.visualizar', 'agravos.estatisticas']) && <StartPlace />}
          </section>
        </div>
      </div>
      {provedores.length > 0 && <IdentitiesCard />}
      <SessionsCard />
    </Page>
  )
}
