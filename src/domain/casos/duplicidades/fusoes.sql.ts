import type { Municipios } from '../../../brasil/municipios.ts'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { pageOf } from '../../../db/page.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Columns } from '../../../db/where.ts'
import type { ListQuery, Page } from '../../../filter.ts'
import { isInside } from '../reading/filters.sql.ts'

export interface NewFusao {
  principal_id: number
  absorvido_id: number
  principal_versao: number
  absorvido_versao: number
  alteracoes: Record<string, unknown>
  sigilo: Buffer | null
}

export function insertFusao(
  tx: Db,
  fusao: NewFusao,
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.value(sql`
    insert into fusoes (principal_id, absorvido_id, principal_versao, absorvido_versao, alteracoes, sigilo, feita_em,
      feita_por_id, feita_por_nome)
    values (${fusao.principal_id}, ${fusao.absorvido_id}, ${fusao.principal_versao}, ${fusao.absorvido_versao},
      ${JSON.stringify(fusao.alteracoes)}, ${fusao.sigilo}, ${now}, ${by.id}, ${by.nome})
    returning id`)
}

/** Merges of one account, one after the other until the commit, so that each is counted once. */
export function lockFusoesDe(tx: Db, usuarioId: number): Promise<number> {
  return tx.run(sql`select pg_advisory_xact_lock(8443030, ${usuarioId})`)
}

/** Merges of an account on a day in Brazil, undone ones too. */
export function countFusoesDoDia(tx: Db, usuarioId: number, dia: string): Promise<number> {
  return tx.value(sql`
    select count(*)::integer from fusoes
    where feita_por_id = ${usuarioId}
      and feita_em >= (${dia}::date - 1)::timestamptz and feita_em < (${dia}::date + 2)::timestamptz
      and (feita_em at time zone 'America/Sao_Paulo')::date = ${dia}::date`)
}

export function listAdministradores(tx: Db): Promise<{ id: number; email: string }[]> {
  return tx.rows(sql`
    select u.id, u.email from usuarios u join administradores a on a.id = u.id order by u.id`)
}

export interface FusaoRow extends NewFusao {
  id: number
  tipo_agravo: string
  principal_numero: string
  absorvido_numero: string
  feita_em: Date
  feita_por_id: number | null
  feita_por_nome: string
  desfeita_em: Date | null
  desfeita_por_id: number | null
  desfeita_por_nome: string | null
}

const FUSAO = sql`f.id, f.principal_id, f.absorvido_id, f.principal_versao, f.absorvido_versao, f.alteracoes, f.sigilo, f.feita_em,
  f.feita_por_id, f.feita_por_nome, f.desfeita_em, f.desfeita_por_id, f.desfeita_por_nome, p.tipo_agravo,
  p.numero_notificacao as principal_numero, a.numero_notificacao as absorvido_numero`
const FROM = sql`fusoes f join casos p on p.id = f.principal_id join casos a on a.id = f.absorvido_id`

/** Condition: the caller may open the case with this id, excluded or not. */
export function opens(
  id: Sql,
  { id: usuario, territorio }: Pick<Caller, 'id' | 'territorio'>,
  municipios: Municipios,
): Sql {
  if (territorio === null) return sql`true`
  return sql`exists (
    select from casos c where c.id = ${id} and (${isInside(territorio, municipios)} or c.responsavel_id is not distinct from ${usuario}))`
}

const within = (caller: Caller, municipios: Municipios): Sql =>
  sql`(${opens(sql`f.principal_id`, caller, municipios)} and ${opens(sql`f.absorvido_id`, caller, municipios)})`

const COLUMNS: Columns = {
  fields: {
    id: sql`f.id`,
    tipo_agravo: sql`p.tipo_agravo`,
    principal_id: sql`f.principal_id`,
    absorvido_id: sql`f.absorvido_id`,
    desfeita: sql`(f.desfeita_em is not null)`,
    feita_em: sql`f.feita_em`,
  },
  required: new Set(['id', 'tipo_agravo', 'principal_id', 'absorvido_id', 'desfeita', 'feita_em']),
  search: (contains) =>
    sql`(plain(p.numero_notificacao) like plain(${contains}) or plain(a.numero_notificacao) like plain(${contains}))`,
}

export function pageOfFusaoRows(
  db: Db,
  municipios: Municipios,
  caller: Caller,
  list: ListQuery,
): Promise<Page<FusaoRow>> {
  const only = within(caller, municipios)
  return pageOf(db, { select: FUSAO, from: FROM, columns: COLUMNS, id: sql`f.id`, only }, list)
}

export function findFusao(
  db: Db,
  municipios: Municipios,
  caller: Caller,
  id: number,
): Promise<FusaoRow | null> {
  return db.first(sql`select ${FUSAO} from ${FROM} where f.id = ${id} and ${within(caller, municipios)}`)
}

/** True where it was not undone before; two undos wait for each other. */
export async function lockFusao(tx: Db, id: number): Promise<boolean> {
  return (
    (await tx.first(sql`select from fusoes where id = ${id} and desfeita_em is null for update`)) !== null
  )
}

export function markFusaoDesfeita(
  tx: Db,
  id: number,
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update fusoes set desfeita_em = ${now}, desfeita_por_id = ${by.id}, desfeita_por_nome = ${by.nome} where id = ${id}`)
}

/** A pair that a merge had decided waits again. */
export function reopenPar(tx: Db, fusaoId: number): Promise<number> {
  return tx.run(sql`
    update duplicidades set situacao = 'pendente', fusao_id = null, motivo = null, decidida_em = null, decidida_por_id = null,
      decidida_por_nome = null
    where fusao_id = ${fusaoId}`)
}

/** The pair of two cases, where there is one, as decided by their merge. */
export function markFundidos(
  tx: Db,
  { caso_1, caso_2, fusao_id }: { caso_1: number; caso_2: number; fusao_id: number },
  by: { id: number; nome: string },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update duplicidades set situacao = 'mesmo_caso', fusao_id = ${fusao_id}, decidida_em = ${now}, decidida_por_id = ${by.id},
      decidida_por_nome = ${by.nome}
    where caso_1 = ${caso_1} and caso_2 = ${caso_2}`)
}
