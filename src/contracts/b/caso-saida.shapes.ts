import {
  ALIASES,
  answerPathOf,
  CAMPOS,
  type Campo,
  FIELD_NAMES,
  type FieldName,
  leafOf,
  openFieldsOf,
} from '../../domain/casos/campos.ts'
import type { ListedCaso } from '../../domain/casos/casos.sql.ts'
import { FAIXAS } from '../../domain/casos/duplicidades/escore.ts'
import type { PossivelDuplicidade } from '../../domain/casos/duplicidades/porta.ts'
import { STATUS, TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import { propriosOf, STANDARD_KEYS } from '../../domain/casos/proprios.ts'
import { ACESSOS } from '../../domain/casos/territorio.ts'
import type { CasoView } from '../../domain/casos/view.ts'
import { DateTime, described, Id, Nullable, OneOf } from '../../http/schemas.ts'
import { Type } from '../../http/type.ts'
import { Anexo } from './anexos.shapes.ts'
import { Avisos } from './avisos.shapes.ts'
import {
  type Getter,
  type Member,
  mapperOf,
  memberAt,
  membersOf,
  optionalPropertiesOf,
  propertiesOf,
  treeOf,
} from './caso-members.shapes.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

/** Spec 2.7: a case as it is shown, in lists and alone. */

type Values = Readonly<Record<string, unknown>>

/** Form in which the domain hands over a case: how the values of fields are read from it. */
interface Source<C> {
  getterOf(nome: FieldName): Getter<C>
  especificos(caso: C): Record<string, unknown>
}

/** Names that values are kept under, each with its key in the answer. */
type Keys = readonly (readonly [name: string, key: string])[]

const placeOf = (nome: FieldName) => (CAMPOS[nome] as Campo).place
const ESPECIFICOS: Keys = openFieldsOf('dados_especificos').map((nome) => [nome, leafOf(nome)])
const isColumn = ([nome]: Keys[number]) => placeOf(nome as FieldName) === 'column'
const IN_COLUMNS: Keys = ESPECIFICOS.filter(isColumn)
const IN_DADOS: Keys = ESPECIFICOS.filter((keys) => !isColumn(keys)).map(([, key]) => [key, key])

/** Copies the values that are known. */
function copyKnown(values: Values, keys: Keys, to: Record<string, unknown>): Record<string, unknown> {
  for (const [name, key] of keys) {
    const value = values[name]
    if (value !== null && value !== undefined) to[key] = value
  }
  return to
}

/** A row of a list, where nobody is identified; `dados` as it is stored. */
const ROW: Source<ListedCaso> = {
  getterOf(nome) {
    if (nome === 'paciente_nome') return 'paciente_iniciais'
    const key = leafOf(nome)
    if (placeOf(nome) === 'dados') return ({ dados }) => dados[key] ?? null
    return placeOf(nome) === 'column' ? nome : () => null
  },
  especificos(caso) {
    const known = copyKnown(caso.dados, IN_DADOS, copyKnown(caso as unknown as Values, IN_COLUMNS, {}))
    for (const key in caso.dados) if (!STANDARD_KEYS.has(key)) known[key] = caso.dados[key]
    return known
  },
}

/** A whole case, its fields flat. */
const WHOLE: Source<CasoView> = {
  getterOf(nome) {
    if (nome === 'paciente_nome') return 'nome'
    if (placeOf(nome) === 'sigilo') return ({ sigilo }) => (sigilo as Values | null)?.[nome] ?? null
    return nome
  },
  especificos(caso) {
    const known = copyKnown(caso as unknown as Values, ESPECIFICOS, {})
    copyKnown(caso as unknown as Values, propriosOf(caso).map(withKey), known)
    return caso.sigilo === null
      ? known
      : copyKnown(caso.sigilo as unknown as Values, propriosOf(caso.sigilo).map(withKey), known)
  },
}

const withKey = (nome: string) => [nome, leafOf(nome)] as const

const isEspecifico = (nome: FieldName) => nome.startsWith('dados_especificos.')
const isListed = (nome: FieldName) => isEspecifico(nome) || (CAMPOS[nome] as Campo).listed === true

/** Members of fields; those of `dados_especificos` are one member. */
function fieldMembers<C>(nomes: readonly FieldName[], source: Source<C>): Member<C>[] {
  const especificos: Member<C> = {
    path: 'dados_especificos',
    schema: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'O que foi informado, com os campos de `EntradaDadosEspecificos`',
    }),
    value: source.especificos,
  }
  return nomes.flatMap((nome) =>
    isEspecifico(nome) ? [especificos] : membersOf(nome, source.getterOf(nome)),
  )
}

/** A moment as the domain has it: text of PostgreSQL in a row of a list, a date elsewhere. */
const inUtc = (moment: string | Date) => new Date(moment).toISOString()

const CASO_ID = { path: 'id', schema: described('Identificador do caso no serviço', Id), value: 'id' }

/** The members of a list, between the case's id and its moments. */
const listedMembers = <C>(source: Source<C>): Member<C>[] => [
  CASO_ID,
  ...fieldMembers(FIELD_NAMES.filter(isListed), source),
  {
    path: 'criado_em',
    schema: described('Quando o caso entrou no serviço', DateTime),
    value: 'criado_em',
    render: inUtc,
  },
  {
    path: 'atualizado_em',
    schema: described('Quando mudou pela última vez', DateTime),
    value: 'atualizado_em',
    render: inUtc,
  },
]

/** Members of a case in a list. */
export const LISTED_MEMBERS = listedMembers(ROW)
const RESUMO = treeOf(LISTED_MEMBERS)

/** Published order of a case's further members, as beginnings of their paths; the rest follows in the order of the table. */
const ORDER = [
  'local_infeccao',
  'classificacao_inicial',
  'dados_clinicos.sinais_sintomas',
  'dados_clinicos.sinais_alarme',
  'dados_clinicos.comorbidades',
  'dados_clinicos',
  'dados_laboratoriais',
  'data_investigacao',
  'data_encerramento',
  'data_obito',
  'investigacao.locais_frequentados',
]
const rankOf = ({ path }: { path: string }) => {
  const rank = ORDER.findIndex((beginning) => path.startsWith(beginning))
  return rank === -1 ? ORDER.length : rank
}

/** Members that only a case by itself has: the fields that are not listed, and every alias. */
const furtherMembers = [
  ...ALIASES.filter(([alias, nome]) => alias !== answerPathOf(nome)).map(([alias, nome]) =>
    memberAt(alias, nome, WHOLE.getterOf(nome)),
  ),
  ...fieldMembers(
    FIELD_NAMES.filter((nome) => !isListed(nome)),
    WHOLE,
  ),
].sort((one, other) => rankOf(one) - rankOf(other))

const Origem = Nullable(
  Type.Object(
    {
      importacao_id: Type.Integer({ description: 'De `/agravos/importacoes`' }),
      linha: Nullable(Type.Integer({ description: 'O cabeçalho é a linha 1' })),
    },
    {
      description: 'A última importação que gravou o caso, e a linha do arquivo',
    },
  ),
)

const origemOf = ({ importacao_id, importacao_linha }: CasoView) =>
  importacao_id === null ? null : { importacao_id, linha: importacao_linha }

const DETALHE = treeOf<CasoView>([
  ...listedMembers(WHOLE),
  ...furtherMembers,
  {
    path: 'responsavel',
    schema: described('Quem responde pelo caso no serviço', Pessoa),
    value: 'responsavel',
  },
  { path: 'origem', schema: Origem, value: origemOf },
  {
    path: 'versao',
    schema: Type.Integer({ description: 'Sobe a cada alteração; é o `ETag`' }),
    value: 'versao',
  },
])

export const toResumo = mapperOf(RESUMO)
export const toMembers = mapperOf(DETALHE)

export const CasoResumo = Type.Unsafe<Record<string, unknown>>(
  Type.Object(propertiesOf(RESUMO), { title: 'CasoResumo' }),
)

const CasoDaLista = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    { ...optionalPropertiesOf(RESUMO), id: CASO_ID.schema },
    { title: 'CasoDaLista', description: 'Um `CasoResumo`; com `campos`, só os membros pedidos e o `id`' },
  ),
)
export const ListaDeCasos = ListOf('tipos', CasoDaLista, 'ListaDeCasos')

const Acontecido = Type.Object(
  {
    data: described('Quando aconteceu', DateTime),
    acao: Type.String({
      description: 'O que aconteceu',
      examples: ['criado', 'atualizado', 'excluido', 'restaurado'],
    }),
    usuario: described('Quem o fez; nulo quando a conta já não existe', Pessoa),
    detalhes: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        '`alteracoes`: lista de `{campo, anterior, novo}`, com `rotulo` (e `rotulo_anterior`, `rotulo_novo` de opções) pela versão da definição que valia; e o que mais a ação tiver',
    }),
  },
  { title: 'HistoricoDoCaso' },
)

export const CasoDetalhe = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {
      ...propertiesOf(DETALHE),
      acesso: described(
        'Por que a conta vê o caso: o lugar de residência, o de notificação, ou por responder por ele',
        OneOf(ACESSOS),
      ),
      historico: described('O que aconteceu com o caso', Type.Array(Acontecido)),
      anexos: Type.Optional(described('Com `include=anexos`', Type.Array(Anexo))),
    },
    { title: 'CasoDetalhe' },
  ),
)

export const ListaDeHistorico = ListOf('items', Acontecido, 'ListaDeHistorico')

const PossivelDuplicidadeResposta = Type.Object(
  {
    id: Id,
    faixa: OneOf(FAIXAS),
    escore: Type.Number(),
    sinais: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'PossivelDuplicidade' },
)

export const toPossivel = ({ id, faixa, escore, sinais }: PossivelDuplicidade) => ({
  ...{ id, faixa, escore },
  sinais: { ...sinais },
})

export const CasoCriado = Type.Object(
  {
    id: Id,
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    numero_notificacao: Type.String(),
    status: OneOf(STATUS),
    criado_em: DateTime,
    mensagem: Type.String(),
    possiveis_duplicidades: Type.Optional(
      Type.Array(PossivelDuplicidadeResposta, { description: 'Com `duplicidade=avisar`; até 10' }),
    ),
    avisos: Avisos,
  },
  { title: 'CasoCriado' },
)
export const CasoAlterado = Type.Object(
  {
    id: Id,
    message: Type.String(),
    atualizado_em: DateTime,
    campos_alterados: Type.Array(Type.String()),
    avisos: Avisos,
  },
  { title: 'CasoAlterado' },
)
export const CasoRestaurado = Type.Object(
  { id: Id, message: Type.String(), status: OneOf(STATUS), atualizado_em: DateTime },
  { title: 'CasoRestaurado' },
)
