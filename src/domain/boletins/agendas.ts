import { type Caller, holds } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { findGrupos } from '../grupos/grupos.ts'
import { assertVersao, type IfMatch, versaoDe } from '../versoes.ts'
import {
  type AgendaFields,
  type AgendaRow,
  countAgendasOf,
  deleteAgenda,
  findAgenda,
  insertAgenda,
  lockAgenda,
  lockAgendasOf,
  pageOfAgendaRows,
  replaceGrupos,
  updateAgenda,
} from './agendas.sql.ts'
import { proximaVez } from './horario.ts'
import { assertSeesWhole, lugarDoPedido, type PedidoDeBoletim } from './pedido.ts'

/** Schedules of bulletins: each belongs to an account, whose rights and territory its bulletins have. Administrators see all. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'municipios' | 'territorios'>

export const AGENDAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    nome: { type: 'text', plain: 'like' },
    ativo: { type: 'boolean' },
    proxima_em: { type: 'datetime' },
    criado_em: { type: 'datetime' },
  },
  sortable: ['id', 'nome', 'proxima_em', 'criado_em'],
  defaultSort: { field: 'id', order: 'asc' },
}

export interface NewAgenda extends AgendaFields {
  grupos: number[]
}

/** Schedules that an account may have. */
const MOST = 20

const seenBy = (caller: Caller): number | null => (holds(caller, 'admin') ? null : caller.id)

export function pageOfAgendas(
  { db }: Pick<App, 'db'>,
  caller: Caller,
  list: ListQuery,
): Promise<Page<AgendaRow>> {
  return pageOfAgendaRows(db, seenBy(caller), list)
}

/** Runs of the schedule make no version. */
export const versaoDaAgenda = ({ nome, dia_semana, hora, pedidos, ativo, grupos }: AgendaRow): string =>
  versaoDe([nome, dia_semana, hora, pedidos, ativo, grupos.map(({ id }) => id)])

export async function getAgenda({ db }: Pick<App, 'db'>, caller: Caller, id: number): Promise<AgendaRow> {
  return (await findAgenda(db, seenBy(caller), id)) ?? notFound()
}

export async function createAgenda(app: Needs, caller: Caller, agenda: NewAgenda): Promise<AgendaRow> {
  const now = app.clock.now()
  assertPlaces(app, caller, agenda.pedidos)
  return app.db.transaction(async (tx) => {
    await assertGrupos(tx, agenda.grupos)
    await lockAgendasOf(tx, caller.id)
    if ((await countAgendasOf(tx, caller.id)) >= MOST) throw because('TOO_MANY_SCHEDULES')
    const id = await insertAgenda(tx, { ...agenda, proxima_em: nextOf(agenda, now) }, caller, now)
    await replaceGrupos(tx, id, agenda.grupos)
    return recorded(app, tx, caller, id, 'agenda_de_boletim.criada')
  })
}

/** Only what is given changes; the next time is counted from now. */
export async function changeAgenda(
  app: Needs,
  caller: Caller,
  id: number,
  change: Partial<NewAgenda>,
  ifMatch: IfMatch,
): Promise<AgendaRow> {
  if (change.pedidos) assertPlaces(app, caller, change.pedidos)
  return app.db.transaction(async (tx) => {
    const locked = (await lockAgenda(tx, seenBy(caller), id)) ?? notFound()
    const { grupos: _, ...before } = locked
    const { grupos, ...fields } = change
    if (grupos) await assertGrupos(tx, grupos)
    assertVersao(ifMatch, versaoDaAgenda(locked))
    const now = app.clock.now()
    const after = { ...before, ...fields }
    await updateAgenda(tx, id, { ...after, proxima_em: nextOf(after, now) }, now)
    if (grupos) await replaceGrupos(tx, id, grupos)
    return recorded(app, tx, caller, id, 'agenda_de_boletim.alterada')
  })
}

export async function removeAgenda(app: Needs, caller: Caller, id: number, ifMatch: IfMatch): Promise<void> {
  await app.db.transaction(async (tx) => {
    const locked = (await lockAgenda(tx, seenBy(caller), id)) ?? notFound()
    assertVersao(ifMatch, versaoDaAgenda(locked))
    await deleteAgenda(tx, id)
    await app.auditoria.record(tx, { acao: 'agenda_de_boletim.excluida', ...by(caller), ...about(id) })
  })
}

const nextOf = (agenda: AgendaFields, now: Date): Date | null =>
  agenda.ativo ? proximaVez(agenda, now) : null

const about = (id: number) => ({ recurso: 'agenda_de_boletim', recurso_id: id })

/** Without the words of its bulletins: people may write anything into them. */
async function recorded(app: Needs, tx: Db, caller: Caller, id: number, acao: string): Promise<AgendaRow> {
  const agenda = (await findAgenda(tx, null, id)) ?? notFound()
  const { dia_semana, hora, ativo, grupos, pedidos } = agenda
  const detalhes = {
    ...{ dia_semana, hora, ativo, grupos: grupos.map((grupo) => grupo.id) },
    pedidos: pedidos.map(({ texto: _, ...pedido }) => pedido),
  }
  await app.auditoria.record(tx, { acao, ...by(caller), ...about(id), detalhes })
  return agenda
}

/** Every place exists and lies in the caller's territory; none is asked for twice. */
function assertPlaces(app: Needs, caller: Caller, pedidos: readonly PedidoDeBoletim[]): void {
  const problems: Problem[] = []
  const seen = new Set<string>()
  const lugares = pedidos.map((pedido, i) => {
    const lugar = lugarDoPedido(app, pedido, ['pedidos', i])
    const key = `${pedido.tipo_agravo} ${lugar.codigo} ${pedido.publico}`
    if (seen.has(key)) problems.push(problem('body', ['pedidos', i], 'REPEATED', {}))
    seen.add(key)
    return lugar
  })
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  for (const lugar of lugares) assertSeesWhole(caller, lugar)
}

async function assertGrupos(tx: Db, grupos: number[]): Promise<void> {
  const { unknown } = await findGrupos(tx, grupos)
  if (unknown.length > 0) throw invalid('body', ['grupos'], 'UNKNOWN', { ids: unknown })
}

function notFound(): never {
  throw new AppError('NOT_FOUND')
}
