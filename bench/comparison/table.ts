/** Printed lines of a comparison. */

/** Medians of the rounds; CPU in milliseconds for each request. */
export interface Measured {
  perSecond: number
  p50: number
  p99: number
  memory: number
  cpu: { server: number; database: number }
}

export const HEADER = [
  'workload'.padEnd(32),
  'req/s'.padStart(8),
  'baseline'.padStart(9),
  'ratio'.padStart(8),
  'target'.padStart(7),
  'p50 ms'.padStart(16),
  'p99 ms'.padStart(16),
  'MiB'.padStart(5),
  'CPU ms: server + database'.padStart(32),
].join('')

export function lineOf(name: string, ours: Measured, theirs: Measured, target?: number): string {
  const both = (of: (side: Measured) => number) => `${of(ours).toFixed(1)} / ${of(theirs).toFixed(1)}`
  const cpu = (side: Measured) => `${side.cpu.server.toFixed(2)} + ${side.cpu.database.toFixed(2)}`
  return [
    name.padEnd(32),
    ours.perSecond.toFixed(0).padStart(8),
    theirs.perSecond.toFixed(1).padStart(9),
    (ours.perSecond / theirs.perSecond).toFixed(2).padStart(8),
    (target === undefined ? '' : `≥ ${target}`).padStart(7),
    both(({ p50 }) => p50).padStart(16),
    both(({ p99 }) => p99).padStart(16),
    ours.memory.toFixed(0).padStart(5),
    `${cpu(ours)} / ${cpu(theirs)}`.padStart(32),
  ].join('')
}
