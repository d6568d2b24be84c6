import { useEffect } from 'preact/hooks'
import { PERFIL } from '../api/early.ts'
import { provedores } from '../state/provedores.ts'
import { api, isInterrupted, loadSession } from '../state/session.ts'
import { Providers } from './providers.tsx'

/**
 * Providers over a screen whose session ended. The sign-in happens in a window of its own, so that what was typed here stays; the
 * screen goes on once this window is looked at again.
 */
export default function SignInBeside() {
  useEffect(() => {
    const look = () => void resume()
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  if (provedores.length === 0) return null
  return <Providers voltar={`${location.pathname}${location.search}`} isBeside />
}

/** Nobody yet: the screen stays interrupted. */
async function resume(): Promise<void> {
  const found = await api.get(PERFIL.path, {}, { withoutSession: true }).catch(() => null)
  if (found !== null && isInterrupted.value) await loadSession()
}
