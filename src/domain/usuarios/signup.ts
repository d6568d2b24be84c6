import type { Origin } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import type { UsuarioWithRights } from '../contas/contas.sql.ts'
import { findPermissoes, type PermissaoRef } from '../permissoes/permissoes.ts'
import { passwordProblems } from '../senhas/rules.ts'
import { readLugares } from '../territorios/lugares.ts'
import { type NewUsuario, storeUsuario } from './create.ts'

export interface SignupInput extends NewUsuario {
  senha: string
  /** Records in addition to the ids, matched by `id`, else by `nome`. */
  permissoes: PermissaoRef[]
}

type Needs = Parameters<typeof storeUsuario>[0] & Pick<App, 'masterKey'>

/** Creates an account with the rights of an administrator, by the master key; a wrong key is refused before anything is checked. */
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
  const { lugares: territorios, problems: unknown } = readLugares(app, input.territorios ?? [])
  problems.push(...unknown)
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return storeUsuario(app, { ...input, permissoes_ids, territorios }, null, origin)
}

/** Unknown ids (`permissoes_ids`) and unknown records (`permissoes`) are separate problems. */
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
