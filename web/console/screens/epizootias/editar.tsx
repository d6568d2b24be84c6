import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { dateInBrazil } from '../../../../src/brasil/calendar.ts'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { dropDraft, RASCUNHO } from '../../state/drafts.ts'
import type { Detalhe } from '../../state/epizootias.ts'
import { EPIZOOTIAS, epizootiaHref, refreshEpizootias } from '../../state/epizootias-keys.ts'
import { api, session } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { texts } from '../../state/texts.ts'
import type { Side } from '../../ui/conflict.tsx'
import { FromDraft } from '../../ui/from-draft.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { Answer, Empty } from '../../ui/states.tsx'
import { EventForm } from './event-form.tsx'
import { bodyOf, NAMES, type Name, type Typed, typedOf } from './fields.ts'
import { type EventDraft, useEventDraft } from './use-event-draft.ts'
import '../../ui/epizootia-styles.ts'

const loadConflict = async () => ({ default: (await import('./conflict.tsx')).Conflict })

export default function EpizootiaEditar() {
  const own = epizootiasTexts()
  const { path } = useLocation()
  const state = session.value
  const id = Number(exec(path, PATHS.epizootiaEditar)?.params.id)
  const query = useQuery({
    queryKey: [...EPIZOOTIAS, 'editar', id],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias/{id}', { params: { id } }, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (query.error instanceof ApiError && query.error.status === 404)
    return (
      <Page title={texts().screens.epizootiaEditar}>
        <Empty text={own.detail.missing}>
          <a class="button plain" href={PATHS.epizootias}>
            {own.back}
          </a>
        </Empty>
      </Page>
    )
  return query.data === undefined ? (
    <Page title={texts().screens.epizootiaEditar}>
      <Answer query={query} lines={10}>
        {() => null}
      </Answer>
    </Page>
  ) : (
    <WithDraft key={`${id} ${state.kind === 'open' ? state.perfil.id : 0}`} epizootia={query.data} />
  )
}

function WithDraft({ epizootia }: { epizootia: Detalhe }) {
  const wanted = useLocation().query[RASCUNHO]
  const [fresh] = useState(() => crypto.randomUUID())
  // The draft that this form itself keeps comes into the address later.
  if (wanted === undefined || wanted === fresh)
    return <Editing key={fresh} epizootia={epizootia} uuid={fresh} content={null} />
  return (
    <FromDraft<EventDraft> key={wanted} uuid={wanted}>
      {(content, notice) => <Editing epizootia={epizootia} uuid={wanted} content={content} notice={notice} />}
    </FromDraft>
  )
}

interface EditingProps {
  epizootia: Detalhe
  uuid: string
  content: EventDraft | null
  notice?: ComponentChildren
}

/**
 * The record that the form stands on, and the one that somebody else stored meanwhile. A draft stands on the record it was typed
 * over: what changed since is a conflict, not overwritten.
 */
function Editing({ epizootia, uuid, content, notice }: EditingProps) {
  const own = epizootiasTexts()
  const { id } = epizootia
  const { route } = useLocation()
  const [base, setBase] = useState(content?.antes ?? epizootia)
  const [typed, setTyped] = useState<Typed>(() => content?.campos ?? typedOf(base))
  const [theirs, setTheirs] = useState<Detalhe | null>(null)
  const [isResending, setResending] = useState(false)
  useEventDraft({ uuid, typed, untouched: typedOf(base), antes: base })
  const put = async (on: Detalhe, next: Typed, today: string) => {
    const body = bodyOf(next, typedOf(on), today)
    if (Object.keys(body).length > 0) {
      const asked = { params: { id }, body: body as never }
      await api.put('/api/v1/epizootias/{id}', asked, { ifMatch: `"${on.versao}"` })
      void refreshEpizootias()
    }
    void dropDraft(uuid)
    route(epizootiaHref(id), true)
  }
  const orConflict = async (sending: Promise<void>) => {
    try {
      await sending
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409) throw error
      setTheirs(await api.get('/api/v1/epizootias/{id}', { params: { id } }))
    }
  }
  const resend = async (sides: Record<string, Side>) => {
    if (theirs === null) return
    setResending(true)
    const next = merged(typed, typedOf(base), typedOf(theirs), sides)
    setTyped(next)
    setBase(theirs)
    setTheirs(null)
    // A refusal is told by the form, which is sent again by hand.
    await orConflict(put(theirs, next, dateInBrazil(new Date()))).catch(() => undefined)
    setResending(false)
  }
  return (
    <>
      <a class="back" href={epizootiaHref(id)}>
        {own.detail.title(texts().screens.epizootia, base.numero)}
      </a>
      <Page title={own.form.editTitle(epizootia.numero)} lead={own.form.lead}>
        <EventForm
          uuid={uuid}
          id={id}
          typed={typed}
          onType={setTyped}
          back={epizootiaHref(id)}
          send={(today) => orConflict(put(base, typed, today))}
        >
          {notice}
        </EventForm>
      </Page>
      {theirs !== null && (
        <OnDemand
          load={loadConflict}
          props={{
            ...{ base, typed, theirs, isResending },
            onSend: (sides: Record<string, Side>) => void resend(sides),
            onClose: () => setTheirs(null),
          }}
        />
      )}
    </>
  )
}

/** Mine over theirs, field by field; fields that I left alone are theirs. */
function merged(mine: Typed, before: Typed, theirs: Typed, sides: Record<string, Side>): Typed {
  const isMine = (name: Name) => mine[name] !== before[name] && sides[name] !== 'theirs'
  return Object.fromEntries(NAMES.map((name) => [name, (isMine(name) ? mine : theirs)[name]])) as Typed
}
