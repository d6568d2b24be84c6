import { type Caller, mayIdentify } from '../../../caller/caller.ts'
import { AppError } from '../../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { by } from '../../auditoria/auditoria.ts'
import { detalhesComMotivo } from '../../auditoria/motivo.ts'
import type { Sigilo } from '../campos.ts'
import {
  type CasoRow,
  type CasoWithSigilo,
  type ExcluidoRow,
  findCasos,
  findCasoWithSigilo,
  type ListedCaso,
  listExcluidos,
} from '../casos.sql.ts'
import { selectionOf } from '../counters/counters.sql.ts'
import {
  countHistorico,
  type HistoricoRow,
  listHistorico,
  listHistoricoAfter,
  listHistoricoUpTo,
} from '../historico.sql.ts'
import { rewind, unsealHistory } from '../historico.ts'
import { type Acesso, assertAcesso, type Escopo, placesOf, withinTerritorio } from '../territorio.ts'
import {
  type CasoView,
  concealed,
  concealedHistory,
  type HistoryEntry,
  identified,
  identifiedHistory,
} from '../view.ts'
import { casoColumns } from './filters.sql.ts'
import { findPage } from './page.ts'

type Needs = Pick<App, 'db' | 'cipher' | 'auditoria' | 'municipios' | 'clock'>

export async function pageOfCasos(
  { db, municipios }: Pick<App, 'db' | 'municipios'>,
  caller: Caller,
  list: ListQuery,
  { escopo, withDados = true }: { escopo?: Escopo | undefined; withDados?: boolean } = {},
): Promise<Page<ListedCaso>> {
  const filter = withinTerritorio(list.filter, caller, escopo)
  const found = await findPage(db, { ...list, filter }, selectionOf(filter, municipios), withDados)
  return { ...found, page: list.page, size: list.size }
}

export function pageOfExcluidos(
  { db, municipios }: Pick<App, 'db' | 'municipios'>,
  caller: Caller,
  list: ListQuery,
): Promise<Page<ExcluidoRow>> {
  return listExcluidos(
    db,
    { ...list, filter: withinTerritorio(list.filter, caller) },
    casoColumns(municipios),
  )
}

export interface CasoReading {
  identificado: boolean
  /** Moment to show the case at; null: now. */
  em: Date | null
  /** Reason of an identified reading, for the audit. */
  motivo?: string | undefined
}

/** Lines of the history in the detail itself; the rest is in the list of the history. */
const HISTORY_SIZE = 100

export interface CasoWithHistory {
  caso: CasoView
  /** Right by which the caller reads it. */
  acesso: Acesso
  historico: HistoryEntry[]
}

export async function getCaso(
  app: Needs,
  caller: Caller,
  id: number,
  { identificado, em, motivo }: CasoReading,
): Promise<CasoWithHistory> {
  const { db, cipher } = app
  if (identificado) {
    const sobre = { acao: IDENTIFICADO, ator_id: caller.id, casos: [id] }
    const why = motivo === undefined ? {} : detalhesComMotivo(cipher, motivo, sobre)
    await recordIdentifiedRead(app, caller, id, { em: em?.toISOString() ?? null, ...why })
  }
  const row = identificado ? await findCasoWithSigilo(db, id) : await db.batch(findCasos, id)
  if (row === null) throw new AppError('NOT_FOUND')
  const acesso = acessoOf(caller, row)
  const now: CasoView = identificado ? identified(cipher, row as CasoWithSigilo) : concealed(row)
  const caso = em === null ? now : await asItWas(app, now, em)
  // The first version has nothing before it.
  const rows = caso.versao === 1 ? [] : await listHistoricoUpTo(db, caso, HISTORY_SIZE)
  const lines = rows.map((one) => (identificado ? identifiedHistory(cipher, one) : concealedHistory(one)))
  return { caso, acesso, historico: rows.length < HISTORY_SIZE ? [...lines, creation(now)] : lines }
}

const acessoOf = (caller: Caller, caso: CasoRow): Acesso =>
  assertAcesso(caller, { ...placesOf(caso), responsavel_id: caso.responsavel?.id ?? null })

/** A case that the caller may open. */
export async function openCaso({ db }: Pick<App, 'db'>, caller: Caller, id: number): Promise<CasoRow> {
  const caso = await db.batch(findCasos, id)
  if (caso === null) throw new AppError('NOT_FOUND')
  acessoOf(caller, caso)
  return caso
}

export const HISTORICO_LIST: ListRules = {
  fields: {},
  sortable: ['data'],
  defaultSort: { field: 'data', order: 'desc' },
}

/** Newest first by default. The creation has no row of its own: it is made of the case, as the oldest line. */
export async function pageOfHistorico(
  app: Needs,
  caller: Caller,
  id: number,
  { page, size, order }: Pick<ListQuery, 'page' | 'size' | 'order'>,
  identificado: boolean,
): Promise<Page<HistoryEntry> & Pick<CasoRow, 'tipo_agravo'>> {
  const { db, cipher } = app
  if (identificado) await recordIdentifiedRead(app, caller, id, { historico: true })
  const caso = await openCaso(app, caller, id)
  const changes = await countHistorico(db, id)
  const total = changes + 1
  const from = (page - 1) * size
  const creationAt = order === 'asc' ? 0 : changes
  const withCreation = from <= creationAt && creationAt < from + size
  const rows = await listHistorico(db, id, {
    size: withCreation ? size - 1 : size,
    offset: creationAt < from ? from - 1 : from,
    order,
  })
  const items = rows.map((one) => (identificado ? identifiedHistory(cipher, one) : concealedHistory(one)))
  if (withCreation) items.splice(creationAt - from, 0, creation(concealed(caso)))
  return { items, total, page, size, tipo_agravo: caso.tipo_agravo }
}

function creation({ criado_em, criado_por }: CasoView): HistoryEntry {
  return { data: criado_em, acao: 'criado', usuario: criado_por, alteracoes: [], outros: {} }
}

const IDENTIFICADO = 'caso.identificado'

/** Audit before access: a read that cannot be recorded is refused. Attempts at unknown cases are recorded too. */
export async function recordIdentifiedRead(
  { db, auditoria }: Pick<App, 'db' | 'auditoria'>,
  caller: Caller,
  id: number | null,
  detalhes: Record<string, unknown>,
): Promise<void> {
  assertMayIdentify(caller)
  await db.transaction((tx) =>
    auditoria.record(tx, {
      acao: IDENTIFICADO,
      ...by(caller),
      recurso: 'caso',
      recurso_id: id,
      detalhes,
    }),
  )
}

export function assertMayIdentify(caller: Pick<Caller, 'permissoes' | 'holdsAll'>): void {
  if (!mayIdentify(caller))
    throw new AppError('PERMISSION_DENIED', { required_permission: 'agravos.identificar' })
}

/** Rewinds the history to a moment, newest change first. */
async function asItWas({ db, cipher }: Needs, caso: CasoView, moment: Date): Promise<CasoView> {
  if (moment < caso.criado_em) throw new AppError('NOT_FOUND')
  const since = await listHistoricoAfter(db, caso, moment)
  if (wasExcluded(since)) throw new AppError('NOT_FOUND')
  const open = rewind(
    { ...caso },
    since.map(({ alteracoes }) => alteracoes),
  )
  const sigilo =
    caso.sigilo &&
    rewind<Sigilo & Record<string, unknown>>(
      { ...caso.sigilo },
      since.map((row) => unsealHistory(cipher, row)),
    )
  const versao = caso.versao - since.length
  const [last] = await listHistoricoUpTo(db, { id: caso.id, versao }, 1)
  return {
    ...open,
    sigilo,
    nome: sigilo ? sigilo.paciente_nome : open.paciente_iniciais,
    versao,
    atualizado_em: last?.data ?? caso.criado_em,
  }
}

/** Changes after which a case is in no list, and those after which it is in them again. */
const LEAVING: ReadonlySet<string> = new Set(['excluido', 'fundido_com'])
const RETURNING: ReadonlySet<string> = new Set(['restaurado', 'separado'])

/** True when the first change of state since then is a restoration. */
function wasExcluded(since: HistoricoRow[]): boolean {
  const last = since.findLast(({ acao }) => LEAVING.has(acao) || RETURNING.has(acao))
  return last !== undefined && RETURNING.has(last.acao)
}
