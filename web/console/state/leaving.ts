import { signal } from '@preact/signals'

/** Something on the screen is not saved: another address waits until the screen has asked. */
export const isUnsaved = signal(false)

/** The address that waits for an answer; null: none. What is discarded lets it come. */
export const waiting = signal<{ stay(): void } | null>(null)
