import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { dropDraft, RASCUNHO } from '../../state/drafts.ts'
import { epizootiaHref, refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api, session } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import { FromDraft } from '../../ui/from-draft.tsx'
import { Page } from '../../ui/page.tsx'
import { EventForm } from './event-form.tsx'
import { bodyOf, EMPTY, type Typed } from './fields.ts'
import { type EventDraft, useEventDraft } from './use-event-draft.ts'
import '../../ui/epizootia-styles.ts'

export default function EpizootiaNova() {
  const own = epizootiasTexts()
  const state = session.value
  return (
    <>
      <a class="back" href={PATHS.epizootias}>
        {own.back}
      </a>
      <Page title={texts().screens.epizootiaNova} lead={own.form.lead}>
        {/* Another person at this computer begins with an empty form. */}
        <Nova key={state.kind === 'open' ? state.perfil.id : 0} />
      </Page>
    </>
  )
}

function Nova() {
  const wanted = useLocation().query[RASCUNHO]
  const [fresh] = useState(() => crypto.randomUUID())
  // The draft that this form itself keeps comes into the address later.
  if (wanted === undefined || wanted === fresh) return <NovaForm key={fresh} uuid={fresh} given={EMPTY} />
  return (
    <FromDraft<EventDraft> key={wanted} uuid={wanted}>
      {(content, notice) => (
        <NovaForm uuid={wanted} given={{ ...EMPTY, ...content?.campos }} notice={notice} />
      )}
    </FromDraft>
  )
}

interface NovaFormProps {
  uuid: string
  given: Typed
  notice?: ComponentChildren
}

function NovaForm({ uuid, given, notice }: NovaFormProps) {
  const { route } = useLocation()
  const [typed, setTyped] = useState<Typed>(given)
  // A lost answer leads to the event that was made; another body is another request.
  const [keys] = useState(() => new Map<string, string>())
  useEventDraft({ uuid, typed, untouched: EMPTY, antes: null })
  const send = async (today: string) => {
    const body = bodyOf(typed, null, today)
    const content = JSON.stringify(body)
    const idempotencyKey = keys.get(content) ?? crypto.randomUUID()
    keys.set(content, idempotencyKey)
    const { id } = await api.post('/api/v1/epizootias', { body: body as never }, { idempotencyKey })
    void dropDraft(uuid)
    void refreshEpizootias()
    route(epizootiaHref(id), true)
  }
  return (
    <EventForm uuid={uuid} id={null} typed={typed} onType={setTyped} back={PATHS.epizootias} send={send}>
      {notice}
    </EventForm>
  )
}
