import type { Sistema as SistemaDoDominio } from '../../domain/health/sistema-dados.ts'
import { allowanceOf } from '../../domain/rate-limits/rate-limits.ts'
import { requires } from '../../http/access.ts'
import { DateTime, Id, Nullable } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import { route } from '../route.ts'

const Bytes = Type.Number()
const Fila = Type.Object({
  esperando: Type.Integer(),
  mais_antigo_segundos: Type.Number(),
  em_andamento: Type.Integer(),
  falhas: Type.Integer(),
})

const Sistema = Type.Object(
  {
    medido_em: DateTime,
    filas: Type.Record(Type.String(), Fila, { description: '`jobs`, `entregas`, `emails`, `contagens`' }),
    webhooks: Type.Object({ falhando: Type.Integer(), desligados: Type.Integer() }),
    banco_bytes: Bytes,
    disco: Type.Object({ livre_bytes: Bytes, total_bytes: Bytes }),
    ultima_copia: Nullable(Type.Object({ concluida_em: DateTime, bytes: Bytes })),
    limites: Type.Array(
      Type.Object({
        usuario: Type.Object({ id: Id, nome: Type.String() }),
        console: Type.Boolean(),
        minuto: Type.Integer(),
        minuto_limite: Type.Integer(),
        hora: Type.Integer(),
        hora_limite: Type.Integer(),
      }),
    ),
  },
  { title: 'Sistema' },
)

function toSistema(measured: SistemaDoDominio): Static<typeof Sistema> {
  const { medido_em, jobs, entregas, emails, contagens, webhooks, ultima_copia } = measured
  const fila = ({ waiting, oldest_seconds }: { waiting: number; oldest_seconds: number }) => ({
    ...{ esperando: waiting, mais_antigo_segundos: oldest_seconds, em_andamento: 0, falhas: 0 },
  })
  const uncounted = contagens.reduce((sum, { waiting }) => sum + waiting, 0)
  return {
    medido_em: medido_em.toISOString(),
    filas: {
      jobs: { ...fila(jobs), em_andamento: jobs.running },
      entregas: { ...fila(entregas), falhas: entregas.failed_last_hour },
      emails: { ...fila(emails), falhas: emails.retrying },
      contagens: fila({ waiting: uncounted, oldest_seconds: 0 }),
    },
    webhooks: { falhando: webhooks.failing, desligados: webhooks.switched_off },
    banco_bytes: measured.banco_bytes,
    disco: measured.disco,
    ultima_copia: ultima_copia && {
      concluida_em: ultima_copia.concluida_em.toISOString(),
      bytes: ultima_copia.bytes,
    },
    limites: measured.limites.map(({ usuario_id, nome, plano, is_console, minuto, hora }) => {
      const { perMinute, perHour } = allowanceOf(plano, is_console)
      return {
        usuario: { id: usuario_id, nome },
        console: is_console,
        ...{ minuto, minuto_limite: perMinute, hora, hora_limite: perHour },
      }
    }),
  }
}

export const sistemaRoutesB = [
  route({
    spec: '4.18',
    method: 'GET',
    path: '/api/v1/sistema',
    summary: 'Filas, tamanhos, última cópia e uso dos limites',
    tag: 'Serviço',
    access: requires('admin'),
    input: {},
    replies: { 200: Sistema },
    errors: [],
    async handle(_context, app) {
      return toSistema(await app.sistema())
    },
  }),
]
