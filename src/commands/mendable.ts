import { StartupError } from '../config/config.ts'

/** For steps that fail by what the operator configured. */
export async function mendable<T>(step: () => T | Promise<T>, variables?: string): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(variables === undefined ? message : `${variables}: ${message}`)
  }
}
