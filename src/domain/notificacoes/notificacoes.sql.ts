import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface NotificacaoRow {
  id: number
  tipo: string
  job_id: string | null
  noticia: { id: number; titulo: string } | null
  dados: Record<string, unknown>
  criado_em: Date
  lida_em: Date | null
}

export function insertNotificacao(
  tx: Db,
  usuarioId: number,
  { tipo, dados }: Pick<NotificacaoRow, 'tipo' | 'dados'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into notificacoes (usuario_id, tipo, dados, criado_em)
    values (${usuarioId}, ${tipo}, ${JSON.stringify(dados)}::jsonb, ${now})`)
}

/** Accounts of people, `u`, that hold a permission. */
const holdsNow = (permissao: string): Sql => sql`
  u.ativo and not u.servico
  and (exists (select from administradores a where a.id = u.id)
    or exists (select from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
               where e.usuario_id = u.id and p.nome = ${permissao}))`

/** One for each account that may read news, but `except`. */
export function insertDaNoticia(
  tx: Db,
  { noticiaId, permissao, except }: { noticiaId: number; permissao: string; except: number | null },
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into notificacoes (usuario_id, tipo, noticia_id, criado_em)
    select u.id, 'noticia', ${noticiaId}, ${now} from usuarios u
    where ${holdsNow(permissao)} and u.id is distinct from ${except} order by u.id`)
}

export interface LeitorAvisado {
  id: number
  admin: boolean
  /** As a territory lists them. */
  territorios: string[]
}

export function listLeitores(db: Db, permissao: string): Promise<LeitorAvisado[]> {
  return db.rows(sql`
    select u.id, territorios_de(u.id) as territorios,
      exists (select from administradores a where a.id = u.id) as admin
    from usuarios u where ${holdsNow(permissao)} order by u.id`)
}

/** Removes those of a kind and content that nobody has read yet, and returns them. */
export function takeUnread(
  tx: Db,
  usuarioIds: readonly number[],
  { tipo, chave }: { tipo: string; chave: Record<string, unknown> },
): Promise<Pick<NotificacaoRow & { usuario_id: number }, 'usuario_id' | 'dados'>[]> {
  return tx.rows(sql`
    delete from notificacoes
    where usuario_id = any(${usuarioIds}::integer[]) and tipo = ${tipo} and lida_em is null
      and dados @> ${JSON.stringify(chave)}::jsonb
    returning usuario_id, dados`)
}

export function insertNotificacoes(
  tx: Db,
  tipo: string,
  novas: readonly { usuario_id: number; dados: Record<string, unknown> }[],
  now: Date,
): Promise<number> {
  const usuarios = novas.map(({ usuario_id }) => usuario_id)
  const dados = novas.map((nova) => JSON.stringify(nova.dados))
  return tx.run(sql`
    insert into notificacoes (usuario_id, tipo, dados, criado_em)
    select n.usuario_id, ${tipo}, n.dados::jsonb, ${now}
    from unnest(${usuarios}::integer[], ${dados}::text[]) as n (usuario_id, dados)`)
}

/** The newest first. */
export function listNotificacoes(db: Db, usuarioId: number, atMost: number): Promise<NotificacaoRow[]> {
  return db.rows(sql`
    select o.id, o.tipo, o.job_id, o.dados, o.criado_em, o.lida_em,
      case when n.id is not null then json_build_object('id', n.id, 'titulo', n.titulo) end as noticia
    from notificacoes o left join noticias n on n.id = o.noticia_id
    where o.usuario_id = ${usuarioId} order by o.id desc limit ${atMost}`)
}

export function countUnread(db: Db, usuarioId: number): Promise<number> {
  return db.value(sql`
    select count(*)::integer from notificacoes where usuario_id = ${usuarioId} and lida_em is null`)
}

export function markRead(db: Db, usuarioId: number, ate: number, now: Date): Promise<number> {
  return db.run(sql`
    update notificacoes set lida_em = ${now}
    where usuario_id = ${usuarioId} and id <= ${ate} and lida_em is null`)
}

export function forgetNotificacoes(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from notificacoes where criado_em < ${before}`)
}
