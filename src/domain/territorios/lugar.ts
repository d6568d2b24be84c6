import type { Municipio, RegiaoSaude } from '../../brasil/municipios.ts'
import { ESTADOS_IBGE, type Estado, type Uf } from '../../brasil/uf.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'

export const NIVEIS_DE_LUGAR = ['pais', 'estado', 'regiao_saude', 'municipio'] as const
export type NivelDeLugar = (typeof NIVEIS_DE_LUGAR)[number]

/** Place that a request names; the smallest part that is given decides the level. */
export interface LugarPedido {
  estado?: Uf | undefined
  /** Five digits. */
  regiao_saude?: string | undefined
  /** IBGE code of six or seven digits, or a name. */
  municipio?: string | undefined
}

export interface Lugar {
  nivel: NivelDeLugar
  /** UF, five or seven digits; null for the country. */
  codigo: string | null
  nome: string
  estado: string | null
  municipios: readonly Municipio[]
}

type Parts = Pick<App, 'municipios' | 'territorios'>

/** Refuses what does not exist, and parts of which none contains the other, with the smaller one named. */
export function lugarOf(parts: Parts, pedido: LugarPedido): Lugar {
  const { municipio, regiao, problems } = resolve(parts, pedido)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  if (municipio !== null) return ofMunicipio(municipio)
  if (regiao !== null) return ofRegiao(parts, regiao)
  const estado = ESTADOS_IBGE.find(({ uf }) => uf === pedido.estado)
  return estado === undefined ? ofPais(parts) : ofEstado(parts, estado)
}

interface Resolved {
  municipio: Municipio | null
  regiao: RegiaoSaude | null
  problems: Problem[]
}

function resolve({ municipios, territorios }: Parts, pedido: LugarPedido): Resolved {
  const { estado, regiao_saude, municipio: text } = pedido
  const regiao = regiao_saude === undefined ? null : territorios.regiaoByCodigo(codeOf(regiao_saude))
  const found = text === undefined ? [] : municipiosCalled(municipios, text, pedido, regiao)
  const municipio = found[0] ?? null
  const problems: Problem[] = []
  if (regiao_saude !== undefined && regiao === null)
    problems.push(problem('query', ['regiao_saude'], 'UNKNOWN', { ids: [regiao_saude] }))
  if (regiao && estado && regiao.uf !== estado) problems.push(inconsistent('regiao_saude', 'estado'))
  if (text !== undefined && municipio === null)
    problems.push(problem('query', ['municipio'], 'UNKNOWN_MUNICIPIO', {}))
  if (found.length > 1) problems.push(inconsistent('estado', 'municipio'))
  else if (municipio && estado && municipio.uf !== estado) problems.push(inconsistent('municipio', 'estado'))
  else if (municipio && regiao && municipio.regiao?.codigo !== regiao.codigo)
    problems.push(inconsistent('municipio', 'regiao_saude'))
  return { municipio, regiao, problems }
}

const inconsistent = (smaller: string, larger: string) =>
  problem('query', [smaller], 'INCONSISTENT', { field: larger })

const codeOf = (text: string) => (/^\d{5}$/.test(text) ? Number(text) : 0)

/** By code, or by name inside the state; namesakes are told apart by the health region, where one is given. */
function municipiosCalled(
  municipios: App['municipios'],
  text: string,
  { estado }: LugarPedido,
  regiao: RegiaoSaude | null,
): Municipio[] {
  const name = text.trim()
  if (/^\d{6,7}$/.test(name)) return [municipios.byCodigo(Number(name))].filter((one) => one !== null)
  const named = municipios.named(name).filter(({ uf }) => estado === undefined || uf === estado)
  if (regiao === null || named.length < 2) return named
  const inside = named.filter((one) => one.regiao?.codigo === regiao.codigo)
  return inside.length === 0 ? named : inside
}

function ofMunicipio(municipio: Municipio): Lugar {
  const { codigo, nome, uf } = municipio
  return { nivel: 'municipio', codigo: String(codigo), nome, estado: uf, municipios: [municipio] }
}

function ofRegiao({ territorios }: Parts, { codigo, nome, uf }: RegiaoSaude): Lugar {
  const municipios = territorios.municipiosOfRegiao(codigo)
  return { nivel: 'regiao_saude', codigo: String(codigo), nome, estado: uf, municipios }
}

function ofEstado({ territorios }: Parts, { uf, nome }: Estado): Lugar {
  return { nivel: 'estado', codigo: uf, nome, estado: uf, municipios: territorios.municipiosOf(uf) }
}

function ofPais({ municipios }: Parts): Lugar {
  return { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null, municipios: municipios.all }
}
