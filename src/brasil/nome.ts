const LONGEST_NAME = 200

/**
 * Name as it is compared: `Alta Floresta D'Oeste`, `ALTA FLORESTA DOESTE`, `alta floresta d oeste` are one. Of a longer text
 * than any name, nothing: putting its combining marks in order would take the square of their number.
 */
export function keyOf(nome: string): string {
  if (nome.length > LONGEST_NAME) return ''
  return nome
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

/** Substring search by keys; a text of signs alone is in no name. */
export function isPartOf(text: string): (key: string) => boolean {
  const part = keyOf(text)
  return part === '' && text !== '' ? () => false : (key) => key.includes(part)
}
