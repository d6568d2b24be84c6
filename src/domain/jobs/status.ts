/** `canceled` is ours; the others are the interface's. */
export const STATUS_DE_JOB = ['processing', 'completed', 'failed', 'canceled'] as const
/** Share of an import's progress that reading and checking its file takes. */
export const READ_PERCENT = 60
export type StatusDeJob = (typeof STATUS_DE_JOB)[number]
