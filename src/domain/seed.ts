import { DEFAULT_GROUPS, PERMISSIONS } from '../caller/permissions.ts'
import { StartupError } from '../config/config.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { DEFAULT_LANGUAGE } from '../errors/texts.ts'
import type { App } from './app.ts'
import { seedAgravos } from './casos/agravos/semear.ts'
import { insertGrupoPadrao, insertGrupoPermissoesByNome } from './grupos/grupos.sql.ts'
import { insertPermissaoPadrao } from './permissoes/permissoes.sql.ts'
import { brokenRules, generatePassword, strengthOf } from './senhas/rules.ts'
import { anyUsuarioExists, insertUsuario } from './usuarios/usuarios.sql.ts'

export interface FirstAdministrador {
  email: string
  /** Null when the operator chose it. */
  generatedPassword: string | null
}

/**
 * Seeds an installation: permissions, default groups, disease types and, while there is no account at all, the
 * administrator. Safe to run at every start and by several instances at once. A default group gets its permissions
 * when it is made; later changes by administrators stay.
 */
export async function seed(
  { db, ...needs }: Pick<App, 'db' | 'passwords' | 'passwordPolicy' | 'clock'>,
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
    await seedAgravos(tx, needs.clock.now())
    return (await anyUsuarioExists(tx)) ? null : createAdministrador(tx, needs, admin)
  })
}

const FIRST_ADMINISTRADOR = {
  nome: 'Administrador',
  admin: true,
  telefone: null,
  estado: null,
  cidade: null,
  funcao: null,
  instituicao: null,
  cpf: null,
  cargo: null,
  departamento: null,
  plano: 'enterprise' as const,
  idioma: DEFAULT_LANGUAGE,
  servico: false,
  desativado_em: null,
  criado_por_id: null,
}

async function createAdministrador(
  tx: Db,
  { passwords, passwordPolicy, clock }: Pick<App, 'passwords' | 'passwordPolicy' | 'clock'>,
  { email, password }: { email: string; password: string | null },
): Promise<FirstAdministrador> {
  const generatedPassword = password === null ? generatePassword() : null
  const senha = password ?? (generatedPassword as string)
  const broken = brokenRules(senha, passwordPolicy)
  if (broken.length > 0)
    throw new StartupError(`ADMIN_PASSWORD breaks the password rules: ${broken.join(', ')}`)
  const senha_hash = await passwords.hash(senha, null)
  await insertUsuario(
    tx,
    {
      ...FIRST_ADMINISTRADOR,
      email,
      senha_hash,
      senha_forca: strengthOf(senha),
      trocar_senha: generatedPassword !== null,
    },
    clock.now(),
  )
  return { email, generatedPassword }
}
