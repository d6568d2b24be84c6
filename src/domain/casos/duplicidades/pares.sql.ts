import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { FaixaDoPar, Sinais } from './escore.ts'

/** Two cases, the smaller id first. */
export interface DoisCasos {
  caso_1: number
  caso_2: number
}

/** Two cases that may be one. */
export interface Par extends DoisCasos {
  escore: number
  faixa: FaixaDoPar
  sinais: Sinais
}

/** Stores pairs, or their new scores where nobody has decided; a pair whose case is gone by now is left out. */
export function upsertPares(
  tx: Db,
  pares: readonly Par[],
  { versao, now }: { versao: number; now: Date },
): Promise<number> {
  const ids = [...new Set(pares.flatMap(({ caso_1, caso_2 }) => [caso_1, caso_2]))]
  return tx.run(sql`
    with vivos as materialized (select id from casos where id = any(${ids}::integer[]) and excluido_em is null)
    insert into duplicidades as d (caso_1, caso_2, escore, faixa, sinais, versao_pesos, encontrada_em)
    select p.caso_1, p.caso_2, p.escore, p.faixa, p.sinais, ${versao}, ${now}
    from jsonb_to_recordset(${JSON.stringify(pares)}::jsonb)
      as p (caso_1 integer, caso_2 integer, escore real, faixa text, sinais jsonb)
    where p.caso_1 in (select id from vivos) and p.caso_2 in (select id from vivos)
    order by p.caso_1, p.caso_2
    on conflict (caso_1, caso_2) do update
    set escore = excluded.escore, faixa = excluded.faixa, sinais = excluded.sinais, versao_pesos = excluded.versao_pesos
    where d.situacao = 'pendente'
      and (d.escore, d.sinais, d.versao_pesos) is distinct from (excluded.escore, excluded.sinais, excluded.versao_pesos)`)
}

/** Deletes undecided pairs of these cases that are no longer found. */
export function deleteStale(tx: Db, ids: readonly number[], found: readonly DoisCasos[]): Promise<number> {
  return tx.run(sql`
    delete from duplicidades d where d.situacao = 'pendente'
      and (d.caso_1 = any(${ids}::integer[]) or d.caso_2 = any(${ids}::integer[]))
      and not exists (select from ${listOf(found)} f (caso_1, caso_2) where f.caso_1 = d.caso_1 and f.caso_2 = d.caso_2)`)
}

/** Deletes these pairs where nobody has decided. */
export function deletePares(tx: Db, pares: readonly DoisCasos[]): Promise<number> {
  return tx.run(sql`
    delete from duplicidades d using ${listOf(pares)} p (caso_1, caso_2)
    where d.situacao = 'pendente' and d.caso_1 = p.caso_1 and d.caso_2 = p.caso_2`)
}

const listOf = (pares: readonly DoisCasos[]) => sql`
  unnest(${pares.map(({ caso_1 }) => caso_1)}::integer[], ${pares.map(({ caso_2 }) => caso_2)}::integer[])`

/** Deletes undecided pairs that share no key within so many days any more: of changed or excluded cases, or under another limit of days. */
export function deleteUnshared(tx: Db, dias: number): Promise<number> {
  return tx.run(sql`
    delete from duplicidades d where d.situacao = 'pendente' and not exists (
      select from casos_chaves k join casos_chaves o on o.chave = k.chave
      where k.caso_id = d.caso_1 and o.caso_id = d.caso_2 and abs(o.dia - k.dia) <= ${dias}::integer)`)
}

export interface ImportacaoPendente {
  importacao_id: number
  job_id: string
}

export function rememberImportacao(tx: Db, { importacao_id, job_id }: ImportacaoPendente): Promise<number> {
  return tx.run(sql`insert into duplicidades_importacoes values (${importacao_id}, ${job_id})`)
}

export function listImportacoes(db: Db): Promise<ImportacaoPendente[]> {
  return db.rows(sql`select importacao_id, job_id from duplicidades_importacoes order by importacao_id`)
}

export function forgetImportacao(tx: Db, importacaoId: number): Promise<number> {
  return tx.run(sql`delete from duplicidades_importacoes where importacao_id = ${importacaoId}`)
}

/**
 * Undecided pairs with a case that the import wrote last, of those that its account may see. One join for each side: a test of either
 * against the import's cases reads all of them for each pair, once they no longer fit into the memory of a hash.
 */
export function countOfImportacao(
  db: Db,
  importacaoId: number,
  within: Sql,
): Promise<{ faixa: FaixaDoPar; total: number }[]> {
  const withCase = (caso: Sql) => sql`
    select d.caso_1, d.caso_2, d.faixa from duplicidades d join casos c on c.id = ${caso}
    where d.situacao = 'pendente' and ${within} and c.importacao_id = ${importacaoId} and c.excluido_em is null`
  return db.rows(sql`
    select p.faixa, count(*)::integer as total
    from (${withCase(sql`d.caso_1`)} union ${withCase(sql`d.caso_2`)}) p
    group by p.faixa`)
}

export function lockPedido(tx: Db): Promise<{ pedida_em: Date | null }> {
  return tx.one(sql`select pedida_em from duplicidades_execucao for update`)
}

export function findPedido(db: Db): Promise<{ pedida_em: Date | null }> {
  return db.one(sql`select pedida_em from duplicidades_execucao`)
}

export function markPedido(tx: Db, now: Date): Promise<number> {
  return tx.run(sql`update duplicidades_execucao set pedida_em = ${now}`)
}
