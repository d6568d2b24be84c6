import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'
import type { PedidoDeBoletim } from './pedido.ts'

export interface AgendaFields {
  nome: string
  /** 0 is Sunday. */
  dia_semana: number
  /** `HH:MM` in Brasília. */
  hora: string
  pedidos: PedidoDeBoletim[]
  ativo: boolean
}

export interface AgendaRow extends AgendaFields {
  id: number
  grupos: { id: number; nome: string }[]
  usuario_id: number
  usuario_nome: string
  criado_em: Date
  atualizado_em: Date
  /** Null while it is switched off. */
  proxima_em: Date | null
  ultima_em: Date | null
  ultimo_job: string | null
}

const AGENDA = sql`a.id, a.nome, a.dia_semana, a.hora, a.pedidos, a.ativo, a.usuario_id, a.usuario_nome, a.criado_em,
  a.atualizado_em, a.proxima_em, a.ultima_em, a.ultimo_job,
  coalesce((select json_agg(json_build_object('id', g.id, 'nome', g.nome) order by g.id)
    from boletins_agendas_grupos ag join grupos g on g.id = ag.grupo_id where ag.agenda_id = a.id), '[]') as grupos`

const COLUMNS: Columns = {
  fields: {
    id: sql`a.id`,
    nome: sql`a.nome`,
    ativo: sql`a.ativo`,
    proxima_em: sql`a.proxima_em`,
    criado_em: sql`a.criado_em`,
  },
  required: new Set(['id', 'nome', 'ativo', 'criado_em']),
  search: (contains) => sql`plain(a.nome) like plain(${contains})`,
}

/** Schedules of an account; null: of all. */
const ownedBy = (usuarioId: number | null): Sql =>
  usuarioId === null ? sql`true` : sql`a.usuario_id = ${usuarioId}`

export function pageOfAgendaRows(
  db: Db,
  usuarioId: number | null,
  list: ListQuery,
): Promise<Page<AgendaRow>> {
  const only = ownedBy(usuarioId)
  return pageOf(
    db,
    { select: AGENDA, from: sql`boletins_agendas a`, columns: COLUMNS, id: sql`a.id`, only },
    list,
  )
}

export function findAgenda(db: Db, usuarioId: number | null, id: number): Promise<AgendaRow | null> {
  return db.first(sql`select ${AGENDA} from boletins_agendas a where a.id = ${id} and ${ownedBy(usuarioId)}`)
}

/** The same, locked until the end of the transaction: a schedule is not changed while it is run. */
export async function lockAgenda(tx: Db, usuarioId: number | null, id: number): Promise<AgendaRow | null> {
  await tx.run(sql`select from boletins_agendas a where a.id = ${id} for update`)
  return findAgenda(tx, usuarioId, id)
}

/** Serialises the new schedules of an account, so that its limit holds among simultaneous ones. */
export function lockAgendasOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443020, ${usuarioId})`)
}

export function countAgendasOf(tx: Db, usuarioId: number): Promise<number> {
  return tx.value(sql`select count(*) from boletins_agendas where usuario_id = ${usuarioId}`)
}

export function insertAgenda(
  tx: Db,
  agenda: AgendaFields & { proxima_em: Date | null },
  usuario: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.value(sql`
    insert into boletins_agendas (nome, dia_semana, hora, pedidos, ativo, usuario_id, usuario_nome, criado_em, atualizado_em,
      proxima_em)
    values (${agenda.nome}, ${agenda.dia_semana}, ${agenda.hora}, ${JSON.stringify(agenda.pedidos)}, ${agenda.ativo},
      ${usuario.id}, ${usuario.nome}, ${now}, ${now}, ${agenda.proxima_em})
    returning id`)
}

export function updateAgenda(
  tx: Db,
  id: number,
  agenda: AgendaFields & { proxima_em: Date | null },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update boletins_agendas set nome = ${agenda.nome}, dia_semana = ${agenda.dia_semana}, hora = ${agenda.hora},
      pedidos = ${JSON.stringify(agenda.pedidos)}, ativo = ${agenda.ativo}, proxima_em = ${agenda.proxima_em},
      atualizado_em = ${now}
    where id = ${id}`)
}

export async function replaceGrupos(tx: Db, id: number, grupos: readonly number[]): Promise<void> {
  await tx.run(sql`delete from boletins_agendas_grupos where agenda_id = ${id}`)
  await tx.run(sql`
    insert into boletins_agendas_grupos (agenda_id, grupo_id) select ${id}, unnest(${[...new Set(grupos)]}::integer[])`)
}

export function deleteAgenda(tx: Db, id: number): Promise<number> {
  return tx.run(sql`delete from boletins_agendas where id = ${id}`)
}

export async function listDue(db: Db, now: Date): Promise<number[]> {
  const rows = await db.rows<{ id: number }>(
    sql`select id from boletins_agendas where proxima_em <= ${now} order by proxima_em, id`,
  )
  return rows.map(({ id }) => id)
}

/** Schedule that is due, with the places that bound its owner. */
export interface AgendaVencida extends Pick<AgendaFields, 'dia_semana' | 'hora' | 'pedidos'> {
  usuario: { id: number; nome: string }
  territorios: string[]
  admin: boolean
}

/** Locked until the end of the transaction; one that another instance is running is skipped. */
export function claimDue(tx: Db, id: number, now: Date): Promise<AgendaVencida | null> {
  return tx.first(sql`
    select a.dia_semana, a.hora, a.pedidos, json_build_object('id', u.id, 'nome', u.nome) as usuario,
      territorios_de(u.id) as territorios, exists (select from administradores d where d.id = u.id) as admin
    from boletins_agendas a join usuarios u on u.id = a.usuario_id
    where a.id = ${id} and a.proxima_em <= ${now}
    for update of a skip locked`)
}

export function markRun(
  tx: Db,
  id: number,
  { ultima_em, proxima_em, job }: { ultima_em: Date; proxima_em: Date; job: string },
): Promise<number> {
  return tx.run(sql`
    update boletins_agendas set ultima_em = ${ultima_em}, proxima_em = ${proxima_em}, ultimo_job = ${job} where id = ${id}`)
}
