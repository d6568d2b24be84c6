import type { Cipher } from '../cipher.ts'
import type { AuditoriaRow } from './auditoria.sql.ts'

/**
 * Reasons in the audit that people may write a patient's name into: sealed, bound to action, actor and cases, and opened only for
 * readers who may identify patients.
 */

interface Sobre {
  acao: string
  /** Account that gave the reason. */
  ator_id: number
  casos: readonly number[]
}

const contextOf = ({ acao, ator_id, casos }: Sobre) => `auditoria/${acao}/${ator_id}/${casos.join(',')}`

/** Details of a record about cases that somebody gave a reason to look at. */
export const detalhesComMotivo = (cipher: Cipher, motivo: string, sobre: Sobre) => ({
  motivo_cifrado: cipher.encrypt(Buffer.from(motivo), contextOf(sobre)).toString('base64'),
  casos: sobre.casos,
})

/** The record with its reason in words, or with null in its place: not for this reader, or changed since (`verify` tells where). */
export function openMotivo(cipher: Cipher, row: AuditoriaRow, mayRead: boolean): AuditoriaRow {
  const { motivo_cifrado, ...detalhes } = row.detalhes
  if (typeof motivo_cifrado !== 'string') return row
  const sobre = { acao: row.acao, ator_id: row.ator_id ?? 0, casos: (detalhes.casos ?? []) as number[] }
  const motivo = mayRead ? opened(cipher, motivo_cifrado, contextOf(sobre)) : null
  return { ...row, detalhes: { motivo, ...detalhes } }
}

function opened(cipher: Cipher, sealed: string, context: string): string | null {
  try {
    return cipher.decrypt(Buffer.from(sealed, 'base64'), context).toString('utf8')
  } catch {
    return null
  }
}
