import type { Cipher, KeyedHash } from '../cipher.ts'
import { type CampoSigiloso, type Campos, CHAVES_DE_SIGILO, type Sigilo } from './campos.ts'

/** What tells who a patient is: sealed before it reaches the database, opened only for those who ask by right. */

export interface Selado {
  /** Null when there is nothing to hide. */
  sigilo: Buffer | null
  paciente_iniciais: string | null
  /** Its first five digits. */
  cep_setor: string | null
  cep_chave: Buffer | null
  latitude_aproximada: number | null
  longitude_aproximada: number | null
}

type Chave = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'>

/** A sealed value is bound to its case: copied to another one, it does not open. */
const contextOf = (caso: Chave) =>
  JSON.stringify(['casos', caso.tipo_agravo, caso.numero_notificacao, caso.data_notificacao])

export function seal(cipher: Cipher, cepKey: KeyedHash, campos: Campos): Selado {
  const told: Record<string, unknown> = {}
  for (const [nome, chave] of CHAVES_DE_SIGILO) if (campos[nome] !== null) told[chave] = campos[nome]
  const text = JSON.stringify(told)
  return {
    sigilo: text === '{}' ? null : cipher.encrypt(Buffer.from(text), contextOf(campos)),
    paciente_iniciais: campos.paciente_nome === null ? null : initialsOf(campos.paciente_nome),
    cep_setor: campos.cep_residencia?.slice(0, 5) ?? null,
    cep_chave: campos.cep_residencia === null ? null : cepKey(campos.cep_residencia).subarray(0, 16),
    latitude_aproximada: campos.latitude === null ? null : roughly(campos.latitude),
    longitude_aproximada: campos.longitude === null ? null : roughly(campos.longitude),
  }
}

export function unseal(cipher: Cipher, caso: Chave & { sigilo: Buffer | null }): Sigilo {
  const told =
    caso.sigilo === null ? {} : JSON.parse(cipher.decrypt(caso.sigilo, contextOf(caso)).toString('utf8'))
  return Object.fromEntries(
    CHAVES_DE_SIGILO.map(([nome, chave]) => [nome, told[chave] ?? null]),
  ) as unknown as Sigilo
}

/** The whole record of a case, decrypted, for use-cases that change it. */
export function toCampos(
  cipher: Cipher,
  row: Omit<Campos, CampoSigiloso> & { sigilo: Buffer | null },
): Campos {
  return { ...row, ...unseal(cipher, row) }
}

const roughly = (degrees: number) => Math.round(degrees * 100) / 100

const PARTICLES = new Set(['da', 'das', 'de', 'do', 'dos', 'e', 'di', 'du', 'del', "d'"])

/** As nearly all names are written; the classes of Unicode take several times as long. */
const PLAIN = /^[A-Za-zÀ-ÖØ-öø-ÿ]+(?: [A-Za-zÀ-ÖØ-öø-ÿ]+)*$/

/** `Maria da Silva Santos` → `M. S. S.` */
export function initialsOf(nome: string): string {
  const parts = PLAIN.test(nome) ? nome.split(' ') : namesIn(nome)
  const names = parts.filter((part) => !PARTICLES.has(part.toLowerCase()))
  return (names.length > 0 ? names : parts)
    .map((part) => `${/[\p{L}\p{N}]/u.exec(part)?.[0].toUpperCase()}.`)
    .join(' ')
}

function namesIn(nome: string): string[] {
  // Composed, so that an accent written apart does not end a name.
  return nome
    .normalize('NFC')
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
}
