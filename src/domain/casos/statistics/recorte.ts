import type { Municipio } from '../../../brasil/municipios.ts'
import { ESTADOS_IBGE } from '../../../brasil/uf.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { Filter, FilterTest } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { codesOf, type ScopePlace, scopeOf, TERRITORIO } from '../counters/scope.ts'
import type { TipoAgravo } from '../enumeracoes.ts'

/** Place of a set of cases: one that has a name, or several together. */
export interface LugarDoRecorte {
  nivel: 'pais' | 'estado' | 'regiao_saude' | 'municipio' | 'varios'
  /** UF, five or seven digits; null for the country and for several places. */
  codigo: string | null
  nome: string | null
  municipios: readonly Municipio[]
  /** Null: the country. */
  lugares: readonly ScopePlace[] | null
}

type Parts = Pick<App, 'municipios' | 'territorios'>

const PLACE_FIELDS = ['estado', 'regiao_saude', 'municipio', TERRITORIO]

/** Place that the tests of a conjunction leave, the caller's territory among them. */
export function lugarOfFilter(parts: Parts, filter: Filter): LugarDoRecorte {
  const tests = testsOf(filter).filter(({ field, op }) => PLACE_FIELDS.includes(field) && op !== 'ne')
  const lugares = scopeOf({ kind: 'and', of: tests }, parts.municipios)?.lugares ?? null
  if (lugares === null) return { ...ofPais(parts), lugares }
  return { ...(named(parts, lugares) ?? ofSeveral(parts, lugares)), lugares }
}

/** Tests that every case of a filter meets. */
export function testsOf(filter: Filter): FilterTest[] {
  if (filter.kind === 'test') return [filter]
  return filter.kind === 'and' ? filter.of.flatMap(testsOf) : []
}

/** The one disease of a filter: an incidence of several together means nothing. */
export function soleTipoOf(filter: Filter, municipios: App['municipios']): TipoAgravo {
  const tipos = tiposOf(filter, municipios)
  if (tipos.length !== 1) throw invalid('query', ['tipo_agravo'], 'REQUIRED', {})
  return tipos[0] as TipoAgravo
}

/** Diseases that a filter names; none where it leaves all. */
export function tiposOf(filter: Filter, municipios: App['municipios']): readonly TipoAgravo[] {
  const tests = testsOf(filter).filter(({ field }) => TIPO_FIELDS.includes(field))
  return (scopeOf({ kind: 'and', of: tests }, municipios)?.tipos ?? []) as readonly TipoAgravo[]
}

const TIPO_FIELDS = ['tipo_agravo', 'agravo_codigo']

/**
 * Parts of a place, none of whose cases is in two: a state is read by its municipalities, whose index has all that pyramids count,
 * and by those of its cases that lack one.
 */
export function partsOfPlace({
  lugares,
  municipios,
}: Pick<LugarDoRecorte, 'lugares' | 'municipios'>): FilterTest[][] {
  if (lugares === null) return [[]]
  const { ufs } = codesOf(lugares)
  const value = municipios.map(({ codigo }) => String(codigo))
  const withMunicipio: FilterTest = { kind: 'test', field: 'municipio', op: 'in', value }
  if (ufs.length === 0) return [[withMunicipio]]
  const unknown: FilterTest = { kind: 'test', field: 'lugar', op: 'eq', value: 'desconhecido' }
  return [[withMunicipio], [unknown, { kind: 'test', field: 'estado', op: 'in', value: ufs }]]
}

export const CLASS_FIELDS: readonly string[] = ['classificacao', 'classificacao_final']

/** The same filter without the tests of some fields that every case of it meets. */
export function withoutTests(filter: Filter, fields: readonly string[]): Filter {
  const isLeftOut = (part: Filter) => part.kind === 'test' && fields.includes(part.field)
  if (isLeftOut(filter)) return { kind: 'and', of: [] }
  if (filter.kind !== 'and') return filter
  const kept = filter.of.filter((part) => !isLeftOut(part))
  return { kind: 'and', of: kept.map((part) => withoutTests(part, fields)) }
}

/** The tests that leave these places; none: the country. */
export function testsOfLugares(lugares: readonly ScopePlace[] | null): FilterTest[] {
  if (lugares === null) return []
  const { ufs, codigos } = codesOf(lugares)
  return [{ kind: 'test', field: TERRITORIO, op: 'in', value: [...ufs, ...codigos] }]
}

export const inMunicipios = (municipios: readonly { codigo: number }[]): FilterTest => ({
  kind: 'test',
  field: TERRITORIO,
  op: 'in',
  value: municipios.map(({ codigo }) => codigo),
})

type Described = Omit<LugarDoRecorte, 'lugares'>

function ofPais({ municipios }: Parts): Described {
  return { nivel: 'pais', codigo: null, nome: 'Brasil', municipios: municipios.all }
}

function named(parts: Parts, lugares: readonly ScopePlace[]): Described | null {
  const [first] = lugares
  if (first === undefined) return null
  if (lugares.length === 1)
    return first.codigo === null ? ofEstado(parts, first.uf) : ofMunicipio(parts, first)
  const municipios = municipiosOf(parts, lugares)
  const regiao = municipios[0]?.regiao ?? null
  if (regiao === null || parts.territorios.municipiosOfRegiao(regiao.codigo).length !== municipios.length)
    return null
  if (municipios.some((municipio) => municipio.regiao?.codigo !== regiao.codigo)) return null
  return { nivel: 'regiao_saude', codigo: String(regiao.codigo), nome: regiao.nome, municipios }
}

function ofEstado({ territorios }: Parts, uf: string): Described {
  const estado = ESTADOS_IBGE.find((one) => one.uf === uf)
  return {
    nivel: 'estado',
    codigo: uf,
    nome: estado?.nome ?? null,
    municipios: estado === undefined ? [] : territorios.municipiosOf(estado.uf),
  }
}

function ofMunicipio(parts: Parts, lugar: ScopePlace): Described {
  const municipios = municipiosOf(parts, [lugar])
  return { nivel: 'municipio', codigo: String(lugar.codigo), nome: municipios[0]?.nome ?? null, municipios }
}

function ofSeveral(parts: Parts, lugares: readonly ScopePlace[]): Described {
  return { nivel: 'varios', codigo: null, nome: null, municipios: municipiosOf(parts, lugares) }
}

function municipiosOf(
  { municipios, territorios }: Parts,
  lugares: readonly ScopePlace[],
): readonly Municipio[] {
  return lugares.flatMap(({ uf, codigo }) => {
    if (codigo !== null) return municipios.byCodigo(codigo) ?? []
    const estado = ESTADOS_IBGE.find((one) => one.uf === uf)
    return estado === undefined ? [] : territorios.municipiosOf(estado.uf)
  })
}
