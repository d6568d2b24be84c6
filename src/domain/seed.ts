import { randomBytes } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { DEFAULT_GROUPS, PERMISSIONS } from '../permissions.ts'
import type { App } from './app.ts'
import { insertGrupoPadrao, insertGrupoPermissoesByNome } from './grupos/grupos.sql.ts'
import { insertPermissaoPadrao } from './permissoes/permissoes.sql.ts'
import { anyUsuarioExists, insertUsuario } from './usuarios/usuarios.sql.ts'

export interface FirstAdministrador {
  email: string
  /** Null when the operator chose it. */
  generatedPassword: string | null
}

/**
 * What an installation needs to be used: permissions, default groups and, while there is no account at all, the
 * administrator. Safe to run at every start and by several instances at once. A default group gets its permissions
 * when it is made; what administrators change later stays.
 */
export async function seed(
  { db, passwords }: Pick<App, 'db' | 'passwords'>,
  admin: { email: string; password: string | null },
): Promise<FirstAdministrador | null> {
  return db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(8443003)`)
    for (const [nome, descricao] of Object.entries(PERMISSIONS))
      await insertPermissaoPadrao(tx, { nome, descricao })
    for (const [nome, { descricao, permissoes }] of Object.entries(DEFAULT_GROUPS)) {
      const id = await insertGrupoPadrao(tx, { nome, descricao })
      if (id !== null) await insertGrupoPermissoesByNome(tx, id, permissoes)
    }
    return (await anyUsuarioExists(tx)) ? null : createAdministrador(tx, passwords, admin)
  })
}

async function createAdministrador(
  tx: Db,
  passwords: App['passwords'],
  { email, password }: { email: string; password: string | null },
): Promise<FirstAdministrador> {
  const generatedPassword = password === null ? generatePassword() : null
  const senha_hash = await passwords.hash(password ?? (generatedPassword as string))
  await insertUsuario(tx, { nome: 'Administrador', email, senha_hash, admin: true })
  return { email, generatedPassword }
}

/** 96 random bits, with one character of each class the password rules ask for. */
function generatePassword(): string {
  return `${randomBytes(12).toString('base64url')}-aA1`
}
