import type { Caller, Origin } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import type { Entry } from '../auditoria/auditoria.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import { enqueueEmail } from '../emails/emails.ts'
import { gruposByNome, syncMembro } from '../grupos/membros.ts'
import { findIdentidade, insertIdentidade, touchIdentidade } from '../identidades/identidades.ts'
import { type ConsoleCaller, openConsoleOf } from '../sessoes/console.ts'
import { findCredentialsById } from '../sessoes/credentials.ts'
import { locked } from '../sessoes/lockout.ts'
import type { Proven } from '../sessoes/login.ts'
import { storeUsuarioOfProvedor, unknownPassword } from '../usuarios/create.ts'
import { type DecisaoDoSso, subHashOf } from './conta.ts'
import type { Pessoa } from './pessoa.ts'
import type { RegrasDoProvedor } from './provedores.ts'
import { type MotivoDoSso, SsoRefusal } from './recusa.ts'

/** The end of a single sign-on: links or creates the account, sets its groups and opens the session of the console. */

export type ConcluirNeeds = Pick<
  App,
  'db' | 'clock' | 'passwords' | 'lockout' | 'auditoria' | 'mailer' | 'callers' | 'identidadeKey'
>

export interface Entrada {
  regras: RegrasDoProvedor
  pessoa: Pessoa
  decisao: DecisaoDoSso
  cookie_anterior_hash: Buffer | null
}

/** Of the request. */
export interface Navegador {
  origin: Origin
  /** Language of the browser, if stated. */
  idioma: string | null
}

/** Refuses as the login by password does: locked first, then inactive. */
export async function proveConta(
  app: Pick<App, 'db' | 'clock' | 'lockout'>,
  usuarioId: number,
  origin: Origin,
): Promise<Proven> {
  const usuario = await findCredentialsById(app.db, usuarioId)
  if (usuario === null) throw new SsoRefusal('sem_conta')
  const attempt = app.lockout.attempt(usuario.email, origin)
  const lockedUntil = await app.lockout.lockedUntil(app.db, attempt, app.clock.now())
  if (lockedUntil !== null) {
    await countRecusa(app, 'login.recusado', origin)
    throw locked(lockedUntil)
  }
  if (!usuario.ativo) throw new AppError('ACCOUNT_INACTIVE')
  return { usuario, attempt }
}

/** Two transactions: a session that cannot be opened leaves an account that is linked, which is entered the next time. */
export async function enter(
  app: ConcluirNeeds,
  entrada: Entrada,
  navegador: Navegador,
  /** Runs first in the transaction that links. */
  claim: (tx: Db) => Promise<void> = async () => {},
): Promise<ConsoleCaller> {
  const usuarioId = await settle(app, entrada, navegador, claim)
  app.mailer.wake()
  const proven = await proveConta(app, usuarioId, navegador.origin)
  const sso = { provedor: entrada.regras.id, mfa_do_provedor: entrada.pessoa.provedMfa }
  const session = { lembrar: false, idioma: navegador.idioma, sso }
  return openConsoleOf(app, proven, session, navegador.origin, entrada.cookie_anterior_hash)
}

type Ator = Pick<Caller, 'id' | 'nome'>

async function settle(
  app: ConcluirNeeds,
  entrada: Entrada,
  navegador: Navegador,
  claim: (tx: Db) => Promise<void>,
): Promise<number> {
  const { regras, decisao } = entrada
  // Before the transaction: hashing waits for its turn.
  const senhaHash =
    decisao.kind === 'create' ? await app.passwords.hash(unknownPassword(), navegador.origin) : ''
  try {
    return await app.db.transaction(async (tx) => {
      await claim(tx)
      const { ator, entries } = await settleConta(app, tx, entrada, senhaHash, navegador)
      entries.push(...(await settleGrupos(tx, entrada, ator.id, navegador.origin)))
      if (decisao.kind !== 'linked') entries.push(linking(ator, regras, navegador.origin))
      // Last: a record locks the end of the chain until the commit.
      for (const entry of entries) await app.auditoria.record(tx, entry)
      return ator.id
    })
  } catch (error) {
    throw refusalOf(error)
  }
}

function linking(ator: Ator, { id }: RegrasDoProvedor, origin: Origin): Entry {
  const recurso = { recurso: 'usuario', recurso_id: ator.id, detalhes: { provedor: id } }
  return { acao: 'identidade.vinculada', ator, origin, ...recurso }
}

async function settleConta(
  app: ConcluirNeeds,
  tx: Db,
  entrada: Entrada,
  senhaHash: string,
  navegador: Navegador,
): Promise<{ ator: Ator; entries: Entry[] }> {
  const { decisao } = entrada
  if (decisao.kind === 'create') {
    const { id, entry } = await create(app, tx, entrada, decisao.email, senhaHash, navegador)
    await link(app, tx, entrada, id, decisao.email)
    return { ator: { id, nome: nomeOf(entrada.pessoa, decisao.email) }, entries: [entry] }
  }
  const { usuario_id: id } = decisao
  const usuario = await findCredentialsById(tx, id)
  if (usuario === null) throw new SsoRefusal('sem_conta')
  if (decisao.kind === 'link') await link(app, tx, entrada, id, usuario.email)
  else await useLinked(app, tx, entrada, id)
  return { ator: { id, nome: usuario.nome }, entries: [] }
}

const nomeOf = ({ nome }: Pessoa, email: string) => nome ?? (email.split('@')[0] as string)

async function create(
  app: ConcluirNeeds,
  tx: Db,
  { regras, pessoa }: Entrada,
  email: string,
  senhaHash: string,
  { origin, idioma }: Navegador,
) {
  const grupos_ids = await gruposByNome(tx, regras.criar?.grupos ?? [])
  if (grupos_ids === null) throw new SsoRefusal('grupos_invalidos')
  const nome = nomeOf(pessoa, email)
  const usuario = { nome, email, cpf: pessoa.cpf, idioma: idioma ?? 'pt-BR', grupos_ids }
  return storeUsuarioOfProvedor(app, tx, usuario, senhaHash, { provedor: regras.id, origin })
}

async function link(
  app: ConcluirNeeds,
  tx: Db,
  { regras, pessoa }: Entrada,
  usuario_id: number,
  email: string,
): Promise<void> {
  const identidade = { usuario_id, provedor: regras.id, sub_hash: subHashOf(app, regras.id, pessoa.sub) }
  const id = await insertIdentidade(tx, identidade, app.clock.now())
  // Linked by a request at the same moment: beginning again finds it.
  if (id === null) throw new SsoRefusal('ja_vinculada')
  await enqueueEmail(tx, { tipo: 'identidade_vinculada', para: email, usuario_id })
}

/** Unlinked meanwhile, or linked to another account: not entered. */
async function useLinked(
  app: ConcluirNeeds,
  tx: Db,
  { regras, pessoa }: Entrada,
  usuarioId: number,
): Promise<void> {
  const identidade = await findIdentidade(tx, regras.id, subHashOf(app, regras.id, pessoa.sub))
  if (identidade?.usuario_id !== usuarioId) throw new SsoRefusal('tentativa_invalida')
  await touchIdentidade(tx, identidade.id, app.clock.now())
}

async function settleGrupos(
  tx: Db,
  { regras, pessoa }: Entrada,
  usuarioId: number,
  origin: Origin,
): Promise<Entry[]> {
  if (regras.grupos === null || pessoa.grupos === null) return []
  const managed = await gruposByNome(tx, Object.values(regras.grupos.mapa))
  const wanted = await gruposByNome(tx, pessoa.grupos)
  if (managed === null || wanted === null) throw new SsoRefusal('grupos_invalidos')
  return syncMembro(tx, usuarioId, { managed, wanted }, { provedor: regras.id, origin })
}

/** Problems of the data that the domain refuses, in the words of the single sign-on. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.is('VALIDATION_ERROR')) return error
  const isLastAdmin = error.extras.problems.some(({ code }) => code === 'LAST_ADMIN')
  return new SsoRefusal(isLastAdmin ? 'ultimo_administrador' : 'conflito')
}

/** Of a person whom the provider vouches for; refusals before that are counted by source. */
export async function recordRecusa(
  { db, auditoria }: Pick<App, 'db' | 'auditoria'>,
  provedor: string,
  motivo: MotivoDoSso,
  origin: Origin,
): Promise<void> {
  await db.transaction((tx) =>
    auditoria.record(tx, { acao: 'sso.recusado', ator: null, origin, detalhes: { provedor, motivo } }),
  )
}
