import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Alvo, dropDraft, findDrafts } from '../state/drafts.ts'
import { registroTexts } from '../state/texts/registro.ts'
import { Button } from './button.tsx'

/** As many as are offered at once; the list is the latest first. */
const OFFERED = 5

/** Kept no longer than the screen that asked. */
const FRESH = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }

export interface FoundDraftsProps {
  alvo: Alvo
  /** Words for one of a moment. */
  said(em: Date): string
  except: string
  /** Address of the form with a draft. */
  hrefOf(uuid: string): string
}

/** Drafts that were left, each to go on with or to discard; nothing where there are none. */
export function FoundDrafts({ alvo, said, except, hrefOf }: FoundDraftsProps) {
  const { route } = useLocation()
  const [discarded, setDiscarded] = useState<readonly string[]>([])
  const found = useQuery({
    queryKey: ['rascunhos', alvo, except],
    queryFn: ({ signal }) => findDrafts(alvo, signal),
    ...FRESH,
  })
  const t = registroTexts().draft
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
            <span id={`rascunho-${uuid}`}>{said(em)}</span>
            <Button aria-describedby={`rascunho-${uuid}`} onClick={() => route(hrefOf(uuid))}>
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
