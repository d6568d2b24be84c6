import type { Municipio, Municipios } from '../../brasil/municipios.ts'

/** By IBGE code (six or seven digits), or by name inside a state. */
export function findMunicipio(municipios: Municipios, given: string, uf: string | null): Municipio | null {
  const text = given.trim()
  if (/^\d{6,7}$/.test(text)) return municipios.byCodigo(Number(text))
  if (uf !== null) return municipios.byNome(text, uf)
  const named = municipios.named(text)
  return named.length === 1 ? (named[0] as Municipio) : null
}
