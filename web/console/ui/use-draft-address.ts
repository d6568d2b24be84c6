import { effect } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { draftAt, draftStatus, leaveDraft, RASCUNHO } from '../state/drafts.ts'

/** Names a form's draft in its address once it is saved, so that a reload finds it; a form that is left leaves its draft. */
export function useDraftAddress(uuid: string, form: unknown): void {
  const { route, path } = useLocation()
  const isAddressed = useRef(new URLSearchParams(location.search).get(RASCUNHO) === uuid)
  useEffect(() => {
    const stop = effect(() => {
      if (draftStatus(uuid).value.kind !== 'saved' || isAddressed.current) return
      isAddressed.current = true
      route(draftAt(path, uuid), true)
    })
    return () => {
      stop()
      leaveDraft(uuid)
    }
  }, [form])
}
