import type { Municipios } from '../../../brasil/municipios.ts'
import type { Territorio } from '../../../caller/territorio.ts'
import type { Db } from '../../../db/db.ts'
import { identifier, sql } from '../../../db/sql.ts'
import { isInside } from '../reading/filters.sql.ts'

interface Bounds {
  territorio: Territorio
  municipios: Municipios
}

/** Takes lines out of the import whose case is outside, or that would make a case outside; after the match. */
export function deleteOutside(
  tx: Db,
  numero: number,
  { territorio, municipios }: Bounds,
): Promise<{ linha: number; numero_notificacao: string }[]> {
  const inside = isInside(territorio, municipios)
  const staged = identifier(`preparo.casos_${numero}`)
  return tx.rows(sql`
    with fora as materialized (
      select m.linha from matches m join casos c on c.id = m.id where not ${inside}
      union all
      select c.linha from ${staged} c
      where not ${inside} and not exists (select from matches m where m.linha = c.linha)
    ), sem_par as (
      delete from matches where linha in (select linha from fora)
    )
    delete from ${staged} s using fora f where s.linha = f.linha
    returning s.linha, s.numero_notificacao`)
}

/**
 * True when an import wrote some case that is outside now, excluded ones included. By indexes: not of cases that it created and
 * a later import changed, which `anyTouchedOutside` finds.
 */
export function anyImportedOutside(
  db: Db,
  importacaoId: number,
  { territorio, municipios }: Bounds,
): Promise<boolean> {
  return db.value(sql`
    select exists (
      select from casos c
      where c.id in (
          select id from casos where importacao_id = ${importacaoId}
          union all select caso_id from casos_historico where importacao_id = ${importacaoId})
        and not ${isInside(territorio, municipios)})`)
}

/** The same of all its cases; while it is undone, after `gatherTouched`. */
export function anyTouchedOutside(
  tx: Db,
  importacaoId: number,
  { territorio, municipios }: Bounds,
): Promise<boolean> {
  return tx.value(sql`
    select exists (
      select from casos c
      where (c.importacao_id = ${importacaoId} or c.id in (select id from tocados))
        and not ${isInside(territorio, municipios)})`)
}

/** Distinct places of the cases that an import wrote, by which accounts of other territories do not see it. */
export function placesOfImported(
  tx: Db,
  importacaoId: number,
): Promise<{ estados: string[]; municipios: number[]; notificacao: number[] }> {
  return tx.one(sql`
    with lugares as materialized (
      select distinct estado_residencia, municipio_residencia, municipio_notificacao
      from casos where importacao_id = ${importacaoId}
    )
    select array(select distinct estado_residencia from lugares where estado_residencia is not null) as estados,
      array(select distinct municipio_residencia from lugares where municipio_residencia is not null) as municipios,
      array(select distinct municipio_notificacao from lugares where municipio_notificacao is not null) as notificacao`)
}
