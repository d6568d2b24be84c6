import type { Db } from '../../db/db.ts'
import { pageOf } from '../../db/page.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { Columns } from '../../db/where.ts'
import { type ListQuery, type Page, valuesOf } from '../../filter.ts'
import { type Reach, reachedBy } from '../territorios/alcance.ts'

export interface ContaDeServicoRow {
  id: number
  nome: string
  finalidade: string | null
  instituicao: string | null
  ativo: boolean
  criado_em: Date
  ultimo_acesso: Date | null
  chaves_ativas: number
  /** Earliest end of a key that was not replaced. */
  proxima_expiracao: Date | null
}

const isLive = (now: Date): Sql => sql`c.revogada_em is null and c.expira_em > ${now}`

const conta = (now: Date): Sql => sql`
  u.id, u.nome, u.funcao as finalidade, u.instituicao, u.ativo, u.criado_em, u.ultimo_acesso,
  (select count(*) from chaves_de_api c where c.usuario_id = u.id and ${isLive(now)})::integer as chaves_ativas,
  (select min(c.expira_em) from chaves_de_api c
    where c.usuario_id = u.id and ${isLive(now)} and c.substituida_em is null) as proxima_expiracao`

const columns: Columns = {
  fields: {
    id: sql`u.id`,
    nome: sql`u.nome`,
    ativo: sql`u.ativo`,
    criado_em: sql`u.criado_em`,
    ultimo_acesso: sql`u.ultimo_acesso`,
  },
  required: new Set(['id', 'nome', 'ativo', 'criado_em']),
  conditions: { alcance: (filter) => reachedBy(valuesOf(filter) as Reach, sql`u.id`) },
  search: (contains) => sql`u.nome_busca like plain(${contains})`,
}

export function pageOfContaRows(db: Db, list: ListQuery, now: Date): Promise<Page<ContaDeServicoRow>> {
  return pageOf(
    db,
    { select: conta(now), from: sql`usuarios u`, columns, id: sql`u.id`, only: sql`u.servico` },
    list,
  )
}

export function findConta(db: Db, id: number, now: Date): Promise<ContaDeServicoRow | null> {
  return db.first(sql`select ${conta(now)} from usuarios u where u.id = ${id} and u.servico`)
}

export interface ChaveDeApiRow {
  id: string
  nome: string
  prefixo: string
  escopos: string[]
  redes: string[]
  criada_em: Date
  criada_por: { id: number; nome: string } | null
  expira_em: Date
  ultimo_uso_em: Date | null
  ultimo_uso_ip: string | null
  substituida_em: Date | null
  revogada_em: Date | null
}

const CHAVE: Sql = sql`
  c.id, c.nome, c.prefixo, c.escopos, c.redes, c.criada_em, c.expira_em, c.ultimo_uso_em, host(c.ultimo_uso_ip) as ultimo_uso_ip,
  c.substituida_em, c.revogada_em,
  (select json_build_object('id', p.id, 'nome', p.nome) from usuarios p where p.id = c.criada_por_id) as criada_por`

/** The newest first. */
export function listChaves(db: Db, usuarioId: number): Promise<ChaveDeApiRow[]> {
  return db.rows(sql`
    select ${CHAVE} from chaves_de_api c where c.usuario_id = ${usuarioId} order by c.criada_em desc, c.id`)
}

export function findChave(db: Db, usuarioId: number, id: string): Promise<ChaveDeApiRow | null> {
  return db.first(sql`
    select ${CHAVE} from chaves_de_api c where c.usuario_id = ${usuarioId} and c.id = ${id}`)
}

/** Live keys that were not replaced. */
export function countChaves(db: Db, usuarioId: number, now: Date): Promise<number> {
  return db.value(sql`
    select count(*) from chaves_de_api c
     where c.usuario_id = ${usuarioId} and ${isLive(now)} and c.substituida_em is null`)
}

export interface NewChaveDeApiRow
  extends Pick<ChaveDeApiRow, 'id' | 'nome' | 'prefixo' | 'escopos' | 'redes' | 'criada_em' | 'expira_em'> {
  usuario_id: number
  hash: Buffer
  criada_por_id: number
}

export function insertChave(db: Db, chave: NewChaveDeApiRow): Promise<number> {
  return db.run(sql`
    insert into chaves_de_api (id, usuario_id, nome, prefixo, hash, escopos, redes, criada_em, criada_por_id, expira_em)
    values (${chave.id}, ${chave.usuario_id}, ${chave.nome}, ${chave.prefixo}, ${chave.hash}, ${chave.escopos},
            ${chave.redes}, ${chave.criada_em}, ${chave.criada_por_id}, ${chave.expira_em})`)
}

/** Shortens its life; 0 if it has ended or was replaced before. */
export function replaceChave(db: Db, id: string, ate: Date, now: Date): Promise<number> {
  return db.run(sql`
    update chaves_de_api c set substituida_em = ${now}, expira_em = least(c.expira_em, ${ate}::timestamptz)
     where c.id = ${id} and ${isLive(now)} and c.substituida_em is null`)
}

/** 0 if it was revoked before. */
export function revokeChave(db: Db, id: string, now: Date): Promise<number> {
  return db.run(sql`update chaves_de_api set revogada_em = ${now} where id = ${id} and revogada_em is null`)
}

export function forgetChaves(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from chaves_de_api where expira_em < ${before} or revogada_em < ${before}`)
}
