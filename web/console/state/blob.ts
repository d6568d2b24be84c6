import { api } from './session.ts'

/** A file of the service as bytes of this page. */
export const askBlob = (url: string, signal?: AbortSignal): Promise<Blob> =>
  api.send('GET', url, {}, { isFile: true, ...(signal && { signal }) }) as Promise<Blob>
