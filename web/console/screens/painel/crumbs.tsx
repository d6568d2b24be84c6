import { estadoNome } from '../../state/estados.ts'
import type { Filters } from '../../state/filters.ts'
import { texts } from '../../state/texts.ts'
import { painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'

/** One level up: from a municipality or region to its state, from a state to the country. */
export function upOf(filters: Filters): Filters | null {
  if (filters.municipio !== null || filters.regiao !== null)
    return { ...filters, municipio: null, regiao: null }
  return filters.uf === null ? null : { ...filters, uf: null }
}

/** Place of a map, and the way up. */
export function Crumbs({
  state: { filters, rules },
  nome,
}: {
  state: PartProps['state']
  nome: string | null
}) {
  const t = texts()
  const { uf, regiao, municipio } = filters
  const above = { ...filters, municipio: null, regiao: null }
  const parts = [
    { text: t.filtros.brasil, href: painelPath({ ...above, uf: null }, rules) },
    ...(uf === null ? [] : [{ text: estadoNome(uf), href: painelPath(above, rules) }]),
    ...(regiao === null && municipio === null ? [] : [{ text: nome ?? '', href: '' }]),
  ]
  return (
    <span class="crumbs">
      {parts.map(({ text, href }, i) => (
        <span key={text}>
          {i > 0 && <span aria-hidden="true"> › </span>}
          {i === parts.length - 1 ? text : <a href={href}>{text}</a>}
        </span>
      ))}
    </span>
  )
}
