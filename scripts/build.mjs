// Entry of the build of the console. Plain JavaScript with the compile cache of the service (`src/main.ts`): without it the type stripper alone
// takes longer to start than Node.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache(
  process.env.NODE_COMPILE_CACHE ?? fileURLToPath(new URL('../node_modules/.cache/vigia', import.meta.url)),
)
await import('./build-console.ts')
