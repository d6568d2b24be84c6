import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { dropDraft, findDrafts } from '../../state/drafts.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'

/** As many as are offered at once; the list is the latest first. */
const OFFERED = 5

/** Kept no longer than the screen that asked. */
const FRESH = { gcTime: 0, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }

export interface FoundDraftsProps {
  casoId: number | null
  except: string
  /** Address of the form with a draft. */
  hrefOf(uuid: string): string
}

/** Drafts that were left, each to go on with or to discard; nothing where there are none. */
export function FoundDrafts({ casoId, except, hrefOf }: FoundDraftsProps) {
  const { route } = useLocation()
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
