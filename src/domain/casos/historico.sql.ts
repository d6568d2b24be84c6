import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface HistoricoRow {
  caso_id: number
  versao: number
  data: Date
  acao: string
  usuario_id: number | null
  usuario_nome: string | null
  alteracoes: Record<string, unknown>
  sigilo: Buffer | null
}

/** Of an import, also its id, and the mark of an earlier import. */
export interface NewHistorico extends HistoricoRow {
  importacao_id: number | null
  importacao_anterior: object | null
}

export function insertHistorico(db: Db, row: NewHistorico): Promise<number> {
  return db.run(sql`
    insert into casos_historico (caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo,
      importacao_id, importacao_anterior)
    values (${row.caso_id}, ${row.versao}, ${row.data}, ${row.acao}, ${row.usuario_id}, ${row.usuario_nome},
      ${JSON.stringify(row.alteracoes)}, ${row.sigilo}, ${row.importacao_id},
      ${row.importacao_anterior && JSON.stringify(row.importacao_anterior)})`)
}

/** Newest first by default. */
export function listHistorico(
  db: Db,
  casoId: number,
  { size, offset, order = 'desc' }: { size: number; offset: number; order?: 'asc' | 'desc' },
): Promise<HistoricoRow[]> {
  return db.rows(sql`
    select caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo
    from casos_historico where caso_id = ${casoId}
    order by versao ${order === 'asc' ? sql`asc` : sql`desc`} limit ${size} offset ${offset}`)
}

export function countHistorico(db: Db, casoId: number): Promise<number> {
  return db.value(sql`select count(*) from casos_historico where caso_id = ${casoId}`)
}

/** Changes up to a version, newest first. */
export function listHistoricoUpTo(
  db: Db,
  { id, versao }: { id: number; versao: number },
  size: number,
): Promise<HistoricoRow[]> {
  return db.rows(sql`
    select caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo
    from casos_historico where caso_id = ${id} and versao <= ${versao} order by versao desc limit ${size}`)
}

/** Changes after a moment up to a version, newest first. */
export function listHistoricoAfter(
  db: Db,
  { id, versao }: { id: number; versao: number },
  moment: Date,
): Promise<HistoricoRow[]> {
  return db.rows(sql`
    select caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo
    from casos_historico where caso_id = ${id} and versao <= ${versao} and data > ${moment} order by versao desc`)
}

export interface ImportHistoricoRow extends HistoricoRow {
  importacao_anterior: {
    importacao_id: number | null
    importacao_linha: number | null
    importacao_hash: string | null
    intacto: boolean | null
  } | null
}

/** The last line of each case. */
export function listLastHistorico(
  db: Db,
  casoIds: number[],
): Promise<(ImportHistoricoRow & { importacao_id: number | null })[]> {
  return db.rows(sql`
    select distinct on (caso_id) caso_id, versao, data, acao, usuario_id, usuario_nome, alteracoes, sigilo,
      importacao_id, importacao_anterior
    from casos_historico where caso_id = any(${casoIds}) order by caso_id, versao desc`)
}

/**
 * Changes of cases since their last import, newest first; none of cases that this account imported last itself.
 * The import is found by its line in the history: it may have become the last one because a later one was undone.
 */
export function listSinceImport(
  db: Db,
  casoIds: number[],
  usuarioId: number | null,
): Promise<Pick<HistoricoRow, 'caso_id' | 'versao' | 'alteracoes' | 'sigilo'>[]> {
  return db.rows(sql`
    with importados as (
      select c.id, coalesce(
        (select max(i.versao) from casos_historico i
         where i.caso_id = c.id and i.importacao_id = c.importacao_id and i.acao = 'importado'),
        case when c.criado_por_importacao = c.importacao_id then 1 end) as versao
      from casos c join importacoes o on o.id = c.importacao_id
      where c.id = any(${casoIds}) and o.usuario_id is distinct from ${usuarioId}
    )
    select h.caso_id, h.versao, h.alteracoes, h.sigilo
    from importados i join casos_historico h on h.caso_id = i.id and h.versao > i.versao
    order by h.caso_id, h.versao desc`)
}
