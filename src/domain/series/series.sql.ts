import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import type { ListQuery, Page } from '../../filter.ts'
import type { NovaSerie, Serie } from './serie.ts'

const SERIE = sql`s.id, s.codigo, s.nome, s.descricao, s.dominio, s.tema, s.unidade, s.tipo_valor, s.categorias, s.periodo,
  s.nivel, s.agrega_tempo, s.agrega_lugar, s.minimo, s.maximo, s.casas, s.validade, s.limiares, s.derivada, s.fonte, s.fonte_url,
  s.licenca, s.atribuicao, s.publica, s.ativa, s.versao, s.criado_em, s.atualizado_em, s.valores, s.lugares,
  s.primeiro::text, s.ultimo::text, s.valores_em, s.compactada_ate, s.xmin::text as estado`

const columns: Columns = {
  fields: {
    codigo: sql`s.codigo`,
    nome: sql`s.nome`,
    dominio: sql`s.dominio`,
    tema: sql`s.tema`,
    periodo: sql`s.periodo`,
    nivel: sql`s.nivel`,
    ativa: sql`s.ativa`,
    publica: sql`s.publica`,
    com_valores: sql`(s.valores > 0)`,
    valores: sql`s.valores`,
    ultimo: sql`s.ultimo`,
    atualizada_em: sql`s.valores_em`,
  },
  required: new Set(['codigo', 'nome', 'dominio', 'tema', 'valores']),
  search: (contains) =>
    sql`(plain(s.nome) like plain(${contains}) or plain(s.codigo) like plain(${contains})
      or plain(s.descricao) like plain(${contains}) or plain(s.fonte) like plain(${contains}))`,
}

export function findSeries(db: Db, list: ListQuery): Promise<Page<Serie>> {
  return pageOf(db, { select: SERIE, from: sql`series s`, columns, id: sql`s.id` }, list)
}

export function findSerie(db: Db, codigo: string): Promise<Serie | null> {
  return db.first(sql`select ${SERIE} from series s where s.codigo = ${codigo}`)
}

/** Changes with every write of values, and of the definition. */
export function findEstado(db: Db, id: number): Promise<string> {
  return db.value(sql`select xmin::text from series where id = ${id}`)
}

/** In the order of their ids, which is the order of the locks of every writer. */
export function lockSeries(tx: Db, codigos: readonly string[]): Promise<Serie[]> {
  return tx.rows(sql`select ${SERIE} from series s where s.codigo = any(${codigos}) order by s.id for update`)
}

export function listSeriesNamed(db: Db, codigos: readonly string[]): Promise<Serie[]> {
  return db.rows(sql`select ${SERIE} from series s where s.codigo = any(${codigos}) order by s.id`)
}

/** Two registrations at once would pass the limit together. */
export async function lockCatalogo(tx: Db): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(8443036)`)
}

export function countSeries(db: Db): Promise<number> {
  return db.value(sql`select count(*) from series`)
}

export function insertSerie(tx: Db, serie: NovaSerie, autorId: number, now: Date): Promise<number> {
  return tx.run(sql`
    insert into series (codigo, nome, descricao, dominio, tema, unidade, tipo_valor, categorias, periodo, nivel, agrega_tempo,
      agrega_lugar, minimo, maximo, casas, validade, limiares, derivada, fonte, fonte_url, licenca, atribuicao, publica, ativa,
      criado_por_id, criado_em, atualizado_em)
    values (${serie.codigo}, ${serie.nome}, ${serie.descricao}, ${serie.dominio}, ${serie.tema}, ${serie.unidade},
      ${serie.tipo_valor}, ${JSON.stringify(serie.categorias)}, ${serie.periodo}, ${serie.nivel}, ${serie.agrega_tempo},
      ${serie.agrega_lugar}, ${serie.minimo}, ${serie.maximo}, ${serie.casas}, ${serie.validade},
      ${JSON.stringify(serie.limiares)}, ${serie.derivada && JSON.stringify(serie.derivada)}, ${serie.fonte},
      ${serie.fonte_url}, ${serie.licenca}, ${serie.atribuicao}, ${serie.publica}, ${serie.ativa}, ${autorId}, ${now}, ${now})`)
}

export function updateSerie(tx: Db, id: number, serie: NovaSerie, now: Date): Promise<number> {
  return tx.run(sql`
    update series set nome = ${serie.nome}, descricao = ${serie.descricao}, dominio = ${serie.dominio}, tema = ${serie.tema},
      unidade = ${serie.unidade}, tipo_valor = ${serie.tipo_valor}, categorias = ${JSON.stringify(serie.categorias)},
      periodo = ${serie.periodo}, nivel = ${serie.nivel}, agrega_tempo = ${serie.agrega_tempo},
      agrega_lugar = ${serie.agrega_lugar}, minimo = ${serie.minimo}, maximo = ${serie.maximo}, casas = ${serie.casas},
      validade = ${serie.validade}, limiares = ${JSON.stringify(serie.limiares)},
      derivada = ${serie.derivada && JSON.stringify(serie.derivada)}, fonte = ${serie.fonte}, fonte_url = ${serie.fonte_url},
      licenca = ${serie.licenca}, atribuicao = ${serie.atribuicao}, publica = ${serie.publica}, ativa = ${serie.ativa},
      versao = versao + 1, atualizado_em = ${now}
    where id = ${id}`)
}

export function deleteSerie(tx: Db, id: number): Promise<number> {
  return tx.run(sql`delete from series where id = ${id}`)
}

/** Any block, also one that is gone: its history is kept, at least the last image. */
export function hasHistory(db: Db, id: number): Promise<boolean> {
  return db.value(sql`
    select exists (select from series_blocos_historico where serie_id = ${id})
      or exists (select from series_blocos where serie_id = ${id})`)
}

export function listPublicas(db: Db): Promise<Serie[]> {
  return db.rows(sql`select ${SERIE} from series s where s.publica and s.ativa order by s.codigo`)
}

/** Derived series that refer to this one. */
export function countReferring(db: Db, codigo: string): Promise<number> {
  return db.value(sql`
    select count(*) from series
    where ${codigo} in (derivada->>'numerador', derivada->>'denominador', derivada->>'minuendo', derivada->>'subtraendo',
      derivada->>'serie')`)
}

/** Series that take values. */
export function listWritable(db: Db): Promise<Serie[]> {
  return db.rows(sql`select ${SERIE} from series s where s.ativa and s.derivada is null order by s.id`)
}
