/** Recognises file types by their signature; names and declared types are not trusted. */
const FORMATOS = [
  { tipo: 'application/pdf', extension: 'pdf', is: (start: Buffer) => begins(start, '%PDF-') },
  { tipo: 'image/jpeg', extension: 'jpg', is: (start: Buffer) => begins(start, '\xff\xd8\xff') },
  { tipo: 'image/png', extension: 'png', is: (start: Buffer) => begins(start, '\x89PNG\r\n\x1a\n') },
  {
    tipo: 'image/webp',
    extension: 'webp',
    is: (start: Buffer) => begins(start, 'RIFF') && begins(start.subarray(8), 'WEBP'),
  },
]

export const MEDIA_TYPES = FORMATOS.map(({ tipo }) => tipo)

const begins = (start: Buffer, signature: string) =>
  start.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'))

export function formatoOf(start: Buffer): string | null {
  return FORMATOS.find(({ is }) => is(start))?.tipo ?? null
}

export function extensionOf(formato: string): string {
  return FORMATOS.find(({ tipo }) => tipo === formato)?.extension ?? 'bin'
}
