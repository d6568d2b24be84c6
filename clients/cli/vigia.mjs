#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

/** Node of the repository, for those whose own cannot run TypeScript. */
const NODE = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url))

if (process.features.typescript) {
  module.enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/vigia', import.meta.url)))
  await import('./main.ts')
} else if (existsSync(NODE)) {
  const child = spawn(NODE, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  // The terminal tells both of an interrupt; the child answers it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 130))
} else {
  console.error('vigia: Node 24, ou `npm install` na pasta do repositório')
  process.exit(1)
}
