import type { Nivel } from '../../state/alertas.ts'
import { word } from '../../state/epizootias.ts'
import { valorWords } from '../../state/filter-words.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { useMunicipioNome } from '../../ui/municipio-field.tsx'
import type { Worded } from '../../ui/versions-dialog.tsx'
import type { Given } from './form.tsx'
import { eventName } from './webhook-words.ts'

/** Settings of a webhook, field by field: each filter, and each header by its name. */
export type Settings = Readonly<Record<string, string | readonly string[]>>

const HEADER = 'header '

export const flatOf = ({ url, eventos, filtros, headers }: Given): Settings => ({
  ...{ url, eventos, ...filtros },
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [`${HEADER}${name}`, value])),
})

export function givenOf({ url, eventos, ...rest }: Settings): Given {
  const of = (isHeader: boolean) =>
    Object.entries(rest).filter(([name]) => name.startsWith(HEADER) === isHeader)
  return {
    ...{ url, eventos },
    filtros: Object.fromEntries(of(false)),
    headers: Object.fromEntries(of(true).map(([name, value]) => [name.slice(HEADER.length), value])),
  } as unknown as Given
}

export function settingWords(field: string, value: unknown): Worded {
  const own = webhooksTexts()
  const text = String(value)
  if (field.startsWith(HEADER)) return { label: `${own.headers}: ${field.slice(HEADER.length)}`, value: text }
  if (field === 'url') return { label: own.url, value: text }
  if (field === 'eventos') return { label: own.events, value: eventName(text) }
  const t = texts()
  const words: Record<string, Worded['value']> = {
    tipo_agravo: valorWords(text, t),
    nivel: t.niveis.nomes[text as Nivel],
    suspeita: word(text),
    municipio: <Municipio codigo={text} />,
  }
  return { label: own.filters, value: words[field] ?? text }
}

const Municipio = ({ codigo }: { codigo: string }) => <>{useMunicipioNome(codigo) ?? codigo}</>
