import type { UFS } from '../../brasil/uf.ts'
import type { AgendaRow } from '../../domain/boletins/agendas.sql.ts'
import type { NewAgenda } from '../../domain/boletins/agendas.ts'
import type { BoletimRow } from '../../domain/boletins/boletins.sql.ts'
import type { Boletim as BoletimCongelado } from '../../domain/boletins/dados.ts'
import { FORMATOS_DO_BOLETIM } from '../../domain/boletins/documentos.ts'
import { DIAS_DA_SEMANA } from '../../domain/boletins/horario.ts'
import { AGRAVOS_DO_BOLETIM, type PedidoDeBoletim } from '../../domain/boletins/pedido.ts'
import { DateTime, described, Id, Nullable, OneOf, ProseText, Text } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { ListOf } from './envelope.ts'
import { Semana } from './epidemiologia.shapes.ts'
import { LugarQuery, LugarResposta, toLugar } from './territorios.shapes.ts'

const Texto = Type.Object(
  {
    titulo: Type.Optional(ProseText({ maxLength: 200 })),
    destaques: Type.Optional(Type.Array(ProseText({ maxLength: 500 }), { maxItems: 10 })),
    nota: Type.Optional(Text({ maxLength: 2000 })),
  },
  { title: 'TextoDoBoletim', description: 'As palavras de quem o pede' },
)

const pedidoFields = {
  tipo_agravo: OneOf(AGRAVOS_DO_BOLETIM, { description: '`todos`: uma seção por agravo' }),
  ...LugarQuery,
  publico: Type.Optional(Type.Boolean({ description: 'Com números pequenos suprimidos, para publicar' })),
  texto: Type.Optional(Texto),
}

export const PedirBoletim = Type.Object(
  {
    ...pedidoFields,
    semana: Type.Optional(Semana('Semana epidemiológica; a última encerrada, se ausente')),
  },
  { title: 'PedirBoletim', examples: [{ tipo_agravo: 'dengue', estado: 'PE', publico: true }] },
)

/** Absent words are none. */
export function fromPedido(pedido: Omit<Static<typeof PedirBoletim>, 'semana'>): PedidoDeBoletim {
  const { tipo_agravo, estado, regiao_saude, municipio, publico = false, texto = {} } = pedido
  const { titulo = null, destaques = [], nota = null } = texto
  return {
    tipo_agravo,
    ...(estado !== undefined && { estado: estado as (typeof UFS)[number] }),
    ...(regiao_saude !== undefined && { regiao_saude }),
    ...(municipio !== undefined && { municipio }),
    publico,
    texto: { titulo, destaques, nota },
  }
}

const boletimFields = {
  id: Id,
  tipo_agravo: OneOf(AGRAVOS_DO_BOLETIM),
  lugar: LugarResposta,
  semana: Type.String({ description: '`AAAASS`' }),
  publico: Type.Boolean(),
  titulo: Nullable(Type.String()),
  hash: Type.String({ description: 'SHA-256 do conteúdo, o mesmo da auditoria' }),
  versao: Type.String({ description: 'Do software que o fez' }),
  agenda_id: Nullable(Type.Integer({ description: 'A agenda que o pediu' })),
  criado_em: DateTime,
  criado_por: Type.Object({ id: Nullable(Type.Integer()), nome: Type.String() }),
}

export const BoletimResumido = Type.Object(boletimFields, { title: 'BoletimResumido' })
export const ListaDeBoletins = ListOf('items', BoletimResumido, 'ListaDeBoletins')

const anything = (description: string) => ({ type: 'object', additionalProperties: true, description })

export const Boletim = Type.Object(
  {
    ...boletimFields,
    cabecalho: Type.Unsafe<BoletimCongelado['cabecalho']>(anything('Lugar, semana, dados até, texto')),
    dados: Type.Unsafe<BoletimCongelado['dados']>(
      anything('`secoes`, uma por agravo, e `notas`; nulo com `suprimido`: número pequeno'),
    ),
  },
  { title: 'Boletim' },
)

export function toBoletimResumido(row: BoletimRow): Static<typeof BoletimResumido> {
  const { nivel_lugar: nivel, estado, regiao_saude, municipio } = row
  const codes = { pais: null, estado, regiao_saude, municipio }
  const codigo = codes[nivel]
  return {
    id: row.id,
    tipo_agravo: row.tipo_agravo as (typeof AGRAVOS_DO_BOLETIM)[number],
    lugar: toLugar({ nivel, codigo: codigo === null ? null : String(codigo), nome: row.lugar_nome, estado }),
    semana: row.semana,
    publico: row.publico,
    titulo: row.titulo,
    hash: row.hash,
    versao: row.versao,
    agenda_id: row.agenda_id,
    criado_em: row.criado_em.toISOString(),
    criado_por: { id: row.criado_por_id, nome: row.criado_por_nome },
  }
}

export function toBoletim(row: BoletimRow & { conteudo: BoletimCongelado }): Static<typeof Boletim> {
  const { cabecalho, dados } = row.conteudo
  return { ...toBoletimResumido(row), cabecalho, dados }
}

export const ArquivoQuery = Type.Object(
  { formato: OneOf(FORMATOS_DO_BOLETIM) },
  { additionalProperties: false },
)

const Hora = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  'x-format': 'hora',
  description: 'HH:MM, horário de Brasília',
  examples: ['08:00'],
})
const Dia = OneOf(DIAS_DA_SEMANA)
const MOST_PEDIDOS = 20
const MOST_GRUPOS = 50

const PedidoDaAgenda = Type.Object(pedidoFields, { title: 'PedidoDaAgenda' })

export const CriarAgenda = Type.Object(
  {
    nome: ProseText({ maxLength: 100 }),
    dia_semana: Dia,
    hora: Hora,
    pedidos: Type.Array(PedidoDaAgenda, { minItems: 1, maxItems: MOST_PEDIDOS }),
    grupos: Type.Optional(
      described(
        'Grupos cujos membros recebem um e-mail, se podem ler o boletim',
        Type.Array(Id, { maxItems: MOST_GRUPOS, uniqueItems: true }),
      ),
    ),
    ativo: Type.Optional(Type.Boolean()),
  },
  {
    title: 'CriarAgendaDeBoletim',
    examples: [
      {
        nome: 'Semanal',
        dia_semana: 'terca',
        hora: '08:00',
        pedidos: [{ tipo_agravo: 'dengue', estado: 'PE' }],
      },
    ],
  },
)

export const AlterarAgenda = Type.Partial(CriarAgenda, {
  title: 'AlterarAgendaDeBoletim',
  description: 'Só os campos a alterar',
  examples: [{ hora: '09:30', ativo: false }],
})

const PedidoGuardado = Type.Object(
  {
    tipo_agravo: OneOf(AGRAVOS_DO_BOLETIM),
    estado: Type.Optional(Type.String()),
    regiao_saude: Type.Optional(Type.String()),
    municipio: Type.Optional(Type.String()),
    publico: Type.Boolean(),
    texto: Type.Object({
      titulo: Nullable(Type.String()),
      destaques: Type.Array(Type.String()),
      nota: Nullable(Type.String()),
    }),
  },
  { title: 'PedidoGuardado' },
)

export const Agenda = Type.Object(
  {
    id: Id,
    nome: Type.String(),
    dia_semana: Dia,
    hora: Type.String(),
    pedidos: Type.Array(PedidoGuardado),
    grupos: Type.Array(Type.Object({ id: Id, nome: Type.String() })),
    ativo: Type.Boolean(),
    usuario: Type.Object(
      { id: Id, nome: Type.String() },
      { description: 'Com os direitos e o território desta conta' },
    ),
    proxima_em: Nullable(Type.String({ format: 'date-time', description: 'Nula: desligada' })),
    ultima_em: Nullable(DateTime),
    ultimo_job: Nullable(Type.String()),
    criado_em: DateTime,
    atualizado_em: DateTime,
  },
  { title: 'AgendaDeBoletim' },
)
export const ListaDeAgendas = ListOf('items', Agenda, 'ListaDeAgendasDeBoletim')

export function fromCriarAgenda(body: Static<typeof CriarAgenda>): NewAgenda {
  const { nome, dia_semana, hora, pedidos, grupos = [], ativo = true } = body
  return {
    nome,
    dia_semana: DIAS_DA_SEMANA.indexOf(dia_semana),
    hora,
    pedidos: pedidos.map(fromPedido),
    grupos,
    ativo,
  }
}

/** Only the fields that were sent; the others stay unchanged. */
export function fromAlterarAgenda(body: Static<typeof AlterarAgenda>): Partial<NewAgenda> {
  const { nome, dia_semana, hora, pedidos, grupos, ativo } = body
  return {
    ...(nome !== undefined && { nome }),
    ...(dia_semana !== undefined && { dia_semana: DIAS_DA_SEMANA.indexOf(dia_semana) }),
    ...(hora !== undefined && { hora }),
    ...(pedidos !== undefined && { pedidos: pedidos.map(fromPedido) }),
    ...(grupos !== undefined && { grupos }),
    ...(ativo !== undefined && { ativo }),
  }
}

export function toAgenda(row: AgendaRow): Static<typeof Agenda> {
  return {
    id: row.id,
    nome: row.nome,
    dia_semana: DIAS_DA_SEMANA[row.dia_semana] as (typeof DIAS_DA_SEMANA)[number],
    hora: row.hora,
    pedidos: row.pedidos as Static<typeof PedidoGuardado>[],
    grupos: row.grupos,
    ativo: row.ativo,
    usuario: { id: row.usuario_id, nome: row.usuario_nome },
    proxima_em: row.proxima_em?.toISOString() ?? null,
    ultima_em: row.ultima_em?.toISOString() ?? null,
    ultimo_job: row.ultimo_job,
    criado_em: row.criado_em.toISOString(),
    atualizado_em: row.atualizado_em.toISOString(),
  }
}
