import { api, cache } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { WebhookForm } from './form.tsx'
import { WEBHOOKS, type Webhook } from './webhook-words.ts'

interface EditDialogProps {
  webhook: Webhook
  onClose(): void
  onDone(): void
}

export function EditDialog({ webhook, onClose, onDone }: EditDialogProps) {
  const own = webhooksTexts()
  return (
    <Dialog title={own.form.edit} kind="broad" onClose={onClose}>
      <WebhookForm
        webhook={webhook}
        submitLabel={own.form.submitEdit}
        onClose={onClose}
        send={async (body) => {
          await api.put('/api/v1/webhooks/{id}', { params: { id: webhook.id }, body })
          void cache.invalidateQueries({ queryKey: WEBHOOKS })
          onDone()
        }}
      />
    </Dialog>
  )
}
