import { errorOf, unreachable } from '../api/errors.ts'
import { idioma } from './preferences.ts'
import { api, isOfSession } from './session.ts'

/** A file of the service as bytes of this page. */
export async function askBlob(url: string, signal: AbortSignal, isFirst = true): Promise<Blob> {
  const headers = { 'Accept-Language': idioma(), 'X-Vigia-Console': '1' }
  const response = await fetch(url, { headers, signal, credentials: 'same-origin' }).catch((error) => {
    throw signal.aborted ? error : unreachable()
  })
  if (response.ok) return response.blob()
  const error = await errorOf(response)
  // Once: whoever signs in over the screen goes on with it, and what stands before all screens is shown by the client.
  if (isFirst && isOfSession(error)) {
    await api.get('/api/v1/usuarios/me', {})
    return askBlob(url, signal, false)
  }
  throw error
}
