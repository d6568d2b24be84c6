import type { Db } from '../../../db/db.ts'
import { sql } from '../../../db/sql.ts'
import type { CamposDaEpizootia } from '../campos.ts'
import { SEALED, type SealedRow } from '../epizootias.sql.ts'

/** Live events with these numbers and days; locked where they are to be changed. */
export function listByKey(
  tx: Db,
  chaves: readonly Pick<CamposDaEpizootia, 'numero' | 'data_ocorrencia'>[],
  isLocked: boolean,
): Promise<SealedRow[]> {
  const numeros = chaves.map(({ numero }) => numero)
  const datas = chaves.map(({ data_ocorrencia }) => data_ocorrencia)
  return tx.rows(sql`
    select ${SEALED} from epizootias e
    join unnest(${numeros}::text[], ${datas}::date[]) as chave (numero, dia) on e.numero = chave.numero
      and coalesce(e.data_ocorrencia, '-infinity'::date) = coalesce(chave.dia, '-infinity'::date)
    where e.excluido_em is null order by e.id ${isLocked ? sql`for update of e` : sql``}`)
}

/** Events that an import created or changed. */
const TOUCHED = (importacaoId: number) => sql`
  select id from epizootias where criado_por_importacao = ${importacaoId}
  union
  select epizootia_id from epizootias_historico where importacao_id = ${importacaoId} and acao = 'importado'`

export function listTouched(tx: Db, importacaoId: number): Promise<{ id: number }[]> {
  return tx.rows(sql`select id from (${TOUCHED(importacaoId)}) tocadas order by id`)
}

export function listTouchedPlaces(
  db: Db,
  importacaoId: number,
): Promise<{ estado: string; municipio: number }[]> {
  return db.rows(sql`
    select distinct e.estado, e.municipio from epizootias e where e.id in (${TOUCHED(importacaoId)})`)
}

export function deleteEpizootias(tx: Db, ids: readonly number[]): Promise<number> {
  return tx.run(sql`delete from epizootias where id = any(${ids})`)
}
