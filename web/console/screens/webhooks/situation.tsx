import { webhooksTexts } from '../../state/texts/webhooks.ts'
import { situationOf, type Webhook } from './webhook-words.ts'

/** State of a webhook, and since when. */
export function SituationTag({ webhook }: { webhook: Webhook }) {
  const own = webhooksTexts()
  const { state, tag, since } = situationOf(webhook)
  return (
    <>
      <span class={`tag ${tag}`}>{own.states[state]}</span>
      {since !== null && <small>{own.since(since)}</small>}
    </>
  )
}
