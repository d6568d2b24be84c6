import { UFS } from '../../../brasil/uf.ts'
import type { Db } from '../../../db/db.ts'
import { opaque, prepared, sql } from '../../../db/sql.ts'
import type { TipoAgravo } from '../enumeracoes.ts'

/** Moment of the latest change of a case of the disease in these states (null: in the country); one look-up in an index each. */
export function findLatestChange(
  db: Db,
  tipo: TipoAgravo,
  ufs: readonly string[] | null,
): Promise<Date | null> {
  const inState = sql`select max(c.atualizado_em) as em from casos c
    where c.tipo_agravo = ${opaque(tipo, 'text')} and c.estado_residencia`
  return db.value(
    prepared(sql`
      select max(em) from (
        select (${inState} = uf) as em from unnest(${opaque(ufs ?? UFS, 'text[]')}) uf
        union all
        ${inState} is null and ${ufs === null ? sql`true` : sql`false`}
      ) mudancas`),
  )
}

export function findLatestImport(
  db: Db,
  tipo: TipoAgravo,
  ufs: readonly string[] | null,
): Promise<Date | null> {
  return db.value(sql`
    select max(i.criado_em) from importacoes i
    where i.desfeita_em is null and i.importados + i.atualizados > 0 and coalesce(i.tipo_agravo, ${tipo}) = ${tipo}
      and ${ufs === null ? sql`true` : sql`i.estados && ${ufs}::text[]`}`)
}
