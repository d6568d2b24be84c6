import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { draftAt } from '../../state/drafts.ts'
import { registroTexts } from '../../state/texts/registro.ts'
import type { FoundDraftsProps } from '../../ui/found-drafts.tsx'
import type { FromDraftProps } from '../../ui/from-draft.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import type { SimilarProps } from './similar.tsx'
import type { DraftContent } from './use-draft.ts'

type LaterProps<P> = P & { load: () => Promise<ComponentType<P>> }

/** A part that the form does without until its code is there. */
function Later<P extends object>({ load, ...props }: LaterProps<P>) {
  const [part, setPart] = useState<{ Part: ComponentType<P> } | null>(null)
  useEffect(
    () =>
      void load().then(
        (Part) => setPart({ Part }),
        () => undefined,
      ),
    [],
  )
  return part === null ? null : <part.Part {...(props as unknown as P & JSX.IntrinsicAttributes)} />
}

const drafts = async () => (await import('../../ui/found-drafts.tsx')).FoundDrafts
const line = async () => (await import('../../ui/draft-line.tsx')).DraftLine
const fromDraft = async () => ({ default: (await import('../../ui/from-draft.tsx')).FromDraft<DraftContent> })
const aside = async () => (await import('./aside.tsx')).Aside

export function FoundDrafts({ casoId, except }: { casoId: number | null; except: string }) {
  const { path } = useLocation()
  const t = registroTexts().draft
  const props: FoundDraftsProps = {
    alvo: { formulario: 'caso', id: casoId },
    said: casoId === null ? t.found : t.foundEdit,
    except,
    hrefOf: (uuid) => draftAt(path, uuid),
  }
  return <Later load={drafts} {...props} />
}
export const Aside = (props: SimilarProps) => <Later load={aside} {...props} />
export const FromDraft = (props: FromDraftProps<DraftContent>) => <OnDemand load={fromDraft} props={props} />
export const DraftLine = (props: { uuid: string }) => <Later load={line} {...props} />
