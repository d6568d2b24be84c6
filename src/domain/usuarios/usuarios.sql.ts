import type { Db } from '../../db/db.ts'
import { type Sql, sql } from '../../db/sql.ts'

export interface NewUsuario {
  nome: string
  email: string
  senha_hash: string
  senha_forca: number
  admin: boolean
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
  idioma: string
  desativado_em: Date | null
  criado_por_id: number | null
}

export async function insertUsuario(db: Db, usuario: NewUsuario, now: Date): Promise<number> {
  const row = await db.first<{ id: number }>(sql`
    insert into usuarios (nome, email, senha_hash, senha_forca, senha_alterada_em, admin, telefone, estado, cidade,
                          funcao, instituicao, idioma, desativado_em, criado_por_id, criado_em, atualizado_em)
    values (${usuario.nome}, ${usuario.email}, ${usuario.senha_hash}, ${usuario.senha_forca}, ${now}, ${usuario.admin},
            ${usuario.telefone}, ${usuario.estado}, ${usuario.cidade}, ${usuario.funcao}, ${usuario.instituicao},
            ${usuario.idioma}, ${usuario.desativado_em}, ${usuario.criado_por_id}, ${now}, ${now})
    returning id`)
  return (row as { id: number }).id
}

export async function anyUsuarioExists(db: Db): Promise<boolean> {
  return (await db.first(sql`select from usuarios limit 1`)) !== null
}

export interface UsuarioRow {
  id: number
  nome: string
  email: string
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
  email_verificado: boolean
  mfa_habilitado: boolean
  senha_forca: number
  senha_alterada_em: Date
  ultimo_login: Date | null
  ultimo_acesso: Date | null
  criado_em: Date
  atualizado_em: Date
}

const USUARIO: Sql = sql`
  id, nome, email, cpf, telefone, estado, cidade, funcao, instituicao, cargo, departamento, admin, ativo,
  email_verificado, mfa_ativado_em is not null as mfa_habilitado, senha_forca, senha_alterada_em,
  ultimo_login, ultimo_acesso, criado_em, atualizado_em`

export function findUsuario(db: Db, id: number): Promise<UsuarioRow | null> {
  return db.first(sql`select ${USUARIO} from usuarios where id = ${id}`)
}

/** The address was proven to be the account's own. */
export function confirmEmail(db: Db, id: number, email: string): Promise<number> {
  return db.run(
    sql`update usuarios set email_verificado = true where id = ${id} and lower(email) = lower(${email})`,
  )
}

/** A change of address that waited for its proof. */
export function applyEmailPendente(db: Db, id: number, email: string, now: Date): Promise<number> {
  return db.run(sql`
    update usuarios set email = email_pendente, email_pendente = null, email_verificado = true, atualizado_em = ${now}
     where id = ${id} and lower(email_pendente) = lower(${email})`)
}

export interface GrupoDoUsuario {
  id: number
  nome: string
  descricao: string | null
}

export function listGruposOf(db: Db, usuarioId: number): Promise<GrupoDoUsuario[]> {
  return db.rows(sql`
    select g.id, g.nome, g.descricao from usuarios_grupos ug join grupos g on g.id = ug.grupo_id
     where ug.usuario_id = ${usuarioId} order by g.id`)
}

export function listPermissoesDiretas(db: Db, usuarioId: number): Promise<GrupoDoUsuario[]> {
  return db.rows(sql`
    select p.id, p.nome, p.descricao from usuarios_permissoes up join permissoes p on p.id = up.permissao_id
     where up.usuario_id = ${usuarioId} order by p.id`)
}

export function insertUsuarioPermissoes(db: Db, usuarioId: number, permissoesIds: number[]): Promise<number> {
  return db.run(sql`
    insert into usuarios_permissoes (usuario_id, permissao_id)
    select ${usuarioId}, unnest(${permissoesIds}::int[]) on conflict do nothing`)
}

export function insertUsuarioGrupoByNome(db: Db, usuarioId: number, grupo: string): Promise<number> {
  return db.run(sql`
    insert into usuarios_grupos (usuario_id, grupo_id) select ${usuarioId}, id from grupos where nome = ${grupo}`)
}
