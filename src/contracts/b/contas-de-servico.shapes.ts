import { PERMISSIONS } from '../../caller/permissions.ts'
import { PLANOS } from '../../caller/planos.ts'
import {
  type ChaveMostrada,
  DEFAULT_DIAS,
  DEFAULT_SOBREPOSICAO_HORAS,
  MAX_DIAS,
  MAX_REDES,
  MAX_SOBREPOSICAO_HORAS,
  type NovaChave,
} from '../../domain/servico/chaves.ts'
import type { ContaDeServico as ContaDoDominio, NovaConta } from '../../domain/servico/contas.ts'
import type { ChaveDeApiRow, ContaDeServicoRow } from '../../domain/servico/servico.sql.ts'
import { DateTime, Id, Ids, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { Lugares, LugaresComNome } from '../lugar.shapes.ts'
import { ListOf } from './envelope.ts'

export const CriarContaDeServico = Type.Object(
  {
    nome: ProseText({ maxLength: 200 }),
    finalidade: Type.Optional(Nullable(Text({ maxLength: 100, description: 'Para que serve' }))),
    instituicao: Type.Optional(Nullable(Text({ maxLength: 200 }))),
    plano: Type.Optional(OneOf(PLANOS)),
    grupos_ids: Type.Optional(Ids),
    permissoes_ids: Type.Optional(Ids),
    territorios: Type.Optional(Lugares),
  },
  {
    title: 'CriarContaDeServico',
    description: 'Sem `territorios`, os de quem cria',
    examples: [{ nome: 'Laboratório central', finalidade: 'Resultados de exames', permissoes_ids: [12, 14] }],
  },
)

const validade_dias = Type.Optional(
  Type.Integer({ minimum: 1, maximum: MAX_DIAS, default: DEFAULT_DIAS, description: 'Dias de vida' }),
)

export const CriarChave = Type.Object(
  {
    nome: ProseText({ maxLength: 100 }),
    escopos: Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: Object.keys(PERMISSIONS).length * 2,
      uniqueItems: true,
      description: 'Nomes de permissões que a conta e quem cria têm; `admin` não é um deles',
    }),
    redes: Type.Optional(
      Type.Array(
        Type.String({ maxLength: 50, pattern: '^[0-9A-Fa-f:.]+(?:/\\d{1,3})?$', 'x-format': 'network' }),
        {
          maxItems: MAX_REDES,
          uniqueItems: true,
          description: 'Endereços e redes (CIDR) que podem usá-la; sem nenhuma, todos',
        },
      ),
    ),
    validade_dias,
  },
  {
    title: 'CriarChave',
    examples: [
      { nome: 'Produção', escopos: ['agravos.listar'], redes: ['203.0.113.0/24'], validade_dias: 90 },
    ],
  },
)

export const RenovarChave = Type.Object(
  {
    validade_dias,
    sobreposicao_horas: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_SOBREPOSICAO_HORAS,
        default: DEFAULT_SOBREPOSICAO_HORAS,
        description: 'Horas em que a chave antiga ainda vale',
      }),
    ),
  },
  { title: 'RenovarChave', examples: [{ validade_dias: 90, sobreposicao_horas: 24 }] },
)

const chave = {
  id: Type.String({ format: 'uuid' }),
  nome: Type.String(),
  prefixo: Type.String({ description: 'Os primeiros caracteres, para reconhecê-la' }),
  escopos: Type.Array(Type.String()),
  redes: Type.Array(Type.String()),
  criada_em: DateTime,
  criada_por: Nullable(Type.Object({ id: Id, nome: Type.String() })),
  expira_em: DateTime,
  ultimo_uso_em: Nullable(DateTime),
  ultimo_uso_ip: Nullable(Type.String()),
  substituida_em: Nullable(DateTime),
  revogada_em: Nullable(DateTime),
}
const Chave = Type.Object(chave, { title: 'Chave' })
export const ChaveCriada = Type.Object(
  {
    ...chave,
    chave: Type.Optional(
      Type.String({ description: '`vgk_…`, mostrada só agora; uma repetição da criação não a traz' }),
    ),
  },
  { title: 'ChaveCriada' },
)

const conta = {
  id: Id,
  nome: Type.String(),
  finalidade: Nullable(Type.String()),
  instituicao: Nullable(Type.String()),
  ativo: Type.Boolean(),
  criado_em: DateTime,
  ultimo_acesso: Nullable(DateTime),
  chaves_ativas: Type.Integer(),
  proxima_expiracao: Nullable(DateTime),
}
export const ListaDeContasDeServico = ListOf(
  'contas',
  Type.Object(conta, { title: 'ContaDeServicoNaLista' }),
  'ListaDeContasDeServico',
)
export const ContaDeServico = Type.Object(
  {
    ...conta,
    grupos: Type.Array(Type.Object({ id: Id, nome: Type.String() })),
    permissoes_efetivas: Type.Array(Type.String()),
    territorios: LugaresComNome,
    chaves: Type.Array(Chave, { description: 'As mais novas primeiro; as encerradas, por 90 dias' }),
  },
  { title: 'ContaDeServico' },
)

export function fromCriarConta(body: Static<typeof CriarContaDeServico>): NovaConta {
  const { nome, finalidade = null, instituicao = null, plano = null, territorios = null } = body
  const { grupos_ids = [], permissoes_ids = [] } = body
  return { nome, finalidade, instituicao, plano, territorios, grupos_ids, permissoes_ids }
}

export function fromCriarChave(body: Static<typeof CriarChave>): NovaChave {
  const { nome, escopos, redes = [], validade_dias = DEFAULT_DIAS } = body
  return { nome, escopos, redes, validade_dias }
}

export function fromRenovarChave(body: Static<typeof RenovarChave> | undefined) {
  const { validade_dias = DEFAULT_DIAS, sobreposicao_horas = DEFAULT_SOBREPOSICAO_HORAS } = body ?? {}
  return { validade_dias, sobreposicao_horas }
}

export function toContaNaLista(row: ContaDeServicoRow) {
  return {
    ...{ id: row.id, nome: row.nome, finalidade: row.finalidade, instituicao: row.instituicao },
    ...{ ativo: row.ativo, chaves_ativas: row.chaves_ativas },
    criado_em: row.criado_em.toISOString(),
    ultimo_acesso: row.ultimo_acesso?.toISOString() ?? null,
    proxima_expiracao: row.proxima_expiracao?.toISOString() ?? null,
  }
}

export function toConta(conta: ContaDoDominio): Static<typeof ContaDeServico> {
  return {
    ...toContaNaLista(conta),
    grupos: conta.grupos.map(({ id, nome }) => ({ id, nome })),
    permissoes_efetivas: conta.permissoes_efetivas,
    territorios: conta.territorios,
    chaves: conta.chaves.map(toChave),
  }
}

function toChave(row: ChaveDeApiRow): Static<typeof Chave> {
  return {
    ...{ id: row.id, nome: row.nome, prefixo: row.prefixo, escopos: row.escopos, redes: row.redes },
    criada_em: row.criada_em.toISOString(),
    criada_por: row.criada_por,
    expira_em: row.expira_em.toISOString(),
    ultimo_uso_em: row.ultimo_uso_em?.toISOString() ?? null,
    ultimo_uso_ip: row.ultimo_uso_ip,
    substituida_em: row.substituida_em?.toISOString() ?? null,
    revogada_em: row.revogada_em?.toISOString() ?? null,
  }
}

export const toChaveCriada = ({ chave, row }: ChaveMostrada): Static<typeof ChaveCriada> => ({
  ...toChave(row),
  chave,
})
