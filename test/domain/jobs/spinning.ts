import { watchForStall } from '../../../src/worker/stall.ts'

/** Uses CPU and nothing else: for ever, or (`stepping`) step by step, ten times the limit. */
const LIMIT_MS = 100
const step = watchForStall(LIMIT_MS)
const stepping = process.argv[2] === 'stepping'
const used = () => process.cpuUsage().user / 1_000

const begun = used()
while (!stepping || used() - begun < 10 * LIMIT_MS) if (stepping) step()
process.exit(0)
