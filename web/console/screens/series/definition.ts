import type { Derivada } from '../../../../src/domain/series/serie.ts'
import type { RequestOf } from '../../api/rows.ts'
import type { Serie } from './serie-data.ts'

/** The definition as its form holds it: typed text, turned into values when it is sent. */

export type Body = RequestOf<'POST', '/api/v1/series'>['body']

export interface LimiarForm {
  codigo: string
  rotulo: string
  operador: Serie['limiares'][number]['operador']
  valor: string
  semanas: string
}

export interface CategoriaForm {
  codigo: string
  rotulo: string
}

export type Kind = 'dada' | Derivada['tipo']
export const KINDS: readonly Kind[] = ['dada', 'razao', 'diferenca', 'media_movel', 'epizootias']

/** Fields of a derived series by its kind. */
export const BASES = {
  dada: [],
  razao: ['numerador', 'denominador', 'fator'],
  diferenca: ['minuendo', 'subtraendo'],
  media_movel: ['serie', 'semanas'],
  epizootias: ['especie_grupo', 'suspeita', 'classificacao'],
} as const satisfies Record<Kind, readonly string[]>
export type BaseName = Exclude<(typeof BASES)[Kind][number], never>
const NUMBERS: readonly BaseName[] = ['fator', 'semanas']
/** Left empty, they narrow nothing. */
const OPTIONAL: readonly BaseName[] = BASES.epizootias

export const TEXTS = [
  ...['codigo', 'nome', 'descricao', 'unidade', 'minimo', 'maximo', 'casas', 'validade'],
  ...['fonte', 'fonte_url', 'licenca', 'atribuicao'],
] as const
const CHOICES = ['dominio', 'tema', 'tipo_valor', 'periodo', 'nivel', 'agrega_tempo', 'agrega_lugar'] as const

type TextName =
  | 'codigo'
  | 'nome'
  | 'descricao'
  | 'unidade'
  | 'minimo'
  | 'maximo'
  | 'casas'
  | 'validade'
  | 'fonte'
  | 'fonte_url'
  | 'licenca'
  | 'atribuicao'

export type Form = Record<TextName, string> &
  Pick<Serie, (typeof CHOICES)[number] | 'publica'> & {
    kind: Kind
    bases: Partial<Record<BaseName, string>>
    categorias: CategoriaForm[]
    limiares: LimiarForm[]
  }

/** Fields that change only while the series has never had a value. */
export const MEASURE = [
  ...['unidade', 'tipo_valor', 'categorias', 'periodo', 'nivel', 'agrega_tempo', 'agrega_lugar', 'derivada'],
]

const NEW = {
  ...{ codigo: '', nome: '', descricao: '', unidade: '', minimo: null, maximo: null },
  ...{ casas: 1, validade: 0, fonte: '', fonte_url: null, licenca: '', atribuicao: null },
  ...{ dominio: 'ambiental', tema: 'outro', tipo_valor: 'numero', periodo: 'semana', nivel: 'municipio' },
  ...{ agrega_tempo: 'media', agrega_lugar: 'media_populacao', publica: false },
  ...{ derivada: null, categorias: [], limiares: [] },
} as const

const typed = (value: string | number | null) => (value === null ? '' : String(value).replace('.', ','))

export function formOf(serie: Serie | null): Form {
  const of = serie ?? (NEW as unknown as Serie)
  const { tipo, ...bases } = of.derivada ?? { tipo: 'dada' as const }
  return {
    ...{ codigo: of.codigo, nome: of.nome, descricao: of.descricao, unidade: of.unidade },
    ...{ minimo: typed(of.minimo), maximo: typed(of.maximo) },
    ...{ casas: typed(of.casas), validade: typed(of.validade) },
    ...{ fonte: of.fonte, fonte_url: of.fonte_url ?? '', licenca: of.licenca },
    ...{ atribuicao: of.atribuicao ?? '', publica: of.publica },
    ...{ dominio: of.dominio, tema: of.tema, tipo_valor: of.tipo_valor, periodo: of.periodo },
    ...{ nivel: of.nivel, agrega_tempo: of.agrega_tempo, agrega_lugar: of.agrega_lugar },
    kind: tipo,
    bases: Object.fromEntries(
      Object.entries(bases).map(([name, value]) => [
        name,
        NUMBERS.includes(name as BaseName) ? typed(value) : value,
      ]),
    ),
    categorias: of.categorias
      .toSorted((one, other) => one.ordem - other.ordem)
      .map(({ codigo, rotulo }) => ({ codigo, rotulo })),
    limiares: of.limiares.map(({ valor, semanas, ...rest }) => ({
      ...rest,
      valor: typed(valor),
      semanas: typed(semanas),
    })),
  }
}

/** Null: nothing is typed; NaN: no number. */
export function numberTyped(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.')
  return plain === '' ? null : Number(plain)
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())
const required = (text: string) => numberTyped(text) ?? Number.NaN

export type Problem = 'missing' | 'notNumber'

/** By the path of the field, as the API names it. */
export function problemsOf(form: Form, isNew: boolean): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  const needs = (path: string, text: string) => {
    if (text.trim() === '') problems.set(path, 'missing')
  }
  const number = (path: string, text: string, isRequired: boolean) => {
    const value = numberTyped(text)
    if (value === null ? isRequired : !Number.isFinite(value))
      problems.set(path, value === null ? 'missing' : 'notNumber')
  }
  if (isNew) needs('codigo', form.codigo)
  for (const name of ['nome', 'descricao', 'fonte', 'licenca'] as const) needs(name, form[name])
  for (const name of ['minimo', 'maximo'] as const) number(name, form[name], false)
  for (const name of ['casas', 'validade'] as const) number(name, form[name], true)
  for (const name of BASES[form.kind] as readonly BaseName[]) {
    const text = form.bases[name] ?? ''
    if (NUMBERS.includes(name)) number(`derivada.${name}`, text, true)
    else if (!OPTIONAL.includes(name)) needs(`derivada.${name}`, text)
  }
  if (form.tipo_valor === 'categoria')
    form.categorias.forEach(({ codigo, rotulo }, at) => {
      needs(`categorias.${at}.codigo`, codigo)
      needs(`categorias.${at}.rotulo`, rotulo)
    })
  form.limiares.forEach(({ codigo, rotulo, valor, semanas }, at) => {
    needs(`limiares.${at}.codigo`, codigo)
    needs(`limiares.${at}.rotulo`, rotulo)
    number(`limiares.${at}.valor`, valor, true)
    number(`limiares.${at}.semanas`, semanas, true)
  })
  return problems
}

function derivadaOf({ kind, bases }: Form): Derivada | null {
  if (kind === 'dada') return null
  const entries = (BASES[kind] as readonly BaseName[]).flatMap((name) => {
    const text = (bases[name] ?? '').trim()
    if (text === '' && OPTIONAL.includes(name)) return []
    return [[name, NUMBERS.includes(name) ? required(text) : text]]
  })
  return { tipo: kind, ...Object.fromEntries(entries) } as Derivada
}

/** The whole definition as the API takes it; the form has no problems. */
export function bodyOf(form: Form): Body {
  const isCategory = form.tipo_valor === 'categoria'
  return {
    codigo: form.codigo.trim(),
    nome: form.nome.trim(),
    descricao: form.descricao.trim(),
    ...{ dominio: form.dominio, tema: form.tema, tipo_valor: form.tipo_valor, periodo: form.periodo },
    ...{ nivel: form.nivel, agrega_tempo: form.agrega_tempo, agrega_lugar: form.agrega_lugar },
    unidade: isCategory ? '' : form.unidade.trim(),
    ...{ minimo: numberTyped(form.minimo), maximo: numberTyped(form.maximo) },
    ...{ casas: required(form.casas), validade: required(form.validade) },
    fonte: form.fonte.trim(),
    fonte_url: orNull(form.fonte_url),
    licenca: form.licenca.trim(),
    atribuicao: orNull(form.atribuicao),
    publica: form.publica,
    categorias: isCategory
      ? form.categorias.map(({ codigo, rotulo }, at) => ({
          codigo: codigo.trim(),
          rotulo: rotulo.trim(),
          ordem: at + 1,
        }))
      : [],
    limiares: form.limiares.map(({ codigo, rotulo, operador, valor, semanas }) => ({
      codigo: codigo.trim(),
      rotulo: rotulo.trim(),
      operador,
      valor: required(valor),
      semanas: required(semanas),
    })),
    derivada: derivadaOf(form),
  }
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Fields of the body that differ from the definition: only they are sent. */
export function changesOf(body: Body, serie: Serie): Partial<Body> {
  // Written and read by the same functions, so that what was not touched is equal.
  const before = bodyOf(formOf(serie)) as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => name !== 'codigo' && !isSame(value, before[name])),
  )
}

/** Fields that both sides changed, and those that the other one changed alone. */
export function clashOf(mine: Partial<Body>, before: Serie, theirs: Serie) {
  const others = Object.keys(changesOf(bodyOf(formOf(theirs)), before))
  const both = Object.keys(mine).filter((name) => others.includes(name))
  return { both, others: others.filter((name) => !both.includes(name)) }
}
