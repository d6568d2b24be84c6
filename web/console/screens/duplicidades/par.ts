import type { FieldName } from '../../../../src/domain/casos/campos.ts'
import type { SituacaoDoPar } from '../../../../src/domain/casos/duplicidades/situacao.ts'
import { SITUACOES } from '../../../../src/domain/casos/duplicidades/situacao.ts'
import type { TipoAgravo } from '../../../../src/domain/casos/enumeracoes.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { isHidden, textOf, valueIn } from '../../state/caso-campos.ts'
import { lastPares, type ParFilters, paresQuery, readPares } from '../../state/duplicidades.ts'
import { identifiedQuery } from '../../state/identificado.ts'
import { api, cache, holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'

/** A pair as the API tells it, and its two cases as far as they may be read. */

export type Par = AnswerOf<'GET', '/api/v1/agravos/duplicidades'>['items'][number]

/** A case of a pair, as far as the screens name its members; fields are read by their path. */
export interface Caso {
  id: number
  tipo_agravo: TipoAgravo
  numero_notificacao: string
  data_notificacao: string
  paciente: { nome: string | null }
  endereco: { municipio_residencia: string | null; estado_residencia: string | null }
}

/** As its own reading tells it. */
export interface CasoInteiro extends Caso {
  versao: number
}

export interface ParAberto {
  par: Par
  casos: readonly [Caso, Caso]
}

export const PARES = ['duplicidades'] as const
export const keyOf = (id: number) => [...PARES, 'par', id]
export const parHref = (id: number) => pathTo(PATHS.duplicidade, { id })

export const casosOf = (par: Par) => par.casos.map(({ caso }) => caso) as unknown as readonly [Caso, Caso]

/** A pair with its whole cases, or, where one is excluded or the right to open them is missing, as lists tell them. Null: none. */
export async function askPar(
  id: number,
  identified: { motivo: string } | null,
  signal?: AbortSignal,
): Promise<ParAberto | null> {
  const query = {
    id,
    'situacao[in]': SITUACOES.join(','),
    ...(identified && { identificado: true }),
    size: 1,
  }
  const options = signal ? { signal } : {}
  const { items } = await api.get('/api/v1/agravos/duplicidades', { query }, options)
  const [par] = items
  if (par === undefined) return null
  const isWhole = holds(['agravos.listar']) && par.casos.every(({ excluido }) => !excluido)
  if (!isWhole) return { par, casos: casosOf(par) }
  const [one, other] = casosOf(par)
  return { par, casos: await askCasos([one.id, other.id], identified, signal) }
}

/** Two whole cases. */
export const askCasos = (
  [one, other]: readonly [number, number],
  identified: { motivo: string } | null,
  signal?: AbortSignal,
): Promise<[CasoInteiro, CasoInteiro]> =>
  Promise.all([askCaso(one, identified, signal), askCaso(other, identified, signal)])

/** The reason is recorded with the reading of each case. */
export function askCaso(
  id: number,
  identified: { motivo: string } | null,
  signal?: AbortSignal,
): Promise<CasoInteiro> {
  const query = {
    include: 'investigacao',
    ...(identified && identifiedQuery(identified.motivo)),
  } as never
  const options = signal ? { signal } : {}
  const found = api.get('/api/v1/agravos/casos/{id}', { params: { id }, query }, options)
  return found as unknown as Promise<CasoInteiro>
}

/** Pairs that are read to find the one behind another; more than have one score. */
const NEAR = 100

/** The pair behind this one in the list that was last seen; null: it was the last. */
export async function nextPar({ id, escore }: Par, today: string): Promise<number | null> {
  const { filters } = readPares(lastPares.value?.split('?')[1] ?? '', { today })
  const query = { ...paresQuery(filters as ParFilters), 'escore[lte]': escore, size: NEAR }
  const { items } = await api.get('/api/v1/agravos/duplicidades', { query })
  const at = items.findIndex((one) => one.id === id)
  return items[at + 1]?.id ?? null
}

/** Asks for everything again that a decision or an undo may have changed. */
export async function outdate(id: number): Promise<void> {
  outdateCasos()
  void cache.invalidateQueries({ queryKey: [...PARES, 'list'] })
  await cache.invalidateQueries({ queryKey: keyOf(id) })
}

export const outdateCasos = () =>
  void cache.invalidateQueries({
    predicate: ({ queryKey: [name] }) => name === 'caso' || name === 'casos',
    refetchType: 'none',
  })

/** Field of both cases, with the value of each in words. */
export interface Linha {
  nome: FieldName
  values: readonly [unknown, unknown]
  isSealed: boolean
  differs: boolean
  /** True where both have a value. */
  isInBoth: boolean
}

/** Null: neither case has the field. A sealed one is told as such, whatever it holds. */
export function linhaOf(
  nome: FieldName,
  [one, other]: readonly [Caso, Caso],
  isIdentified: boolean,
): Linha | null {
  const t = texts()
  const isSealed = !isIdentified && isHidden(nome)
  const values = [valueIn(one, nome), valueIn(other, nome)] as const
  const [text, otherText] = values.map((value) => textOf(nome, value, t)) as [string, string]
  if (!isSealed && text === '' && otherText === '') return null
  return {
    ...{ nome, values, isSealed },
    differs: !isSealed && text !== otherText,
    isInBoth: text !== '' && otherText !== '',
  }
}

export type Decisao = Exclude<SituacaoDoPar, 'pendente' | 'mesmo_caso'>
