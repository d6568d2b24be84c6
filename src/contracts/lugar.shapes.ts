import { NIVEIS_DE_TERRITORIO } from '../caller/territorio.ts'
import { OneOf, Text } from '../http/schemas.ts'
import { Type } from '../http/type.ts'

/** Far more than any account needs; a state has at most 853 municipalities. */
const MOST = 1_000

const lugar = { nivel: OneOf(NIVEIS_DE_TERRITORIO) }

/** Places that an account is to be bound to. */
export const Lugares = Type.Array(
  Type.Object(
    {
      ...lugar,
      codigo: Text({
        maxLength: 20,
        description:
          'UF; cinco dígitos da região de saúde; código IBGE do município, de seis ou sete dígitos',
      }),
    },
    { title: 'LugarDaConta' },
  ),
  { title: 'LugaresDaConta', maxItems: MOST, examples: [[{ nivel: 'municipio', codigo: '2611606' }]] },
)

/** Places that an account is bound to, with their names. */
export const LugaresComNome = Type.Array(
  Type.Object(
    {
      ...lugar,
      codigo: Type.String(),
      nome: Type.String(),
      estado: Type.Optional(Type.String({ description: 'UF da região ou do município' })),
    },
    { title: 'LugarComNome' },
  ),
  { title: 'LugaresComNome', description: 'Vazio: o país inteiro' },
)
