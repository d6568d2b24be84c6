import { DENSIDADES, IDIOMAS, TEMAS } from '../../domain/usuarios/preferencias.ts'
import { Nullable, OneOf, Text } from '../../http/schemas.ts'
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
    territorio: Type.Optional(
      Nullable(
        Text({
          maxLength: 30,
          description:
            'Onde o painel começa: `uf:PE`, `regiao_saude:26001`, `municipio:2611606`; null: o país',
        }),
      ),
    ),
  },
  {
    title: 'Preferencias',
    additionalProperties: false,
    examples: [{ tema: 'escuro', densidade: 'compacta' }],
  },
)
