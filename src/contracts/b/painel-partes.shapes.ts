import { PARTES, type ParteDoPainel, type PartesDoPainel } from '../../domain/alertas/partes.ts'
import { invalid } from '../../errors/catalogue.ts'
import { DateTime } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { fromNames } from '../include.ts'
import { NivelDoLugar, toNivelDoLugar } from './alertas.shapes.ts'
import { MapaDeCalor, toMapa } from './mapa.shapes.ts'

export const PartesQuery = Type.Object({
  partes: Type.Optional(Type.String({ description: `Obrigatório; entre vírgulas: ${PARTES.join(', ')}` })),
})

export const PartesResposta = Type.Object(
  {
    pendencias: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'Casos de cada código; só com `agravos.listar`',
      }),
    ),
    bairros: Type.Optional(MapaDeCalor),
    niveis: Type.Optional(
      Type.Object(
        { semana: Type.String({ description: '`AAAASS`' }), items: Type.Array(NivelDoLugar) },
        { description: 'Dos lugares do nível seguinte; ausente onde não há' },
      ),
    ),
    calculado_em: DateTime,
  },
  { title: 'PartesDoPainel' },
)

export function fromPartes({ partes }: Static<typeof PartesQuery>): Set<ParteDoPainel> {
  const names = fromNames('partes', partes, PARTES)
  if (names.size === 0) throw invalid('query', ['partes'], 'REQUIRED', {})
  return names
}

export const toPartes = (
  { pendencias, bairros, niveis }: PartesDoPainel,
  now: Date,
): Static<typeof PartesResposta> => ({
  ...(pendencias && { pendencias }),
  ...(bairros && { bairros: toMapa(bairros, null) }),
  ...(niveis && { niveis: { semana: niveis.semana, items: niveis.lugares.map(toNivelDoLugar) } }),
  calculado_em: now.toISOString(),
})
