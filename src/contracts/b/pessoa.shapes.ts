import { Nullable } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'

/** The account that did something; null where it no longer exists. */
export const Pessoa = Nullable(
  Type.Object({
    id: Type.Integer({ description: 'Da conta' }),
    nome: Type.String({ description: 'Da pessoa' }),
  }),
)
