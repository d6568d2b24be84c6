import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Failure, Loading } from './states.tsx'

/** A part that most visits never see: its code comes when it is shown. */
export function OnDemand({ load }: { load: () => Promise<{ default: ComponentType }> }) {
  const [part, setPart] = useState<{ default: ComponentType } | null>(null)
  const [error, setError] = useState<unknown>(null)
  useEffect(() => void load().then(setPart, setError), [])
  if (error !== null) return <Failure error={error} />
  return part === null ? <Loading /> : <part.default />
}
