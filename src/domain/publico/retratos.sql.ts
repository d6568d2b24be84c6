import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'
import { GRUPO_CONFIRMADO, type TipoAgravo } from '../casos/enumeracoes.ts'
import type { NumerosDoLugar } from './tabelas.ts'

export interface ChaveDoRetrato {
  tipo_agravo: TipoAgravo
  ano: number
}

export interface Retrato {
  /** Day in Brasília, from 04:00 on. */
  dia: string
  feito_em: Date
  /** Weeks of the year that had begun. */
  semanas: number
  minimo: number
}

/** Cases of a place, week, group of classifications, sex and age band; `''`: unknown. */
export interface CasosDoRetrato {
  uf: string
  codigo: number
  semana: number
  grupo: 'confirmado' | 'descartado' | 'inconclusivo' | 'em_investigacao'
  sexo: string
  faixa: string
  total: number
}

/** All cases of the weeks of a year in one statement, hence of one moment; those with an impossible onset are in no week. */
export function countCasos(
  db: Db,
  { tipo_agravo }: ChaveDoRetrato,
  { inicio, fim }: { inicio: string; fim: string },
): Promise<CasosDoRetrato[]> {
  return db.rows(sql`
    select coalesce(c.estado_residencia, '') as uf, coalesce(c.municipio_residencia, 0) as codigo,
      (c.data_inicio_sintomas - ${inicio}::date) / 7 as semana,
      case when c.classificacao_final = any(${GRUPO_CONFIRMADO}) then 'confirmado'
        when c.classificacao_final is null then 'em_investigacao' else c.classificacao_final end as grupo,
      coalesce(c.paciente_sexo, '') as sexo, coalesce(faixa_etaria(c.paciente_idade), '') as faixa, count(*) as total
    from casos c
    where c.excluido_em is null and c.tipo_agravo = ${tipo_agravo} and c.data_inicio_sintomas between ${inicio} and ${fim}
      and c.data_notificacao - c.data_inicio_sintomas <= 365
    group by 1, 2, 3, 4, 5, 6`)
}

export function findRetrato(db: Db, { tipo_agravo, ano }: ChaveDoRetrato): Promise<Retrato | null> {
  return db.first(sql`
    select dia, feito_em, semanas, minimo from publico_retratos where tipo_agravo = ${tipo_agravo} and ano = ${ano}`)
}

export function listRetratos(db: Db): Promise<(ChaveDoRetrato & { dia: string })[]> {
  return db.rows(sql`select tipo_agravo, ano, dia from publico_retratos order by tipo_agravo, ano`)
}

/** Takes the day for the caller; false where another instance was faster. */
export async function claimRetrato(
  db: Db,
  { tipo_agravo, ano }: ChaveDoRetrato,
  made: Retrato,
): Promise<boolean> {
  const { dia, feito_em, semanas, minimo } = made
  const changed = await db.run(sql`
    insert into publico_retratos as r (tipo_agravo, ano, dia, feito_em, semanas, minimo)
    values (${tipo_agravo}, ${ano}, ${dia}, ${feito_em}, ${semanas}, ${minimo})
    on conflict (tipo_agravo, ano) do update
      set dia = excluded.dia, feito_em = excluded.feito_em, semanas = excluded.semanas, minimo = excluded.minimo
      where r.dia < excluded.dia`)
  return changed > 0
}

export async function replaceLugares(
  db: Db,
  { tipo_agravo, ano }: ChaveDoRetrato,
  lugares: ReadonlyMap<string, NumerosDoLugar>,
): Promise<void> {
  await db.run(sql`delete from publico_lugares where tipo_agravo = ${tipo_agravo} and ano = ${ano}`)
  const rows = [...lugares].map(([lugar, numeros]) => ({ lugar, numeros }))
  await db.run(sql`
    insert into publico_lugares (tipo_agravo, ano, lugar, numeros)
    select ${tipo_agravo}, ${ano}, lugar, numeros
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (lugar text, numeros jsonb)`)
}

export interface LugarRetratado {
  lugar: string
  numeros: NumerosDoLugar
}

/** The day's numbers of some places, in one statement, so that they are of one day. */
export async function readRetrato(
  db: Db,
  { tipo_agravo, ano }: ChaveDoRetrato,
  lugares: readonly string[],
): Promise<{ retrato: Retrato; lugares: LugarRetratado[] } | null> {
  const row = await db.first<Retrato & { lugares: LugarRetratado[] }>(sql`
    select r.dia, r.feito_em, r.semanas, r.minimo, (
      select coalesce(json_agg(json_build_object('lugar', l.lugar, 'numeros', l.numeros)), '[]')
      from publico_lugares l
      where l.tipo_agravo = r.tipo_agravo and l.ano = r.ano and l.lugar = any(${lugares})
    ) as lugares
    from publico_retratos r where r.tipo_agravo = ${tipo_agravo} and r.ano = ${ano}`)
  if (row === null) return null
  const { lugares: found, ...retrato } = row
  return { retrato, lugares: found }
}
