import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { api, cache } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { EMPTY_WEBHOOK, WebhookForm } from './form.tsx'
import { SecretDialog } from './secret.tsx'
import { WEBHOOKS, webhookHref } from './webhook-words.ts'

/** Registers a webhook, then shows its secret, once, and leads to it. */
export function CreateDialog({ onClose }: { onClose(): void }) {
  const own = webhooksTexts()
  const { route } = useLocation()
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const [made, setMade] = useState<{ id: string; secret: string | null } | null>(null)
  if (made !== null)
    return <SecretDialog secret={made.secret} until={null} onKept={() => route(webhookHref(made.id))} />
  return (
    <Dialog title={own.form.create} kind="broad" onClose={onClose}>
      <WebhookForm
        webhook={EMPTY_WEBHOOK}
        submitLabel={own.form.submitCreate}
        onClose={onClose}
        send={async (body) => {
          const { id, secret } = await api.post('/api/v1/webhooks', { body }, { idempotencyKey })
          void cache.invalidateQueries({ queryKey: WEBHOOKS })
          setMade({ id, secret: secret ?? null })
        }}
      />
    </Dialog>
  )
}
