import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { type Columns, limit, orderBy, where } from '../../db/where.ts'
import type { ListQuery } from '../../filter.ts'

export interface AnexoRow {
  id: number
  caso_id: number
  arquivo_id: string
  tipo: 'exame' | 'notificacao' | 'outro'
  formato: string
  tamanho: number
  descricao: Buffer | null
  enviado_por_id: number | null
  enviado_por_nome: string | null
  uploaded_at: Date
}

const ANEXO = sql`a.id, a.caso_id, a.arquivo_id, a.tipo, a.formato, a.tamanho, a.descricao,
  a.enviado_por_id, a.enviado_por_nome, a.uploaded_at`

const columns: Columns = {
  fields: {
    id: sql`a.id`,
    tipo: sql`a.tipo`,
    tamanho: sql`a.tamanho`,
    uploaded_at: sql`a.uploaded_at`,
  },
  required: new Set(['id', 'tipo', 'tamanho', 'uploaded_at']),
  search: (contains) => sql`a.tipo like plain(${contains})`,
}

export async function insertAnexo(db: Db, anexo: Omit<AnexoRow, 'id' | 'descricao'>): Promise<number> {
  const row = await db.first<{ id: number }>(sql`
    insert into anexos (caso_id, arquivo_id, tipo, formato, tamanho, enviado_por_id, enviado_por_nome, uploaded_at)
    values (${anexo.caso_id}, ${anexo.arquivo_id}, ${anexo.tipo}, ${anexo.formato}, ${anexo.tamanho},
      ${anexo.enviado_por_id}, ${anexo.enviado_por_nome}, ${anexo.uploaded_at})
    returning id`)
  return (row as { id: number }).id
}

/** After the row, whose id it is bound to. */
export function setDescricao(db: Db, id: number, descricao: Buffer): Promise<number> {
  return db.run(sql`update anexos set descricao = ${descricao} where id = ${id}`)
}

export function listAnexos(db: Db, casoId: number, list: ListQuery): Promise<AnexoRow[]> {
  return db.rows(sql`
    select ${ANEXO} from anexos a where a.caso_id = ${casoId} and ${where(list.filter, columns)}
    ${orderBy(list, columns, sql`a.id`)} ${limit(list)}`)
}

export async function countAnexos(
  db: Db,
  casoId: number,
  { filter }: Pick<ListQuery, 'filter'>,
): Promise<number> {
  const row = await db.first<{ total: number }>(sql`
    select count(*) as total from anexos a where a.caso_id = ${casoId} and ${where(filter, columns)}`)
  return (row as { total: number }).total
}

export function findAnexo(db: Db, casoId: number, id: number): Promise<AnexoRow | null> {
  return db.first(sql`
    select ${ANEXO} from anexos a
    join casos c on c.id = a.caso_id and c.excluido_em is null
    where a.id = ${id} and a.caso_id = ${casoId}`)
}
