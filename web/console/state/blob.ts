import { errorOf, unreachable } from '../api/errors.ts'
import { idioma } from './preferences.ts'

/** A file of the service as bytes of this page. */
export async function askBlob(url: string, signal: AbortSignal): Promise<Blob> {
  const headers = { 'Accept-Language': idioma(), 'X-Vigia-Console': '1' }
  const response = await fetch(url, { headers, signal, credentials: 'same-origin' }).catch((error) => {
    throw signal.aborted ? error : unreachable()
  })
  if (!response.ok) throw await errorOf(response)
  return response.blob()
}
