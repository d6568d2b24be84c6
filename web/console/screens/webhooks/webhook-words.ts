import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import type { Nivel } from '../../state/alertas.ts'
import { word } from '../../state/epizootias.ts'
import { valorWords } from '../../state/filter-words.ts'
import type { Tagged } from '../../state/tagged.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'

export type Webhook = AnswerOf<'GET', '/api/v1/webhooks/{id}'>
/** With its version, to be changed. */
export type WebhookAberto = Tagged<Webhook>
export type Entrega = AnswerOf<'GET', '/api/v1/webhooks/{id}/entregas'>['items'][number]
export type EntregaDetalhada = AnswerOf<'GET', '/api/v1/webhooks/{id}/entregas/{entrega_id}'>

export const webhookHref = (id: string) => pathTo(PATHS.webhook, { id })

/** Keys of the cache: of one webhook, its deliveries included, and of all. */
export const WEBHOOKS = ['webhooks'] as const
export const keyOf = (id: string) => ['webhooks', 'one', id]

export interface Situation {
  state: 'ok' | 'failing' | 'off' | 'paused'
  tag: 'green' | 'amber' | 'red'
  since: Date | null
}

export function situationOf({ ativo, falhando_desde, desligado_em }: Webhook): Situation {
  const at = (moment: string | null) => (moment === null ? null : new Date(moment))
  if (!ativo && desligado_em !== null) return { state: 'off', tag: 'red', since: at(desligado_em) }
  if (!ativo) return { state: 'paused', tag: 'amber', since: null }
  if (falhando_desde !== null) return { state: 'failing', tag: 'red', since: at(falhando_desde) }
  return { state: 'ok', tag: 'green', since: null }
}

export const eventName = (tipo: string): string => webhooksTexts().eventNames[tipo] ?? tipo

/** The filter in words; null where everything passes. Municipalities by their number: a webhook may have hundreds. */
export function filterWords({ filtros }: Webhook): string | null {
  const t = texts()
  const own = webhooksTexts().form
  const { tipo_agravo, estado, municipio, nivel, suspeita } = filtros
  const parts = [
    tipo_agravo.map((one) => valorWords(one, t)).join(', '),
    estado.join(', '),
    municipio.length === 0 ? '' : `${own.municipios}: ${webhooksTexts().number(municipio.length)}`,
    nivel.map((one) => t.niveis.nomes[one as Nivel]).join(', '),
    suspeita.map((one) => word(one)).join(', '),
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join(' · ')
}

/** Answer of the receiver in a few words: its status, or the reason why there is none. */
export function answerWords({ status_http, duracao_ms, erro, tentativas }: Entrega): string {
  const t = webhooksTexts().deliveries
  if (status_http !== null) return t.status(status_http, duracao_ms)
  if (erro !== null) return t.errors[erro] ?? erro
  return tentativas === 0 ? '' : t.noAnswer
}

export const TAGS = { pendente: 'amber', entregue: 'green', falhou: 'red' } as const
