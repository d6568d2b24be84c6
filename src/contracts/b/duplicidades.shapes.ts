import type { Municipios } from '../../brasil/municipios.ts'
import { type FieldName, isSecret } from '../../domain/casos/campos.ts'
import type {
  Decidida,
  Decisao,
  Duplicidade as DuplicidadeDoDominio,
  QualidadeDaFaixa,
} from '../../domain/casos/duplicidades/duplicidades.ts'
import { FAIXAS } from '../../domain/casos/duplicidades/escore.ts'
import type { VersoesEsperadas } from '../../domain/casos/duplicidades/fusao.ts'
import type { FusaoRow } from '../../domain/casos/duplicidades/fusoes.sql.ts'
import { ORIGENS } from '../../domain/casos/duplicidades/plano.ts'
import { DECISOES, SITUACOES } from '../../domain/casos/duplicidades/situacao.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { DateTime, described, Id, Nullable, OneOf, ProseText } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { CasoResumo, toResumo } from './caso-saida.shapes.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

const Faixa = OneOf(FAIXAS)
const Situacao = OneOf(SITUACOES)

const CasoDoPar = Type.Object(
  {
    caso: CasoResumo,
    versao: Type.Integer(),
    excluido: Type.Boolean(),
  },
  { title: 'CasoDoPar' },
)

const Duplicidade = Type.Object(
  {
    id: Id,
    etag: Type.String({ description: 'As versões dos dois casos, para `If-Match`' }),
    escore: Type.Number({ description: 'Em bits' }),
    faixa: Faixa,
    sinais: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'As razões do escore, em graus',
    }),
    versao_pesos: Type.Integer(),
    situacao: Situacao,
    casos: Type.Array(CasoDoPar),
    encontrada_em: DateTime,
    decidida_em: Nullable(DateTime),
    decidida_por: Pessoa,
    motivo: Nullable(Type.String({ description: 'Só na leitura identificada' })),
    fusao_id: Nullable(Id),
  },
  { title: 'Duplicidade' },
)
export const ListaDeDuplicidades = ListOf('items', Duplicidade, 'ListaDeDuplicidades')
export const DuplicidadesDoCaso = Type.Object(
  { total: Type.Integer(), duplicidades: Type.Array(Duplicidade) },
  { title: 'DuplicidadesDoCaso' },
)

const pessoaOf = (id: number | null, nome: string | null) => (nome === null ? null : { id: id ?? 0, nome })

export function toDuplicidade(par: DuplicidadeDoDominio, municipios: Municipios): Static<typeof Duplicidade> {
  const { id, escore, faixa, sinais, versao_pesos, situacao, fusao_id, motivo } = par
  const casos = par.casos.map((caso, i) => ({
    caso: withNome(toResumo(caso, municipios), par.nomes?.[i]),
    versao: caso.versao,
    excluido: caso.excluido,
  }))
  return {
    ...{
      id,
      etag: etagOfPar(par.casos),
      escore,
      faixa,
      sinais: { ...sinais },
      versao_pesos,
      situacao,
      casos,
    },
    encontrada_em: par.encontrada_em.toISOString(),
    decidida_em: par.decidida_em?.toISOString() ?? null,
    decidida_por: pessoaOf(par.decidida_por_id, par.decidida_por_nome),
    motivo,
    fusao_id,
  }
}

/** The name in the place of the initials. */
function withNome(resumo: Record<string, unknown>, nome: string | null | undefined): Record<string, unknown> {
  if (nome === undefined) return resumo
  return { ...resumo, paciente: { ...(resumo.paciente as object), nome } }
}

const etagOfPar = ([um, outro]: readonly { versao: number }[]) => `"${um?.versao}/${outro?.versao}"`

const VERSIONS = /^"([1-9]\d{0,8})\/([1-9]\d{0,8})"$/

/** Null: any versions will do. A tag that is none of ours matches nothing. */
export function fromIfMatchOfPar(header: string | undefined): VersoesEsperadas {
  if (header === undefined || header.trim() === '*') return null
  const [, um, outro] = VERSIONS.exec(header.trim()) ?? []
  return [Number(um ?? 0), Number(outro ?? 0)]
}

const MOTIVO = Type.Optional(ProseText({ maxLength: 500, description: 'Fica cifrado' }))
const PRINCIPAL = Type.Optional(described('O caso que fica; ausente: o de notificação mais antiga', Id))
const CAMPOS = Type.Optional(
  Type.Record(Type.String(), Id, {
    description: 'De qual dos casos fica cada campo',
    maxProperties: 150,
  }),
)

export const Decidir = Type.Object(
  {
    decisao: OneOf(DECISOES),
    principal_id: PRINCIPAL,
    campos: CAMPOS,
    motivo: MOTIVO,
  },
  { title: 'DecidirDuplicidade', examples: [{ decisao: 'outra_pessoa', motivo: 'São irmãs' }] },
)
export const Fundir = Type.Object(
  {
    caso_id: described('O outro caso', Id),
    principal_id: PRINCIPAL,
    campos: CAMPOS,
    motivo: MOTIVO,
  },
  { title: 'FundirCasos', examples: [{ caso_id: 124 }] },
)

export const fromDecidir = ({
  decisao,
  principal_id,
  campos = {},
  motivo,
}: Static<typeof Decidir>): Decisao => ({
  ...{ decisao, principal_id, campos },
  motivo: motivo?.trim() ?? null,
})

export const fromFundir = ({ principal_id, campos = {}, motivo }: Static<typeof Fundir>) => ({
  ...{ principal_id, campos },
  motivo: motivo?.trim() ?? null,
})

export const Simular = Type.Boolean({ default: false, description: 'Só conta o que aconteceria' })

export const Fundido = Type.Object(
  {
    situacao: Situacao,
    simulado: Type.Boolean(),
    fusao_id: Nullable(Id),
    principal_id: Nullable(Id),
    absorvido_id: Nullable(Id),
    campos: Type.Array(
      Type.Object(
        {
          campo: Type.String(),
          valor: Type.Unsafe<unknown>({ description: 'Nulo nos campos que identificam o paciente' }),
          origem: OneOf(ORIGENS),
          alterado: Type.Boolean(),
        },
        { title: 'CampoFundido' },
      ),
      { description: 'O caso principal depois da fusão' },
    ),
    deixados: Type.Array(Type.String(), {
      description: 'Contradiriam o principal, e ficam de fora',
    }),
  },
  { title: 'DuplicidadeDecidida' },
)

export function toFundido(
  { situacao, fusao_id, plano }: Decidida,
  simulado: boolean,
): Static<typeof Fundido> {
  if (plano === null)
    return { situacao, simulado, fusao_id, principal_id: null, absorvido_id: null, campos: [], deixados: [] }
  const { principal, absorvido, campos, alterados, origens, deixados } = plano
  const shown = [...origens].filter(([campo]) => campos[campo] !== null || principal.campos[campo] !== null)
  return {
    ...{ situacao, simulado, fusao_id, principal_id: principal.id, absorvido_id: absorvido.id },
    campos: shown.map(([campo, origem]) => ({
      campo,
      valor: isSecret(campo) ? null : campos[campo],
      origem,
      alterado: (alterados as readonly FieldName[]).includes(campo),
    })),
    deixados,
  }
}

const CasoDaFusao = Type.Object({ id: Id, numero_notificacao: Type.String() }, { title: 'CasoDaFusao' })

const Fusao = Type.Object(
  {
    id: Id,
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    principal: CasoDaFusao,
    absorvido: CasoDaFusao,
    campos_alterados: Type.Array(Type.String()),
    feita_em: DateTime,
    feita_por: Pessoa,
    desfeita_em: Nullable(DateTime),
    desfeita_por: Pessoa,
  },
  { title: 'Fusao' },
)
export const ListaDeFusoes = ListOf('items', Fusao, 'ListaDeFusoes')

export function toFusao(row: FusaoRow): Static<typeof Fusao> {
  return {
    id: row.id,
    tipo_agravo: row.tipo_agravo as (typeof TIPOS_AGRAVO)[number],
    principal: { id: row.principal_id, numero_notificacao: row.principal_numero },
    absorvido: { id: row.absorvido_id, numero_notificacao: row.absorvido_numero },
    campos_alterados: Object.keys(row.alteracoes),
    feita_em: row.feita_em.toISOString(),
    feita_por: pessoaOf(row.feita_por_id, row.feita_por_nome),
    desfeita_em: row.desfeita_em?.toISOString() ?? null,
    desfeita_por: pessoaOf(row.desfeita_por_id, row.desfeita_por_nome),
  }
}

export const FusaoDesfeita = Type.Object(
  {
    id: Id,
    simulado: Type.Boolean(),
    principal_id: Id,
    absorvido_id: Id,
    campos_alterados: Type.Array(Type.String()),
    mantidos: Type.Array(Type.String(), { description: 'Os que ficam: mudaram depois da fusão' }),
  },
  { title: 'FusaoDesfeita' },
)

const Contagem = Type.Integer()
const QualidadeDaFaixaResposta = Type.Object(
  {
    faixa: Faixa,
    total: Contagem,
    decididas: Contagem,
    por_situacao: Type.Object({
      pendente: Contagem,
      mesmo_caso: Contagem,
      outro_episodio: Contagem,
      outra_pessoa: Contagem,
    }),
    precisao: Nullable(Type.Number({ description: 'Parte dos decididos que era o mesmo caso' })),
  },
  { title: 'QualidadeDaFaixa' },
)
export const QualidadeDasDuplicidades = Type.Object(
  { versao_pesos: Type.Integer(), faixas: Type.Array(QualidadeDaFaixaResposta) },
  { title: 'QualidadeDasDuplicidades' },
)

export const toQualidadeDaFaixa = (row: QualidadeDaFaixa): Static<typeof QualidadeDaFaixaResposta> => ({
  ...row,
})
