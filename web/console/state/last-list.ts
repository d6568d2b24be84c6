import { signal } from '@preact/signals'

/** Address of the list as it was last seen, so that a case leads back to it. */
export const lastList = signal<string | null>(null)
