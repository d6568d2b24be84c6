import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { onPresent } from '../../ui/present.ts'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { keyOf, WEBHOOKS, type WebhookAberto } from './webhook-words.ts'

/** Says what goes with the webhook before it goes. */
export function RemoveDialog({ webhook, onClose }: { webhook: WebhookAberto; onClose(): void }) {
  const { id, pendentes, etag } = webhook
  const own = webhooksTexts()
  const { route } = useLocation()
  const remove = async () => {
    const removed = api.delete('/api/v1/webhooks/{id}', { params: { id } }, { ifMatch: etag })
    await onPresent(removed, () => cache.invalidateQueries({ queryKey: WEBHOOKS }))
    cache.removeQueries({ queryKey: keyOf(id) })
    void cache.invalidateQueries({ queryKey: WEBHOOKS })
    route(PATHS.webhooks)
  }
  return (
    <RemovalDialog
      title={own.removeTitle}
      note={own.removeNote(pendentes)}
      action={own.remove}
      {...{ remove, onClose }}
    />
  )
}
