/** `canceled` is ours; the others are the interface's. */
export const STATUS_DE_JOB = ['processing', 'completed', 'failed', 'canceled'] as const
export type StatusDeJob = (typeof STATUS_DE_JOB)[number]
