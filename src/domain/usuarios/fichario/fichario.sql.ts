import type { Db } from '../../../db/db.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import type { Ficha } from './fichas.ts'

/** Moments as microseconds: as exact as PostgreSQL keeps them, and compared as numbers. */
const micros = (moment: Sql): Sql => sql`(extract(epoch from ${moment}) * 1000000)::float8`

const FICHA: Sql = sql`
  u.id, u.nome, u.email, u.cpf, u.cidade, u.estado, u.instituicao, u.cargo, u.departamento, u.nome_busca, u.email_busca,
  u.cidade_busca, u.estado_busca, u.instituicao_busca, u.cargo_busca, u.departamento_busca, u.admin, u.ativo, u.plano,
  u.email_verificado, u.mfa_ativado_em is not null as mfa_habilitado, ${micros(sql`u.criado_em`)} as criado_em,
  ${micros(sql`u.atualizado_em`)} as atualizado_em, ${micros(sql`u.ultimo_acesso`)} as ultimo_acesso,
  array(select ug.grupo_id from usuarios_grupos ug where ug.usuario_id = u.id) as grupos`

export function listFichas(db: Db, afterId: number, atMost: number): Promise<Ficha[]> {
  return db.rows(sql`select ${FICHA} from usuarios u where u.id > ${afterId} order by u.id limit ${atMost}`)
}

/** Which server, which table, and what is committed there: what was seen under one vista need not be read again. */
export interface Vista {
  servidor: string
  /** Microseconds, by the clock of the server. */
  momento: number
  transacoes: string
  /** Whether texts are in order by the numbers of their characters. */
  ordem_por_codigo: boolean
}

const VISTA: Sql = sql`
  json_build_object(
    'servidor', pg_postmaster_start_time()::text || ' ' || 'usuarios_mudados'::regclass::oid,
    'momento', ${micros(sql`now()`)},
    'transacoes', pg_current_snapshot()::text,
    'ordem_por_codigo', (select d.datlocprovider = 'b' or d.datcollate in ('C', 'POSIX') from pg_database d
                          where d.datname = current_database())) as vista`

export async function readVista(db: Db): Promise<Vista> {
  const row = await db.first<{ vista: Vista }>(sql`select ${VISTA}`)
  return (row as { vista: Vista }).vista
}

export interface Novidades {
  vista: Vista
  mudados: number[]
  /** As they are now, of those that still exist. */
  fichas: Ficha[]
}

/** What was committed since, and this, all in one statement: of one moment. */
export async function readNovidades(db: Db, since: Vista, atMost: number): Promise<Novidades> {
  const rows = await db.rows<{ vista: Vista; mudado: number | null } & Ficha>(sql`
    select ${VISTA}, m.usuario_id as mudado, ${FICHA}
      from (select) one
      left join (select distinct usuario_id from usuarios_mudados
                  where transacao >= pg_snapshot_xmin(${since.transacoes}::pg_snapshot)
                    and not pg_visible_in_snapshot(transacao, ${since.transacoes}::pg_snapshot)
                  limit ${atMost}) m on true
      left join usuarios u on u.id = m.usuario_id`)
  return {
    vista: (rows[0] as { vista: Vista }).vista,
    mudados: rows.flatMap(({ mudado }) => mudado ?? []),
    fichas: rows.filter(({ id }) => id !== null).map(({ vista, mudado, ...ficha }) => ficha),
  }
}

/** What a filter compares with, as the database understands it. */
export async function readOperandos(
  db: Db,
  { textos, momentos }: { textos: string[]; momentos: string[] },
): Promise<{ textos: string[]; momentos: number[] }> {
  const row = await db.first<{ textos: string[]; momentos: number[] }>(sql`
    select array(select plain(t.texto) from unnest(${textos}::text[]) with ordinality t (texto, n) order by n) as textos,
           array(select ${micros(sql`t.momento::timestamptz`)}
                   from unnest(${momentos}::text[]) with ordinality t (momento, n) order by n) as momentos`)
  return row as { textos: string[]; momentos: number[] }
}
