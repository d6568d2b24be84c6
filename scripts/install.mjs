// Runs before every script on whatever Node the machine has (20 or later): brings in the dependencies,
// among them the Node that runs everything else, only when they are missing or the lockfile is newer; with `--tests` those of the tests of
// the client, too. With `--console` it then builds the console where its sources changed, with that Node: the shell would still find the old one.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isCurrent } from './console-stamp.mjs'

const root = new URL('..', import.meta.url)
const modifiedAt = (file) => statSync(new URL(file, root), { throwIfNoEntry: false })?.mtimeMs ?? 0

/** npm writes its own lockfile last, so an installation that was interrupted counts as missing. */
function install(folder, ...further) {
  const installed = modifiedAt(`${folder}node_modules/.package-lock.json`)
  if (installed >= modifiedAt(`${folder}package-lock.json`)) return
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', ...further], {
    cwd: new URL(folder, root),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

install('./')
// Older compilers, which the client has to pass. Its own script would want one that is not there.
if (process.argv.includes('--tests')) install('clients/ts/', '--ignore-scripts')

if (process.argv.includes('--console') && !isCurrent()) {
  const node = fileURLToPath(new URL('node_modules/node/bin/node', root))
  const { status } = spawnSync(node, ['scripts/build.mjs'], { cwd: root, stdio: ['ignore', 2, 2] })
  process.exit(status ?? 1)
}
