// Fills the compile cache (`NODE_COMPILE_CACHE`) with all that a start, a command and a job load, without a database: an image that is
// read-only starts with compiled code instead of stripping types and compiling at every start. Run it as the user of the service and
// with its options: for these alone Node takes what it compiled.
import { COMMANDS } from '../src/commands/commands.ts'

await Promise.all(Object.values(COMMANDS).map((load) => load()))
await import('../src/commands/serving.ts')
await import('../src/http/metrics.ts')
await import('../src/worker/tasks.ts')
