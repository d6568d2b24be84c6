import type { Municipio, Municipios } from '../../brasil/municipios.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import { CAMPOS, type Campos, type CampoValue, type FieldName, type Kind, PLACES } from './campos.ts'

/** Fields as a client or a file writes them: municipalities by code or name, codes with or without punctuation. */
export type CasoInput = { [N in FieldName]?: InputOf<Campos[N], N> }
type InputOf<V, N> = N extends (typeof PLACES)[number][0] ? string | null : V | null

/** Normalises fields to the spelling that is stored. `before`: the case that is changed, if there is one. */
export function fromInput(
  input: CasoInput,
  before: Campos | null,
  municipios: Municipios,
): { campos: Partial<Campos>; problems: Problem[] } {
  const problems: Problem[] = []
  const campos: Partial<Record<FieldName, CampoValue>> = {}
  for (const [nome, value] of Object.entries(input) as [FieldName, CampoValue][])
    if (CAMPOS[nome].kind !== 'municipio') campos[nome] = spelt(CAMPOS[nome], value)
  for (const [municipio, estado] of PLACES) {
    const given = input[municipio]
    if (given === undefined) continue
    if (given === null || given.trim() === '') {
      campos[municipio] = null
      continue
    }
    const uf = input[estado] ?? before?.[estado] ?? null
    const found = findMunicipio(municipios, given, uf)
    if (found === null) problems.push(problem('body', [municipio], 'UNKNOWN_MUNICIPIO', {}))
    campos[municipio] = found?.codigo ?? null
    // A municipality implies its state; only a state sent along can contradict it.
    if (found !== null && (input[estado] === undefined || input[estado] === null)) campos[estado] = found.uf
  }
  return { campos: campos as Partial<Campos>, problems }
}

/** By IBGE code (six or seven digits), or by name inside a state. */
export function findMunicipio(municipios: Municipios, given: string, uf: string | null): Municipio | null {
  const text = given.trim()
  if (/^\d{6,7}$/.test(text)) return municipios.byCodigo(Number(text))
  if (uf !== null) return municipios.byNome(text, uf)
  const named = municipios.named(text)
  return named.length === 1 ? (named[0] as Municipio) : null
}

/** Normalises a value of any kind but a municipality. */
export function spelt(kind: Kind, value: CampoValue): CampoValue {
  if (Array.isArray(value)) return value.length === 0 && kind.kind !== 'locais' ? null : value
  // PostgreSQL has no negative zero: kept, it would look like a change at every comparison.
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (text === '') return null
  if (kind.kind !== 'code') return text
  switch (kind.form) {
    case 'cep':
      return text.replace('-', '')
    case 'cnes':
      return text.padStart(7, '0')
    case 'telefone':
      return text
  }
}
