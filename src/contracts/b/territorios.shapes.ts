import type { RegiaoSaude } from '../../brasil/municipios.ts'
import { UFS } from '../../brasil/uf.ts'
import { type ArvorePedida, NIVEIS_DA_ARVORE } from '../../domain/territorios/arvore.ts'
import { type Lugar, NIVEIS_DE_LUGAR } from '../../domain/territorios/lugar.ts'
import type { Residentes } from '../../domain/territorios/residentes.ts'
import { Nullable, OneOf, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'

const Estado = OneOf(UFS, { description: 'UF' })

export const TerritoriosQuery = Type.Object(
  {
    estado: Type.Optional(Estado),
    nivel: OneOf(NIVEIS_DA_ARVORE, { default: 'municipio', description: 'O nível mais fundo da resposta' }),
    busca: Type.Optional(
      Text({
        minLength: 2,
        maxLength: 100,
        description:
          'Parte do nome de um estado, região ou município, sem distinguir acentos e maiúsculas; o que combina vem com tudo que contém',
      }),
    ),
  },
  { additionalProperties: false },
)

export const RegioesQuery = Type.Object({ estado: Type.Optional(Estado) }, { additionalProperties: false })

/** Query of every route that answers for one place. */
export const LugarQuery = {
  estado: Type.Optional(Estado),
  regiao_saude: Type.Optional(
    Text({ minLength: 1, maxLength: 20, description: 'Região de saúde, cinco dígitos', examples: ['26001'] }),
  ),
  municipio: Type.Optional(
    Text({
      minLength: 1,
      maxLength: 200,
      description: 'Código IBGE, de seis ou sete dígitos, ou nome, com `estado` onde há homônimos',
      examples: ['2611606'],
    }),
  ),
}

export const PopulacaoQuery = Type.Object(
  {
    ...LugarQuery,
    ano: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 9999,
        description: 'Fora da série vale o ano mais próximo dela; sem ele, o último',
      }),
    ),
  },
  { additionalProperties: false },
)

const PorAno = Nullable(
  Type.Array(Type.Integer(), { description: 'Residentes em cada um de `anos`; nulo: desconhecidos' }),
)

const Municipio = Type.Object(
  {
    codigo: Type.String({ description: 'IBGE, sete dígitos' }),
    nome: Type.String(),
    sede: Type.Object({ latitude: Type.Number(), longitude: Type.Number() }),
    populacao: PorAno,
  },
  { title: 'MunicipioDoTerritorio' },
)
const Regiao = Type.Object(
  {
    codigo: Type.String({ description: 'Cinco dígitos' }),
    nome: Type.String(),
    populacao: PorAno,
    municipios: Type.Optional(Type.Array(Municipio)),
  },
  { title: 'RegiaoDoTerritorio' },
)
const EstadoDoTerritorio = Type.Object(
  {
    codigo: Estado,
    codigo_ibge: Type.String({ description: 'Dois dígitos' }),
    nome: Type.String(),
    populacao: PorAno,
    regioes_saude: Type.Optional(Type.Array(Regiao)),
    municipios_sem_regiao: Type.Optional(
      Type.Array(Municipio, { description: 'Novos demais para pertencerem a uma região de saúde' }),
    ),
  },
  { title: 'EstadoDoTerritorio' },
)

/** Sent as the bytes that the tree keeps. */
export const TerritoriosResposta = Type.Unsafe<Buffer | undefined>(
  Type.Object(
    {
      totais: Type.Object(
        { estados: Type.Integer(), regioes_saude: Type.Integer(), municipios: Type.Integer() },
        { description: 'Do que foi pedido, também abaixo de `nivel`' },
      ),
      anos: Type.Array(Type.Integer(), { description: 'Os anos de cada `populacao`' }),
      estados: Type.Array(EstadoDoTerritorio),
    },
    { title: 'Territorios' },
  ),
)

export const RegiaoDeSaude = Type.Object(
  { codigo: Type.String(), nome: Type.String(), estado: Estado },
  { title: 'RegiaoDeSaude' },
)
export const RegioesDeSaude = Type.Object(
  { total: Type.Integer(), items: Type.Array(RegiaoDeSaude) },
  { title: 'RegioesDeSaude' },
)

export const LugarResposta = Type.Object(
  {
    nivel: OneOf(NIVEIS_DE_LUGAR),
    codigo: Nullable(Type.String({ description: 'UF, cinco ou sete dígitos; nulo para o país' })),
    nome: Type.String(),
    estado: Nullable(Estado),
  },
  { title: 'Lugar' },
)
export const PopulacaoResposta = Type.Object(
  {
    lugar: LugarResposta,
    populacao: Nullable(Type.Integer({ description: 'Residentes; nulo: desconhecidos' })),
    populacao_ano: Nullable(Type.Integer({ description: 'O ano a que o número se refere' })),
  },
  { title: 'Populacao' },
)

export function fromTerritorios({ estado, nivel, busca }: Static<typeof TerritoriosQuery>): ArvorePedida {
  return { estado: estado ?? null, nivel, busca: busca ?? null }
}

export function toRegiao({ codigo, nome, uf }: RegiaoSaude): Static<typeof RegiaoDeSaude> {
  return { codigo: String(codigo), nome, estado: uf as (typeof UFS)[number] }
}

export function toLugar({
  nivel,
  codigo,
  nome,
  estado,
}: Omit<Lugar, 'municipios'>): Static<typeof LugarResposta> {
  return { nivel, codigo, nome, estado: estado as (typeof UFS)[number] | null }
}

export function toPopulacao({
  lugar,
  populacao,
  populacao_ano,
}: Residentes): Static<typeof PopulacaoResposta> {
  return { lugar: toLugar(lugar), populacao, populacao_ano }
}
