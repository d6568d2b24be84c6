import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { epizootiaHref, refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { Page } from '../../ui/page.tsx'
import { EventForm } from './event-form.tsx'
import { bodyOf, EMPTY, type Typed } from './fields.ts'
import '../../ui/epizootia-styles.ts'

export default function EpizootiaNova() {
  const own = epizootiasTexts()
  const { route } = useLocation()
  const [typed, setTyped] = useState<Typed>(EMPTY)
  // A lost answer leads to the event that was made; another body is another request.
  const [keys] = useState(() => new Map<string, string>())
  const send = async (today: string) => {
    const body = bodyOf(typed, null, today)
    const content = JSON.stringify(body)
    const idempotencyKey = keys.get(content) ?? crypto.randomUUID()
    keys.set(content, idempotencyKey)
    const { id } = await api.post('/api/v1/epizootias', { body: body as never }, { idempotencyKey })
    void refreshEpizootias()
    route(epizootiaHref(id), true)
  }
  return (
    <>
      <a class="back" href={PATHS.epizootias}>
        {own.back}
      </a>
      <Page title={texts().screens.epizootiaNova} lead={own.form.lead}>
        <EventForm typed={typed} onType={setTyped} back={PATHS.epizootias} send={send} />
      </Page>
    </>
  )
}
