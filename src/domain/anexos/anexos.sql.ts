import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'

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

const COLUMNS: Columns = {
  fields: {
    id: sql`a.id`,
    tipo: sql`a.tipo`,
    tamanho: sql`a.tamanho`,
    uploaded_at: sql`a.uploaded_at`,
  },
  required: new Set(['id', 'tipo', 'tamanho', 'uploaded_at']),
  search: (contains) => sql`a.tipo like plain(${contains})`,
}

export function insertAnexo(db: Db, anexo: Omit<AnexoRow, 'id' | 'descricao'>): Promise<number> {
  return db.value(sql`
    insert into anexos (caso_id, arquivo_id, tipo, formato, tamanho, enviado_por_id, enviado_por_nome, uploaded_at)
    values (${anexo.caso_id}, ${anexo.arquivo_id}, ${anexo.tipo}, ${anexo.formato}, ${anexo.tamanho},
      ${anexo.enviado_por_id}, ${anexo.enviado_por_nome}, ${anexo.uploaded_at})
    returning id`)
}

/** Set after the insert: the ciphertext is bound to the row's id. */
export function setDescricao(db: Db, id: number, descricao: Buffer): Promise<number> {
  return db.run(sql`update anexos set descricao = ${descricao} where id = ${id}`)
}

/** The case and those that it absorbed, whose attachments are shown with its own. */
const reunidos = (casoId: number) => sql`(
  with recursive reunidos as (
    select ${casoId}::integer as id
    union select c.id from reunidos r join casos c on c.fundido_com = r.id
  )
  select id from reunidos)`

export function listAnexos(db: Db, casoId: number, list: ListQuery): Promise<Page<AnexoRow>> {
  const only = sql`a.caso_id in ${reunidos(casoId)}`
  return pageOf(db, { select: ANEXO, from: sql`anexos a`, columns: COLUMNS, id: sql`a.id`, only }, list)
}

export function countAnexos(db: Db, casoId: number): Promise<number> {
  return db.value(sql`select count(*) from anexos where caso_id = ${casoId}`)
}

export function findAnexo(db: Db, casoId: number, id: number): Promise<AnexoRow | null> {
  return db.first(sql`
    select ${ANEXO} from anexos a
    join casos p on p.id = ${casoId} and p.excluido_em is null
    where a.id = ${id} and a.caso_id in ${reunidos(casoId)}`)
}
