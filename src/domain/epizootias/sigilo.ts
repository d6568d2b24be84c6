import type { Cipher } from '../cipher.ts'
import type { CampoName, CamposDaEpizootia } from './campos.ts'

/** Encryption of the observation, and of what the history holds of it. */

type Key = Pick<CamposDaEpizootia, 'numero' | 'data_ocorrencia'>

/** Binds a sealed observation to its event: copied to another one, it does not decrypt. */
export const contextOf = ({ numero, data_ocorrencia }: Key) =>
  JSON.stringify(['epizootias', numero, data_ocorrencia])

export const contextOfVersao = (epizootiaId: number, versao: number) =>
  `epizootias_historico/${epizootiaId}/${versao}`

export function seal(cipher: Cipher, campos: Key & Pick<CamposDaEpizootia, 'observacao'>): Buffer | null {
  return campos.observacao === null ? null : cipher.encrypt(Buffer.from(campos.observacao), contextOf(campos))
}

export function unseal(cipher: Cipher, row: Key & { observacao: Buffer | null }): string | null {
  return row.observacao && cipher.decrypt(row.observacao, contextOf(row)).toString('utf8')
}

export interface Mudanca {
  /** Open fields with their values; secret ones by name only. */
  alteracoes: Record<string, [unknown, unknown] | null>
  sigilo: Record<string, unknown>
}

/** Values of secret fields stay out of what is readable in the database. */
export function describeChange(
  before: CamposDaEpizootia,
  after: CamposDaEpizootia,
  alterados: readonly CampoName[],
): Mudanca {
  const mudanca: Mudanca = { alteracoes: {}, sigilo: {} }
  for (const nome of alterados) {
    const values: [unknown, unknown] = [before[nome], after[nome]]
    const isSecret = nome === 'observacao'
    mudanca.alteracoes[nome] = isSecret ? null : values
    if (isSecret) mudanca.sigilo[nome] = values
  }
  return mudanca
}

export function sealHistory(
  cipher: Cipher,
  epizootiaId: number,
  versao: number,
  secret: Record<string, unknown>,
): Buffer | null {
  if (Object.keys(secret).length === 0) return null
  return cipher.encrypt(Buffer.from(JSON.stringify(secret)), contextOfVersao(epizootiaId, versao))
}

export function unsealHistory(
  cipher: Cipher,
  { epizootia_id, versao, sigilo }: { epizootia_id: number; versao: number; sigilo: Buffer | null },
): Record<string, unknown> {
  return sigilo === null
    ? {}
    : JSON.parse(cipher.decrypt(sigilo, contextOfVersao(epizootia_id, versao)).toString('utf8'))
}
