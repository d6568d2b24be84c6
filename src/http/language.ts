import { DEFAULT_LANGUAGE, LANGUAGES, type Language } from '../errors/texts.ts'

/** Accept-Language → one of ours: by weight, an exact match or the same primary language (`en`, `es-MX`). */
export function chooseLanguage(header: string | undefined): Language {
  const wanted = (header ?? '')
    .split(',', 20)
    .map((part) => {
      const [tag = '', ...params] = part.trim().toLowerCase().split(';')
      const q = params.map((p) => p.trim()).find((p) => p.startsWith('q='))
      return { tag: tag.trim(), weight: q ? Number(q.slice(2)) || 0 : 1 }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const match =
      languages.find((l) => l.toLowerCase() === tag) ?? languages.find((l) => primary(l) === primary(tag))
    if (match) return match
  }
  return DEFAULT_LANGUAGE
}

const languages = Object.keys(LANGUAGES) as Language[]
const primary = (tag: string) => tag.toLowerCase().split('-')[0]
