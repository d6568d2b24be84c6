import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { provedores } from '../../state/provedores.ts'
import { texts } from '../../state/texts.ts'
import { Gate } from '../../ui/gate.tsx'
import { Providers } from '../../ui/providers.tsx'
import { SignIn } from '../../ui/sign-in.tsx'
import { SsoCode } from './sso-code.tsx'
import { SsoProblem } from './sso-problem.tsx'

/** By password or by a provider, which comes back here for the second factor or with a reason. */
export default function Entrar() {
  const t = texts()
  const { query } = useLocation()
  const provedor = provedores.find(({ id }) => id === query.sso)
  if (provedor !== undefined)
    return (
      <Gate title={t.screens.entrar}>
        <SsoCode nome={provedor.nome} />
      </Gate>
    )
  return (
    <Gate title={t.screens.entrar}>
      {query.erro !== undefined && <SsoProblem motivo={query.erro} />}
      <SignIn />
      <p>
        <a href={PATHS.esqueci}>{t.entrar.forgot}</a>
      </p>
      {provedores.length > 0 && <Providers voltar={query.voltar} />}
    </Gate>
  )
}
