import { useQuery } from '@tanstack/preact-query'
import { provedores } from '../../state/provedores.ts'
import { api, holds } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { texts } from '../../state/texts.ts'
import { Page } from '../../ui/page.tsx'
import { PreferenceFields } from '../../ui/preferences.tsx'
import { Answer } from '../../ui/states.tsx'
import { CONTA } from './conta-data.ts'
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
  const query = useQuery({
    queryKey: [...CONTA, 'perfil'],
    queryFn: ({ signal }) => api.get('/api/v1/usuarios/me', { query: { include: 'grupos' } }, { signal }),
  })
  return (
    <Page title={t.screens.conta} lead={own.lead}>
      <div class="account">
        <Answer query={query} lines={8}>
          {(perfil) => (
            <div class="sections">
              <ProfileCard perfil={perfil} />
              <MfaCard isOn={perfil.mfa_habilitado} />
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
