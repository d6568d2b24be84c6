import { dateInBrazil, daysBetween } from '../../../brasil/calendar.ts'
import { type Caller, mayIdentify } from '../../../caller/caller.ts'
import type { Filter, FilterField, ListQuery, ListRules, Page } from '../../../filter.ts'
import { valuesOf } from '../../../filter.ts'
import type { App } from '../../app.ts'
import type { ListedCaso } from '../casos.sql.ts'
import { casoColumns } from '../reading/filters.sql.ts'
import { CASOS_LIST } from '../reading/filters.ts'
import { assertMayIdentify } from '../reading/read.ts'
import { withinTerritorio } from '../territorio.ts'
import {
  countWork,
  listWork,
  type PendingCaso,
  tallyDuplicados,
  tallyWork,
  type WorkList,
  type WorkTally,
} from './pendencias.sql.ts'
import {
  ABERTO,
  CONTRADICOES,
  type CodigoDePendencia,
  DUPLICADO,
  hasBit,
  PENDENCIAS,
  TRABALHO,
} from './regras.ts'
import { candidatosIn } from './selecao.ts'

/** Pendency of a case: a contradiction to correct, or work to do. */
export interface Pendencia {
  codigo: CodigoDePendencia
  /** Since when it could be known. */
  desde: string
  /** Last day to close the case; null where nothing but closing has a deadline. */
  prazo: string | null
  /** Days since the deadline; negative before it. */
  dias: number | null
}

export type CasoComPendencias = ListedCaso & { itens: Pendencia[] }

const pendencia: FilterField = { type: 'text', operators: ['eq', 'ne', 'in'], values: PENDENCIAS }
const fields = { ...CASOS_LIST.fields, pendencia }

/** Overdue first, the oldest deadline first: deadlines in their order, then cases without one. */
export const PENDENCIAS_LIST: ListRules = {
  fields,
  sortable: ['prazo', ...CASOS_LIST.sortable],
  defaultSort: { field: 'prazo', order: 'asc' },
}

export const RESUMO_LIST: ListRules = {
  fields,
  sortable: ['total', 'codigo', 'municipio'],
  defaultSort: { field: 'total', order: 'desc' },
}

type Needs = Pick<App, 'db' | 'clock' | 'municipios' | 'territorios' | 'agravos'>
type Leitor = Pick<Caller, 'territorio' | 'permissoes' | 'holdsAll'>

export async function pageOfPendencias(
  app: Needs,
  caller: Caller,
  list: ListQuery,
): Promise<Page<CasoComPendencias>> {
  const work = workListOf(app, caller, list.filter)
  const total = await countWork(app.db, work)
  const atMost = Math.min(list.size, total - (list.page - 1) * list.size)
  const rows = atMost <= 0 ? [] : await listWork(app.db, work, list, atMost)
  const items = rows.map((caso) => ({ ...caso, itens: pendenciasOf(caso, work.hoje) }))
  return { items, total, page: list.page, size: list.size }
}

/** Number of cases of the list that a filter leaves. */
export function countPendencias(app: Needs, caller: Leitor, filter: Filter): Promise<number> {
  return countWork(app.db, workListOf(app, caller, filter))
}

/** Possible duplicates come from sealed birth dates: callers who may not identify patients learn nothing of them. */
function workListOf({ clock, agravos, ...reference }: Needs, caller: Leitor, asked: Filter): WorkList {
  if (mentionsDuplicado(asked)) assertMayIdentify(caller)
  const filter = withinTerritorio(asked, caller)
  return {
    filter,
    columns: casoColumns(reference.municipios),
    hoje: dateInBrazil(clock.now()),
    candidatos: mayIdentify(caller) ? candidatosIn(reference, filter) : null,
    semHospitalizacao: agravos
      .vigentes()
      .todos.filter(({ fora }) => fora.includes('hospitalizacao'))
      .map(({ definicao }) => definicao.codigo),
  }
}

function mentionsDuplicado(filter: Filter): boolean {
  if (filter.kind === 'search') return false
  if (filter.kind !== 'test') return filter.of.some(mentionsDuplicado)
  return filter.field === 'pendencia' && valuesOf(filter).includes(DUPLICADO)
}

function pendenciasOf(
  { pendencias, data_notificacao, prazo, obito_em, duplicado }: PendingCaso,
  hoje: string,
): Pendencia[] {
  const codigos = codesOf(pendencias, prazo !== null && prazo < hoje)
  if (duplicado) codigos.push(DUPLICADO)
  return codigos.map((codigo) => {
    const desde = OF_DEATH.includes(codigo) ? (obito_em ?? data_notificacao) : data_notificacao
    if (prazo === null || !CLOSING.includes(codigo)) return { codigo, desde, prazo: null, dias: null }
    return { codigo, desde, prazo, dias: daysBetween(prazo, hoje) }
  })
}

const OF_DEATH: readonly CodigoDePendencia[] = ['obito_sem_investigacao', 'obito_a_investigar']
const CLOSING: readonly CodigoDePendencia[] = ['a_encerrar', 'atrasado']

/** Codes of a case by its bits. */
function codesOf(bits: number, overdue: boolean): CodigoDePendencia[] {
  const closing = hasBit(bits, ABERTO) ? [overdue ? ('atrasado' as const) : ('a_encerrar' as const)] : []
  const others = [...TRABALHO, ...CONTRADICOES].filter(({ bit }) => hasBit(bits, bit))
  return [...closing, ...others.map(({ codigo }) => codigo)]
}

export interface ResumoDePendencia {
  codigo: CodigoDePendencia
  /** Null: unknown. */
  municipio: number | null
  total: number
}

export interface ResumoDasPendencias extends Page<ResumoDePendencia> {
  /** Cases of each code, of all pages together. */
  porCodigo: Partial<Record<CodigoDePendencia, number>>
}

/** Counts by code and municipality of the cases that the list has under the same filter. */
export async function resumoOfPendencias(
  app: Needs,
  caller: Caller,
  { filter, sort, order, page, size }: ListQuery,
): Promise<ResumoDasPendencias> {
  const work = workListOf(app, caller, filter)
  // A case that is nothing but a possible duplicate has no other code: they are looked for once.
  const ofThemselves = mentionsDuplicado(filter) ? work : { ...work, candidatos: null }
  const [tallies, duplicados] = await Promise.all([
    tallyWork(app.db, ofThemselves),
    work.candidatos === null ? [] : tallyDuplicados(app.db, work),
  ])
  const all = summed(tallies)
  for (const { municipio, total } of duplicados) all.push({ codigo: DUPLICADO, municipio, total })
  const sorted = all.toSorted(comparing(sort as keyof ResumoDePendencia, order))
  const items = sorted.slice((page - 1) * size, page * size)
  return { items, total: all.length, page, size, porCodigo: totalsByCode(all) }
}

function totalsByCode(all: readonly ResumoDePendencia[]): ResumoDasPendencias['porCodigo'] {
  const totals: ResumoDasPendencias['porCodigo'] = {}
  for (const { codigo, total } of all) totals[codigo] = (totals[codigo] ?? 0) + total
  return totals
}

function summed(tallies: readonly WorkTally[]): ResumoDePendencia[] {
  const byKey = new Map<string, ResumoDePendencia>()
  for (const { municipio, pendencias, vencido, total } of tallies)
    for (const codigo of codesOf(pendencias, vencido)) {
      const key = `${codigo}/${municipio}`
      const known = byKey.get(key) ?? { codigo, municipio, total: 0 }
      byKey.set(key, { ...known, total: known.total + total })
    }
  return [...byKey.values()]
}

/** By the asked column, then by the others, so that pages do not overlap; an unknown municipality counts as the last. */
function comparing(sort: keyof ResumoDePendencia, order: ListQuery['order']) {
  const sign = order === 'asc' ? 1 : -1
  const keys = { total: totals, codigo: codes, municipio: municipalities }
  return (a: ResumoDePendencia, b: ResumoDePendencia) =>
    sign * (keys[sort](a, b) || totals(a, b) || municipalities(a, b) || codes(a, b))
}

type Compared = Pick<ResumoDePendencia, 'codigo' | 'municipio' | 'total'>
const totals = (a: Compared, b: Compared) => a.total - b.total
const codes = (a: Compared, b: Compared) => PENDENCIAS.indexOf(a.codigo) - PENDENCIAS.indexOf(b.codigo)
const municipalities = (a: Compared, b: Compared) =>
  (a.municipio ?? Infinity) - (b.municipio ?? Infinity) || 0
