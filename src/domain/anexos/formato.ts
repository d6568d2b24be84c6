/** What a file is, told by its first bytes; its name and its stated type mean nothing. */
const FORMATOS = [
  { tipo: 'application/pdf', extensao: 'pdf', is: (start: Buffer) => begins(start, '%PDF-') },
  { tipo: 'image/jpeg', extensao: 'jpg', is: (start: Buffer) => begins(start, '\xff\xd8\xff') },
  { tipo: 'image/png', extensao: 'png', is: (start: Buffer) => begins(start, '\x89PNG\r\n\x1a\n') },
  {
    tipo: 'image/webp',
    extensao: 'webp',
    is: (start: Buffer) => begins(start, 'RIFF') && begins(start.subarray(8), 'WEBP'),
  },
]

export const TIPOS_DE_CONTEUDO = FORMATOS.map(({ tipo }) => tipo)

const begins = (start: Buffer, signature: string) =>
  start.subarray(0, signature.length).equals(Buffer.from(signature, 'latin1'))

export function formatoOf(start: Buffer): string | null {
  return FORMATOS.find(({ is }) => is(start))?.tipo ?? null
}

export function extensaoOf(formato: string): string {
  return FORMATOS.find(({ tipo }) => tipo === formato)?.extensao ?? 'bin'
}
