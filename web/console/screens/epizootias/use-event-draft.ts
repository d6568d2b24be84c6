import { useEffect, useRef } from 'preact/hooks'
import { dropDraft, keepDraft } from '../../state/drafts.ts'
import type { Detalhe } from '../../state/epizootias.ts'
import { useDraftAddress } from '../../ui/use-draft-address.ts'
import { NAMES, type Typed } from './fields.ts'

/** A draft of this form: what is typed, and for a change the event beneath it. */
export interface EventDraft {
  campos: Typed
  antes?: Detalhe
}

interface Drafted {
  uuid: string
  typed: Typed
  /** The form before anything was typed. */
  untouched: Typed
  /** Event that the form changes; null: a new one. */
  antes: Detalhe | null
}

/** Keeps a form as a draft while it is typed in; what is as before needs none. */
export function useEventDraft({ uuid, typed, untouched, antes }: Drafted): void {
  const last = useRef(typed)
  useEffect(() => {
    if (last.current === typed) return
    last.current = typed
    if (NAMES.every((name) => typed[name] === untouched[name])) return void dropDraft(uuid)
    const conteudo: EventDraft = { campos: typed, ...(antes !== null && { antes }) }
    keepDraft(uuid, { formulario: 'epizootia', id: antes?.id ?? null }, { ...conteudo })
  }, [typed])
  useDraftAddress(uuid, uuid)
}
