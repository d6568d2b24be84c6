/** Without accents and case: `noticias` finds "Notícias". */
export const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
