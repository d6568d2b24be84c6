import { useRef, useState } from 'preact/hooks'
import { unreachable } from '../api/errors.ts'
import { offline } from '../state/connection.ts'

/** One sending at a time; a failure is kept until the next. */
export function useSending(send: () => Promise<void>) {
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isSending) return
    if (offline.value !== null) return setError(unreachable())
    setSending(true)
    setError(null)
    try {
      await send()
    } catch (failure) {
      setError(failure)
      focusFirstProblem(form.current)
    } finally {
      setSending(false)
    }
  }
  return { form, isSending, error, setError, submit }
}

/** After the problems are drawn. */
export function focusFirstProblem(form: HTMLFormElement | null): void {
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}
