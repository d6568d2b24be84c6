import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyByFilter, NoSuchPage, PaperFilter, partsOf, partWords } from '../../ui/near-filters.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { ReplayDialog } from './replay-dialog.tsx'
import { answerWords, type Entrega, eventName, keyOf, TAGS, WEBHOOKS, webhookHref } from './webhook-words.ts'

const SIZE = 25
/** While deliveries wait, and otherwise. */
const REFRESH_MS = { waiting: 5_000, quiet: 30_000 }
const ESTADOS = ['pendente', 'entregue', 'falhou'] as const
type Estado = (typeof ESTADOS)[number]

/** Filter of the deliveries of a webhook. */
interface Filters {
  webhookId: string
  estado: Estado | null
}

/** Log of deliveries, the newest first; state and page are in the address. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const own = webhooksTexts().deliveries
  const { query } = useLocation()
  const [seen, setSeen] = useState<number | null>(null)
  const [isReplaying, setReplaying] = useState(false)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const estado = ESTADOS.find((one) => one === query.estado) ?? null
  const parts = partsOf<Filters>({ of: ['estado'], name: own.state, value: estado && own.states[estado] })
  const params = { id: webhookId }
  const asked = { page, size: SIZE, ...(estado !== null && { estado }) }
  const list = useQuery({
    queryKey: [...keyOf(webhookId), 'entregas', asked],
    queryFn: ({ signal }) => api.get('/api/v1/webhooks/{id}/entregas', { params, query: asked }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((one) => one.estado === 'pendente') ? REFRESH_MS.waiting : REFRESH_MS.quiet,
  })
  return (
    <section class="card deliveries unsized">
      <header class="row">
        <h2>{own.title}</h2>
        <Button icon="retry" onClick={() => setReplaying(true)}>
          {webhooksTexts().replay.open}
        </Button>
      </header>
      <PaperFilter words={parts.map(partWords)} />
      <StateLinks webhookId={webhookId} chosen={estado} />
      <Answer query={list} lines={6}>
        {({ items, total, pages, size }) =>
          total === 0 && estado !== null ? (
            <EmptyByFilter
              text={own.noneFiltered}
              name={WEBHOOKS[0]}
              filters={{ estado, webhookId }}
              none={{ estado: null, webhookId }}
              parts={parts}
              ask={(_, signal) =>
                api.get('/api/v1/webhooks/{id}/entregas', { params, query: { size: 1 } }, { signal })
              }
              hrefOf={({ estado }) => addressOf(webhookId, estado)}
            />
          ) : total === 0 ? (
            <Empty text={own.none} />
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={addressOf(webhookId, estado)} />
          ) : (
            <div class="imports">
              <Table
                caption={own.title}
                columns={columns(setSeen)}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: ({ id }) => setSeen(id) }}
              />
              <Pager
                page={page}
                pages={pages}
                size={size}
                total={total}
                hrefOf={(page) => addressOf(webhookId, estado, page)}
              />
            </div>
          )
        }
      </Answer>
      {seen !== null && <DeliveryDialog webhookId={webhookId} id={seen} onClose={() => setSeen(null)} />}
      {isReplaying && <ReplayDialog webhookId={webhookId} onClose={() => setReplaying(false)} />}
    </section>
  )
}

function addressOf(webhookId: string, estado: Estado | null, page = 1): string {
  const search = new URLSearchParams([
    ...(estado === null ? [] : [['estado', estado]]),
    ...(page > 1 ? [['pagina', String(page)]] : []),
  ])
  return search.size === 0 ? webhookHref(webhookId) : `${webhookHref(webhookId)}?${search}`
}

function StateLinks({ webhookId, chosen }: { webhookId: string; chosen: Estado | null }) {
  const own = webhooksTexts().deliveries
  return (
    <nav class="views" aria-label={own.state}>
      {[null, ...ESTADOS].map((estado) => (
        <a
          key={estado ?? ''}
          href={addressOf(webhookId, estado)}
          aria-current={estado === chosen ? 'true' : undefined}
        >
          {estado === null ? own.all : own.states[estado]}
        </a>
      ))}
    </nav>
  )
}

function columns(see: (id: number) => void): Column<Entrega>[] {
  const t = webhooksTexts()
  const own = t.deliveries
  return [
    { key: 'quando', title: own.when, cell: ({ criado_em }) => t.moment(new Date(criado_em)) },
    {
      key: 'evento',
      title: own.event,
      cell: ({ tipo, motivo }) => (
        <>
          {eventName(tipo)}
          {motivo !== 'evento' && <small>{own.reasons[motivo]}</small>}
        </>
      ),
    },
    {
      key: 'estado',
      title: own.state,
      cell: ({ estado, proxima_tentativa }) => (
        <>
          <span class={`tag ${TAGS[estado]}`}>{own.states[estado]}</span>
          {proxima_tentativa !== null && <small>{own.next(new Date(proxima_tentativa))}</small>}
        </>
      ),
    },
    { key: 'resposta', title: own.answer, cell: answerWords },
    {
      key: 'linhas',
      title: own.attempts,
      isNumber: true,
      cell: ({ tentativas }) => t.number(tentativas),
    },
    {
      key: 'acoes',
      title: own.actions,
      cell: ({ id, tipo, criado_em }) => (
        <Button
          kind="quiet"
          aria-label={own.openOf(eventName(tipo), t.moment(new Date(criado_em)))}
          onClick={() => see(id)}
        >
          {own.open}
        </Button>
      ),
    },
  ]
}
