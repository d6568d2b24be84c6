import type { Caller } from '../caller/caller.ts'
import type { App } from '../domain/app.ts'
import { testWebhook } from '../domain/webhooks/entregas.ts'
import { changeWebhook, createWebhook } from '../domain/webhooks/webhooks.ts'
import { createWebhookWorker } from '../domain/webhooks/worker.ts'

/** Webhooks of a sandbox with the deliveries of some days: made-up receivers answer them, and nothing leaves the machine. */

const LABORATORIO = 'https://laboratorio.example/vigia'
const SALA = 'https://sala-de-situacao.example/alertas'
const ANTIGO = 'https://sistema-antigo.example/eventos'

type Outcome = Awaited<ReturnType<App['outbound']['post']>>

const answered = (status: number, body: string, ms: number): Outcome => ({
  ...{ kind: 'answered', status, body, ms },
  retryAfter: null,
  internal: false,
})

/** Answers in their turn, the last one for good. */
const ANSWERS: Record<string, Outcome[]> = {
  [LABORATORIO]: [
    answered(200, '{"recebido":true}', 84),
    answered(503, 'Manutenção programada', 131),
    answered(200, '{"recebido":true}', 79),
  ],
  [SALA]: [
    { kind: 'failed', reason: 'timeout', ms: 15_000 },
    answered(500, '{"erro":"fila cheia"}', 212),
    answered(204, '', 96),
  ],
  [ANTIGO]: [answered(410, 'Este endereço foi desativado', 58)],
}

function madeUpReceivers(): Pick<App['outbound'], 'post'> {
  const asked = new Map<string, number>()
  return {
    async post({ url }) {
      const turn = asked.get(url) ?? 0
      asked.set(url, turn + 1)
      const answers = ANSWERS[url] ?? []
      return answers[turn] ?? (answers.at(-1) as Outcome)
    },
  }
}

const EVERYTHING = { tipo_agravo: [], estado: [], municipio: [], nivel: [], suspeita: [] }
const SUBSCRIPTIONS = [
  {
    url: LABORATORIO,
    eventos: ['agravo.criado', 'agravo.atualizado', 'agravo.excluido'] as const,
    filtros: { ...EVERYTHING, tipo_agravo: ['dengue'], estado: ['PE'] },
  },
  {
    url: SALA,
    eventos: ['alerta.alterado'] as const,
    filtros: { ...EVERYTHING, nivel: ['laranja', 'vermelho'] },
  },
  { url: ANTIGO, eventos: ['agravo.criado'] as const, filtros: EVERYTHING },
]

/** Before the events that they are to be told of. */
export async function makeWebhooks(app: App, caller: Caller): Promise<string[]> {
  const ids: string[] = []
  for (const { eventos, ...subscription } of SUBSCRIPTIONS) {
    const novo = { ...subscription, eventos: [...eventos], ativo: false, headers: {} }
    ids.push((await createWebhook(app, caller, novo)).webhook.id)
  }
  return ids
}

/** Delivers what waits and some tests; afterwards all are paused, or switched off: later events wait and are sent to nobody. */
export async function deliverToMadeUp(app: App, caller: Caller, ids: readonly string[]): Promise<void> {
  const pretending: App = { ...app, outbound: madeUpReceivers() }
  for (const id of ids) await changeWebhook(pretending, caller, id, { ativo: true })
  let failed: unknown = null
  const worker = createWebhookWorker({
    app: pretending,
    onError: (error) => {
      failed = error
    },
  })
  await worker.runOnce()
  if (failed !== null) throw failed
  for (const id of ids) {
    await changeWebhook(pretending, caller, id, { ativo: false })
    for (let i = 0; i < 3; i++) await testWebhook(pretending, caller, id)
  }
}
