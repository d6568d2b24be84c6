import { isStale } from '../state/tagged.ts'
import { registroTexts } from '../state/texts/registro.ts'
import { errorText } from './states.tsx'

/** An act on a record that has no fields to compare: where somebody changed the record meanwhile, the screen shows the present. */
export function onPresent<T>(act: Promise<T>, outdate: () => unknown): Promise<T> {
  return act.catch((error: unknown) => {
    if (isStale(error)) void outdate()
    throw error
  })
}

export const presentText = (error: unknown): string =>
  isStale(error) ? registroTexts().conflict.changed : errorText(error)
