import { loadMunicipios } from '../../../src/brasil/municipios.ts'
import { ESTADOS_IBGE, type Uf } from '../../../src/brasil/uf.ts'
import { NIVEIS_DE_ALERTA } from '../../../src/domain/alertas/nivel.ts'
import type { Boletim, LugarDoMapa, SecaoDoBoletim } from '../../../src/domain/boletins/dados.ts'
import { BOLETIM_DO_ESTADO } from './amostra.ts'

/** Every fourth place is not green. */
const nivelOf = (i: number) => (i % 4 === 0 ? (NIVEIS_DE_ALERTA[1 + ((i / 4) % 3)] ?? 'verde') : 'verde')

const lugarOf = (
  place: Pick<LugarDoMapa, 'codigo' | 'nome' | 'estado' | 'latitude' | 'longitude'>,
  i: number,
): LugarDoMapa => ({
  ...place,
  nivel: nivelOf(i),
  nivel_anterior: nivelOf(i + 1),
  casos_4_semanas: (i * 37) % 900,
  incidencia_4_semanas: ((i * 37) % 900) / 3,
  populacao: 20_000 + i,
  suprimido: false,
})

/** The bulletin of a state with all its municipalities. */
export async function boletimOf(uf: Uf): Promise<Boletim> {
  const { all } = await loadMunicipios()
  const lugares = all
    .filter((one) => one.uf === uf)
    .map(({ codigo, nome, latitude, longitude }, i) =>
      lugarOf({ codigo: String(codigo), nome, estado: uf, latitude, longitude }, i),
    )
  return withLugares({ nivel: 'estado', codigo: uf, nome: uf, estado: uf }, 'municipio', lugares)
}

/** The bulletin of the country, by state. */
export const boletimOfBrasil = (): Boletim =>
  withLugares(
    { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null },
    'estado',
    ESTADOS_IBGE.map(({ uf, nome }, i) =>
      lugarOf({ codigo: uf, nome, estado: uf, latitude: null, longitude: null }, i),
    ),
  )

function withLugares(
  lugar: Boletim['cabecalho']['lugar'],
  tipo: 'estado' | 'municipio',
  lugares: LugarDoMapa[],
): Boletim {
  const secao = BOLETIM_DO_ESTADO.dados.secoes[0] as SecaoDoBoletim
  const municipios = {
    maior_incidencia: lugares.slice(0, 10),
    mudaram_de_nivel: lugares.filter(({ nivel, nivel_anterior }) => nivel !== nivel_anterior),
  }
  return {
    cabecalho: { ...BOLETIM_DO_ESTADO.cabecalho, lugar },
    dados: { ...BOLETIM_DO_ESTADO.dados, secoes: [{ ...secao, mapa: { tipo, lugares }, municipios }] },
  }
}
