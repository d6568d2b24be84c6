import { type Definicao, LIMITES } from '../../domain/casos/agravos/definicao.ts'
import type { VersaoListada } from '../../domain/casos/agravos/definicoes.sql.ts'
import type { DefinicaoLida } from '../../domain/casos/agravos/leitura.ts'
import type { Simulacao } from '../../domain/casos/agravos/simulacao.ts'
import { mudancasEntre } from '../../domain/casos/agravos/versoes.ts'
import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import type { Language } from '../../errors/texts.ts'
import { DateTime, described, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'
import { toProblema } from './verificar.shapes.ts'

export const TipoAgravo = Type.Object(
  {
    codigo: OneOf(TIPOS_AGRAVO),
    nome: Type.String(),
    cid10_codes: Type.Array(Type.String()),
    descricao: Type.String(),
    notificacao_obrigatoria: Type.Boolean(),
  },
  { title: 'TipoAgravo' },
)
const TipoInativo = Type.Object(
  { ...TipoAgravo.properties, codigo: Type.String() },
  { title: 'TipoInativo', description: 'Um rascunho, ou um agravo que não recebe mais casos' },
)
export const TiposQuery = Type.Object({
  inativos: Type.Boolean({
    default: false,
    description: 'Também os rascunhos e os desativados; exige `agravos.definir`',
  }),
})
export const TiposDeAgravo = Type.Object(
  {
    total: Type.Integer(),
    tipos: Type.Array(TipoAgravo),
    inativos: Type.Optional(described('Com `inativos=true`', Type.Array(TipoInativo))),
  },
  { title: 'TiposDeAgravo' },
)

export function toTipo({ codigo, nome, cid10_codes, descricao, notificacao_obrigatoria }: Definicao) {
  return { codigo, nome, cid10_codes, descricao, notificacao_obrigatoria }
}

export const CODIGO = '^[a-z][a-z0-9_]{1,39}$'
export const TipoPath = Type.Object({
  codigo: Type.String({ maxLength: 40, description: 'Código do agravo' }),
})
export const VersaoQuery = Type.Object({
  versao: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Sem ela, a que vale; sem nenhuma, o rascunho',
    }),
  ),
})
export const FormularioQuery = Type.Object({
  em: Type.Optional(
    Type.Unsafe<string>({
      ...DateTime,
      description: 'O da versão que valia neste momento; sem ele, o de agora',
    }),
  ),
})
export const SimularQuery = Type.Object({
  simular: Type.Boolean({ default: false, description: 'Não grava: só conta os problemas e o impacto' }),
})

const Json = (title: string, description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, title, description })

/** Checked as a whole by the domain: its problems carry paths into it. */
export const DefinirAgravo = Type.Unsafe<Record<string, unknown> & { ativar?: boolean }>({
  type: 'object',
  properties: {
    ativar: { type: 'boolean', description: 'Põe em vigor já; ausente: fica como rascunho' },
    modelo: { type: 'string', maxLength: 100, description: 'Código de um modelo, em vez da definição' },
  },
  additionalProperties: true,
  title: 'DefinirAgravo',
  description:
    `A definição: código, nome, CID-10, blocos de campos padrão, vocabulário permitido, colunas do SINAN e campos próprios ` +
    `(até ${LIMITES.campos}); até ${LIMITES.bytes / 1024} KiB. Comece por um modelo de \`/agravos/tipos/modelos\``,
  examples: [{ modelo: 'leptospirose', ativar: true }],
})

export const AlterarDefinicao = Type.Unsafe<Record<string, unknown> & { ativar?: boolean }>({
  type: 'object',
  properties: { ativar: { type: 'boolean', description: 'Põe em vigor já; ausente: fica como rascunho' } },
  additionalProperties: true,
  title: 'AlterarDefinicao',
  description:
    'A definição inteira: a próxima versão. Campos e opções são retirados com `ativo: false`, nunca omitidos',
  examples: [{ codigo: 'leptospirose', nome: 'Leptospirose', ativar: true }],
})

export const DefinicaoDoAgravo = Type.Object(
  {
    versao: Type.Integer(),
    estado: OneOf(['rascunho', 'ativa', 'substituida']),
    ativo: Type.Boolean({ description: 'Recebe casos novos' }),
    protegido: Type.Boolean({ description: 'De toda instalação: não encolhe nem é removido' }),
    ultima_versao: Type.Integer({ description: 'A mais nova, talvez um rascunho; é o `ETag`' }),
    casos: Type.Integer({ description: 'No território da conta' }),
    definicao: Json('Definicao', 'Como `DefinirAgravo` a recebe, com tudo o que ela deixou implícito'),
  },
  { title: 'DefinicaoDoAgravo' },
)

export const toDefinicao = ({
  ultima,
  definicao,
  versao,
  estado,
  ativo,
  protegido,
  casos,
}: DefinicaoLida): Static<typeof DefinicaoDoAgravo> => ({
  ...{ versao, estado, ativo, protegido, ultima_versao: ultima, casos },
  definicao: { ...definicao },
})

export const Formulario = Json(
  'FormularioDoAgravo',
  'Grupos em ordem; cada campo com o nome em que é enviado, rótulo no idioma pedido, tipo, opções, limites e condições',
)
export const EsquemaDoAgravo = Json(
  'EsquemaDoAgravo',
  'JSON Schema 2020-12 do corpo de `POST /agravos/casos`',
)
export const ModelosDeAgravo = Type.Object(
  {
    total: Type.Integer(),
    modelos: Type.Array(
      Type.Object({
        codigo: Type.String(),
        nome: Type.String(),
        descricao: Type.String(),
        campos: Type.Integer({ description: 'Quantos campos próprios' }),
        definido: Type.Boolean({ description: 'Já há um agravo com este código' }),
      }),
    ),
  },
  { title: 'ModelosDeAgravo' },
)
export const Modelo = Json('ModeloDeAgravo', 'Uma definição pronta')

const Versao = Type.Object(
  {
    versao: Type.Integer(),
    estado: OneOf(['rascunho', 'ativa', 'substituida']),
    autor: described('Nulo: veio com o serviço', Pessoa),
    criada_em: DateTime,
    ativada_em: Nullable(DateTime),
    mudancas: Json('MudancasDaDefinicao', 'Em relação à versão anterior'),
  },
  { title: 'VersaoDaDefinicao' },
)
export const ListaDeVersoes = ListOf('items', Versao, 'ListaDeVersoes')

export const toVersao = (row: VersaoListada): Static<typeof Versao> => ({
  versao: row.versao,
  estado: row.estado,
  autor: row.criado_por_nome === null ? null : { id: row.criado_por_id ?? 0, nome: row.criado_por_nome },
  criada_em: row.criado_em.toISOString(),
  ativada_em: row.ativada_em?.toISOString() ?? null,
  mudancas: { ...mudancasEntre(row.anterior, row.definicao) },
})

export const DefinicaoSimulada = Type.Object(
  {
    valida: Type.Boolean(),
    problemas: Type.Array(
      Type.Object({ campo: Type.String(), codigo: Type.String(), mensagem: Type.String() }),
      { description: 'Os mesmos com que a gravação responderia 422' },
    ),
    impacto: Type.Object({
      casos: Type.Integer({ description: 'Casos do agravo no território da conta' }),
      campos_retirados: Type.Array(Type.Object({ nome: Type.String(), com_valor: Type.Integer() })),
      opcoes_retiradas: Type.Array(Type.Object({ campo: Type.String(), codigo: Type.String() })),
    }),
  },
  { title: 'DefinicaoSimulada' },
)

export const toSimulada = (
  { problems, impacto }: Simulacao,
  language: Language,
): Static<typeof DefinicaoSimulada> => ({
  valida: problems.length === 0,
  problemas: problems.map((one) => toProblema(one, language)),
  impacto,
})
