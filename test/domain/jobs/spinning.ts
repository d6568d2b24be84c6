import { watchForStall } from '../../../src/worker/stall.ts'

/**
 * Uses CPU and nothing else: for ever, or (`stepping`) step by step, three times the limit. That leaves time for the end of the
 * process, which makes no steps.
 */
const LIMIT_MS = 300
const step = watchForStall(LIMIT_MS)
const stepping = process.argv[2] === 'stepping'
const used = () => process.cpuUsage().user / 1_000

const begun = used()
while (!stepping || used() - begun < 3 * LIMIT_MS) if (stepping) step()
process.exit(0)
