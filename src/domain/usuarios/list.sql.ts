import { cpfDigits } from '../../brasil/cpf.ts'
import type { Db } from '../../db/db.ts'
import { join, type Sql, sql } from '../../db/sql.ts'
import { type Columns, orderBy, slice, test, where } from '../../db/where.ts'
import { type Filter, type FilterTest, type ListQuery, valuesOf } from '../../filter.ts'
import { boundTo, type Reach, reachedBy } from '../territorios/alcance.ts'

const FIELDS = {
  id: sql`u.id`,
  nome: sql`u.nome`,
  email: sql`u.email`,
  cpf: sql`u.cpf`,
  estado: sql`u.estado`,
  cidade: sql`u.cidade`,
  instituicao: sql`u.instituicao`,
  cargo: sql`u.cargo`,
  departamento: sql`u.departamento`,
  admin: sql`u.admin`,
  ativo: sql`u.ativo`,
  plano: sql`u.plano`,
  email_verificado: sql`u.email_verificado`,
  mfa_habilitado: sql`(u.mfa_ativado_em is not null)`,
  nunca_entrou: sql`(u.ultimo_login is null)`,
  servico: sql`u.servico`,
  criado_em: sql`u.criado_em`,
  atualizado_em: sql`u.atualizado_em`,
  ultimo_acesso: sql`u.ultimo_acesso`,
}

/** Generated columns without case and accents; all of them in one trigram index. */
const PLAIN = {
  nome: sql`u.nome_busca`,
  email: sql`u.email_busca`,
  cidade: sql`u.cidade_busca`,
  estado: sql`u.estado_busca`,
  instituicao: sql`u.instituicao_busca`,
  cargo: sql`u.cargo_busca`,
  departamento: sql`u.departamento_busca`,
}

const REQUIRED = new Set(['id', 'nome', 'email', 'admin', 'ativo', 'criado_em', 'atualizado_em'])

/** Columns that free text is searched in: name and email, or also city, state and institution. */
const SEARCHED: Record<SearchScope, readonly Sql[]> = {
  name: [PLAIN.nome, PLAIN.email],
  wide: [PLAIN.nome, PLAIN.email, PLAIN.cidade, PLAIN.estado, PLAIN.instituicao],
}

export type SearchScope = 'name' | 'wide'

function columnsFor(scope: SearchScope, now: Date): Columns {
  return {
    fields: FIELDS,
    plain: PLAIN,
    required: REQUIRED,
    conditions: {
      cpf: (filter) => test(sql`u.cpf`, withDigitsOnly(filter)),
      grupo_id: (filter) =>
        sql`u.id in (select ug.usuario_id from usuarios_grupos ug where ${test(sql`ug.grupo_id`, filter)})`,
      bloqueado: (filter) => test(isLocked(now), filter),
      alcance: (filter) => reachedBy(valuesOf(filter) as Reach, sql`u.id`),
      territorio: (filter) => boundTo(valuesOf(filter).map(String), sql`u.id`),
    },
    search: (text) =>
      sql`(${join(
        SEARCHED[scope].map((column) => sql`${column} like plain(${text})`),
        ' or ',
      )})`,
  }
}

function withDigitsOnly(filter: FilterTest): FilterTest {
  return filter.op === 'in'
    ? { ...filter, value: filter.value.map((value) => cpfDigits(String(value))) }
    : { ...filter, value: cpfDigits(String(filter.value)) }
}

/** A lock of the login stands, for one source or for all. */
const isLocked = (now: Date): Sql =>
  sql`exists (select from bloqueios_de_login b where b.usuario_id = u.id and b.bloqueado_ate > ${now})`

/** Locked accounts among these. */
export async function lockedAmong(db: Db, ids: readonly number[], now: Date): Promise<Set<number>> {
  const rows = await db.rows<{ id: number }>(sql`
    select u.id from usuarios u where u.id = any(${ids}::integer[]) and ${isLocked(now)}`)
  return new Set(rows.map(({ id }) => id))
}

/** Rows of a list from `offset` on. */
export interface Slice extends Pick<ListQuery, 'sort' | 'order' | 'thenBy' | 'size'> {
  filter: Filter
  scope: SearchScope
  offset: number
  /** The moment at which locks stand. */
  now: Date
}

/** Ids of the slice, each with the number of all matching rows: both from one scan. */
export function listUsuariosIds(
  db: Db,
  { scope, filter, size, offset, now, ...order }: Slice,
): Promise<{ id: number; total: number }[]> {
  const columns = columnsFor(scope, now)
  return db.rows(sql`
    select u.id, count(*) over () as total from usuarios u where ${where(filter, columns)}
    ${orderBy(order, columns, sql`u.id`)} ${slice(size, offset)}`)
}

export function countUsuarios(
  db: Db,
  { filter, scope, now }: Pick<Slice, 'filter' | 'scope' | 'now'>,
): Promise<number> {
  return db.value(sql`select count(*) from usuarios u where ${where(filter, columnsFor(scope, now))}`)
}
