import { normaliseCpf } from '../../brasil/cpf.ts'
import { canonicalEmail } from '../sessoes/lockout.ts'
import type { Afirmacao, RegrasDoProvedor } from './provedores.ts'
import { SsoRefusal } from './recusa.ts'

/** Claims, read by the rules of the provider: a claim of another form than expected is refused, not guessed. */
export interface Pessoa {
  sub: string
  /** Canonical; null without one, or without the provider's word that it was verified. */
  email: string | null
  /** There is an address, which the provider did not verify. */
  hasUnverifiedEmail: boolean
  /** Eleven digits; null where the rules do not link by it, or it is not told. */
  cpf: string | null
  nome: string | null
  /** Names of the groups that the provider gives; null where it decides none. */
  grupos: string[] | null
  /** The provider asked for a second factor, and is trusted with it. */
  provedMfa: boolean
}

const MAX_EMAIL = 254
const MAX_NOME = 255
const MAX_GRUPOS = 500
const MAX_GRUPO = 500
const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u
/** Of RFC 8176, without those that are one factor that somebody else may read (`sms`, `tel`) or know (`pin`, `kba`). */
const SECOND_FACTORS = new Set([
  'mfa',
  'mca',
  'otp',
  'hwk',
  'swk',
  'sc',
  'fpt',
  'face',
  'iris',
  'retina',
  'vbm',
])

export function readPessoa(regras: RegrasDoProvedor, { sub, claims, amr }: Afirmacao): Pessoa {
  const email = readEmail(claims.email)
  // A text is not the word of the standard, and `"false"` would be true.
  const isVerified = claims.email_verified === true
  return {
    sub,
    email: isVerified ? email : null,
    hasUnverifiedEmail: email !== null && !isVerified,
    cpf: readCpf(regras, claims),
    nome: readNome(claims.name),
    grupos: readGrupos(regras, claims),
    provedMfa:
      regras.confia_mfa && amr.some((method) => typeof method === 'string' && SECOND_FACTORS.has(method)),
  }
}

function readEmail(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.length > MAX_EMAIL || !EMAIL.test(claim)) return null
  return canonicalEmail(claim)
}

function readCpf({ vincular, claim_cpf }: RegrasDoProvedor, claims: Afirmacao['claims']): string | null {
  if (claim_cpf === null || !vincular.includes('cpf')) return null
  const claim = claims[claim_cpf]
  if (claim === undefined || claim === null) return null
  const cpf = typeof claim === 'string' ? normaliseCpf(claim) : null
  if (cpf === null) throw new SsoRefusal('cpf_invalido')
  return cpf
}

function readNome(claim: unknown): string | null {
  if (typeof claim !== 'string') return null
  const nome = claim.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()
  return nome === '' || nome.length > MAX_NOME ? null : nome
}

/** Without the claim there are no groups: a provider that forgets it takes rights away, and gives none. */
function readGrupos({ grupos }: RegrasDoProvedor, claims: Afirmacao['claims']): string[] | null {
  if (grupos === null) return null
  const claim = claims[grupos.claim] ?? []
  if (!Array.isArray(claim) || claim.length > MAX_GRUPOS || !claim.every(isGrupo))
    throw new SsoRefusal('grupos_invalidos')
  const { mapa } = grupos
  return [...new Set(claim.flatMap((valor) => (Object.hasOwn(mapa, valor) ? [mapa[valor] as string] : [])))]
}

const isGrupo = (valor: unknown): valor is string => typeof valor === 'string' && valor.length <= MAX_GRUPO
