import type { Db } from '../../../db/db.ts'
import { pageOf } from '../../../db/page.ts'
import { sql } from '../../../db/sql.ts'
import { type Columns, where } from '../../../db/where.ts'
import type { ListQuery, Page } from '../../../filter.ts'
import type { Selection } from '../counters/counters.sql.ts'
import type { CodigoDoVocabulario, Definicao } from './definicao.ts'

export type Estado = 'rascunho' | 'ativa' | 'substituida'

export interface VersaoRow {
  codigo: string
  versao: number
  definicao: Definicao
  estado: Estado
  resumo_sha256: Buffer
  criado_por_id: number | null
  criado_por_nome: string | null
  criado_em: Date
  ativada_em: Date | null
}

export interface TipoDoRegistro {
  codigo: string
  ativo: boolean
  protegido: boolean
}

/** The version in force of every disease, in the order of their first activation. */
export function listVigentes(db: Db): Promise<{ definicao: Definicao; versao: number; ativo: boolean }[]> {
  return db.rows(sql`
    select d.definicao, d.versao, t.ativo from tipos_agravo t
    join agravo_definicoes d on d.codigo = t.codigo and d.estado = 'ativa' order by t.ordem, t.codigo`)
}

/** Chosen versions, whatever became of them since. */
export function listVersoesPedidas(
  db: Db,
  versoes: Readonly<Record<string, number>>,
): Promise<{ definicao: Definicao; versao: number; ativo: boolean }[]> {
  return db.rows(sql`
    select d.definicao, d.versao, true as ativo
    from agravo_definicoes d join tipos_agravo t on t.codigo = d.codigo
    join jsonb_each_text(${JSON.stringify(versoes)}::jsonb) v on v.key = d.codigo and v.value::integer = d.versao
    order by t.ordem, t.codigo`)
}

export function listVocabulario(db: Db): Promise<CodigoDoVocabulario[]> {
  return db.rows(
    sql`select lista, codigo, rotulo, grupo, grave from vocabulario order by lista, ordem, codigo`,
  )
}

/** Codes that are not there yet, behind the others of their list. */
export function insertCodigos(
  db: Db,
  codigos: readonly CodigoDoVocabulario[],
  protegido: boolean,
): Promise<number> {
  return db.run(sql`
    insert into vocabulario (lista, codigo, rotulo, grupo, grave, ordem, protegido)
    select n.lista, n.codigo, n.rotulo, n.grupo, n.grave,
      (select count(*) from vocabulario v where v.lista = n.lista)
        + row_number() over (partition by n.lista order by n.posicao), ${protegido}
    from (
      select x.*, o.ordinality as posicao
      from jsonb_array_elements(${JSON.stringify(codigos)}::jsonb) with ordinality o (codigo_json, ordinality),
        jsonb_to_record(o.codigo_json) as x (lista text, codigo text, rotulo text, grupo text, grave boolean)
    ) n
    on conflict (lista, codigo) do nothing`)
}

/** Serialises changes of definitions. */
export async function lockDefinicoes(tx: Db): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(8443021)`)
}

const VERSAO = sql`codigo, versao, definicao, estado, resumo_sha256, criado_por_id, criado_por_nome, criado_em, ativada_em`

export function findVersao(db: Db, codigo: string, versao: number): Promise<VersaoRow | null> {
  return db.first(
    sql`select ${VERSAO} from agravo_definicoes where codigo = ${codigo} and versao = ${versao}`,
  )
}

export function findUltima(db: Db, codigo: string): Promise<VersaoRow | null> {
  return db.first(sql`
    select ${VERSAO} from agravo_definicoes where codigo = ${codigo} order by versao desc limit 1`)
}

export function findAtiva(db: Db, codigo: string): Promise<VersaoRow | null> {
  return db.first(sql`select ${VERSAO} from agravo_definicoes where codigo = ${codigo} and estado = 'ativa'`)
}

/** Versions that were ever in force, in their order. */
export function listAtivacoes(db: Db, codigo: string): Promise<{ versao: number; ativada_em: Date }[]> {
  return db.rows(sql`
    select versao, ativada_em from agravo_definicoes
    where codigo = ${codigo} and ativada_em is not null order by versao`)
}

/** Drafts that were never in force, the last of each disease without one that is. */
export function listRascunhos(db: Db): Promise<VersaoRow[]> {
  return db.rows(sql`
    select distinct on (codigo) ${VERSAO} from agravo_definicoes d
    where not exists (select from tipos_agravo t where t.codigo = d.codigo)
    order by codigo, versao desc`)
}

export async function listCodigos(db: Db): Promise<string[]> {
  const rows = await db.rows<{ codigo: string }>(sql`select distinct codigo from agravo_definicoes`)
  return rows.map(({ codigo }) => codigo)
}

export function findTipo(db: Db, codigo: string): Promise<TipoDoRegistro | null> {
  return db.first(sql`select codigo, ativo, protegido from tipos_agravo where codigo = ${codigo}`)
}

export function countAtivos(db: Db): Promise<number> {
  return db.value(sql`select count(*) from tipos_agravo where ativo`)
}

export function insertVersao(
  db: Db,
  {
    codigo,
    versao,
    definicao,
    estado,
    resumo_sha256,
    criado_por_id,
    criado_por_nome,
    criado_em,
    ativada_em,
  }: VersaoRow,
): Promise<number> {
  return db.run(sql`
    insert into agravo_definicoes (${VERSAO})
    values (${codigo}, ${versao}, ${JSON.stringify(definicao)}::jsonb, ${estado}, ${resumo_sha256}, ${criado_por_id},
      ${criado_por_nome}, ${criado_em}, ${ativada_em})
    on conflict (codigo, versao) do nothing`)
}

/**
 * Puts a version in the place of the one in force; drafts before it are over. A disease that takes cases again keeps the moment at
 * which its version came into force: words of histories go by it.
 */
export async function activateVersao(db: Db, codigo: string, versao: number, now: Date): Promise<void> {
  await db.run(sql`
    update agravo_definicoes set estado = 'substituida'
    where codigo = ${codigo} and versao <> ${versao} and estado <> 'substituida'`)
  await db.run(sql`
    update agravo_definicoes set estado = 'ativa', ativada_em = coalesce(ativada_em, ${now})
    where codigo = ${codigo} and versao = ${versao}`)
}

export function replaceRascunhos(db: Db, codigo: string): Promise<number> {
  return db.run(sql`
    update agravo_definicoes set estado = 'substituida' where codigo = ${codigo} and estado = 'rascunho'`)
}

/** The columns of `/agravos/tipos`, from the version in force. */
export function upsertTipo(db: Db, definicao: Definicao, protegido: boolean): Promise<number> {
  const { codigo, nome, cid10_codes, descricao, notificacao_obrigatoria, prazo_encerramento_dias } = definicao
  return db.run(sql`
    insert into tipos_agravo
      (codigo, nome, cid10_codes, descricao, notificacao_obrigatoria, prazo_encerramento_dias, ordem, ativo, protegido)
    values (${codigo}, ${nome}, ${cid10_codes}, ${descricao}, ${notificacao_obrigatoria}, ${prazo_encerramento_dias},
      (select coalesce(max(ordem) + 1, 0) from tipos_agravo), true, ${protegido})
    on conflict (codigo) do update
    set nome = excluded.nome, cid10_codes = excluded.cid10_codes, descricao = excluded.descricao,
      notificacao_obrigatoria = excluded.notificacao_obrigatoria,
      prazo_encerramento_dias = excluded.prazo_encerramento_dias, ativo = true`)
}

export function setAtivo(db: Db, codigo: string, ativo: boolean): Promise<number> {
  return db.run(sql`update tipos_agravo set ativo = ${ativo} where codigo = ${codigo} and ativo <> ${ativo}`)
}

export async function deleteAgravo(db: Db, codigo: string): Promise<void> {
  await db.run(sql`delete from agravo_definicoes where codigo = ${codigo}`)
  await db.run(sql`delete from tipos_agravo where codigo = ${codigo}`)
}

/** Deleted cases, by the index that has no others. */
export function anyExcluido(db: Db, codigo: string): Promise<boolean> {
  return db.value(sql`
    select exists (select from casos where excluido_em is not null and tipo_agravo = ${codigo})`)
}

/** Live cases with a value in an own field, stored open. */
export function countComValor(
  db: Db,
  nomes: readonly string[],
  { filter, columns }: Selection,
): Promise<{ nome: string; com_valor: number }[]> {
  return db.rows(sql`
    select n.nome, count(*) as com_valor
    from casos c cross join unnest(${nomes}::text[]) as n (nome)
    where c.excluido_em is null and ${where(filter, columns)} and c.dados ->> n.nome is not null
    group by n.nome`)
}

/** Longest stored text of an own field; 0 without one. */
export function longestTexto(db: Db, codigo: string, nome: string): Promise<number> {
  return db.value(sql`
    select coalesce(max(char_length(dados ->> ${nome})), 0) from casos where tipo_agravo = ${codigo}`)
}

export interface VersaoListada extends Omit<VersaoRow, 'definicao' | 'resumo_sha256'> {
  definicao: Definicao
  /** The definition before it. */
  anterior: Definicao | null
}

const COLUMNS: Columns = {
  fields: { versao: sql`d.versao`, estado: sql`d.estado`, criado_em: sql`d.criado_em` },
  required: new Set(['versao', 'estado', 'criado_em']),
  search: (contains) => sql`plain(d.estado) like plain(${contains})`,
}

export function findVersoes(db: Db, codigo: string, list: ListQuery): Promise<Page<VersaoListada>> {
  return pageOf(
    db,
    {
      select: sql`d.codigo, d.versao, d.definicao, d.estado, d.criado_por_id, d.criado_por_nome, d.criado_em, d.ativada_em,
        (select a.definicao from agravo_definicoes a where a.codigo = d.codigo and a.versao = d.versao - 1) as anterior`,
      from: sql`agravo_definicoes d`,
      columns: COLUMNS,
      id: sql`d.versao`,
      only: sql`d.codigo = ${codigo}`,
    },
    list,
  )
}
