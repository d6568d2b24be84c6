import { useState } from 'preact/hooks'
import { api, cache } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useVersions } from '../../ui/versions.tsx'
import { type Given, WebhookForm } from './form.tsx'
import { flatOf, givenOf, type Settings, settingWords } from './settings.tsx'
import { WEBHOOKS, type Webhook, type WebhookAberto } from './webhook-words.ts'

interface EditDialogProps {
  webhook: WebhookAberto
  onClose(): void
  onDone(): void
}

export function EditDialog({ webhook, onClose, onDone }: EditDialogProps) {
  const own = webhooksTexts()
  /** A form anew for what was chosen in a comparison. */
  const [given, setGiven] = useState<Given & { round: number }>({ ...webhook, round: 0 })
  const [refusal, setRefusal] = useState<unknown>(null)
  const params = { id: webhook.id }
  const { save, conflict } = useVersions<Webhook, Settings>({
    opened: webhook,
    read: () => tagged('/api/v1/webhooks/{id}', { params }),
    about: ({ id, atualizado_em }) => ({ recurso: 'webhook', id, em: atualizado_em }),
    formOf: flatOf,
    // Filters and headers are replaced as a whole.
    put: (_, ifMatch, form) =>
      api.put('/api/v1/webhooks/{id}', { params, body: givenOf(form) as never }, { ifMatch }),
    words: settingWords,
    onMerged: (form) => setGiven(({ round }) => ({ ...givenOf(form), round: round + 1 })),
    onError: setRefusal,
    onDone: () => {
      void cache.invalidateQueries({ queryKey: WEBHOOKS })
      onDone()
    },
  })
  return (
    <>
      <Dialog title={own.form.edit} kind="broad" onClose={onClose}>
        <WebhookForm
          key={given.round}
          webhook={given}
          submitLabel={own.form.submitEdit}
          refusal={refusal}
          onClose={onClose}
          send={(body) => {
            setRefusal(null)
            return save(flatOf(body as Given))
          }}
        />
      </Dialog>
      {conflict}
    </>
  )
}
