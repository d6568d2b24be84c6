import { byMunicipio, DIVISAO } from '../../state/divisao.ts'
import { estadoNome } from '../../state/estados.ts'
import type { Filters } from '../../state/filter-address.ts'
import { texts } from '../../state/texts.ts'
import { isDividedFurther } from './figures.ts'
import { painelPath } from './links.ts'
import type { PartProps } from './painel.tsx'

/** One level up: from a municipality or region to its state, from a state to the country. */
export function upOf(filters: Filters): Filters | null {
  if (filters.municipio !== null || filters.regiao !== null)
    return { ...filters, municipio: null, regiao: null, bairro: null }
  return filters.uf === null ? null : { ...filters, uf: null, bairro: null, lugar: null }
}

/** Place of a map, the way up, and of the country its other division. */
export function Crumbs({ painel, state: { filters, rules } }: PartProps) {
  const t = texts()
  const { nome, nivel } = painel.lugar
  const states = painelPath(filters, rules, [DIVISAO])
  const { uf, regiao, municipio } = filters
  const above = { ...filters, municipio: null, regiao: null, bairro: null, lugar: null }
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
      {nivel === 'pais' && (
        <>
          {' · '}
          {isDividedFurther(painel) ? (
            <a href={states}>{t.painel.byEstado}</a>
          ) : (
            <a href={byMunicipio(states)}>{t.painel.byMunicipio}</a>
          )}
        </>
      )}
    </span>
  )
}
