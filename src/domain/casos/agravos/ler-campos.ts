import { FIELD_NAMES } from '../campos.ts'
import {
  type CampoDaDefinicao,
  type CampoPadrao,
  type CampoProprio,
  LIMITES,
  type Opcao,
  TIPOS_DE_CAMPO,
  type TipoDeCampo,
} from './definicao.ts'
import { at, FORMS, isObject, type JsonObject, type LeitorDeJson, type Path, shown } from './leitor.ts'
import { type Anteriores, readCondicoes, readDateField } from './ler-condicoes.ts'
import { type CamposConhecidos, isPadraoLeaf } from './nomes.ts'

/** Fields of a definition as JSON: standard ones that it names, and its own. */

const STANDARD: ReadonlySet<string> = new Set(FIELD_NAMES)
const CHAVES_PADRAO = ['padrao', 'rotulo', 'sinan'] satisfies (keyof CampoPadrao)[]
const CHAVES = [
  'nome',
  'rotulo',
  'rotulo_en',
  'rotulo_es',
  'ajuda',
  'tipo',
  'grupo',
  'sinan',
  'opcoes',
  'minimo',
  'maximo',
  'casas',
  'max',
  'depois_de',
  'antes_de',
  'obrigatorio',
  'obrigatorio_quando',
  'obrigatorio_quando_modo',
  'mostrar_quando',
  'mostrar_quando_modo',
  'sigiloso',
  'filtravel',
  'ativo',
] satisfies (keyof CampoProprio)[]

/** Keys that only some kinds have. */
const OF_KINDS: readonly (readonly [keyof CampoProprio, readonly TipoDeCampo[]])[] = [
  ['opcoes', ['opcao', 'opcoes']],
  ['minimo', ['inteiro', 'numero']],
  ['maximo', ['inteiro', 'numero']],
  ['casas', ['numero']],
  ['max', ['texto']],
  ['depois_de', ['data']],
  ['antes_de', ['data']],
  ['filtravel', ['bool', 'opcao']],
]
const CASAS = 2

/** Standard fields that a list of fields names, before it is read: conditions may stand before them. */
export function padroesOf(campos: unknown): CampoPadrao[] {
  if (!Array.isArray(campos)) return []
  return campos.slice(0, MOST_ENTRIES).flatMap((campo) => {
    const padrao = isObject(campo) ? at(campo, 'padrao') : undefined
    return typeof padrao === 'string' && STANDARD.has(padrao) ? [{ padrao, sinan: [] }] : []
  })
}

const MOST_ENTRIES = LIMITES.campos + FIELD_NAMES.length

export function readCampos(
  leitor: LeitorDeJson,
  value: unknown,
  conhecidos: CamposConhecidos,
): CampoDaDefinicao[] {
  const reader = new FieldReader(leitor, conhecidos)
  const campos = leitor.list(value, ['campos'], { most: MOST_ENTRIES }, (item, path) =>
    isObject(item) && Object.hasOwn(item, 'padrao') ? reader.padrao(item, path) : reader.proprio(item, path),
  )
  if (reader.nomes.size > LIMITES.campos) leitor.refuse(['campos'], 'TOO_MANY', { limit: LIMITES.campos })
  return campos
}

class FieldReader {
  readonly nomes = new Set<string>()
  readonly #padroes = new Set<string>()
  readonly #colunas = new Set<string>()
  #filtraveis = 0
  /** Name of the field that is read: a condition on itself is on no earlier field. */
  #current: string | null = null
  readonly #leitor: LeitorDeJson
  readonly #conhecidos: CamposConhecidos
  readonly #anteriores: Anteriores = {
    named: (nome) => this.#conhecidos.named(nome),
    broken: (nome) => nome !== this.#current && this.nomes.has(nome),
  }

  constructor(leitor: LeitorDeJson, conhecidos: CamposConhecidos) {
    this.#leitor = leitor
    this.#conhecidos = conhecidos
  }

  padrao(campo: JsonObject, path: Path): CampoPadrao | null {
    const leitor = this.#leitor
    leitor.object(campo, path, CHAVES_PADRAO)
    const given = at(campo, 'padrao')
    const sinan = this.#columns(campo, path)
    const rotulo = this.#text(campo, 'rotulo', path, LIMITES.rotulo)
    if (given === undefined) leitor.refuse([...path, 'padrao'], 'REQUIRED', {})
    else if (typeof given !== 'string')
      leitor.refuse([...path, 'padrao'], 'INVALID_TYPE', { expected: 'string' })
    else if (!STANDARD.has(given)) leitor.refuse([...path, 'padrao'], 'UNKNOWN', { ids: [shown(given)] })
    else if (leitor.first(given, [...path, 'padrao'], this.#padroes))
      return { padrao: given, ...(rotulo !== undefined && { rotulo }), sinan }
    return null
  }

  proprio(item: unknown, path: Path): CampoProprio | null {
    const leitor = this.#leitor
    const before = leitor.problems.length
    const campo = leitor.object(item, path, CHAVES)
    const nome = isObject(item) ? this.#nome(campo, path) : null
    if (!isObject(item)) return null
    this.#current = nome
    const tipo = leitor.oneOf(at(campo, 'tipo'), [...path, 'tipo'], TIPOS_DE_CAMPO)
    const read = this.#read(campo, path, nome ?? '', tipo ?? 'bool')
    if (tipo !== null) this.#checkKind(campo, path, tipo, read)
    if (nome === null || leitor.problems.length > before) return null
    this.#conhecidos.add(read)
    return read
  }

  #nome(campo: JsonObject, path: Path): string | null {
    const place = [...path, 'nome']
    const nome = this.#leitor.code(at(campo, 'nome'), place, FORMS.nome)
    if (nome === null) return null
    if (isPadraoLeaf(nome)) {
      this.#leitor.refuse(place, 'DUPLICATE', {})
      return null
    }
    return this.#leitor.first(nome, place, this.nomes) ? nome : null
  }

  #read(campo: JsonObject, path: Path, nome: string, tipo: TipoDeCampo): CampoProprio {
    const leitor = this.#leitor
    const label = (key: string) => this.#text(campo, key, path, LIMITES.rotulo)
    const flag = (key: string, byDefault: boolean) =>
      leitor.boolean(at(campo, key), [...path, key], byDefault)
    const rotulo = leitor.text(at(campo, 'rotulo'), [...path, 'rotulo'], { max: LIMITES.rotulo }) ?? ''
    const ajuda = this.#text(campo, 'ajuda', path, LIMITES.ajuda, true)
    const grupo = leitor.text(at(campo, 'grupo'), [...path, 'grupo'], { max: LIMITES.grupo }) ?? ''
    const mostrar = readCondicoes(leitor, campo, 'mostrar_quando', path, this.#anteriores)
    const obrigatorio = readCondicoes(leitor, campo, 'obrigatorio_quando', path, this.#anteriores)
    const date = (key: string) =>
      readDateField(leitor, tipo === 'data' ? at(campo, key) : undefined, [...path, key], this.#anteriores)
    return {
      nome,
      rotulo,
      ...given({ rotulo_en: label('rotulo_en'), rotulo_es: label('rotulo_es'), ajuda }),
      tipo,
      grupo,
      sinan: this.#columns(campo, path),
      opcoes: tipo === 'opcao' || tipo === 'opcoes' ? this.#opcoes(campo, path) : [],
      ...given({
        ...this.#range(campo, path, tipo),
        depois_de: date('depois_de'),
        antes_de: date('antes_de'),
      }),
      obrigatorio: flag('obrigatorio', false),
      ...given({ obrigatorio_quando: obrigatorio.condicoes }),
      obrigatorio_quando_modo: obrigatorio.modo,
      ...given({ mostrar_quando: mostrar.condicoes }),
      mostrar_quando_modo: mostrar.modo,
      sigiloso: flag('sigiloso', tipo === 'texto'),
      filtravel: flag('filtravel', false),
      ativo: flag('ativo', true),
    }
  }

  #text(campo: JsonObject, key: string, path: Path, max: number, long = false): string | undefined {
    const value = at(campo, key)
    return value === undefined
      ? undefined
      : (this.#leitor.text(value, [...path, key], { max, long }) ?? undefined)
  }

  #columns(campo: JsonObject, path: Path): string[] {
    const value = at(campo, 'sinan') ?? []
    const size = { most: LIMITES.colunas_do_campo }
    // A column of a retired field may go to another one.
    const seen = at(campo, 'ativo') === false ? new Set<string>() : this.#colunas
    return this.#leitor.list(value, [...path, 'sinan'], size, (item, place) => {
      const coluna = this.#leitor.code(item, place, FORMS.coluna)
      return coluna !== null && this.#leitor.first(coluna, place, seen) ? coluna : null
    })
  }

  #opcoes(campo: JsonObject, path: Path): Opcao[] {
    const codigos = new Set<string>()
    const sinan = new Set<string>()
    return this.#leitor.list(
      at(campo, 'opcoes') ?? [],
      [...path, 'opcoes'],
      { least: 1, most: LIMITES.opcoes },
      (item, place) => readOpcao(this.#leitor, item, place, codigos, sinan),
    )
  }

  #range(campo: JsonObject, path: Path, tipo: TipoDeCampo) {
    const leitor = this.#leitor
    const value = (key: string) => at(campo, key)
    if (tipo === 'texto')
      return {
        max:
          leitor.number(value('max') ?? LIMITES.texto, [...path, 'max'], {
            integer: true,
            least: 1,
            most: LIMITES.texto,
          }) ?? undefined,
      }
    if (tipo !== 'inteiro' && tipo !== 'numero') return {}
    const size = { integer: tipo === 'inteiro', least: -LIMITES.numero, most: LIMITES.numero }
    const minimo = leitor.number(value('minimo'), [...path, 'minimo'], size) ?? undefined
    const maximo = leitor.number(value('maximo'), [...path, 'maximo'], size) ?? undefined
    if (minimo !== undefined && maximo !== undefined && minimo > maximo)
      leitor.refuse([...path, 'maximo'], 'TOO_SMALL', { limit: minimo })
    if (tipo === 'inteiro') return { minimo, maximo }
    const decimals = { integer: true, least: 0, most: LIMITES.casas }
    const casas = leitor.number(value('casas') ?? CASAS, [...path, 'casas'], decimals) ?? undefined
    return { minimo, maximo, casas }
  }

  /** Refuses keys that the kind does not have, and what contradicts it. */
  #checkKind(campo: JsonObject, path: Path, tipo: TipoDeCampo, read: CampoProprio): void {
    const leitor = this.#leitor
    for (const [key, kinds] of OF_KINDS) {
      const value = at(campo, key)
      const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0)
      if (!isEmpty && !kinds.includes(tipo)) leitor.refuse([...path, key], 'INCONSISTENT', { field: 'tipo' })
    }
    const { opcoes, ativo, filtravel, sigiloso } = read
    if (ativo && opcoes.length > 0 && !opcoes.some((opcao) => opcao.ativo))
      leitor.refuse([...path, 'opcoes'], 'TOO_FEW', { limit: 1 })
    if (filtravel && sigiloso) leitor.refuse([...path, 'filtravel'], 'INCONSISTENT', { field: 'sigiloso' })
    if (filtravel && ativo && ++this.#filtraveis > LIMITES.filtraveis)
      leitor.refuse([...path, 'filtravel'], 'TOO_MANY', { limit: LIMITES.filtraveis })
  }
}

/** Without the keys that have no value. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

function readOpcao(
  leitor: LeitorDeJson,
  item: unknown,
  path: Path,
  codigos: Set<string>,
  sinan: Set<string>,
): Opcao | null {
  const opcao = leitor.object(item, path, ['codigo', 'rotulo', 'sinan', 'ativo'])
  if (!isObject(item)) return null
  const codigo = leitor.code(at(opcao, 'codigo'), [...path, 'codigo'], FORMS.codigo)
  const ativo = leitor.boolean(at(opcao, 'ativo'), [...path, 'ativo'], true)
  const read = {
    rotulo: leitor.text(at(opcao, 'rotulo'), [...path, 'rotulo'], { max: LIMITES.rotulo }) ?? '',
    // A code of a retired option may go to another one.
    sinan: readSinan(leitor, at(opcao, 'sinan'), [...path, 'sinan'], ativo ? sinan : new Set()),
    ativo,
  }
  return codigo !== null && leitor.first(codigo, [...path, 'codigo'], codigos) ? { codigo, ...read } : null
}

/** Codes of SINAN, each of them for one value: `01` is `1`. */
export function readSinan(leitor: LeitorDeJson, value: unknown, path: Path, seen: Set<string>): string[] {
  return leitor.list(value ?? [], path, { most: LIMITES.codigos_do_sinan }, (item, place) => {
    const codigo = leitor.code(item, place, FORMS.codigo_sinan)
    return codigo !== null && leitor.first(codigo.replace(/^0+(?=\d)/, ''), place, seen) ? codigo : null
  })
}
