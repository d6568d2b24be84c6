import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Compile cache of this process and of its children, which inherit the variable: they start sooner, and without the type
// stripper and its memory.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/vigia', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)
await import('./cli.ts')
