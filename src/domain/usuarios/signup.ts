import type { Origin } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import { findPermissoes, type PermissaoRef } from '../permissoes/permissoes.ts'
import { passwordProblems } from '../senhas/regras.ts'
import { type NovoUsuario, storeUsuario } from './create.ts'
import type { UsuarioWithRights } from './usuarios.sql.ts'

export interface SignupInput extends NovoUsuario {
  /** Records beside the ids, matched by `id`, else by `nome`. */
  permissoes: PermissaoRef[]
}

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'masterKey' | 'auditoria' | 'mailer'>

/** The master key stands for an administrator: it is looked at first, and with a wrong one nothing else is. */
export async function signup(
  app: Needs,
  masterKey: string,
  input: SignupInput,
  origin: Origin,
): Promise<UsuarioWithRights> {
  if (!app.masterKey.matches(masterKey)) {
    await countRecusa(app, 'cadastro.recusado', origin)
    throw new AppError('INVALID_MASTER_KEY')
  }
  const { permissoes_ids, problems } = await resolvePermissoes(app, input)
  problems.push(...passwordProblems(input.senha, app.passwordPolicy, ['senha']))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return storeUsuario(app, { ...input, permissoes_ids }, null, origin)
}

/** The ids beside the user and the records inside it are reported apart. */
export async function resolvePermissoes(
  { db }: Pick<App, 'db'>,
  { permissoes, permissoes_ids }: { permissoes: PermissaoRef[]; permissoes_ids: number[] },
): Promise<{ permissoes_ids: number[]; problems: Problem[] }> {
  const byId = await findPermissoes(
    db,
    permissoes_ids.map((id) => ({ id })),
  )
  const byRef = await findPermissoes(db, permissoes)
  const problems: Problem[] = []
  if (byId.unknown.length > 0)
    problems.push(problem('body', ['permissoes_ids'], 'UNKNOWN', { ids: byId.unknown }))
  if (byRef.unknown.length > 0)
    problems.push(problem('body', ['permissoes'], 'UNKNOWN', { ids: byRef.unknown }))
  return { permissoes_ids: [...new Set([...byId.found, ...byRef.found].map(({ id }) => id))], problems }
}
