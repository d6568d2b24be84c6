import { ESTADOS_IBGE } from '../../brasil/uf.ts'
import type { LugarDoTerritorio } from '../../caller/territorio.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'

/** Place of an account with what people call it. */
export interface LugarComNome extends LugarDoTerritorio {
  nome: string
  /** UF of a region or municipality. */
  estado?: string
}

/** As many as a request is told of. */
const MOST_PROBLEMS = 100

type Reference = Pick<App, 'municipios' | 'territorios'>

/** The place that a level and a code name; null if there is none. A municipality may be named by six digits. */
export function findLugar(
  { municipios, territorios }: Reference,
  { nivel, codigo }: LugarDoTerritorio,
): LugarComNome | null {
  if (nivel === 'uf') {
    const estado = ESTADOS_IBGE.find(({ uf }) => uf === codigo)
    return estado === undefined ? null : { nivel, codigo, nome: estado.nome }
  }
  const isCode = (nivel === 'municipio' ? /^\d{6,7}$/ : /^\d{5}$/).test(codigo)
  const find = nivel === 'municipio' ? municipios.byCodigo : territorios.regiaoByCodigo
  const found = isCode ? find(Number(codigo)) : null
  return found === null ? null : { nivel, codigo: String(found.codigo), nome: found.nome, estado: found.uf }
}

/** With names, the largest places first. A code that no longer exists is its own name. */
export function withNames(reference: Reference, lugares: readonly LugarDoTerritorio[]): LugarComNome[] {
  return lugares.map((lugar) => findLugar(reference, lugar) ?? { ...lugar, nome: lugar.codigo })
}

/** Codes as they are stored, each place once; unknown ones are problems that name the element. */
export function readLugares(
  reference: Reference,
  given: readonly LugarDoTerritorio[],
): { lugares: LugarDoTerritorio[]; problems: Problem[] } {
  const found = new Map<string, LugarDoTerritorio>()
  const problems: Problem[] = []
  given.forEach((one, index) => {
    const lugar = findLugar(reference, one)
    if (lugar !== null) found.set(lugar.codigo, { nivel: lugar.nivel, codigo: lugar.codigo })
    else if (problems.length < MOST_PROBLEMS)
      problems.push(problem('body', ['territorios', index, 'codigo'], 'UNKNOWN', { ids: [one.codigo] }))
  })
  return { lugares: [...found.values()], problems }
}

/** The same, refused if any is unknown. */
export function knownLugares(reference: Reference, given: readonly LugarDoTerritorio[]): LugarDoTerritorio[] {
  const { lugares, problems } = readLugares(reference, given)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return lugares
}

/** Codes of a place, of the places that contain it and of those inside it; null for a code that no place has. */
export function relatedCodes(reference: Reference, codigo: string): string[] | null {
  const { municipios, territorios } = reference
  const estado = ESTADOS_IBGE.find(({ uf }) => uf === codigo.toUpperCase())
  if (estado !== undefined) return [estado.uf, String(estado.codigo)]
  if (!/^\d{5,7}$/.test(codigo)) return null
  const regiao = codigo.length === 5 ? territorios.regiaoByCodigo(Number(codigo)) : null
  if (regiao !== null) {
    const inside = territorios.municipiosOfRegiao(regiao.codigo).map((one) => String(one.codigo))
    return [regiao.uf, codigo, ...inside]
  }
  const municipio = codigo.length > 5 ? municipios.byCodigo(Number(codigo)) : null
  if (municipio === null) return null
  const parent = municipio.regiao === null ? [] : [String(municipio.regiao.codigo)]
  return [municipio.uf, ...parent, String(municipio.codigo)]
}
