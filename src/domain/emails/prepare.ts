import type { Database, Db } from '../../db/db.ts'
import {
  composeBoletim,
  composeLink,
  composeNotice,
  knownLanguage,
  linkOf,
  type Recipient,
} from './compose.ts'
import {
  type EmailRow,
  findActiveRecipientForUpdate,
  findRecipient,
  type RecipientRow,
} from './emails.sql.ts'
import type { Mail } from './mail.ts'
import type { NoticeTipo, TokenTipo } from './texts/texts.ts'
import { countTokensOfLastHour, issueToken } from './tokens.ts'

/** Composes a queued mail at the moment of sending, with a fresh token; null if there is nothing (left) to send. */

/** Links to choose a password that one account is sent. */
const LINKS_AN_HOUR = 5

export interface Prepared {
  mail: Mail
  /** Plain token of its link. */
  token: string | null
}

interface Needs {
  db: Database
  publicUrl: string
}

export async function prepareEmail(needs: Needs, email: EmailRow, now: Date): Promise<Prepared | null> {
  const { tipo } = email
  switch (tipo) {
    case 'redefinir_senha':
      return prepareReset(needs, email, now)
    case 'verificar_email':
      return prepareVerification(needs, email, now)
    case 'convite':
      return prepareConvite(needs, email, now)
    case 'senha_alterada':
    case 'senha_definida':
    case 'email_alterado':
    case 'email_devolvido':
    case 'mfa_ativado':
    case 'mfa_desativado':
    case 'mfa_encerrado':
    case 'codigos_renovados':
    case 'sessoes_encerradas':
    case 'identidade_vinculada':
    case 'identidade_desvinculada':
    case 'webhook_desligado':
    case 'muitas_fusoes':
      return prepareNotice(needs, tipo, email, now)
    case 'boletim_pronto':
      return prepareBoletim(needs, email)
    default:
      // Queued by a newer version, which shares the table and will send it.
      throw new Error(`unknown kind of mail: ${tipo satisfies never}`)
  }
}

async function prepareReset({ db, publicUrl }: Needs, email: EmailRow, now: Date): Promise<Prepared | null> {
  const issued = await db.transaction(async (tx) => {
    const usuario = await findActiveRecipientForUpdate(tx, email.para)
    if (usuario === null) return null
    const { usuario_id } = usuario
    const sent = await countTokensOfLastHour(tx, { usuario_id, tipo: 'redefinir_senha' }, now)
    if (sent >= LINKS_AN_HOUR) return null
    const token = await issueToken(tx, { tipo: 'redefinir_senha', usuario_id, email: usuario.email }, now)
    return { usuario, token }
  })
  if (issued === null) return null
  // To the stored address, not the typed one: an address that compares equal may be somebody else's.
  const recipient = toRecipient(email, issued.usuario, issued.usuario.email)
  const url = linkOf('redefinir_senha', publicUrl, issued.token)
  return { mail: composeLink('redefinir_senha', recipient, url), token: issued.token }
}

async function prepareVerification(
  { db, publicUrl }: Needs,
  email: EmailRow,
  now: Date,
): Promise<Prepared | null> {
  const usuario = await findUsuario(db, email)
  // Changed again meanwhile: this address must not be verified any more.
  if (usuario === null || ![usuario.email, usuario.email_pendente].some(sameAs(email.para))) return null
  const { usuario_id } = usuario
  const token = await issueToken(db, { tipo: 'verificar_email', usuario_id, email: email.para }, now)
  const recipient = toRecipient(email, usuario, email.para)
  return {
    mail: composeLink('verificar_email', recipient, linkOf('verificar_email', publicUrl, token)),
    token,
  }
}

/** Nothing for an account that was deactivated, got another address or has been entered meanwhile. */
async function prepareConvite(
  { db, publicUrl }: Needs,
  email: EmailRow,
  now: Date,
): Promise<Prepared | null> {
  const usuario = await findUsuario(db, email)
  if (usuario === null || !usuario.ativo || usuario.entrou || !sameAs(email.para)(usuario.email)) return null
  const { usuario_id } = usuario
  const sent = await countTokensOfLastHour(db, { usuario_id, tipo: 'convite' }, now)
  if (sent >= LINKS_AN_HOUR) return null
  const token = await issueToken(db, { tipo: 'convite', usuario_id, email: usuario.email }, now)
  const recipient = toRecipient(email, usuario, usuario.email)
  return { mail: composeLink('convite', recipient, linkOf('convite', publicUrl, token)), token }
}

/** Without a token: the console asks for the account's own login. */
async function prepareBoletim({ db, publicUrl }: Needs, email: EmailRow): Promise<Prepared | null> {
  const usuario = await findUsuario(db, email)
  const { boletim_id, boletim } = email
  if (usuario === null || !usuario.ativo || boletim_id === null || boletim === null) return null
  const url = `${publicUrl}/boletins/${boletim_id}`
  return { mail: composeBoletim(toRecipient(email, usuario, usuario.email), boletim, url), token: null }
}

/** Kind of the token that undoes a change, by its notice. */
const UNDO: Partial<Record<NoticeTipo, TokenTipo>> = {
  email_alterado: 'desfazer_email',
  mfa_ativado: 'desfazer_mfa',
}

async function prepareNotice(
  { db, publicUrl }: Needs,
  tipo: NoticeTipo,
  email: EmailRow,
  now: Date,
): Promise<Prepared | null> {
  const usuario = await findUsuario(db, email)
  if (usuario === null) return null
  const { usuario_id, trocar_senha } = usuario
  const undo = mayUndo(usuario, email.para) ? UNDO[tipo] : undefined
  const token = undo ? await issueToken(db, { tipo: undo, usuario_id, email: email.para }, now) : null
  const facts = {
    instant: email.criado_em,
    trocar_senha,
    pending: sameAs(email.para)(usuario.email),
  }
  const url = undo && token ? linkOf(undo, publicUrl, token) : null
  return { mail: composeNotice(tipo, toRecipient(email, usuario, email.para), facts, url), token }
}

/** False for an address that an administrator replaced. */
function mayUndo({ email, emails_anteriores }: RecipientRow, para: string): boolean {
  return [email, ...emails_anteriores].some(sameAs(para))
}

async function findUsuario(db: Db, { usuario_id }: EmailRow): Promise<RecipientRow | null> {
  return usuario_id === null ? null : findRecipient(db, usuario_id)
}

function toRecipient(email: EmailRow, usuario: RecipientRow, to: string): Recipient {
  return { to, nome: usuario.nome, idioma: knownLanguage(email.idioma ?? usuario.idioma) }
}

const sameAs = (email: string) => (other: string | null) => other?.toLowerCase() === email.toLowerCase()
