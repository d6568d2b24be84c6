import { type FrequenciasDoAgravo, MOST_CAMPOS } from '../../domain/casos/statistics/frequencias.ts'
import { invalid } from '../../errors/catalogue.ts'
import { DateTime } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const FrequenciasQuery = Type.Object({
  campos: Type.Optional(
    Type.String({
      maxLength: 1000,
      description: `Obrigatório; de 1 a ${MOST_CAMPOS} campos do agravo, entre vírgulas. Exige um só \`tipo_agravo\``,
    }),
  ),
})

const Valor = Type.Object(
  {
    valor: Type.String({ description: '`true`, `false`, o código de uma opção ou o número' }),
    rotulo: Type.String(),
    total: Type.Integer(),
    confirmado: Type.Integer(),
    descartado: Type.Integer(),
    inconclusivo: Type.Integer(),
    em_investigacao: Type.Integer(),
  },
  { title: 'ValorDaFrequencia' },
)

export const FrequenciasResposta = Type.Object(
  {
    tipo_agravo: Type.String(),
    total: Type.Integer({ description: 'Casos do recorte' }),
    campos: Type.Array(
      Type.Object(
        {
          campo: Type.String(),
          rotulo: Type.String(),
          valores: Type.Array(Valor, {
            description: 'Na ordem da definição; de um campo de várias opções, um caso conta em cada uma',
          }),
          sem_informacao: Type.Integer(),
        },
        { title: 'Frequencia' },
      ),
    ),
    calculado_em: DateTime,
  },
  { title: 'FrequenciasDeCasos' },
)

export function fromFrequencias({ campos = '' }: Static<typeof FrequenciasQuery>): string[] {
  const names = new Set(
    campos
      .split(',')
      .map((nome) => nome.trim())
      .filter(Boolean),
  )
  if (names.size === 0) throw invalid('query', ['campos'], 'REQUIRED', {})
  if (names.size > MOST_CAMPOS) throw invalid('query', ['campos'], 'TOO_MANY', { limit: MOST_CAMPOS })
  return [...names]
}

export const toFrequencias = (found: FrequenciasDoAgravo, now: Date): Static<typeof FrequenciasResposta> => ({
  ...found,
  calculado_em: now.toISOString(),
})
