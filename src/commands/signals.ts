/**
 * Replaces the handler of SIGTERM and SIGINT. Without one they would end the process past its 'exit' handlers, and
 * the embedded database would be left running.
 */
export function onSignal(handler: (signal: NodeJS.Signals) => void): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.removeAllListeners(signal).on(signal, handler)
}
