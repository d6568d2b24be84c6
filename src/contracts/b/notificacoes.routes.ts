import { TIPOS_AGRAVO } from '../../domain/casos/enumeracoes.ts'
import {
  allNotificacoes,
  MAX_NOTIFICACOES,
  type Notificacao as NotificacaoSeen,
  readNotificacoes,
  TIPOS_DE_NOTIFICACAO,
} from '../../domain/notificacoes/notificacoes.ts'
import { loggedIn } from '../../http/access.ts'
import { DateTime, described, Id, Nullable, OneOf } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'
import { Nivel } from './alertas.shapes.ts'
import { Job, type JobReader, jobReaderOf, toJob } from './jobs.shapes.ts'
import { LugarResposta } from './territorios.shapes.ts'

const tag = 'Notificações'
const NotificacaoId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
const NaoLidas = Type.Integer({ description: 'Quantas ainda não foram lidas' })

const AlertasAvisados = Type.Object(
  {
    tipo_agravo: OneOf(TIPOS_AGRAVO),
    semana: Type.String({ description: '`AAAASS`' }),
    nivel: described('O mais alto, que o lugar tem', Nivel),
    lugar: LugarResposta,
    casos: Type.Number({ description: 'Prováveis esperados nele, na semana' }),
    total: Type.Integer({ description: 'Alertas em que o nível subiu' }),
  },
  { title: 'AlertasAvisados' },
)
const Notificacao = Type.Object(
  {
    id: NotificacaoId,
    tipo: OneOf(TIPOS_DE_NOTIFICACAO),
    criado_em: DateTime,
    lida_em: Nullable(DateTime),
    job: Type.Optional(Job),
    webhook_id: Type.Optional(Type.String()),
    alertas: Type.Optional(AlertasAvisados),
    noticia: Type.Optional(Type.Object({ id: Id, titulo: Type.String() })),
  },
  { title: 'Notificacao' },
)
const ListaDeNotificacoes = Type.Object(
  {
    nao_lidas: NaoLidas,
    maximo: Type.Integer({ description: 'Quantas se mostram, no máximo' }),
    notificacoes: Type.Array(Notificacao, { description: 'A mais nova primeiro' }),
  },
  { title: 'ListaDeNotificacoes' },
)
const LerNotificacoes = Type.Object(
  { ate: NotificacaoId },
  { title: 'LerNotificacoes', examples: [{ ate: 12 }] },
)
const NotificacoesLidas = Type.Object({ nao_lidas: NaoLidas }, { title: 'NotificacoesLidas' })

function toNotificacao(
  { id, tipo, criado_em, lida_em, job, dados, alertas, noticia }: NotificacaoSeen,
  reader: JobReader,
): Static<typeof Notificacao> {
  return {
    id,
    tipo: tipo as Static<typeof Notificacao>['tipo'],
    criado_em: criado_em.toISOString(),
    lida_em: lida_em?.toISOString() ?? null,
    ...(job !== null && { job: toJob(job, reader) }),
    ...(typeof dados.webhook_id === 'string' && { webhook_id: dados.webhook_id }),
    ...(alertas !== null && { alertas: alertas as Static<typeof AlertasAvisados> }),
    ...(noticia !== null && { noticia }),
  }
}

export const notificacoesRoutesB = [
  route({
    spec: '4.19',
    method: 'GET',
    path: '/api/v1/notificacoes',
    summary: 'As minhas notificações',
    tag,
    access: loggedIn,
    input: {},
    replies: { 200: ListaDeNotificacoes },
    errors: [],
    async handle({ caller, request }, app) {
      const { notificacoes, naoLidas } = await allNotificacoes(app, caller)
      const reader = jobReaderOf(app, request)
      return {
        nao_lidas: naoLidas,
        maximo: MAX_NOTIFICACOES,
        notificacoes: notificacoes.map((one) => toNotificacao(one, reader)),
      }
    },
  }),
  route({
    spec: '4.19',
    method: 'PUT',
    path: '/api/v1/notificacoes/lidas',
    summary: 'Marcar como lidas as minhas notificações até uma delas',
    tag,
    access: loggedIn,
    input: { body: LerNotificacoes },
    replies: { 200: NotificacoesLidas },
    errors: [],
    async handle({ body, caller }, app) {
      return { nao_lidas: await readNotificacoes(app, caller, body.ate) }
    },
  }),
]
