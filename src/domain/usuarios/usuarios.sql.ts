import type { Db } from '../../db/db.ts'
import { sql } from '../../db/sql.ts'

export interface NewUsuario {
  nome: string
  email: string
  senha_hash: string
  admin: boolean
}

export async function insertUsuario(db: Db, usuario: NewUsuario): Promise<number> {
  const row = await db.first<{ id: number }>(sql`
    insert into usuarios (nome, email, senha_hash, admin)
    values (${usuario.nome}, ${usuario.email}, ${usuario.senha_hash}, ${usuario.admin})
    returning id`)
  return (row as { id: number }).id
}

export async function anyUsuarioExists(db: Db): Promise<boolean> {
  return (await db.first(sql`select from usuarios limit 1`)) !== null
}

export interface Credentials {
  id: number
  nome: string
  email: string
  senha_hash: string
  ativo: boolean
}

export function findCredentials(db: Db, email: string): Promise<Credentials | null> {
  return db.first(
    sql`select id, nome, email, senha_hash, ativo from usuarios where lower(email) = lower(${email})`,
  )
}

export function touchUltimoLogin(db: Db, id: number, now: Date): Promise<number> {
  return db.run(sql`update usuarios set ultimo_login = ${now} where id = ${id}`)
}

export interface UsuarioRow {
  id: number
  nome: string
  email: string
  admin: boolean
  ativo: boolean
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
}

export function findUsuario(db: Db, id: number): Promise<UsuarioRow | null> {
  return db.first(sql`
    select id, nome, email, admin, ativo, telefone, estado, cidade, funcao, instituicao
      from usuarios where id = ${id}`)
}
