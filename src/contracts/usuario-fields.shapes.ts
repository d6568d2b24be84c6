import { UFS } from '../brasil/uf.ts'
import { Type } from '../http/type.ts'

/** Fields of a user that both descriptions take in the same form. */
export const Email = Type.String({ format: 'email', maxLength: 254 })

export const Telefone = Type.String({
  pattern: '^\\(\\d{2}\\) \\d{4,5}-\\d{4}$',
  'x-format': 'phone',
  examples: ['(81) 99999-0000'],
})

export const NullableUf = Type.Unsafe<string | null>({ type: ['string', 'null'], enum: [...UFS, null] })
