import type { Origin } from '../../caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { enqueueEmail } from '../emails/emails.ts'
import type { PermissaoRow } from '../permissoes/permissoes.sql.ts'
import { findPermissoes, type PermissaoRef } from '../permissoes/permissoes.ts'
import { passwordProblems, strengthOf } from '../senhas/regras.ts'
import {
  insertUsuario,
  insertUsuarioGrupoByNome,
  insertUsuarioPermissoes,
  type UsuarioRow,
} from './usuarios.sql.ts'
import { getUsuario } from './usuarios.ts'

export interface SignupInput {
  nome: string
  email: string
  senha: string
  admin: boolean
  ativo: boolean
  telefone: string | null
  estado: string | null
  cidade: string | null
  funcao: string | null
  instituicao: string | null
  permissoes: PermissaoRef[]
  permissoes_ids: number[]
  idioma: string
}

type Needs = Pick<App, 'db' | 'clock' | 'passwords' | 'passwordPolicy' | 'masterKey' | 'auditoria' | 'mailer'>

const DEFAULT_GROUP = 'usuario'

/** The master key stands for an administrator: it is looked at first, and with a wrong one nothing else is. */
export async function signup(
  app: Needs,
  masterKey: string,
  input: SignupInput,
  origin: Origin,
): Promise<{ usuario: UsuarioRow; permissoes: PermissaoRow[] }> {
  if (!app.masterKey.matches(masterKey)) {
    await app.db.transaction((tx) =>
      app.auditoria.record(tx, { acao: 'cadastro.recusado', ator: null, origin }),
    )
    throw new AppError('INVALID_MASTER_KEY')
  }
  const { permissoes, problems } = await resolvePermissoes(app, input)
  problems.push(...passwordProblems(input.senha, app.passwordPolicy, ['senha']))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  const senha_hash = await app.passwords.hash(input.senha)
  const now = app.clock.now()
  const usuario = await app.db.transaction(async (tx) => {
    const { nome, email, admin, telefone, estado, cidade, funcao, instituicao, idioma } = input
    const desativado_em = input.ativo ? null : now
    const senha_forca = strengthOf(input.senha)
    const profile = { nome, email, admin, telefone, estado, cidade, funcao, instituicao, idioma }
    const id = await insertUsuario(
      tx,
      { ...profile, senha_hash, senha_forca, desativado_em, criado_por_id: null },
      now,
    )
    await insertUsuarioGrupoByNome(tx, id, DEFAULT_GROUP)
    await insertUsuarioPermissoes(
      tx,
      id,
      permissoes.map((permissao) => permissao.id),
    )
    await enqueueEmail(tx, { tipo: 'verificar_email', para: email, usuario_id: id })
    const detalhes = { admin, permissoes: permissoes.map((permissao) => permissao.nome) }
    await app.auditoria.record(tx, {
      acao: 'usuario.criado',
      ator: null,
      origin,
      recurso: 'usuario',
      recurso_id: id,
      detalhes,
    })
    return getUsuario({ db: tx }, id)
  })
  app.mailer.wake()
  return { usuario, permissoes }
}

/** The ids beside the user and the records inside it are reported apart. */
async function resolvePermissoes({ db }: Pick<App, 'db'>, { permissoes, permissoes_ids }: SignupInput) {
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
  const found = new Map([...byId.found, ...byRef.found].map((permissao) => [permissao.id, permissao]))
  return { permissoes: [...found.values()].sort((a, b) => a.id - b.id), problems }
}
