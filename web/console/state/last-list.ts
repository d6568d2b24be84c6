import { signal } from '@preact/signals'
import { owner } from './session.ts'

/** Address of the list as it was last seen, so that a case leads back to it. */
export const lastList = signal<string | null>(null)

owner.subscribe(() => {
  lastList.value = null
})
