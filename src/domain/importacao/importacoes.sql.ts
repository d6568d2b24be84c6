import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'

export interface ImportacaoRow {
  id: number
  job_id: string | null
  usuario_id: number | null
  usuario_nome: string
  arquivo_nome: string
  arquivo_sha256: Buffer
  arquivo_tamanho: number
  formato: string
  layout: string
  tipo_agravo: string | null
  total_linhas: number
  importados: number
  atualizados: number
  inalterados: number
  duplicados_no_arquivo: number
  erros: number
  avisos: number
  criado_em: Date
  desfeita_em: Date | null
  desfeita_por_nome: string | null
  alvo: Alvo
  /** Values of series that it removed. */
  apagados: number
}

/** Kind of records that an import writes. */
export type Alvo = 'casos' | 'series' | 'epizootias'

const IMPORTACAO = sql`i.id, i.job_id, i.usuario_id, i.usuario_nome, i.arquivo_nome, i.arquivo_sha256,
  i.arquivo_tamanho, i.formato, i.layout, i.tipo_agravo, i.total_linhas, i.importados, i.atualizados, i.inalterados,
  i.duplicados_no_arquivo, i.erros, i.avisos, i.criado_em, i.desfeita_em, i.desfeita_por_nome, i.alvo, i.apagados`

const columns: Columns = {
  fields: {
    id: sql`i.id`,
    usuario_id: sql`i.usuario_id`,
    arquivo_nome: sql`i.arquivo_nome`,
    formato: sql`i.formato`,
    layout: sql`i.layout`,
    desfeita: sql`(i.desfeita_em is not null)`,
    total_linhas: sql`i.total_linhas`,
    importados: sql`i.importados`,
    atualizados: sql`i.atualizados`,
    erros: sql`i.erros`,
    criado_em: sql`i.criado_em`,
  },
  required: new Set(['id', 'arquivo_nome', 'criado_em']),
  search: (contains) => sql`plain(i.arquivo_nome) like plain(${contains})`,
}

/** Inserted before its numbers are known, so that the cases can refer to it. */
export function insertImportacao(
  db: Db,
  row: Omit<
    ImportacaoRow,
    | 'id'
    | 'desfeita_em'
    | 'desfeita_por_nome'
    | 'importados'
    | 'atualizados'
    | 'inalterados'
    | 'duplicados_no_arquivo'
    | 'alvo'
    | 'apagados'
  >,
  alvo: Alvo = 'casos',
): Promise<number> {
  return db.value(sql`
    insert into importacoes (job_id, usuario_id, usuario_nome, arquivo_nome, arquivo_sha256, arquivo_tamanho, formato,
      layout, tipo_agravo, total_linhas, erros, avisos, criado_em, alvo,
      importados, atualizados, inalterados, duplicados_no_arquivo)
    values (${row.job_id}, ${row.usuario_id}, ${row.usuario_nome}, ${row.arquivo_nome}, ${row.arquivo_sha256},
      ${row.arquivo_tamanho}, ${row.formato}, ${row.layout}, ${row.tipo_agravo}, ${row.total_linhas}, ${row.erros},
      ${row.avisos}, ${row.criado_em}, ${alvo}, 0, 0, 0, 0)
    returning id`)
}

export function completeImportacao(
  db: Db,
  id: number,
  numbers: Pick<
    ImportacaoRow,
    'importados' | 'atualizados' | 'inalterados' | 'duplicados_no_arquivo' | 'erros' | 'avisos'
  > & { apagados?: number },
): Promise<number> {
  return db.run(sql`
    update importacoes set importados = ${numbers.importados}, atualizados = ${numbers.atualizados},
      inalterados = ${numbers.inalterados}, duplicados_no_arquivo = ${numbers.duplicados_no_arquivo},
      erros = ${numbers.erros}, avisos = ${numbers.avisos}, apagados = ${numbers.apagados ?? 0}
    where id = ${id}`)
}

/** Places of the cases that it wrote. */
export interface ImportPlaces {
  estados: string[]
  municipios: number[]
  notificacao: number[]
}

export function placeImportacao(
  db: Db,
  id: number,
  { estados, municipios, notificacao }: ImportPlaces,
): Promise<number> {
  return db.run(sql`
    update importacoes set estados = ${estados}, municipios = ${municipios}, notificacao = ${notificacao}
    where id = ${id}`)
}

/** A viewer who is bound to places, with the municipalities of notification that those stand for. */
export interface BoundViewer extends ImportPlaces {
  usuarioId: number
}

/** Own imports, and those that wrote some case inside; null: all. */
function visibleTo(viewer: BoundViewer | null): Sql {
  if (viewer === null) return sql`true`
  return sql`(i.usuario_id = ${viewer.usuarioId} or i.estados && ${viewer.estados}::text[]
    or i.municipios && ${viewer.municipios}::integer[] or i.notificacao && ${viewer.notificacao}::integer[])`
}

export function findImportacao(
  db: Db,
  id: number,
  viewer: BoundViewer | null = null,
  alvo: Alvo = 'casos',
): Promise<ImportacaoRow | null> {
  return db.first(sql`
    select ${IMPORTACAO} from importacoes i where i.id = ${id} and i.alvo = ${alvo} and ${visibleTo(viewer)}`)
}

/** All that decides, besides its bytes, what a file says. */
export interface FileReading {
  tipo_agravo: string | null
  textos: boolean
  /** Version of each definition. */
  definicoes: Readonly<Record<string, number>>
}

/**
 * Earlier imports of the very same file, read in the same way, that wrote every one of its rows. Where the job is gone that knew the
 * definitions, none may have a second version.
 */
export function listSameFile(
  db: Db,
  sha256: Buffer,
  { tipo_agravo, textos, definicoes }: FileReading,
  by: { usuarioId: number | null } | 'anybody',
): Promise<ImportacaoRow[]> {
  const versoes = JSON.stringify(definicoes)
  const own = by === 'anybody' ? sql`true` : sql`i.usuario_id = ${by.usuarioId}`
  return db.rows(sql`
    select ${IMPORTACAO} from importacoes i left join jobs j on j.id = i.job_id
    where i.arquivo_sha256 = ${sha256} and i.alvo = 'casos' and i.tipo_agravo is not distinct from ${tipo_agravo}
      and (case when j.id is null then ${Object.values(definicoes).every((versao) => versao === 1)}
        else ${versoes}::jsonb @> coalesce(j.parametros -> 'definicoes', '{}') end)
      and coalesce((j.parametros ->> 'textos')::boolean, false) = ${textos}
      and ${own} and i.desfeita_em is null and i.erros = 0 and i.inalterados = 0 and i.duplicados_no_arquivo = 0
      and i.importados + i.atualizados = i.total_linhas
    order by i.id desc limit 5`)
}

export function findImportacoes(
  db: Db,
  list: ListQuery,
  viewer: BoundViewer | null,
  alvo: Alvo = 'casos',
): Promise<Page<ImportacaoRow>> {
  const only = sql`i.alvo = ${alvo} and ${visibleTo(viewer)}`
  return pageOf(db, { select: IMPORTACAO, from: sql`importacoes i`, columns, id: sql`i.id`, only }, list)
}

/** Returns 0 where it was undone before. */
export function markDesfeita(db: Db, id: number, nome: string, now: Date): Promise<number> {
  return db.run(sql`
    update importacoes set desfeita_em = ${now}, desfeita_por_nome = ${nome} where id = ${id} and desfeita_em is null`)
}
