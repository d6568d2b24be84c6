import { UFS } from '../../brasil/uf.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { Panorama, PanoramaRequest } from '../../domain/casos/statistics/panorama.ts'
import { described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

export const PanoramaQuery = Type.Object({
  tipo_agravo: described('Um agravo por vez', OneOf(TIPOS_AGRAVO)),
  ano: Type.Integer({ minimum: 1900, maximum: 2100, description: 'Ano da notificação, inteiro' }),
  estado: Type.Optional(described('Os municípios deste estado; sem ele, os estados', OneOf(UFS))),
})

const Count = Nullable(Type.Integer({ description: 'Nulo: suprimido' }))
const counts = {
  total: Count,
  confirmado: Count,
  descartado: Count,
  inconclusivo: Count,
  em_investigacao: Count,
  hospitalizados: Count,
  obitos: Count,
  suprimido: Type.Boolean({ description: 'Algum número da linha foi suprimido' }),
}

export const PanoramaResposta = Type.Object(
  {
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    ano: Type.Integer(),
    nivel: OneOf(['estado', 'municipio']),
    estado: Nullable(Type.String()),
    minimo: Type.Integer({ description: 'O menor número mostrado, além do zero' }),
    total: Type.Object(counts),
    lugares: Type.Array(
      Type.Object({
        codigo: Nullable(Type.String({ description: 'UF ou código IBGE; nulo: lugar desconhecido' })),
        nome: Nullable(Type.String()),
        ...counts,
      }),
    ),
  },
  { title: 'Panorama' },
)

export const fromPanorama = ({
  tipo_agravo,
  ano,
  estado,
}: Static<typeof PanoramaQuery>): PanoramaRequest => ({
  tipo_agravo,
  ano,
  estado: estado ?? null,
})

export function toPanorama(
  { tipo_agravo, ano, estado }: PanoramaRequest,
  { linhas, total }: Panorama,
  minimo: number,
): Static<typeof PanoramaResposta> {
  const nivel = estado === null ? 'estado' : 'municipio'
  return { tipo_agravo, ano, nivel, estado, minimo, total, lugares: linhas }
}
