// Runs before every script on whatever Node the machine has (20 or later): brings in the dependencies,
// among them the Node that runs everything else, only when they are missing or the lockfile is newer. With `--console` it then builds the
// console where its sources changed, with that Node: the shell would still find the old one.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isCurrent } from './console-stamp.mjs'

const root = new URL('..', import.meta.url)
const modifiedAt = (file) => statSync(new URL(file, root), { throwIfNoEntry: false })?.mtimeMs ?? 0

// npm writes this file last, so an installation that was interrupted counts as missing.
if (modifiedAt('node_modules/.package-lock.json') < modifiedAt('package-lock.json')) {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

if (process.argv.includes('--console') && !isCurrent()) {
  const node = fileURLToPath(new URL('node_modules/node/bin/node', root))
  const { status } = spawnSync(node, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 2, 2] })
  process.exit(status ?? 1)
}
