import { type TSchema, Type } from 'typebox'
import { CAMPOS, LOCAL, leafOf, type NomeDeCampo, openFieldsOf } from '../../domain/casos/campos.ts'
import {
  CLASSIFICACOES,
  CLASSIFICACOES_INICIAIS,
  CRITERIOS,
  ESCOLARIDADES,
  EVOLUCOES,
  RACAS,
  RESULTADOS,
  SEXOS,
  STATUS,
  TIPOS_AGRAVO,
  ZONAS,
} from '../../domain/casos/enumeracoes.ts'
import { DateTime, described, Id, Nullable, OneOf } from '../../http/schemas.ts'
import { Anexo } from './anexos.shapes.ts'
import { Avisos } from './avisos.shapes.ts'
import { ListOf } from './envelope.ts'
import { Pessoa } from './pessoa.shapes.ts'

/** Spec 2.7: a case as it is shown, in lists and alone. */

export const NullableText = Nullable(Type.String())
const NullableDate = Nullable(Type.String({ format: 'date' }))
const NullableBoolean = Nullable(Type.Boolean())

/** The schema of an answer's field, described as the field of the case that it shows. */
const shows = <T extends TSchema>(nome: NomeDeCampo, schema: T): T =>
  described(CAMPOS[nome].description, schema)

const paciente = {
  nome: described('Iniciais; o nome completo só na leitura identificada', NullableText),
  idade: shows('paciente_idade', Nullable(Type.Integer())),
  sexo: shows('paciente_sexo', Nullable(OneOf(SEXOS))),
  gestante: shows('paciente_gestante', NullableBoolean),
}
const endereco = {
  municipio_residencia: shows('municipio_residencia', NullableText),
  codigo_ibge: described('Do município de residência, sete dígitos', NullableText),
  estado_residencia: shows('estado_residencia', NullableText),
  bairro: shows('bairro_residencia', NullableText),
  zona: shows('zona_residencia', Nullable(OneOf(ZONAS))),
}
const resumo = {
  id: described('Identificador do caso no serviço', Id),
  tipo_agravo: shows('tipo_agravo', OneOf(TIPOS_AGRAVO)),
  numero_notificacao: shows('numero_notificacao', Type.String()),
  data_notificacao: shows('data_notificacao', DateTime),
  semana_epidemiologica: described('Da notificação, `AAAASS`, de domingo a sábado', Type.String()),
  data_inicio_sintomas: shows('data_inicio_sintomas', NullableDate),
  semana_epidemiologica_sintomas: described('Do início dos sintomas, `AAAASS`', NullableText),
  paciente: Type.Object(paciente),
  endereco: Type.Object(endereco),
  classificacao_final: shows('classificacao_final', Nullable(OneOf(CLASSIFICACOES))),
  criterio_confirmacao: shows('criterio_confirmacao', Nullable(OneOf(CRITERIOS))),
  evolucao: shows('evolucao', Nullable(OneOf(EVOLUCOES))),
  hospitalizacao: shows('hospitalizacao', NullableBoolean),
  status: shows('status', OneOf(STATUS)),
  dados_especificos: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'O que foi informado, com os campos de `EntradaDadosEspecificos`',
  }),
  unidade_notificante: Type.Object({
    nome: shows('unidade_notificante.nome', NullableText),
    cnes: shows('unidade_notificante.cnes', NullableText),
  }),
  criado_em: described('Quando o caso entrou no serviço', DateTime),
  atualizado_em: described('Quando mudou pela última vez', DateTime),
}

export const CasoResumo = Type.Object(resumo, { title: 'CasoResumo' })
export const ListaDeCasos = ListOf('tipos', CasoResumo, 'ListaDeCasos')

export const SINAIS = [
  'febre',
  'mialgia',
  'cefaleia',
  'exantema',
  'nausea',
  'dor_retro_orbital',
  'artralgia',
  'dor_abdominal',
  'vomito_persistente',
  'hepatomegalia',
  'sangramento_mucosa',
  'letargia',
  'acumulo_liquidos',
] as const
const LABORATORIO = openFieldsOf('dados_laboratoriais')

const eachOf = <const N extends string>(names: readonly N[], schema: (name: N) => TSchema) =>
  Object.fromEntries(names.map((name) => [leafOf(name), schema(name)])) as Record<string, TSchema>

function resultSchema(nome: NomeDeCampo): TSchema {
  const { kind } = CAMPOS[nome]
  if (kind === 'date') return NullableDate
  if (kind === 'integer') return Nullable(Type.Integer())
  return kind === 'number' ? Nullable(Type.Number()) : Nullable(OneOf(RESULTADOS))
}

/** A sign that the form has for all diseases, or one of the alarm signs of dengue. */
function sinalOf(nome: string): NomeDeCampo {
  const especifico = `dados_especificos.${nome}`
  return (especifico in CAMPOS ? especifico : `dados_clinicos.sinais_sintomas.${nome}`) as NomeDeCampo
}

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
      description: '`alteracoes`: lista de `{campo, anterior, novo}`; e o que mais a ação tiver',
    }),
  },
  { title: 'HistoricoDoCaso' },
)

const Locais = Nullable(
  Type.Array(
    Type.Object({
      local: described(LOCAL.local.description, Type.String()),
      endereco: described(LOCAL.endereco.description, NullableText),
      periodo: described(LOCAL.periodo.description, NullableText),
    }),
  ),
)

export const CasoDetalhe = Type.Object(
  {
    ...resumo,
    paciente: Type.Object({
      ...paciente,
      data_nascimento: shows('paciente_data_nascimento', NullableDate),
      raca: shows('paciente_raca', Nullable(OneOf(RACAS))),
      escolaridade: shows('paciente_escolaridade', Nullable(OneOf(ESCOLARIDADES))),
      ocupacao: shows('paciente_ocupacao', NullableText),
    }),
    endereco: Type.Object({
      ...endereco,
      logradouro: shows('logradouro_residencia', NullableText),
      numero: shows('numero_residencia', NullableText),
      cep: shows('cep_residencia', NullableText),
      latitude: shows('latitude', Nullable(Type.Number())),
      longitude: shows('longitude', Nullable(Type.Number())),
    }),
    local_infeccao: Type.Object({
      municipio: shows('municipio_infeccao', NullableText),
      codigo_ibge: described('Do município da infecção, sete dígitos', NullableText),
      estado: shows('estado_infeccao', NullableText),
      pais: shows('pais_infeccao', NullableText),
    }),
    classificacao_inicial: shows('classificacao_inicial', Nullable(OneOf(CLASSIFICACOES_INICIAIS))),
    dados_clinicos: Type.Object({
      sinais_sintomas: Type.Object(eachOf(SINAIS, (nome) => shows(sinalOf(nome), NullableBoolean))),
      sinais_alarme: shows('dados_especificos.sinais_alarme', NullableBoolean),
      comorbidades: shows('dados_clinicos.comorbidades', Type.Array(Type.String())),
      hospitalizacao: shows('hospitalizacao', NullableBoolean),
      data_internacao: shows('data_internacao', NullableDate),
      uti: shows('uti', NullableBoolean),
    }),
    dados_laboratoriais: Type.Object(eachOf(LABORATORIO, (nome) => shows(nome, resultSchema(nome)))),
    data_investigacao: shows('data_investigacao', NullableDate),
    data_encerramento: shows('data_encerramento', NullableDate),
    data_obito: shows('data_obito', NullableDate),
    investigacao: Type.Object({
      locais_frequentados: shows('investigacao.locais_frequentados', Locais),
      viagem_recente: shows('investigacao.viagem_recente', NullableBoolean),
      contato_casos_similares: shows('investigacao.contato_casos_similares', NullableBoolean),
    }),
    unidade_notificante: Type.Object({
      nome: shows('unidade_notificante.nome', NullableText),
      cnes: shows('unidade_notificante.cnes', NullableText),
      telefone: shows('unidade_notificante.telefone', NullableText),
      responsavel: shows('unidade_notificante.responsavel', NullableText),
    }),
    responsavel: described('Quem responde pelo caso no serviço', Pessoa),
    origem: Nullable(
      Type.Object(
        {
          importacao_id: Type.Integer({ description: 'De `/agravos/importacoes`' }),
          linha: Nullable(Type.Integer({ description: 'O cabeçalho é a linha 1' })),
        },
        {
          description: 'A última importação que gravou o caso, e a linha do arquivo',
        },
      ),
    ),
    versao: Type.Integer({ description: 'Sobe a cada alteração; é o `ETag`' }),
    historico: described('O que aconteceu com o caso', Type.Array(Acontecido)),
    anexos: Type.Optional(described('Com `include=anexos`', Type.Array(Anexo))),
  },
  { title: 'CasoDetalhe' },
)

export const ListaDeHistorico = ListOf('items', Acontecido, 'ListaDeHistorico')

export const CasoCriado = Type.Object(
  {
    id: Id,
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    numero_notificacao: Type.String(),
    status: OneOf(STATUS),
    criado_em: DateTime,
    mensagem: Type.String(),
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
