import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { texts } from '../state/texts.ts'
import { Dialog } from './dialog.tsx'
import { SignIn } from './sign-in.tsx'

/** Over the screen whose session ended; what waits there goes on afterwards. */
export default function SignInAgain({ email }: { email: string }) {
  const [Beside, setBeside] = useState<ComponentType | null>(null)
  const t = texts()
  useEffect(() => {
    import('./sign-in-beside.tsx').then(
      (code) => setBeside(() => code.default),
      () => undefined,
    )
  }, [])
  return (
    <Dialog title={t.screens.entrar}>
      <p class="sub">{t.entrar.again}</p>
      <SignIn email={email} />
      {Beside && <Beside />}
    </Dialog>
  )
}
