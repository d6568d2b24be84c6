import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/errors.ts'
import { heldDraft, resumeDraft } from '../state/drafts.ts'
import { api } from '../state/session.ts'
import { registroTexts } from '../state/texts/registro.ts'
import { Notice } from './notice.tsx'
import { Answer } from './states.tsx'

/** Kept no longer than the screen that asked. */
const FRESH = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }

export interface FromDraftProps<T> {
  uuid: string
  /** Null: it does not exist any more. */
  children(content: T | null, notice: ComponentChildren): ComponentChildren
}

/** Reads a draft: from this page where it is still held, else from the server. */
export function FromDraft<T>({ uuid, children }: FromDraftProps<T>) {
  const t = registroTexts().draft
  const draft = useQuery({
    queryKey: ['rascunho', uuid],
    queryFn: async ({ signal }): Promise<{ content: T | null; em: Date | null }> => {
      const held = heldDraft(uuid)
      if (held !== null) return { content: held.conteudo as T, em: new Date() }
      try {
        const saved = await api.get('/api/v1/rascunhos/{uuid}', { params: { uuid } }, { signal })
        const em = new Date(saved.atualizado_em)
        resumeDraft(uuid, saved, em)
        return { content: saved.conteudo as T, em }
      } catch (error) {
        if (error instanceof ApiError && [404, 422].includes(error.status)) return { content: null, em: null }
        throw error
      }
    },
    ...FRESH,
  })
  if (draft.data === undefined)
    return (
      <Answer query={draft} lines={8}>
        {() => null}
      </Answer>
    )
  const { content, em } = draft.data
  const notice =
    em === null ? <Notice kind="error" text={t.gone} /> : <Notice kind="info" text={t.restored(em)} />
  return <>{children(content, notice)}</>
}
