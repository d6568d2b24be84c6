import type { Plano } from '../../caller/planos.ts'
import type { LugarDoTerritorio } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'
import type { PermissaoRow } from '../permissoes/permissoes.sql.ts'

export interface UsuarioRow {
  id: number
  nome: string
  email: string
  email_pendente: string | null
  cpf: string | null
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
  cargo: string | null
  departamento: string | null
  admin: boolean
  ativo: boolean
  /** Of a machine: keys instead of a password. */
  servico: boolean
  plano: Plano
  email_verificado: boolean
  mfa_habilitado: boolean
  senha_forca: number
  senha_alterada_em: Date
  ultimo_login: Date | null
  ultimo_acesso: Date | null
  desativado_em: Date | null
  criado_por_id: number | null
  atualizado_por_id: number | null
  criado_em: Date
  atualizado_em: Date
  foto_versao: string | null
  /** Places that bound the account, the largest first; none: the whole country. */
  territorios: LugarDoTerritorio[]
}

const USUARIO: Sql = sql`
  u.id, u.nome, u.email, u.email_pendente, u.cpf, u.telefone, u.estado, u.cidade, u.funcao, u.instituicao, u.cargo,
  u.departamento, u.admin, u.ativo, u.servico, u.plano, u.email_verificado, u.mfa_ativado_em is not null as mfa_habilitado,
  u.senha_forca, u.senha_alterada_em, u.ultimo_login, u.ultimo_acesso, u.desativado_em, u.criado_por_id,
  u.atualizado_por_id, u.criado_em, u.atualizado_em,
  (select f.versao from fotos_de_perfil f where f.usuario_id = u.id) as foto_versao,
  coalesce((select json_agg(json_build_object('nivel', t.nivel, 'codigo', t.codigo) order by length(t.codigo), t.codigo)
              from usuarios_territorios t where t.usuario_id = u.id), '[]') as territorios`

export function findUsuario(db: Db, id: number): Promise<UsuarioRow | null> {
  return db.first(sql`select ${USUARIO} from usuarios u where u.id = ${id}`)
}

/**
 * Serialises changes of one account: locks it, then reads it, so that the row includes the previous change. `no key update`
 * leaves its key free for foreign keys: a change names its author, so two that change each other would deadlock.
 */
export async function findUsuarioForUpdate(db: Db, id: number): Promise<UsuarioRow | null> {
  await db.run(sql`select from usuarios where id = ${id} for no key update`)
  return findUsuario(db, id)
}

/** Accounts of an address in canonical form, and of a CPF. */
export function findContasOf(
  db: Db,
  { email, cpf }: { email: string | null; cpf: string | null },
): Promise<{ por_email: number | null; por_cpf: number | null }> {
  return db.one(sql`
    select (select id from usuarios where lower(email) = ${email}) as por_email,
           (select id from usuarios where cpf = ${cpf}) as por_cpf`)
}

export interface GrupoDoUsuario {
  id: number
  nome: string
  descricao: string | null
}

/** An account with its groups and permissions, aggregated in the same statement. */
export interface UsuarioWithRights extends UsuarioRow {
  grupos: (GrupoDoUsuario & { permissoes_count: number })[]
  permissoes_diretas: PermissaoRow[]
  permissoes_efetivas: string[]
}

const RIGHTS: Sql = sql`
  coalesce((select json_agg(json_build_object('id', g.id, 'nome', g.nome, 'descricao', g.descricao, 'permissoes_count',
                              (select count(*) from grupos_permissoes gp where gp.grupo_id = g.id)) order by g.id)
              from usuarios_grupos ug join grupos g on g.id = ug.grupo_id where ug.usuario_id = u.id), '[]') as grupos,
  coalesce((select json_agg(json_build_object('id', p.id, 'nome', p.nome, 'descricao', p.descricao) order by p.id)
              from usuarios_permissoes up join permissoes p on p.id = up.permissao_id
             where up.usuario_id = u.id), '[]') as permissoes_diretas,
  case when u.admin or exists (select from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                                where e.usuario_id = u.id and p.nome = 'admin')
       then array(select p.nome from permissoes p order by p.id)
       else array(select p.nome from permissoes_efetivas e join permissoes p on p.id = e.permissao_id
                   where e.usuario_id = u.id order by p.id) end as permissoes_efetivas`

export function findUsuarioWithRights(db: Db, id: number): Promise<UsuarioWithRights | null> {
  return db.first(sql`select ${USUARIO}, ${RIGHTS} from usuarios u where u.id = ${id}`)
}

/** Accounts with these ids, in the order of the ids. */
export function listUsuariosWithRights(db: Db, ids: number[]): Promise<UsuarioWithRights[]> {
  return db.rows(sql`
    select ${USUARIO}, ${RIGHTS}
      from unnest(${ids}::int[]) with ordinality asked (id, place) join usuarios u on u.id = asked.id
     order by asked.place`)
}

/** Marks the address as verified, if it still is the account's. */
export function confirmEmail(db: Db, id: number, email: string): Promise<number> {
  return db.run(
    sql`update usuarios set email_verificado = true where id = ${id} and lower(email) = lower(${email})`,
  )
}

export function dropEmailPendente(db: Db, id: number): Promise<number> {
  return db.run(
    sql`update usuarios set email_pendente = null where id = ${id} and email_pendente is not null`,
  )
}

/** Applies a pending change of address and keeps the replaced one, so that it can be restored. */
export function applyEmailPendente(db: Db, id: number, email: string, now: Date): Promise<number> {
  return db.run(sql`
    with anterior as (select email from usuarios where id = ${id}),
         trocado as (
           update usuarios set email = email_pendente, email_pendente = null, email_verificado = true, atualizado_em = ${now}
            where id = ${id} and lower(email_pendente) = lower(${email})
           returning id)
    insert into emails_anteriores (usuario_id, email, trocado_em)
    select trocado.id, anterior.email, ${now} from trocado, anterior`)
}

export function forgetOldEmailsAnteriores(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from emails_anteriores where trocado_em < ${before}`)
}
