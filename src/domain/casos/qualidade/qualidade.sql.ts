import type { Db } from '../../../db/db.ts'
import { identifier, join, opaque, prepared, type Sql, sql } from '../../../db/sql.ts'
import { paresIn } from './duplicados.sql.ts'
import type { Divisao, Medida } from './regras.ts'
import type { Selecao } from './selecao.ts'

/** Counts of quality: from the index of municipalities alone, unless cases are grouped by unit. */

/** Parts that are counted apart. */
export interface Grupos {
  por: Divisao
  /** Municipalities, each with its health region; read only where cases are grouped by it. */
  regioes: readonly (readonly [municipio: number, regiao: string])[]
}

/** A region is looked up by its municipality. */
const KEYS: Record<Divisao, Sql> = {
  municipio: sql`c.municipio_residencia::text`,
  regiao_saude: sql`c.municipio_residencia::text`,
  estado: sql`c.estado_residencia`,
  unidade: sql`c.unidade_cnes`,
}

/** Cases of known municipalities, a range of the index for each, and those of unknown ones beside them. */
function casosOf(selecao: Selecao, columns: Sql): Sql {
  const { codigos, semMunicipio, tipo_agravo, data_inicio, data_fim, unidades } = selecao
  const isOfKind = sql`c.excluido_em is null
    and c.data_notificacao between ${opaque(data_inicio, 'date')} and ${opaque(data_fim, 'date')}
    and ${tipo_agravo === null ? sql`true` : sql`c.tipo_agravo = ${opaque(tipo_agravo, 'text')}`}
    and ${unidades === undefined ? sql`true` : isOfUnit(unidades)}`
  const isOfState =
    semMunicipio === null ? sql`true` : sql`c.estado_residencia = any(${opaque([...semMunicipio], 'text[]')})`
  return sql`
    select ${columns} from casos c
    where c.municipio_residencia = any(${opaque([...codigos], 'integer[]')}) and ${isOfKind}
    union all
    select ${columns} from casos c where c.municipio_residencia is null and ${isOfState} and ${isOfKind}`
}

function isOfUnit(unidades: readonly (string | null)[]): Sql {
  const known = sql`c.unidade_cnes = any(${opaque(
    unidades.filter((one) => one !== null),
    'text[]',
  )})`
  return unidades.includes(null) ? sql`(${known} or c.unidade_cnes is null)` : known
}

/** Cases of each group; where they are grouped by region, of each municipality. */
export function countGrupos(
  db: Db,
  selecao: Selecao,
  por: Divisao,
): Promise<{ chave: string | null; casos: number }[]> {
  return db.rows(
    prepared(sql`
      select c.chave, count(*)::integer as casos
      from (${casosOf(selecao, sql`${KEYS[por]} as chave`)}) c group by c.chave`),
  )
}

/** Cases that are equal in one respect: their bits, or the days of one delay. */
export interface Tally {
  grupo: string | null
  /** Null: the bits. */
  medida: Medida | null
  qualidade: number
  pendencias: number
  /** Null: this delay is unknown, or none that counts. */
  dias: number | null
  /** Of closing: the deadline is over; it was met. */
  devido: boolean
  no_prazo: boolean
  total: number
}

const COUNTED = sql`c.tipo_agravo, c.municipio_residencia, c.evolucao, c.qualidade, c.pendencias,
  c.data_notificacao, c.data_inicio_sintomas, c.data_digitacao, c.data_encerramento, c.data_obito`

/**
 * One pass over the cases, five ways of grouping. Bits come as combinations, of which a place has some hundred, and delays as days
 * with their count: everything that is asked of them is added up outside, exactly. The number that `grouping` gives has a bit for
 * each of its columns that the row is not grouped by.
 */
export function countQualidade(
  db: Db,
  selecao: Selecao,
  hoje: string,
  grupos: Grupos | null,
): Promise<Tally[]> {
  const { key, grupo, join } = partsOf(grupos)
  const today = opaque(hoje, 'date')
  return db.rows(
    prepared(sql`
      select m.grupo, m.qualidade, m.pendencias,
        case grouping(m.qualidade, m.notificacao, m.digitacao, m.encerramento, m.obito)
          when 23 then 'notificacao' when 27 then 'digitacao' when 29 then 'encerramento' when 30 then 'obito'
        end as medida,
        coalesce(m.notificacao, m.digitacao, m.encerramento, m.obito) as dias, m.devido, m.no_prazo,
        count(*)::integer as total
      from (
        select ${grupo} as grupo, c.qualidade, c.pendencias,
          case when c.data_notificacao - c.data_inicio_sintomas between 0 and 365
            then c.data_notificacao - c.data_inicio_sintomas end as notificacao,
          case when c.data_digitacao >= c.data_notificacao
            then c.data_digitacao - c.data_notificacao end as digitacao,
          case when c.data_encerramento >= c.data_notificacao
            then c.data_encerramento - c.data_notificacao end as encerramento,
          case when c.evolucao = 'obito' and c.data_obito <= c.data_notificacao
            then c.data_notificacao - c.data_obito end as obito,
          c.data_notificacao + t.prazo_encerramento_dias <= ${today} as devido,
          c.data_notificacao + t.prazo_encerramento_dias <= ${today} and coalesce(c.data_encerramento
            between c.data_notificacao and c.data_notificacao + t.prazo_encerramento_dias, false) as no_prazo
        from (${casosOf(selecao, sql`${COUNTED}, ${key} as chave`)}) c
        join tipos_agravo t on t.codigo = c.tipo_agravo
        ${join}
      ) m
      group by m.grupo, grouping sets (
        (m.qualidade, m.pendencias), m.notificacao, m.digitacao, (m.encerramento, m.devido, m.no_prazo), m.obito)`),
  )
}

/** Required own field of a disease: the records that it is asked of, and those of them that have it. */
export interface CampoPedido {
  asked: Sql
  filled: Sql
}

/** Records of each group for each field: asked, then filled in. Reads the records themselves, of the one disease. */
export function countObrigatorios(
  db: Db,
  selecao: Selecao,
  campos: readonly CampoPedido[],
  grupos: Grupos | null,
): Promise<{ grupo: string | null; contagens: number[] }[]> {
  const { key, grupo, join: regions } = partsOf(grupos)
  const named = (kind: 'asked' | 'filled', at: number) => identifier(`${kind}_${at}`)
  const contagens = campos.map((_, at) => {
    const isAsked = sql`c.${named('asked', at)}`
    return sql`count(*) filter (where ${isAsked})::integer,
      count(*) filter (where ${isAsked} and c.${named('filled', at)})::integer`
  })
  const values = campos.map(
    ({ asked, filled }, at) => sql`${asked} as ${named('asked', at)}, ${filled} as ${named('filled', at)}`,
  )
  return db.rows(sql`
    select ${grupo} as grupo, array[${join(contagens, ', ')}] as contagens
    from (${casosOf(selecao, sql`c.municipio_residencia, ${key} as chave, ${join(values, ', ')}`)}) c ${regions}
    group by 1`)
}

const NO_GROUP = sql`null::text`

function partsOf(grupos: Grupos | null): { key: Sql; grupo: Sql; join: Sql } {
  if (grupos === null) return { key: NO_GROUP, grupo: NO_GROUP, join: sql`` }
  const key = KEYS[grupos.por]
  if (grupos.por !== 'regiao_saude') return { key, grupo: sql`c.chave`, join: sql`` }
  const [municipios, regioes] = [grupos.regioes.map(([one]) => one), grupos.regioes.map(([, one]) => one)]
  const join = sql`left join unnest(${municipios}::integer[], ${regioes}::text[]) r (municipio, regiao)
    on r.municipio = c.municipio_residencia`
  return { key: NO_GROUP, grupo: sql`r.regiao`, join }
}

/** Pairs of possible duplicates of which both are counted; of units, of which both are in one. By region: of each municipality. */
export function countPares(
  db: Db,
  { codigos, tipo_agravo, data_inicio, data_fim }: Selecao,
  por: Divisao | null,
): Promise<{ chave: string | null; pares: number }[]> {
  const chave = por === null ? NO_GROUP : PAIR_KEYS[por]
  return db.rows(
    prepared(sql`
      select ${chave} as chave, count(*)::integer as pares from (${paresIn(codigos, { data_inicio, data_fim })}) p
      where ${tipo_agravo === null ? sql`true` : sql`p.tipo_agravo = ${opaque(tipo_agravo, 'text')}`}
        and ${por === 'unidade' ? sql`p.um_cnes is not distinct from p.outro_cnes` : sql`true`}
      group by 1`),
  )
}

const PAIR_KEYS: Record<Divisao, Sql> = {
  municipio: sql`p.municipio_residencia::text`,
  regiao_saude: sql`p.municipio_residencia::text`,
  estado: sql`p.estado_residencia`,
  unidade: sql`p.um_cnes`,
}
