import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, holds } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { NoSuchPage } from '../../ui/near-filters.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { SituationTag } from './situation.tsx'
import { eventName, filterWords, WEBHOOKS, type Webhook, webhookHref } from './webhook-words.ts'
import './styles.ts'

const SIZE = 25
/** Deliveries go on under an open screen. */
const REFRESH_MS = 30_000

/** Webhooks with their state, and the way to a new one. */
export default function Webhooks() {
  const t = texts()
  const own = webhooksTexts()
  const { query } = useLocation()
  const [isCreating, setCreating] = useState(false)
  const [editing, setEditing] = useState<Webhook | null>(null)
  const [isSaved, setSaved] = useState(false)
  const page = Math.max(1, Math.trunc(Number(query.pagina)) || 1)
  const list = useQuery({
    queryKey: [...WEBHOOKS, 'list', page],
    queryFn: ({ signal }) => api.get('/api/v1/webhooks', { query: { page, size: SIZE } }, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const mayCreate = holds(['agravos.listar'])
  const create = (label: string, kind: 'primary' | 'plain') => (
    <Button kind={kind} onClick={() => setCreating(true)}>
      {label}
    </Button>
  )
  return (
    <Page
      title={t.screens.webhooks}
      lead={own.lead}
      actions={mayCreate ? create(own.new, 'primary') : undefined}
    >
      {isSaved && <Notice kind="done" text={own.saved} />}
      <Answer query={list} lines={6}>
        {({ items, total, pages, size }) =>
          total === 0 ? (
            <Empty text={own.none}>{mayCreate && create(own.first, 'plain')}</Empty>
          ) : items.length === 0 ? (
            <NoSuchPage page={page} href={hrefOfPage(1)} />
          ) : (
            <div class="imports">
              <Table
                caption={t.screens.webhooks}
                columns={columns()}
                rows={items}
                keyOf={({ id }) => id}
                keys={{ open: ({ id }) => webhookHref(id), edit: setEditing }}
              />
              <Pager page={page} pages={pages} size={size} total={total} hrefOf={hrefOfPage} />
            </div>
          )
        }
      </Answer>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {editing !== null && (
        <OnDemand
          load={() => loadEdit(editing.id)}
          props={{
            onClose: () => setEditing(null),
            onDone: () => {
              setEditing(null)
              setSaved(true)
            },
          }}
        />
      )}
    </Page>
  )
}

/** Dialogue over the webhook of now: rows of a list have no version. */
async function loadEdit(id: string) {
  const [{ EditDialog }, webhook] = await Promise.all([
    import('./edit-dialog.tsx'),
    tagged('/api/v1/webhooks/{id}', { params: { id } }),
  ])
  return {
    default: (props: { onDone(): void; onClose(): void }) => <EditDialog webhook={webhook} {...props} />,
  }
}

const hrefOfPage = (page: number) => (page === 1 ? PATHS.webhooks : `${PATHS.webhooks}?pagina=${page}`)

function columns(): Column<Webhook>[] {
  const own = webhooksTexts()
  const owner: Column<Webhook> = { key: 'quem', title: own.owner, cell: ({ usuario }) => usuario.nome }
  return [
    {
      key: 'endereco',
      title: own.url,
      cell: (webhook) => (
        <a class="breaks" href={webhookHref(webhook.id)}>
          {webhook.url}
        </a>
      ),
    },
    {
      key: 'eventos',
      title: own.events,
      cell: (webhook) => (
        <>
          {webhook.eventos.map(eventName).join(', ')}
          <small>{filterWords(webhook)}</small>
        </>
      ),
    },
    { key: 'estado', title: own.state, cell: (webhook) => <SituationTag webhook={webhook} /> },
    ...(holds(['webhooks.gerenciar']) ? [owner] : []),
    {
      key: 'linhas',
      title: own.waiting,
      isNumber: true,
      cell: ({ pendentes }) => own.number(pendentes),
    },
  ]
}
