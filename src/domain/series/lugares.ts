import type { Municipio } from '../../brasil/municipios.ts'
import { UFS } from '../../brasil/uf.ts'
import { covers, type Territorio } from '../../caller/territorio.ts'
import type { App } from '../app.ts'
import type { LugarNoAlcance } from '../casos/statistics/alcance.ts'
import { type Lugar, NIVEIS_DE_LUGAR, type NivelDeLugar } from '../territorios/lugar.ts'

/** Places as blocks name them: '' the country, `PE`, `R26001` a health region, `PE2611606` a municipality. */

type Reference = Pick<App, 'municipios' | 'territorios'>

export const keyOfMunicipio = ({ uf, codigo }: Pick<Municipio, 'uf' | 'codigo'>): string => `${uf}${codigo}`
export const keyOfRegiao = (codigo: number | string): string => `R${codigo}`

export function keyOfLugar({ nivel, codigo, municipios }: Lugar): string {
  if (nivel === 'municipio') return keyOfMunicipio(municipios[0] as Municipio)
  if (nivel === 'regiao_saude') return keyOfRegiao(codigo as string)
  return codigo ?? ''
}

export function nivelOfKey(key: string): NivelDeLugar {
  if (key === '') return 'pais'
  if (key.length === 2) return 'estado'
  return key.startsWith('R') && /^R\d/.test(key) ? 'regiao_saude' : 'municipio'
}

/** 0: the country. */
export const depthOf = (nivel: NivelDeLugar): number => NIVEIS_DE_LUGAR.indexOf(nivel)

/** A part of a place with its residents' municipalities. */
export interface Parte {
  key: string
  municipios: readonly Municipio[]
}

/** Parts of a place at a finer level that lie wholly inside of what the caller may see, in the order of their keys. */
export function partesOf(reference: Reference, alcance: LugarNoAlcance, nivel: NivelDeLugar): Parte[] {
  const partes =
    nivel === 'municipio'
      ? alcance.municipios.map((municipio) => ({ key: keyOfMunicipio(municipio), municipios: [municipio] }))
      : wholeParts(reference, alcance, nivel)
  return partes.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function wholeParts(
  { territorios }: Reference,
  { lugar, municipios }: LugarNoAlcance,
  nivel: NivelDeLugar,
): Parte[] {
  const seen = new Set(municipios.map(({ codigo }) => codigo))
  const candidates =
    nivel === 'estado'
      ? UFS.map((uf) => ({ key: uf as string, municipios: territorios.municipiosOf(uf) }))
      : regioesOf(territorios, lugar).map((codigo) => ({
          key: keyOfRegiao(codigo),
          municipios: territorios.municipiosOfRegiao(codigo),
        }))
  return candidates.filter((parte) => parte.municipios.every(({ codigo }) => seen.has(codigo)))
}

const regioesOf = (territorios: App['territorios'], { estado }: Lugar): number[] =>
  (estado === null ? territorios.regioes : territorios.regioesOf(estado)).map(({ codigo }) => codigo)

/** Larger place of a level that holds this one. */
export function keyOfContaining(lugar: Lugar, nivel: NivelDeLugar): string {
  if (nivel === 'pais') return ''
  if (nivel === 'estado') return lugar.estado as string
  return keyOfRegiao((lugar.municipios[0] as Municipio).regiao?.codigo ?? 0)
}

/** True for a place that lies wholly inside of a territory. */
export function isInside(reference: Reference, territorio: Territorio | null, key: string): boolean {
  if (territorio === null) return true
  const nivel = nivelOfKey(key)
  if (nivel === 'pais') return false
  if (nivel === 'estado') return covers(territorio, { estado: key, municipio: null })
  if (nivel === 'municipio')
    return covers(territorio, { estado: key.slice(0, 2), municipio: Number(key.slice(2)) })
  const municipios = reference.territorios.municipiosOfRegiao(Number(key.slice(1)))
  return (
    municipios.length > 0 &&
    municipios.every(({ uf, codigo }) => covers(territorio, { estado: uf, municipio: codigo }))
  )
}
