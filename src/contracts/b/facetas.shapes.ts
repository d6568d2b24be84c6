import {
  CAMPOS_DA_FACETA,
  type CampoDaFaceta,
  type Faceta,
  MOST_VALUES,
} from '../../domain/casos/statistics/facetas.ts'
import { invalid } from '../../errors/catalogue.ts'
import { DateTime, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { fromNames } from '../include.ts'

export const FacetasQuery = Type.Object({
  campos: Type.Optional(
    Type.String({ description: `Obrigatório; entre vírgulas: ${CAMPOS_DA_FACETA.join(', ')}` }),
  ),
})

const Valor = Type.Object(
  {
    valor: Nullable(Type.String({ description: 'Como o filtro o recebe; nulo: não informado' })),
    nome: Nullable(Type.String({ description: 'Do município ou da região de saúde' })),
    total: Type.Integer(),
  },
  { title: 'ValorDaFaceta' },
)

export const FacetasResposta = Type.Object(
  {
    facetas: Type.Array(
      Type.Object(
        {
          campo: OneOf(CAMPOS_DA_FACETA),
          valores: Type.Array(Valor, { description: `Os mais frequentes, ${MOST_VALUES} no máximo` }),
          distintos: Type.Integer({ description: 'Quantos valores há' }),
          outros: Type.Integer({ description: 'Casos com um valor que não está na lista' }),
        },
        { title: 'Faceta' },
      ),
    ),
    calculado_em: DateTime,
  },
  { title: 'FacetasDeCasos' },
)

export function fromFacetas({ campos }: Static<typeof FacetasQuery>): CampoDaFaceta[] {
  const names = fromNames('campos', campos, CAMPOS_DA_FACETA)
  if (names.size === 0) throw invalid('query', ['campos'], 'REQUIRED', {})
  return [...names]
}

export const toFacetas = (facetas: Faceta[], now: Date): Static<typeof FacetasResposta> => ({
  facetas,
  calculado_em: now.toISOString(),
})
