import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { readDoubles } from './doubles.ts'
import { textOfSemanas } from './semanas.ts'
import type { Serie } from './serie.ts'

/** Values of a place and a year; a slot is NaN where there is no value. */
export interface Bloco {
  serie_id: number
  lugar: string
  ano: number
  valores: Float64Array
}

/** The same as it is read for weeks: where the block has them, without its days. */
export interface BlocoLido extends Bloco {
  semanas: Uint8Array | null
}

/** Row with the bytes of its array in base64: to write doubles as decimals takes the server several times as long. */
type Row = Omit<Bloco, 'valores'> & { valores: string }

const toBloco = ({ valores, ...row }: Row): Bloco => ({ ...row, valores: readDoubles(valores) })

/** Row with either of both. */
type RowLida = Omit<Bloco, 'valores'> & { valores: string | null; semanas: string | null }

const NO_DAYS = new Float64Array(0)

const toLido = ({ serie_id, lugar, ano, valores, semanas }: RowLida): BlocoLido => ({
  serie_id,
  lugar,
  ano,
  valores: valores === null ? NO_DAYS : readDoubles(valores),
  semanas: semanas === null ? null : Buffer.from(semanas, 'base64'),
})

/** Years of blocks, and whether their weeks are enough. */
export interface AnosPedidos {
  first: number
  last: number
  semanas: boolean
}

export async function listBlocos(
  db: Db,
  serieId: number,
  lugares: readonly string[],
  { first, last, semanas }: AnosPedidos,
): Promise<BlocoLido[]> {
  const rows = await db.rows<RowLida>(sql`
    select serie_id, lugar, ano, ${semanasOrValores(semanas)} from series_blocos
    where serie_id = ${serieId} and lugar = any(${lugares}) and ano between ${first} and ${last}
    order by lugar, ano`)
  return rows.map(toLido)
}

/** Of every place that has a block, in the order of years. */
export async function listBlocosOfAll(
  db: Db,
  serieId: number,
  { first, last, semanas }: AnosPedidos,
): Promise<BlocoLido[]> {
  const rows = await db.rows<RowLida>(sql`
    select serie_id, lugar, ano, ${semanasOrValores(semanas)} from series_blocos
    where serie_id = ${serieId} and ano between ${first} and ${last} order by ano`)
  return rows.map(toLido)
}

const semanasOrValores = (semanas: boolean): Sql => sql`
  case when ${semanas} and semanas_revisao = revisao then encode(semanas, 'base64') end as semanas,
  case when ${semanas} and semanas_revisao = revisao then null else encode(array_send(valores), 'base64') end as valores`

/** Years of one place in one series. */
export interface AnosDoLugar extends AnosPedidos {
  serie_id: number
  lugar: string
}

/** Blocks of each, by one statement: a panel reads eight series at once. */
export async function listBlocosOfEach(db: Db, asked: readonly AnosDoLugar[]): Promise<BlocoLido[][]> {
  const rows = await db.rows<RowLida & { n: number }>(sql`
    select k.n::integer - 1 as n, b.serie_id, b.lugar, b.ano,
      case when k.semanas and b.semanas_revisao = b.revisao then encode(b.semanas, 'base64') end as semanas,
      case when k.semanas and b.semanas_revisao = b.revisao then null else encode(array_send(b.valores), 'base64') end as valores
    from unnest(${asked.map(({ serie_id }) => serie_id)}::integer[], ${asked.map(({ lugar }) => lugar)}::text[],
      ${asked.map(({ first }) => first)}::smallint[], ${asked.map(({ last }) => last)}::smallint[],
      ${asked.map(({ semanas }) => semanas)}::boolean[])
      with ordinality as k (serie_id, lugar, first, last, semanas, n)
    join series_blocos b on b.serie_id = k.serie_id and b.lugar = k.lugar and b.ano between k.first and k.last
    order by k.n, b.ano`)
  const found = asked.map((): BlocoLido[] => [])
  for (const row of rows) found[row.n]?.push(toLido(row))
  return found
}

/** Blocks of many series, by their keys, as they are now. */
export async function listBlocosByKey(
  db: Db,
  keys: { series: number[]; lugares: string[]; anos: number[] },
): Promise<Bloco[]> {
  const rows = await db.rows<Row>(sql`
    select serie_id, lugar, ano, encode(array_send(valores), 'base64') as valores
    from unnest(${keys.series}::integer[], ${keys.lugares}::text[], ${keys.anos}::smallint[]) as k (serie_id, lugar, ano)
    join series_blocos using (serie_id, lugar, ano)`)
  return rows.map(toBloco)
}

/** The oldest image that was replaced after the moment, else the present block. */
export async function listBlocosKnownAt(
  db: Db,
  serieId: number,
  lugares: readonly string[],
  { first, last }: Pick<AnosPedidos, 'first' | 'last'>,
  moment: Date,
): Promise<BlocoLido[]> {
  const rows = await db.rows<Row>(sql`
    select ${serieId}::integer as serie_id, lugar, ano, encode(array_send(valores), 'base64') as valores from (
      select distinct on (lugar, ano) lugar, ano, valores from (
        select lugar, ano, valores, ate from series_blocos_historico
        where serie_id = ${serieId} and lugar = any(${lugares}) and ano between ${first} and ${last} and ate > ${moment}
        union all
        select lugar, ano, valores, 'infinity'::timestamptz from series_blocos
        where serie_id = ${serieId} and lugar = any(${lugares}) and ano between ${first} and ${last}) as images
      order by lugar, ano, ate) as k
    where valores is not null order by lugar, ano`)
  return rows.map((row) => ({ ...toBloco(row), semanas: null }))
}

export function findRevisao(
  db: Db,
  serieId: number,
  lugares: readonly string[],
): Promise<{ revisao: number | null; atualizado_em: Date | null }> {
  return db.one(sql`
    select max(revisao) as revisao, max(atualizado_em) as atualizado_em from series_blocos
    where serie_id = ${serieId} and lugar = any(${lugares})`)
}

/** Slots of a year, from 0. */
export interface Trecho {
  ano: number
  first: number
  last: number
}

/** Some slots of some years, of every place that has a block. */
export async function listTrechos(
  db: Db,
  serieId: number,
  trechos: readonly Trecho[],
): Promise<Pick<Bloco, 'lugar' | 'ano' | 'valores'>[]> {
  const rows = await db.rows<Omit<Row, 'serie_id'>>(sql`
    select lugar, ano, encode(array_send(valores[k.first + 1:k.last + 1]), 'base64') as valores
    from unnest(${trechos.map(({ ano }) => ano)}::smallint[], ${trechos.map(({ first }) => first)}::integer[],
      ${trechos.map(({ last }) => last)}::integer[]) as k (ano, first, last)
    join series_blocos using (ano) where serie_id = ${serieId}`)
  return rows.map(({ valores, ...row }) => ({ ...row, valores: readDoubles(valores) }))
}

/** A block as it is to be; `valores` null: it is to be gone. */
export interface BlocoNovo {
  serie: Pick<Serie, 'id' | 'periodo' | 'agrega_tempo'>
  lugar: string
  ano: number
  /** Null or NaN: no value. */
  valores: ArrayLike<number | null> | null
}

export interface Autor {
  /** Null: an undoing. */
  importacao_id: number | null
  usuario_id: number | null
  em: Date
}

/** Writes blocks and keeps their images. The rows of their series are locked, so that no other writer comes between. */
export async function writeBlocos(tx: Db, blocos: readonly BlocoNovo[], autor: Autor): Promise<void> {
  if (blocos.length === 0) return
  const slots = blocos.map(({ valores }) => slotsOf(valores))
  const semanas = blocos.map(semanasOf)
  await tx.run(sql`
    with novos as (
      select * from unnest(${blocos.map(({ serie }) => serie.id)}::integer[],
        ${blocos.map(({ lugar }) => lugar)}::text[], ${blocos.map(({ ano }) => ano)}::smallint[],
        ${slots.map(({ literal }) => literal)}::text[], ${slots.map(({ contagem }) => contagem)}::smallint[],
        ${slots.map(({ primeiro }) => primeiro)}::smallint[], ${slots.map(({ ultimo }) => ultimo)}::smallint[], ${semanas}::text[])
        as n (serie_id, lugar, ano, valores, contagem, primeiro, ultimo, semanas)),
    estados as (
      select n.*, b.valores as antes, coalesce(b.revisao, (select max(h.revisao) + 1 from series_blocos_historico h
        where h.serie_id = n.serie_id and h.lugar = n.lugar and h.ano = n.ano), 0) as estado
      from novos n left join series_blocos b on b.serie_id = n.serie_id and b.lugar = n.lugar and b.ano = n.ano),
    imagens as (
      insert into series_blocos_historico (serie_id, lugar, ano, revisao, valores, importacao_id, usuario_id, ate)
      select serie_id, lugar, ano, estado, antes, ${autor.importacao_id}, ${autor.usuario_id}, ${autor.em} from estados),
    idos as (
      delete from series_blocos b using estados e
      where e.valores is null and b.serie_id = e.serie_id and b.lugar = e.lugar and b.ano = e.ano)
    insert into series_blocos (serie_id, lugar, ano, valores, contagem, primeiro, ultimo, revisao, importacao_id, atualizado_em,
      semanas, semanas_revisao)
    select serie_id, lugar, ano, valores::double precision[], contagem, primeiro, ultimo, estado + 1, ${autor.importacao_id},
      ${autor.em}, decode(semanas, 'base64'), estado + 1
    from estados where valores is not null
    on conflict (serie_id, lugar, ano) do update set valores = excluded.valores, contagem = excluded.contagem,
      primeiro = excluded.primeiro, ultimo = excluded.ultimo, revisao = excluded.revisao,
      importacao_id = excluded.importacao_id, atualizado_em = excluded.atualizado_em, semanas = excluded.semanas,
      semanas_revisao = excluded.semanas_revisao`)
}

function semanasOf({ serie, ano, valores }: BlocoNovo): string | null {
  if (valores === null) return null
  const slots = Float64Array.from(valores as ArrayLike<number>, (valor) => valor ?? Number.NaN)
  return textOfSemanas(serie, ano, slots)
}

function slotsOf(valores: ArrayLike<number | null> | null) {
  if (valores === null) return { literal: null, contagem: 0, primeiro: 0, ultimo: 0 }
  let [contagem, primeiro, ultimo] = [0, -1, -1]
  let literal = ''
  for (let slot = 0; slot < valores.length; slot++) {
    const valor = valores[slot]
    literal += slot === 0 ? '' : ','
    if (valor === null || valor === undefined || Number.isNaN(valor)) {
      literal += 'NULL'
      continue
    }
    // `String` drops the sign of zero, which the bytes of a double keep.
    literal += Object.is(valor, -0) ? '-0' : String(valor)
    contagem += 1
    if (primeiro < 0) primeiro = slot
    ultimo = slot
  }
  return { literal: `{${literal}}`, contagem, primeiro, ultimo }
}

/** Ends of the blocks of a series, for its summary. */
export interface Resumo {
  valores: number
  lugares: number
  /** Year and slot of the first and last value. */
  primeiro: { ano: number; slot: number } | null
  ultimo: { ano: number; slot: number } | null
}

export function summarise(tx: Db, serieId: number): Promise<Resumo> {
  return tx.one(sql`
    select coalesce(sum(contagem), 0)::bigint as valores, count(distinct lugar)::integer as lugares,
      (select json_build_object('ano', ano, 'slot', min(primeiro)) from series_blocos
        where serie_id = ${serieId} and ano = (select min(ano) from series_blocos where serie_id = ${serieId})
        group by ano) as primeiro,
      (select json_build_object('ano', ano, 'slot', max(ultimo)) from series_blocos
        where serie_id = ${serieId} and ano = (select max(ano) from series_blocos where serie_id = ${serieId})
        group by ano) as ultimo
    from series_blocos where serie_id = ${serieId}`)
}

export function saveSummary(
  tx: Db,
  serieId: number,
  resumo: { valores: number; lugares: number; primeiro: string | null; ultimo: string | null },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update series set valores = ${resumo.valores}, lugares = ${resumo.lugares}, primeiro = ${resumo.primeiro},
      ultimo = ${resumo.ultimo}, valores_em = ${now}
    where id = ${serieId}`)
}

export interface Imagem {
  ano: number
  revisao: number
  antes: (number | null)[] | null
  depois: (number | null)[] | null
  ate: Date
  usuario_nome: string | null
  importacao_id: number | null
}

/** Changes of one place, the newest first. */
export function listImagens(
  db: Db,
  serieId: number,
  lugar: string,
  { size, offset }: { size: number; offset: number },
): Promise<Imagem[]> {
  return db.rows(sql`
    select h.ano, h.revisao, to_json(h.valores) as antes, h.ate, u.nome as usuario_nome, h.importacao_id,
      to_json(case when proxima.revisao is null then b.valores else proxima.valores end) as depois
    from series_blocos_historico h
    left join series_blocos_historico proxima on proxima.serie_id = h.serie_id and proxima.lugar = h.lugar
      and proxima.ano = h.ano and proxima.revisao = h.revisao + 1
    left join series_blocos b on b.serie_id = h.serie_id and b.lugar = h.lugar and b.ano = h.ano
    left join usuarios u on u.id = h.usuario_id
    where h.serie_id = ${serieId} and h.lugar = ${lugar}
    order by h.ate desc, h.ano desc, h.revisao desc limit ${size} offset ${offset}`)
}

export function countImagens(db: Db, serieId: number, lugar: string): Promise<number> {
  return db.value(sql`
    select count(*) from series_blocos_historico where serie_id = ${serieId} and lugar = ${lugar}`)
}

/** Blocks that an import changed: before it, after it, and now. */
export interface Mudado {
  serie_id: number
  lugar: string
  ano: number
  antes: (number | null)[] | null
  depois: (number | null)[] | null
  agora: (number | null)[] | null
}

export function listMudados(
  tx: Db,
  importacaoId: number,
  after: { serie_id: number; lugar: string; ano: number } | null,
  size: number,
): Promise<Mudado[]> {
  const { serie_id, lugar, ano } = after ?? { serie_id: 0, lugar: '', ano: 0 }
  return tx.rows(sql`
    select h.serie_id, h.lugar, h.ano, to_json(h.valores) as antes, to_json(b.valores) as agora,
      to_json(case when proxima.revisao is null then b.valores else proxima.valores end) as depois
    from series_blocos_historico h
    left join series_blocos_historico proxima on proxima.serie_id = h.serie_id and proxima.lugar = h.lugar
      and proxima.ano = h.ano and proxima.revisao = h.revisao + 1
    left join series_blocos b on b.serie_id = h.serie_id and b.lugar = h.lugar and b.ano = h.ano
    where h.importacao_id = ${importacaoId} and (h.serie_id, h.lugar, h.ano) > (${serie_id}, ${lugar}, ${ano})
    order by h.serie_id, h.lugar, h.ano limit ${size}`)
}

/** Codes of the series that an import changed, and its places. */
export function listTouched(db: Db, importacaoId: number): Promise<{ codigos: string[]; lugares: string[] }> {
  return db.one(sql`
    select coalesce(array_agg(distinct s.codigo), '{}') as codigos, coalesce(array_agg(distinct h.lugar), '{}') as lugares
    from series_blocos_historico h join series s on s.id = h.serie_id where h.importacao_id = ${importacaoId}`)
}
