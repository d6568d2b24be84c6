import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

/** The account itself, then codes of places: see `reachOf`. */
export type Reach = readonly (number | string)[]

/**
 * Condition on the id of an account. Its accounts are looked up by their places, so that a list costs as much as it reaches. A code is a UF, five or seven digits, or the two digits that begin the codes of a state: no
 * code of one kind is one of another.
 */
export function reachedBy(reach: Reach, id: Sql): Sql {
  const [eu, ...codes] = reach
  return sql`${id} in (
    select ${eu}::integer
    union all
    select t.usuario_id from usuarios_territorios t where ${isAmong(codes)}
      and not exists (select from usuarios_territorios fora
                       where fora.usuario_id = t.usuario_id and not ${isAmong(codes, sql`fora`)})
      and t.usuario_id not in (${ADMINISTRADORES}))`
}

const ADMINISTRADORES = sql`
  select c.id from usuarios c where c.admin
  union all
  select e.usuario_id from permissoes_efetivas e
  where e.permissao_id = (select p.id from permissoes p where p.nome = 'admin')`

/** Accounts bound to one of these places. */
export function boundTo(codes: readonly string[], id: Sql): Sql {
  return sql`${id} in (select t.usuario_id from usuarios_territorios t where ${isAmong(codes)})`
}

/** Either the place itself or the state that it lies in. */
const isAmong = (codes: readonly unknown[], t = sql`t`) =>
  sql`(${t}.codigo = any(${codes}::text[]) or left(${t}.codigo, 2) = any(${codes}::text[]))`

export async function isReached(db: Db, reach: Reach, usuarioId: number): Promise<boolean> {
  const found = await db.first(sql`
    select from usuarios u where u.id = ${usuarioId} and ${reachedBy(reach, sql`u.id`)}`)
  return found !== null
}

/** Replaces the places of an account; rows that stay are not touched. */
export async function replaceTerritorios(
  db: Db,
  usuarioId: number,
  lugares: readonly { nivel: string; codigo: string }[],
): Promise<void> {
  const [niveis, codigos] = [lugares.map(({ nivel }) => nivel), lugares.map(({ codigo }) => codigo)]
  await db.run(sql`
    delete from usuarios_territorios where usuario_id = ${usuarioId} and codigo <> all(${codigos}::text[])`)
  await db.run(sql`
    insert into usuarios_territorios (usuario_id, nivel, codigo)
    select ${usuarioId}, nivel, codigo from unnest(${niveis}::text[], ${codigos}::text[]) lugar (nivel, codigo)
    on conflict do nothing`)
}
