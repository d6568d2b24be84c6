import type { Municipios } from '../../brasil/municipios.ts'
import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import { type ListQuery, type Page, valuesOf } from '../../filter.ts'
import { municipiosOf } from '../casos/counters/scope.ts'
import type { QualidadeDoDiagrama } from '../epidemiologia/base-do-diagrama.ts'
import type { NivelDeLugar } from '../territorios/lugar.ts'
import type { Motivo, NivelDeAlerta } from './nivel.ts'

export interface NewAlertaRow {
  tipo_agravo: string
  /** '' for the country. */
  lugar: string
  nivel_lugar: NivelDeLugar
  estado: string | null
  regiao_saude: number | null
  municipio: number | null
  semana: string
  nivel: NivelDeAlerta
  nivel_anterior: NivelDeAlerta | null
  motivos: Motivo[]
  casos: number
  casos_estimados: number
  incidencia: number | null
  p_rt_maior_1: number
  limite_superior: number | null
  qualidade: QualidadeDoDiagrama
  regra_versao: number
}

export interface AlertaRow extends NewAlertaRow {
  id: number
  criado_em: Date
  reconhecido_em: Date | null
  reconhecido_por_id: number | null
  reconhecido_por_nome: string | null
  nota: string | null
}

const NOVO = sql`tipo_agravo, lugar, nivel_lugar, estado, regiao_saude, municipio, semana, nivel, nivel_anterior, motivos, casos,
  casos_estimados, incidencia, p_rt_maior_1, limite_superior, qualidade, regra_versao`
const ALERTA = sql`a.id, a.tipo_agravo, a.lugar, a.nivel_lugar, a.estado, a.regiao_saude, a.municipio, a.semana, a.nivel,
  a.nivel_anterior, a.motivos, a.casos, a.casos_estimados, a.incidencia, a.p_rt_maior_1, a.limite_superior, a.qualidade,
  a.regra_versao, a.criado_em, a.reconhecido_em, a.reconhecido_por_id, a.reconhecido_por_nome, a.nota`

export interface Told {
  lugar: string
  nivel: NivelDeAlerta
  semana: string
}

/** The last alert of each of these places. */
export function listLastTold(db: Db, tipo: string, lugares: readonly string[]): Promise<Told[]> {
  return db.rows(sql`
    select u.lugar, u.nivel, u.semana from unnest(${lugares}::text[]) l (lugar)
    cross join lateral (
      select a.lugar, a.nivel, a.semana from alertas a
      where a.tipo_agravo = ${tipo} and a.lugar = l.lugar order by a.id desc limit 1
    ) u`)
}

/** Ids in the order of the alerts. */
export async function insertAlertas(tx: Db, alertas: readonly NewAlertaRow[], now: Date): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>(sql`
    insert into alertas (${NOVO}, criado_em)
    select ${NOVO}, ${now}
    from rows from (jsonb_to_recordset(${JSON.stringify(alertas)}::jsonb) as (tipo_agravo text, lugar text, nivel_lugar text,
      estado text, regiao_saude integer, municipio integer, semana text, nivel text, nivel_anterior text, motivos text[],
      casos integer, casos_estimados double precision, incidencia double precision, p_rt_maior_1 double precision,
      limite_superior double precision, qualidade text, regra_versao integer)) with ordinality
    order by ordinality
    returning id`)
  return rows.map(({ id }) => id)
}

const columnsOf = (municipios: Municipios): Columns => ({
  fields: {
    id: sql`a.id`,
    tipo_agravo: sql`a.tipo_agravo`,
    nivel_lugar: sql`a.nivel_lugar`,
    estado: sql`a.estado`,
    semana: sql`a.semana`,
    nivel: sql`a.nivel`,
    nivel_anterior: sql`a.nivel_anterior`,
    reconhecido: sql`(a.reconhecido_em is not null)`,
    casos: sql`a.casos`,
    incidencia: sql`a.incidencia`,
    criado_em: sql`a.criado_em`,
  },
  required: new Set(['id', 'semana', 'casos', 'criado_em']),
  conditions: {
    municipio: (test) => {
      const codigos = municipiosOf(test, municipios).map(({ codigo }) => codigo)
      return sql`coalesce(a.municipio = any(${codigos}::integer[]), false)`
    },
    regiao_saude: (test) =>
      sql`coalesce(a.regiao_saude = any(${valuesOf(test).map(Number)}::integer[]), false)`,
  },
  search: (contains) =>
    sql`plain(a.tipo_agravo || ' ' || a.semana || ' ' || a.nivel) like plain(${contains})`,
})

/** Places of a bound account: whole states, whole regions, municipalities; null: no bounds. */
export interface AlertaBounds {
  estados: readonly string[]
  regioes: readonly number[]
  municipios: readonly number[]
}

/** A larger place is seen by those that see all of it. */
function within(bounds: AlertaBounds | null): Sql {
  if (bounds === null) return sql`true`
  const { estados, regioes, municipios } = bounds
  return sql`coalesce(a.estado = any(${estados}::text[]) or a.municipio = any(${municipios}::integer[])
    or a.nivel_lugar = 'regiao_saude' and a.regiao_saude = any(${regioes}::integer[]), false)`
}

export function pageOfAlertaRows(
  db: Db,
  municipios: Municipios,
  bounds: AlertaBounds | null,
  list: ListQuery,
): Promise<Page<AlertaRow>> {
  const listing = { select: ALERTA, from: sql`alertas a`, id: sql`a.id`, only: within(bounds) }
  return pageOf(db, { ...listing, columns: columnsOf(municipios) }, list)
}

export function findAlerta(db: Db, bounds: AlertaBounds | null, id: number): Promise<AlertaRow | null> {
  return db.first(sql`select ${ALERTA} from alertas a where a.id = ${id} and ${within(bounds)}`)
}

/** Only the first time; null where somebody did before. */
export function acknowledge(
  tx: Db,
  id: number,
  { usuario, nota }: { usuario: { id: number; nome: string }; nota: string },
  now: Date,
): Promise<AlertaRow | null> {
  return tx.first(sql`
    update alertas a set reconhecido_em = ${now}, reconhecido_por_id = ${usuario.id}, reconhecido_por_nome = ${usuario.nome},
      nota = ${nota}
    where a.id = ${id} and a.reconhecido_em is null
    returning ${ALERTA}`)
}
