import { AppError, invalid } from '../../errors/catalogue.ts'
import { Type } from '../../http/type.ts'

/** Reason of a deletion. */
export const Motivo = Type.Optional(Type.String({ description: 'Obrigatório; até 500 caracteres' }))

const MAX_MOTIVO = 500

export function fromMotivo({ motivo = '' }: { motivo?: string }): string {
  const text = motivo.trim()
  if (text === '') throw new AppError('MISSING_REASON')
  if ([...text].length > MAX_MOTIVO) throw invalid('query', ['motivo'], 'TOO_LONG', { limit: MAX_MOTIVO })
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid('query', ['motivo'], 'INVALID_FORMAT', { expected: 'text' })
  return text
}
