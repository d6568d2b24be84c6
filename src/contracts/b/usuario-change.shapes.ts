import { PLANOS } from '../../caller/planos.ts'
import type { UsuarioEdit } from '../../domain/usuarios/update.ts'
import { Ids, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Email, NullableUf, Telefone } from '../usuario-fields.shapes.ts'

/** Spec 4.4: only the fields to change. `cpf` and `senha` are known so that they can be refused by name. */
const fields = {
  nome: ProseText({ maxLength: 200 }),
  email: Email,
  telefone: Nullable(Telefone),
  cargo: Nullable(Text({ maxLength: 100 })),
  departamento: Nullable(Text({ maxLength: 100 })),
  cidade: Nullable(Text({ maxLength: 100 })),
  estado: NullableUf,
  funcao: Nullable(Text({ maxLength: 100 })),
  instituicao: Nullable(Text({ maxLength: 200 })),
  admin: Type.Boolean(),
  ativo: Type.Boolean(),
  plano: OneOf(PLANOS),
  grupos_ids: Ids,
  permissoes_ids: Ids,
  cpf: Nullable(Text({ maxLength: 20 })),
  senha: Nullable(Text({ maxLength: 1000 })),
}

export const USUARIO_CHANGE_FIELDS = Object.keys(fields)

export const AlterarUsuario = Type.Partial(Type.Object(fields), {
  title: 'AlterarUsuario',
  description: 'Só os campos a alterar',
  examples: [{ cargo: 'Epidemiologista', cidade: 'Olinda' }],
})

/** Editable fields that were sent; `cpf` and `senha` are checked separately. */
export function fromAlterarUsuario(body: Static<typeof AlterarUsuario>): UsuarioEdit {
  const { cpf: _cpf, senha: _senha, ...rest } = body
  const known = Object.entries(rest).filter(
    ([name, value]) => USUARIO_CHANGE_FIELDS.includes(name) && value !== undefined,
  )
  return Object.fromEntries(known) as UsuarioEdit
}
