import type { Municipios } from '../../brasil/municipios.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import type { AgravosVigentes } from './agravos/vigentes.ts'
import { CAMPOS, type Campos, type CampoValue, type FieldName, type Kind, PLACES } from './campos.ts'
import { findMunicipio } from './municipio.ts'

/** Fields as a client or a file writes them: municipalities by code or name, codes with or without punctuation. */
export type CasoInput = { [N in FieldName]?: InputOf<Campos[N], N> } & {
  /** Members of `dados_especificos` that are no standard field, as they were sent. */
  proprios?: Readonly<Record<string, unknown>>
}
type InputOf<V, N> = N extends (typeof PLACES)[number][0] ? string | null : V | null

/** Normalises fields to the spelling that is stored. `before`: the case that is changed, if there is one. */
export function fromInput(
  { proprios, ...input }: CasoInput,
  before: Campos | null,
  { municipios, agravos }: { municipios: Municipios; agravos: AgravosVigentes },
): { campos: Partial<Campos>; problems: Problem[] } {
  const problems: Problem[] = []
  const campos: Partial<Record<FieldName, CampoValue>> = {}
  const tipo = input.tipo_agravo ?? before?.tipo_agravo ?? ''
  if (proprios !== undefined) {
    // Of the disease that a case leaves, values are taken away.
    if (before !== null && before.tipo_agravo !== tipo)
      Object.assign(campos, agravos.get(before.tipo_agravo)?.emptied(proprios))
    Object.assign(campos, agravos.get(tipo)?.readProprios(proprios, municipios, problems))
  }
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
