import type { ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { FoundDraftsProps } from './found-drafts.tsx'
import type { SimilarProps } from './similar.tsx'
import { draftAt } from './use-draft.ts'

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

const drafts = async () => (await import('./found-drafts.tsx')).FoundDrafts
const similar = async () => (await import('./similar.tsx')).Similar

export function FoundDrafts(props: Omit<FoundDraftsProps, 'hrefOf'>) {
  const { path } = useLocation()
  return <Later load={drafts} hrefOf={(uuid: string) => draftAt(path, uuid)} {...props} />
}
export const Similar = (props: SimilarProps) => <Later load={similar} {...props} />
