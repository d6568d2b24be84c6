import {
  type Cipher,
  createKeyedHash,
  createLineHash,
  type KeyedHash,
  type KeyMaterial,
  type LineHash,
} from '../cipher.ts'
import { type Campos, type SecretField, SIGILO_KEYS, type Sigilo } from './campos.ts'
import { jsonWriter } from './json.ts'
import { SIGILOSO } from './proprios.ts'

/** Encryption of the fields that identify a patient, before they reach the database. */

/** Columns made of those fields: the encrypted whole, and what may be queried or shown of it. */
export interface Sealed {
  /** Null where none of the fields has a value. */
  sigilo: Buffer | null
  paciente_iniciais: string | null
  /** Its first five digits. */
  cep_setor: string | null
  cep_chave: Buffer | null
  latitude_aproximada: number | null
  longitude_aproximada: number | null
  /** 64 bits as a decimal number: more than a number of JavaScript holds. */
  duplicado_chave: string | null
}

export const SEALED_COLUMNS = [
  'sigilo',
  'paciente_iniciais',
  'cep_setor',
  'cep_chave',
  'latitude_aproximada',
  'longitude_aproximada',
  'duplicado_chave',
] as const satisfies readonly (keyof Sealed)[]

/** Keyed hashes of secret values that are compared: equal ones are found without being readable. */
export interface Chaves {
  cep: KeyedHash
  duplicado: KeyedHash
  /** Blocking keys of persons, and words of names. */
  identidade: LineHash
}

export const createChaves = (dataKey: KeyMaterial): Chaves => ({
  cep: createKeyedHash(dataKey, 'cep'),
  duplicado: createKeyedHash(dataKey, 'duplicado'),
  identidade: createLineHash(dataKey, 'duplicidade'),
})

type CaseKey = Pick<Campos, 'tipo_agravo' | 'numero_notificacao' | 'data_notificacao'>

/** Binds a sealed value to its case: copied to another one, it does not decrypt. */
export const contextOf = (caso: CaseKey) =>
  JSON.stringify(['casos', caso.tipo_agravo, caso.numero_notificacao, caso.data_notificacao])

/** Plain text of the sealed fields. */
export const sigiloJson = jsonWriter(SIGILO_KEYS, SIGILOSO)

/** `text`: `sigiloJson` of the case. */
export function seal(cipher: Cipher, chaves: Chaves, campos: Campos, text = sigiloJson(campos)): Sealed {
  return {
    sigilo: text === '{}' ? null : cipher.encrypt(Buffer.from(text), contextOf(campos)),
    paciente_iniciais: campos.paciente_nome === null ? null : initialsOf(campos.paciente_nome),
    cep_setor: campos.cep_residencia?.slice(0, 5) ?? null,
    cep_chave: campos.cep_residencia === null ? null : chaves.cep(campos.cep_residencia).subarray(0, 16),
    latitude_aproximada: campos.latitude === null ? null : roughly(campos.latitude),
    longitude_aproximada: campos.longitude === null ? null : roughly(campos.longitude),
    duplicado_chave: duplicadoChave(chaves.duplicado, campos),
  }
}

/**
 * Hash that records of one person share. The birth date alone would have one hash for thousands of records, whose ages and onsets
 * tell the date; with disease, municipality and sex beside it a hash has few.
 */
export function duplicadoChave(key: KeyedHash, campos: Campos): string | null {
  const { tipo_agravo, municipio_residencia, paciente_sexo, paciente_data_nascimento: birth } = campos
  if (birth === null || municipio_residencia === null || paciente_sexo === null) return null
  return String(key(tipo_agravo, String(municipio_residencia), paciente_sexo, birth).readBigInt64BE())
}

export function unseal(cipher: Cipher, caso: CaseKey & { sigilo: Buffer | null }): Sigilo {
  const values =
    caso.sigilo === null ? {} : JSON.parse(cipher.decrypt(caso.sigilo, contextOf(caso)).toString('utf8'))
  const sigilo: Record<string, unknown> = {}
  for (const [nome, key] of SIGILO_KEYS) sigilo[nome] = values[key] ?? null
  for (const key in values) if (!STANDARD_KEYS.has(key)) sigilo[SIGILOSO + key] = values[key]
  return sigilo as unknown as Sigilo
}

const STANDARD_KEYS: ReadonlySet<string> = new Set(SIGILO_KEYS.map(([, key]) => key))

/** The whole record of a case, decrypted, for use-cases that change it. */
export function toCampos(cipher: Cipher, row: Omit<Campos, SecretField> & { sigilo: Buffer | null }): Campos {
  return { ...row, ...unseal(cipher, row) }
}

const roughly = (degrees: number) => Math.round(degrees * 100) / 100

/** Words between the names of a person. */
export const PARTICLES: ReadonlySet<string> = new Set([
  'da',
  'das',
  'de',
  'do',
  'dos',
  'e',
  'di',
  'du',
  'del',
  "d'",
])

/** Fast path for nearly all names: Unicode character classes take several times as long. */
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
