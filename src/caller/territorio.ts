import type { Municipios } from '../brasil/municipios.ts'
import type { Territorios } from '../brasil/territorios.ts'

export const NIVEIS_DE_TERRITORIO = ['uf', 'regiao_saude', 'municipio'] as const
export type NivelDeTerritorio = (typeof NIVEIS_DE_TERRITORIO)[number]

/** Place that an account is bound to, as it is stored: `PE`, `26001`, `2611606`. */
export interface LugarDoTerritorio {
  nivel: NivelDeTerritorio
  codigo: string
}

/** Places of an account resolved for comparison: whole states, and municipalities of other states. Neither contains the other. */
export interface Territorio {
  /** As they are stored, `uf:PE`, in one order: equal lists are equal territories. */
  lugares: readonly string[]
  ufs: ReadonlySet<string>
  municipios: ReadonlySet<number>
  /** Health regions of which every municipality is in `municipios`. */
  regioes: ReadonlySet<number>
}

/** A place of residence or notification; null where it is unknown. */
export interface Place {
  estado: string | null
  municipio: number | null
}

type Reference = { municipios: Municipios; territorios: Territorios }

/** Union of the places; a region stands for its municipalities of today. Codes that no longer exist cover nothing. */
export function resolveTerritorio(
  { municipios, territorios }: Reference,
  lugares: readonly LugarDoTerritorio[],
): Territorio {
  const ufs = new Set(lugares.filter(({ nivel }) => nivel === 'uf').map(({ codigo }) => codigo))
  const parts = lugares.flatMap(({ nivel, codigo }) => {
    if (nivel === 'regiao_saude') return territorios.municipiosOfRegiao(Number(codigo))
    const municipio = nivel === 'municipio' ? municipios.byCodigo(Number(codigo)) : null
    return municipio === null ? [] : [municipio]
  })
  const outside = parts.filter(({ uf }) => !ufs.has(uf))
  const codigos = new Set(outside.map(({ codigo }) => codigo))
  const touched = new Set(outside.flatMap(({ regiao }) => (regiao === null ? [] : [regiao.codigo])))
  const isWhole = (regiao: number) =>
    territorios.municipiosOfRegiao(regiao).every(({ codigo }) => codigos.has(codigo))
  return {
    lugares: lugares.map(({ nivel, codigo }) => `${nivel}:${codigo}`).sort(),
    ufs,
    municipios: codigos,
    regioes: new Set([...touched].filter(isWhole)),
  }
}

/** Places from the form in which a territory lists them. */
export function lugaresFrom(keys: readonly string[]): LugarDoTerritorio[] {
  return keys.map((key) => {
    const [nivel, codigo = ''] = key.split(':')
    return { nivel: nivel as NivelDeTerritorio, codigo }
  })
}

/** True for a place inside; a case of an unknown municipality belongs to its state. */
export function covers(territorio: Territorio | null, { estado, municipio }: Place): boolean {
  if (territorio === null) return true
  return (
    (estado !== null && territorio.ufs.has(estado)) ||
    (municipio !== null && territorio.municipios.has(municipio))
  )
}

/** Territory as lists to compare with; `notificacao`: all its municipalities, for places that are stored without their state. */
export function arraysOf(
  { ufs, municipios }: Territorio,
  reference: Municipios,
): { estados: string[]; municipios: number[]; notificacao: number[] } {
  const ofStates = reference.all.filter(({ uf }) => ufs.has(uf)).map(({ codigo }) => codigo)
  return { estados: [...ufs], municipios: [...municipios], notificacao: [...ofStates, ...municipios] }
}

/** True when every place of `inner` is in `outer`. An account without limits is inside of its equals only. */
export function isWithin(
  inner: Territorio | null,
  outer: Territorio | null,
  { municipios }: Reference,
): boolean {
  if (outer === null) return true
  if (inner === null) return false
  const placeOf = (codigo: number) => ({ estado: municipios.byCodigo(codigo)?.uf ?? null, municipio: codigo })
  return (
    [...inner.ufs].every((uf) => outer.ufs.has(uf)) &&
    [...inner.municipios].every((codigo) => covers(outer, placeOf(codigo)))
  )
}
