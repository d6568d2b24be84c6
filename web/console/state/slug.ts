/** Name of a field or code from words: letters without accents, digits, underscores. */
export const slug = (words: string, max: number): string =>
  words
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
    .slice(0, max)
    .replace(/_+$/, '')
