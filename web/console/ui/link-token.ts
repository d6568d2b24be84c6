import { useEffect, useState } from 'preact/hooks'

/**
 * One-time token of a mail's link. It leaves the address at once, so that it stays neither in view nor in the history; another link that is
 * opened in the same tab brings another one.
 */
export function useLinkToken(): string | null {
  const [token, setToken] = useState(takeToken)
  useEffect(() => {
    const follow = () => setToken((last) => takeToken() ?? last)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return token
}

function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (location.hash !== '') history.replaceState(null, '', location.pathname)
  return token === '' ? null : token
}
