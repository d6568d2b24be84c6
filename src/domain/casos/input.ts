import type { Municipio, Municipios } from '../../brasil/municipios.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import { CAMPOS, type Campos, type Kind, type NomeDeCampo, type Valor } from './campos.ts'

/** Fields as a client or a file writes them: municipalities by code or name, codes with or without punctuation. */
export type Entrada = { [N in NomeDeCampo]?: EntradaDe<Campos[N], N> }
type EntradaDe<V, N> = N extends 'municipio_residencia' | 'municipio_infeccao' ? string | null : V | null

const LUGARES = [
  ['municipio_residencia', 'estado_residencia'],
  ['municipio_infeccao', 'estado_infeccao'],
] as const

/** Into the one spelling that is stored. `before` is the case that is changed, if there is one. */
export function fromEntrada(
  entrada: Entrada,
  before: Campos | null,
  municipios: Municipios,
): { campos: Partial<Campos>; problems: Problem[] } {
  const problems: Problem[] = []
  const campos: Partial<Record<NomeDeCampo, Valor>> = {}
  for (const [nome, value] of Object.entries(entrada) as [NomeDeCampo, Valor][])
    if (CAMPOS[nome].kind !== 'municipio') campos[nome] = spelt(CAMPOS[nome], value)
  for (const [municipio, estado] of LUGARES) {
    const given = entrada[municipio]
    if (given === undefined) continue
    if (given === null || given.trim() === '') {
      campos[municipio] = null
      continue
    }
    const uf = entrada[estado] ?? before?.[estado] ?? null
    const found = findMunicipio(municipios, given, uf)
    if (found === null) problems.push(problem('body', [municipio], 'UNKNOWN_MUNICIPIO', {}))
    campos[municipio] = found?.codigo ?? null
    // A code says its state; only a state that was sent along can contradict it.
    if (found !== null && (entrada[estado] === undefined || entrada[estado] === null))
      campos[estado] = found.uf
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

/** A value that is not a municipality. */
export function spelt(kind: Kind, value: Valor): Valor {
  if (Array.isArray(value)) return value.length === 0 && kind.kind !== 'locais' ? null : value
  // JSON has a negative zero, the store has not: unread, it would look like a change each time.
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
