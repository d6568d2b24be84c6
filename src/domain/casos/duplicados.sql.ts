import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Campos } from './campos.ts'

/** A case that another may be, with its places. */
export interface SemelhanteRow {
  id: number
  numero_notificacao: string
  data_notificacao: string
  estado_residencia: string | null
  municipio_residencia: number | null
  municipio_notificacao: number | null
}

const SEMELHANTE = sql`c.id, c.numero_notificacao, c.data_notificacao,
  c.estado_residencia, c.municipio_residencia, c.municipio_notificacao`

/** The case itself is none of its duplicates. */
const isAnother = (id: number | null): Sql => (id === null ? sql`true` : sql`c.id <> ${id}`)

type NaturalKey = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'>

/** At most one: the three are unique among cases that are not excluded. */
export function findByNotificacao(
  db: Db,
  { tipo_agravo, numero_notificacao, data_notificacao }: NaturalKey,
  except: number | null,
): Promise<SemelhanteRow | null> {
  return db.first(sql`
    select ${SEMELHANTE} from casos c
    where c.numero_notificacao = ${numero_notificacao} and c.data_notificacao = ${data_notificacao}::date
      and c.tipo_agravo = ${tipo_agravo} and c.excluido_em is null and ${isAnother(except)}`)
}

/** Cases with the same hash of disease, municipality, sex and birth date, and an onset within so many days; the nearest first. */
export function listByPessoa(
  db: Db,
  {
    municipio_residencia,
    duplicado_chave,
    data_inicio_sintomas,
  }: { municipio_residencia: number; duplicado_chave: string; data_inicio_sintomas: string },
  { days, limit, except }: { days: number; limit: number; except: number | null },
): Promise<SemelhanteRow[]> {
  return db.rows(sql`
    select ${SEMELHANTE} from casos c
    where c.municipio_residencia = ${municipio_residencia} and c.duplicado_chave = ${duplicado_chave}::bigint
      and c.excluido_em is null and ${isAnother(except)}
      and abs(c.data_inicio_sintomas - ${data_inicio_sintomas}::date) <= ${days}
    order by abs(c.data_inicio_sintomas - ${data_inicio_sintomas}::date), c.id limit ${limit}`)
}
