import { AppError } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { countRecusa } from '../auditoria/recusas.ts'
import type { ConsoleCaller } from '../sessoes/console.ts'
import { sha256 } from '../sessoes/tokens.ts'
import {
  type ConcluirNeeds,
  type Entrada,
  enter,
  type Navegador,
  proveConta,
  recordRecusa,
} from './concluir.ts'
import { decideConta } from './conta.ts'
import { readPessoa } from './pessoa.ts'
import type { Afirmacao, Provedor, RegrasDoProvedor } from './provedores.ts'
import { type MotivoDoSso, SsoRefusal } from './recusa.ts'
import { askForCode } from './segundo-fator.ts'
import { keepTentativa, newNavegador, redeemTentativa, type Tentativa } from './tentativas.ts'

/**
 * Single sign-on by OpenID Connect, in the browser:
 *
 *   /entrar/oidc/{id} ──▶ provider ──▶ /entrar/oidc/{id}/retorno ──▶ console, or the sign-in that asks for the second factor
 *
 * Every refusal is a `SsoRefusal`.
 */
type Needs = ConcluirNeeds & Pick<App, 'cipher' | 'provedores' | 'publicUrl'>

const MAX_PARAMETER = 4_000

function provedorOf({ provedores }: Pick<App, 'provedores'>, id: string): Provedor {
  const provedor = provedores.find(id)
  if (provedor === null) throw new SsoRefusal('provedor_desconhecido')
  return provedor
}

const returnUrl = ({ publicUrl }: Pick<App, 'publicUrl'>, id: string) =>
  `${publicUrl}/entrar/oidc/${id}/retorno`

/** Returns the address of the provider, and the value of the cookie that binds the attempt to the browser. */
export async function beginSso(
  app: Needs,
  id: string,
  { volta, previous }: { volta: string; previous: string | null },
): Promise<{ url: string; navegador: string }> {
  const { url, state, segredos } = await provedorOf(app, id).begin(returnUrl(app, id))
  const navegador = newNavegador()
  const cookie_anterior_hash = previous === null ? null : sha256(previous)
  await keepTentativa(app, { provedor: id, segredos, volta, cookie_anterior_hash }, state, navegador)
  return { url, navegador }
}

export type SsoOutcome =
  | { kind: 'open'; caller: ConsoleCaller; volta: string }
  /** The second factor is missing: the sign-in asks for it, with this value of the cookie. */
  | { kind: 'code'; navegador: string; volta: string }

export async function finishSso(
  app: Needs,
  id: string,
  /** As the provider sent the browser back. */
  search: URLSearchParams,
  { cookie, ...navegador }: Navegador & { cookie: string | null },
): Promise<SsoOutcome> {
  const { tentativa, afirmacao, regras } = await identify(app, id, search, cookie).catch(async (error) => {
    // Anybody can be refused here: they are counted, not recorded one by one.
    if (error instanceof SsoRefusal) await countRecusa(app, 'sso.recusado', navegador.origin)
    throw error
  })
  const { volta, cookie_anterior_hash } = tentativa
  try {
    const pessoa = readPessoa(regras, afirmacao)
    const decisao = await decideConta(app, app.db, regras, pessoa)
    const entrada: Entrada = { regras, pessoa, decisao, cookie_anterior_hash }
    if (await needsCode(app, entrada, navegador))
      return { kind: 'code', navegador: await askForCode(app, entrada), volta }
    return { kind: 'open', caller: await enter(app, entrada, navegador), volta }
  } catch (error) {
    throw await recorded(app, id, navegador, error)
  }
}

/** The person whom the provider names, for an attempt of this browser. */
async function identify(
  app: Needs,
  id: string,
  search: URLSearchParams,
  cookie: string | null,
): Promise<{ tentativa: Tentativa; afirmacao: Afirmacao; regras: RegrasDoProvedor }> {
  const provedor = provedorOf(app, id)
  const [state, ...others] = search.getAll('state')
  const isTooLong = [...search.values()].some((value) => value.length > MAX_PARAMETER)
  if (!state || others.length > 0 || isTooLong || cookie === null) throw new SsoRefusal('tentativa_invalida')
  const tentativa = await redeemTentativa(app, id, state, cookie)
  const answer = new URL(`${returnUrl(app, id)}?${search}`)
  const afirmacao = await provedor.finish(answer, state, tentativa.segredos)
  return { tentativa, afirmacao, regras: provedor.regras }
}

async function needsCode(app: Needs, { decisao, pessoa }: Entrada, { origin }: Navegador): Promise<boolean> {
  if (decisao.kind === 'create') return false
  const { usuario } = await proveConta(app, decisao.usuario_id, origin)
  return usuario.mfa_ativo && !pessoa.provedMfa
}

/** Refusals of the account, as reasons; each is recorded, since the provider vouches for the person. */
async function recorded(
  app: Needs,
  provedor: string,
  { origin }: Navegador,
  error: unknown,
): Promise<unknown> {
  const motivo = motivoOf(error)
  if (motivo === null) return error
  await recordRecusa(app, provedor, motivo, origin)
  return error instanceof SsoRefusal ? error : new SsoRefusal(motivo)
}

function motivoOf(error: unknown): MotivoDoSso | null {
  if (error instanceof SsoRefusal) return error.motivo
  if (!(error instanceof AppError)) return null
  if (error.is('ACCOUNT_LOCKED')) return 'conta_bloqueada'
  // Deactivated, or its password changed, at the same moment.
  return error.is('ACCOUNT_INACTIVE') || error.is('INVALID_CREDENTIALS') ? 'conta_desativada' : null
}
