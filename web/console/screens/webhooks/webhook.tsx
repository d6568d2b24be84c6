import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { texts } from '../../state/texts.ts'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { useSending } from '../../ui/form.ts'
import { useKeys } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryContent } from './delivery-dialog.tsx'
import { Examples } from './examples.tsx'
import { RotateDialog } from './secret.tsx'
import { SituationTag } from './situation.tsx'
import {
  type EntregaDetalhada,
  eventName,
  filterWords,
  keyOf,
  WEBHOOKS,
  type Webhook,
  type WebhookAberto,
} from './webhook-words.ts'
import './styles.ts'

const REFRESH_MS = 30_000
const loadRemove = async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog })
const loadEdit = async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog })

/** One webhook: its settings, its test, its deliveries, and how its receiver verifies them. */
export default function WebhookScreen() {
  const t = texts()
  const own = webhooksTexts()
  const { path } = useLocation()
  const id = exec(path, PATHS.webhook)?.params.id ?? ''
  const query = useQuery({
    queryKey: keyOf(id),
    queryFn: ({ signal }) => tagged('/api/v1/webhooks/{id}', { params: { id } }, signal),
    refetchInterval: REFRESH_MS,
  })
  const all = (
    <>
      <AuditLink recurso="webhook" id={id} />
      <a class="button quiet" href={PATHS.webhooks}>
        {own.all}
      </a>
    </>
  )
  return (
    <Page title={t.screens.webhook} {...(query.data && { lead: query.data.url })} actions={all}>
      <Answer query={query} lines={8}>
        {(webhook) => (
          <div class="sections webhook in-order">
            <Settings webhook={webhook} />
            <Deliveries webhookId={webhook.id} />
            <Examples />
          </div>
        )}
      </Answer>
    </Page>
  )
}

type Open = 'edit' | 'rotate' | 'remove'

function Settings({ webhook }: { webhook: WebhookAberto }) {
  const own = webhooksTexts()
  const { id, ativo } = webhook
  const [open, setOpen] = useState<Open | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const [tested, setTested] = useState<EntregaDetalhada | null>(null)
  const test = useSending(async () => {
    setDone(null)
    setTested(null)
    setTested(await api.post('/api/v1/webhooks/{id}/testar', { params: { id } }))
    void cache.invalidateQueries({ queryKey: keyOf(id) })
  })
  const turn = useSending(async () => {
    setDone(null)
    await api.post(`/api/v1/webhooks/{id}/${ativo ? 'pausar' : 'retomar'}`, { params: { id } })
    setDone(ativo ? own.paused : own.resumed)
    void cache.invalidateQueries({ queryKey: WEBHOOKS })
  })
  const close = () => setOpen(null)
  useKeys({ e: () => setOpen('edit') })
  const error = test.error ?? turn.error
  return (
    <section class="card form">
      <h2>{own.settings}</h2>
      {error !== null && <Notice kind="error" text={errorText(error)} />}
      {done !== null && <Notice kind="done" text={done} />}
      {webhook.desligado_por !== null && (
        <p class="notice error">
          {own.offBy[webhook.desligado_por]} {own.offNote}
        </p>
      )}
      <Facts webhook={webhook} />
      <div class="row start">
        <Button kind="primary" aria-disabled={test.isSending} onClick={test.submit}>
          {test.isSending ? own.testing : own.test}
        </Button>
        <Button aria-disabled={turn.isSending} onClick={turn.submit}>
          {ativo ? own.pause : own.resume}
        </Button>
        <Button icon="edit" onClick={() => setOpen('edit')}>
          {own.edit}
        </Button>
        <Button icon="lock" onClick={() => setOpen('rotate')}>
          {own.secret.rotate}
        </Button>
        <Button kind="quiet" icon="remove" onClick={() => setOpen('remove')}>
          {own.remove}
        </Button>
      </div>
      {tested !== null && (
        <section class="tested" aria-label={own.testTitle}>
          <h3>{own.testTitle}</h3>
          <DeliveryContent entrega={tested} />
        </section>
      )}
      {open === 'edit' && (
        <OnDemand
          load={loadEdit}
          props={{
            webhook,
            onClose: close,
            onDone: () => {
              close()
              setDone(own.saved)
            },
          }}
        />
      )}
      {open === 'rotate' && <RotateDialog id={id} onClose={close} />}
      {open === 'remove' && <OnDemand load={loadRemove} props={{ webhook, onClose: close }} />}
    </section>
  )
}

function Facts({ webhook }: { webhook: Webhook }) {
  const own = webhooksTexts()
  const { criado_em, atualizado_em, segredo_anterior_ate, pendentes, usuario, headers } = webhook
  const names = Object.keys(headers)
  const rows: [string, string][] = [
    [own.waiting, own.number(pendentes)],
    [own.owner, usuario.nome],
    [own.created, own.moment(new Date(criado_em))],
    [own.changed, own.moment(new Date(atualizado_em))],
    ...(segredo_anterior_ate === null
      ? []
      : [[own.oldSecret, own.moment(new Date(segredo_anterior_ate))] as [string, string]]),
    [own.events, webhook.eventos.map(eventName).join(', ')],
    [own.filters, filterWords(webhook) ?? own.everyCase],
    [own.headers, names.length === 0 ? own.noHeaders : names.join(', ')],
  ]
  return (
    <dl class="facts">
      <div>
        <dt>{own.state}</dt>
        <dd>
          <SituationTag webhook={webhook} />
        </dd>
      </div>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
