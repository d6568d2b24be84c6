import { PATHS } from '../../paths.ts'
import { texts } from '../../state/texts.ts'
import { Gate } from '../../ui/gate.tsx'
import { SignIn } from '../../ui/sign-in.tsx'

export default function Entrar() {
  const t = texts()
  return (
    <Gate title={t.screens.entrar}>
      <SignIn />
      <p>
        <a href={PATHS.esqueci}>{t.entrar.forgot}</a>
      </p>
    </Gate>
  )
}
