import type { Municipios } from '../../../brasil/municipios.ts'
import { type Problem, type ProblemCode, type ProblemParams, problem } from '../../../errors/catalogue.ts'
import { type Campos, FIELD_NAMES, type FieldName } from '../campos.ts'
import { findMunicipio } from '../municipio.ts'
import { isProprio, publicName } from '../proprios.ts'
import type { Refuse, RegrasDoAgravo, RegrasDosAgravos } from '../regras.ts'
import { padraoOf } from './blocos.ts'
import {
  compileCondicoes,
  escondidos as compileEscondidos,
  compileProprios,
  type ProprioCompilado,
} from './conferir.ts'
import type { CodigoDoVocabulario, Definicao } from './definicao.ts'
import { type CheckProprios, type CodigosDoAgravo, checkerOf, classifierOf } from './regras.ts'

/** Definitions in force, compiled once for each version: the rules of a case are closures over them, not readings of JSON. */

export interface DefinicaoVigente {
  definicao: Definicao
  versao: number
  /** False: no new cases and no imports. */
  ativo: boolean
}

export interface Agravo extends DefinicaoVigente, CodigosDoAgravo, RegrasDoAgravo {
  proprios: readonly ProprioCompilado[]
  byNome: ReadonlyMap<string, ProprioCompilado>
  /** Own fields of a request, checked and spelt as they are stored, by their flat names. */
  readProprios(
    sent: Readonly<Record<string, unknown>>,
    municipios: Municipios,
    problems: Problem[],
  ): Record<string, unknown>
  /** Own fields that a request empties, by their flat names. */
  emptied(sent: Readonly<Record<string, unknown>>): Record<string, null>
  /** Public names of own fields whose stored value the form hides; sealed ones only for those who may see them. */
  escondidos(campos: Campos, identifies: boolean): string[]
}

/** One consistent view of all definitions; a request or a job uses the same from beginning to end. */
export interface AgravosVigentes extends RegrasDosAgravos {
  /** Active and inactive ones, the known first, the others in the order of their activation. */
  todos: readonly Agravo[]
  get(codigo: string): Agravo | undefined
  vocabulario: readonly CodigoDoVocabulario[]
  /** Codes of all of them. */
  codigos: readonly string[]
  /** Codes of those whose alert levels are computed. */
  comAlertas: readonly string[]
  /** Codes of those that a bulletin tells of: it has levels and reproduction numbers. */
  comBoletim: readonly string[]
  /** Changes with every change of a definition. */
  marca: string
}

export function vigentesOf(
  definicoes: readonly DefinicaoVigente[],
  vocabulario: readonly CodigoDoVocabulario[],
): AgravosVigentes {
  const todos = definicoes.map(agravoOf)
  const byCodigo = new Map(todos.map((agravo) => [agravo.definicao.codigo, agravo]))
  const get = (codigo: string) => byCodigo.get(codigo)
  const comAlertas = todos
    .filter(
      ({ ativo, definicao }) => ativo && definicao.epidemiologia.curva && definicao.epidemiologia.alertas,
    )
    .map(({ definicao }) => definicao.codigo)
  return {
    todos,
    get,
    rulesOf: get,
    vocabulario,
    codigos: todos.map(({ definicao }) => definicao.codigo),
    comAlertas,
    comBoletim: comAlertas.filter(
      (codigo) => get(codigo)?.definicao.epidemiologia.intervalo_geracao !== null,
    ),
    marca: todos
      .map(({ definicao, versao, ativo }) => `${definicao.codigo}.${versao}${ativo ? '' : '-'}`)
      .join(),
  }
}

/** Compiled definitions by the object they were made from: a version is compiled once, also for later views. */
const compiled = new WeakMap<Definicao, Omit<Agravo, keyof DefinicaoVigente>>()

function agravoOf(vigente: DefinicaoVigente): Agravo {
  const { definicao } = vigente
  const known = compiled.get(definicao) ?? compile(definicao)
  compiled.set(definicao, known)
  return { ...vigente, ...known }
}

function compile(definicao: Definicao): Omit<Agravo, keyof DefinicaoVigente> {
  const proprios = compileProprios(definicao)
  const byNome = new Map(proprios.map((one) => [one.nome, one]))
  const present = new Set<string>(padraoOf(definicao))
  const codes = (list: readonly { codigo: string }[]) => new Set(list.map(({ codigo }) => codigo))
  const codigos: CodigosDoAgravo = {
    classificacoes: codes(definicao.classificacoes),
    criterios: codes(definicao.criterios),
    evolucoes: codes(definicao.evolucoes),
    classificacaoPadrao: definicao.classificacao_padrao ?? null,
    classificacaoDe: new Map(
      definicao.evolucoes.flatMap(({ codigo, classificacao }) =>
        classificacao === undefined ? [] : [[codigo, classificacao] as const],
      ),
    ),
    fora: FIELD_NAMES.filter((nome) => !present.has(nome)),
  }
  const checkProprios = proprios.length === 0 ? refuseStrangers(byNome) : propriosChecker(definicao, byNome)
  return {
    ...codigos,
    proprios,
    byNome,
    classify: classifierOf(codigos),
    check: checkerOf(codigos, checkProprios),
    readProprios: readerOf(proprios),
    emptied: (sent) =>
      Object.fromEntries(proprios.filter(({ nome }) => sent[nome] === null).map(({ flat }) => [flat, null])),
    escondidos: escondidosOf(definicao, byNome),
  }
}

const valueReader = (byNome: ReadonlyMap<string, ProprioCompilado>, campos: Campos) => (nome: string) =>
  (campos as Record<string, unknown>)[byNome.get(nome)?.flat ?? nome] ?? null

/** Values whose disease has no such field: those of the disease that the case had before. */
function refuseStrangers(byNome: ReadonlyMap<string, ProprioCompilado>): CheckProprios {
  const isOwnOrStandard = new Set<string>([...FIELD_NAMES, ...[...byNome.values()].map(({ flat }) => flat)])
  return (campos, touched, refuse) => {
    if (!touched('tipo_agravo')) return
    // Values first: most fields have none, and reading them in the order of the names costs next to nothing.
    for (const nome in campos)
      if (campos[nome as FieldName] !== null && !isOwnOrStandard.has(nome) && isProprio(nome))
        refuse(nome as FieldName, 'INCONSISTENT', { field: 'tipo_agravo' })
  }
}

function propriosChecker(definicao: Definicao, byNome: ReadonlyMap<string, ProprioCompilado>): CheckProprios {
  const strangers = refuseStrangers(byNome)
  const condicoes = compileCondicoes(definicao)
  const flatOf = (nome: string) => (byNome.get(nome)?.flat ?? nome) as FieldName
  return (campos, touched, refuse) => {
    strangers(campos, touched, refuse)
    const isTouched = (nome: string) => touched(flatOf(nome)) || touched('tipo_agravo')
    const refuseByName: Parameters<typeof condicoes>[2] = (nome, code, params) =>
      (refuse as Refuse)(flatOf(nome), code as ProblemCode, params as ProblemParams[ProblemCode])
    condicoes(valueReader(byNome, campos), isTouched, refuseByName)
  }
}

function escondidosOf(
  definicao: Definicao,
  byNome: ReadonlyMap<string, ProprioCompilado>,
): Agravo['escondidos'] {
  const hidden = compileEscondidos(definicao)
  return (campos, identifies) =>
    hidden(valueReader(byNome, campos))
      .filter((nome) => identifies || !byNome.get(nome)?.campo.sigiloso)
      .map((nome) => publicName(byNome.get(nome)?.flat ?? nome))
}

function readerOf(proprios: readonly ProprioCompilado[]): Agravo['readProprios'] {
  return (sent, municipios, problems) => {
    const values: Record<string, unknown> = {}
    const refuse = <C extends ProblemCode>(nome: string, code: C, params: ProblemParams[C]) =>
      problems.push(problem('body', ['dados_especificos', nome], code, params))
    for (const { nome, flat, campo, check } of proprios) {
      const given = Object.hasOwn(sent, nome) ? sent[nome] : undefined
      if (given === undefined) continue
      if (!campo.ativo && given !== null) {
        refuse(nome, 'NOT_EDITABLE', {})
        continue
      }
      const wrong = given === null ? null : check(given)
      if (wrong !== null) refuse(nome, wrong.code, wrong.params as never)
      else if (campo.tipo === 'municipio' && given !== null)
        values[flat] = municipioOf(municipios, given, () => refuse(nome, 'UNKNOWN_MUNICIPIO', {}))
      else values[flat] = speltValue(given)
    }
    return values
  }
}

function municipioOf(municipios: Municipios, given: unknown, unknown: () => void): number | null {
  if (String(given).trim() === '') return null
  const found = findMunicipio(municipios, String(given), null)
  if (found === null) unknown()
  return found?.codigo ?? null
}

/** Spelling that is stored: no blanks around a text, nothing for an empty one or an empty list. */
function speltValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? null : value
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'string') return value
  const text = value.trim()
  return text === '' ? null : text
}
