import { useState } from 'preact/hooks'
import { isStale, type Tagged } from '../state/tagged.ts'
import type { Changed } from './changed-by.ts'
import { OnDemand } from './on-demand.tsx'
import type { Form, Worded } from './versions-dialog.tsx'

const loadDialog = async () => ({ default: (await import('./versions-dialog.tsx')).VersionsDialog })

interface VersionsProps<T, F extends Form> {
  /** Record as it was when the form was opened; null: a new one. */
  opened: Tagged<T> | null
  read(): Promise<Tagged<T>>
  about(record: T): Changed
  formOf(record: T): F
  /** Sends the fields that differ. */
  put(changed: Partial<F>, ifMatch: string | null, form: F): Promise<unknown>
  /** Label of a field, and one of its values, or of its list's elements, in words. */
  words(field: keyof F & string, value: unknown): Worded
  /** The form takes what was chosen; it is sent at once. */
  onMerged(form: F): void
  onError(error: unknown): void
  onDone(): void | Promise<void>
}

/**
 * Form over one version of a record. Read again behind the form, the record is another one, so that the version is kept from when the
 * form was opened. What somebody else changed meanwhile is compared before anything is sent again.
 */
export function useVersions<T, F extends Form>(props: VersionsProps<T, F>) {
  const { read, about, formOf, put, words, onMerged, onError, onDone } = props
  const [base, setBase] = useState(props.opened)
  const [clash, setClash] = useState<{ mine: F; theirs: Tagged<T> } | null>(null)
  const save = async (mine: F, over = base) => {
    if (over === null) return
    const changed = changesOf(formOf(over), mine)
    try {
      if (Object.keys(changed).length > 0) await put(changed, over.etag, mine)
    } catch (error) {
      if (!isStale(error)) throw error
      return setClash({ mine, theirs: await read() })
    }
    await onDone()
  }
  const resend = (next: F, theirs: Tagged<T>) => {
    setClash(null)
    setBase(theirs)
    onMerged(next)
    save(next, theirs).catch(onError)
  }
  const conflict = clash !== null && base !== null && (
    <OnDemand
      load={loadDialog}
      props={{
        ...{ before: formOf(base), mine: clash.mine, theirs: formOf(clash.theirs) },
        changed: sinceOf(about(base), about(clash.theirs)),
        words: words as (field: string, value: unknown) => Worded,
        onSend: (next: Form) => resend(next as F, clash.theirs),
        onClose: () => setClash(null),
      }}
    />
  )
  return { save, conflict, rebase: setBase }
}

/** The change that is met; null where the record was not changed itself, but what belongs to it, as an account by its groups. */
export const sinceOf = (before: Changed, now: Changed): Changed | null => (before.em === now.em ? null : now)

/** Elements of a list have no order. */
const plain = (value: unknown) =>
  JSON.stringify(Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value)

function changesOf<F extends Form>(before: F, mine: F): Partial<F> {
  const names = Object.keys({ ...before, ...mine }) as (keyof F)[]
  const changed = names.filter((name) => plain(before[name]) !== plain(mine[name]))
  return Object.fromEntries(changed.map((name) => [name, mine[name]])) as Partial<F>
}
