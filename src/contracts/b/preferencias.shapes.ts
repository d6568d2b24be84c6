import { DENSIDADES, IDIOMAS, TEMAS } from '../../domain/usuarios/preferencias.ts'
import { Nullable, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'

export const Preferencias = Type.Object(
  {
    tema: Type.Optional(OneOf(TEMAS)),
    idioma: Type.Optional(Nullable(OneOf(IDIOMAS, { description: 'null: o do navegador' }))),
    teclas: Type.Optional(Type.Boolean()),
    densidade: Type.Optional(OneOf(DENSIDADES)),
    fator_adiado: Type.Optional(
      Type.Boolean({ description: 'true: o console não oferece mais o segundo fator ao entrar' }),
    ),
  },
  {
    title: 'Preferencias',
    additionalProperties: false,
    examples: [{ tema: 'escuro', densidade: 'compacta' }],
  },
)
