import { useQuery } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { dropDraft, findDrafts, resumeDraft } from '../../state/drafts.ts'
import { api } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { type DraftContent, heldContent, RASCUNHO } from './use-draft.ts'

/** As many as are offered at once; the list is the latest first. */
const OFFERED = 5
/** Kept no longer than the screen that asked. */
const FRESH = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }

/** Drafts that were left, each to go on with or to discard; nothing where there are none. */
export function FoundDrafts({ casoId, except }: { casoId: number | null; except: string }) {
  const { path, route } = useLocation()
  const [discarded, setDiscarded] = useState<readonly string[]>([])
  const found = useQuery({
    queryKey: ['rascunhos', casoId, except],
    queryFn: ({ signal }) => findDrafts(casoId, signal),
    ...FRESH,
  })
  const t = texts().formulario.draft
  const offered = (found.data ?? [])
    .filter(({ uuid }) => uuid !== except && !discarded.includes(uuid))
    .slice(0, OFFERED)
  if (offered.length === 0) return null
  const discard = (uuid: string) => {
    setDiscarded([...discarded, uuid])
    void dropDraft(uuid, true)
  }
  return (
    <section class="card found-drafts" aria-labelledby="rascunhos">
      <h2 id="rascunhos">{t.foundTitle}</h2>
      <ul>
        {offered.map(({ uuid, em }) => (
          <li key={uuid}>
            <span id={`rascunho-${uuid}`}>{casoId === null ? t.found(em) : t.foundEdit(em)}</span>
            <Button
              aria-describedby={`rascunho-${uuid}`}
              onClick={() => route(`${path}?${new URLSearchParams({ [RASCUNHO]: uuid })}`)}
            >
              {t.goOn}
            </Button>
            <Button kind="quiet" aria-describedby={`rascunho-${uuid}`} onClick={() => discard(uuid)}>
              {t.discard}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface FromDraftProps {
  uuid: string
  /** Null: it does not exist any more. */
  children(content: DraftContent | null, notice: ComponentChildren): ComponentChildren
}

/** Reads a draft: from this page where it is still held, else from the server. */
export function FromDraft({ uuid, children }: FromDraftProps) {
  const t = texts().formulario.draft
  const draft = useQuery({
    queryKey: ['rascunho', uuid],
    queryFn: async ({ signal }): Promise<{ content: DraftContent | null; em: Date | null }> => {
      const held = heldContent(uuid)
      if (held !== undefined) return { content: held, em: new Date() }
      try {
        const saved = await api.get('/api/v1/rascunhos/{uuid}', { params: { uuid } }, { signal })
        const em = new Date(saved.atualizado_em)
        resumeDraft(uuid, saved, em)
        return { content: saved.conteudo as unknown as DraftContent, em }
      } catch (error) {
        if (error instanceof ApiError && [404, 422].includes(error.status)) return { content: null, em: null }
        throw error
      }
    },
    ...FRESH,
  })
  if (draft.isError) return <Failure error={draft.error} onRetry={() => void draft.refetch()} />
  if (draft.data === undefined) return <Loading lines={8} />
  const { content, em } = draft.data
  const notice =
    em === null ? <Notice kind="error" text={t.gone} /> : <Notice kind="info" text={t.restored(em)} />
  return <>{children(content, notice)}</>
}
