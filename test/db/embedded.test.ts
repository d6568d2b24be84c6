import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import {
  chmod,
  lchown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { initdbReason } from '../../src/db/embedded/cluster.ts'
import { attachEmbedded, DataDirInUse, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { isTrueWithin, sendSignal, serverProcesses, startOf } from '../../src/db/embedded/process.ts'
import { HANG_MS } from '../harness/eventually.ts'
import { isRoot, query, queryWithin, sandbox } from './embedded-sandbox.ts'

const RECOVERY = /not shut down properly/

describe('the embedded database', { concurrency: 3 }, () => {
  let parent: string
  let template: string

  before(async () => {
    parent = await mkdtemp(join(tmpdir(), 'vigia-embedded-'))
    await chmod(parent, 0o711)
    template = join(parent, 'data')
    const database = await startEmbedded({
      dataDir: template,
      settings: { fsync: 'off' },
      report: () => undefined,
    })
    await query(database.connection, 'create table kept as select 1 as one')
    await database.stop()
  })

  after(() => rm(parent, { recursive: true, force: true }))

  test('the first start makes a private database without a TCP port', async (t) => {
    const { dataDir, start } = await sandbox(t)
    const { connection } = await start({})

    const folder = await stat(connection.host)
    assert.equal(folder.mode & 0o777, 0o700)
    assert.notEqual(folder.uid, 0)
    assert.equal((await stat(join(connection.host, '.s.PGSQL.5432'))).mode & 0o777, 0o700)
    assert.equal((await stat(join(dataDir, 'postgres'))).uid, folder.uid)

    const [settings] = await query(
      connection,
      `select current_database() as database, current_setting('listen_addresses') as addresses,
        current_setting('data_checksums') as checksums, current_setting('server_encoding') as encoding,
        current_setting('fsync') as fsync, upper('ação') as upper`,
    )
    assert.deepEqual(settings, {
      database: 'vigia',
      addresses: '',
      checksums: 'on',
      encoding: 'UTF8',
      fsync: 'on',
      upper: 'AÇÃO',
    })
  })

  test('a later start finds the data', async (t) => {
    const { start, lines } = await sandbox(t, { copyOf: template })
    const times: number[] = []
    for (const _ of [1, 2, 3]) {
      const begin = performance.now()
      const { connection, stop } = await start()
      times.push(performance.now() - begin)
      assert.deepEqual(await query(connection, 'select one from kept'), [{ one: 1 }])
      await stop()
    }
    t.diagnostic(`starts: ${times.map((ms) => `${Math.round(ms)} ms`).join(', ')}`)
    assert.deepEqual(lines, [])
  })

  test('a first start that is killed half-way leaves nothing in the way of the next', async (t) => {
    const { dataDir, service, start } = await sandbox(t)
    do {
      // On a busy machine we may look too late, when it is no longer half-way.
      await rm(dataDir, { recursive: true, force: true })
      const killed = service()
      await isTrueWithin(HANG_MS, () => isInitialising(dataDir))
      await sleep(150)
      process.kill(-killed.pid, 'SIGKILL')
      await killed.ended
    } while (!isInitialising(dataDir))

    const { connection } = await start()
    assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }])
    assert.equal(isInitialising(dataDir), false)
  })

  test('a folder that lost its database is not silently given an empty one', async (t) => {
    const { dataDir, start } = await sandbox(t)
    await mkdir(dataDir)
    await symlink('/nonexistent/cluster', join(dataDir, 'postgres'))
    await assert.rejects(start(), /holds no database/)
    assert.deepEqual(await readdir(dataDir), ['postgres'])
  })

  test('of what initdb complains about, the line that says why is told', () => {
    const full =
      '2026-01-01 00:00:00.000 UTC [1] FATAL:  could not write to file "x": No space left on device'
    const complaints = `${full}\nchild process exited with exit code 1\ninitdb: removing data directory "y"\n`
    assert.equal(initdbReason(complaints), 'could not write to file "x": No space left on device')
    assert.equal(initdbReason('initdb: error: could not access "y"\n'), 'could not access "y"')
    assert.equal(initdbReason(''), null)
  })

  test('a start that fails says what PostgreSQL said, and frees the folder', async (t) => {
    const { dataDir, start } = await sandbox(t, { copyOf: template })
    await assert.rejects(start({ shared_buffers: 'plenty' }), /invalid value for parameter "shared_buffers"/)
    assert.equal(existsSync(join(dataDir, 'vigia.pid')), false)
    await start()
  })

  describe('one service for one folder', () => {
    test('a second service is refused by name and pid, and the first one goes on', async (t) => {
      const { dataDir, service, start } = await sandbox(t, { copyOf: template })
      const first = service()
      await first.ready
      await assert.rejects(start(), (error) => {
        assert.ok(error instanceof DataDirInUse)
        assert.ok(error.message.includes(dataDir) && error.message.includes(String(first.pid)), error.message)
        return true
      })
      const connection = await attachEmbedded(dataDir)
      assert.ok(connection)
      await query(connection, 'select 1')
    })

    test('a second start inside the same process is refused too', async (t) => {
      const { start } = await sandbox(t, { copyOf: template })
      await start()
      await assert.rejects(start(), DataDirInUse)
    })

    test('of several starts at the same moment exactly one wins, also over a stale pid file', async (t) => {
      const { dataDir, service } = await sandbox(t, { copyOf: template })
      await writeFile(join(dataDir, 'vigia.pid'), '99999999\n1 x\n')
      const services = [service(), service(), service(), service()]
      const ready = await Promise.all(services.map((one) => one.ready))
      assert.equal(ready.filter(Boolean).length, 1)
      // A process may have ended before what it said is read.
      for (const loser of services.filter((_, i) => !ready[i]))
        assert.ok(await isTrueWithin(HANG_MS, () => loser.said().includes('DataDirInUse')), loser.said())
      assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'vigia.pid'])
    })

    test('commands find the database of a running service, and none otherwise', async (t) => {
      const { dataDir, start, service } = await sandbox(t, { copyOf: template })
      assert.equal(await attachEmbedded(dataDir), null)
      const database = await start()
      assert.deepEqual(await attachEmbedded(dataDir), database.connection)
      await database.stop()
      assert.equal(await attachEmbedded(dataDir), null)

      const killed = service()
      await killed.ready
      killed.child.kill('SIGKILL')
      await killed.ended
      assert.equal(await attachEmbedded(dataDir), null)
    })
  })

  describe('after a crash', () => {
    test('the server of a killed service is stopped cleanly and replaced', async (t) => {
      const { dataDir, service, start, postmasterPid, lines } = await sandbox(t, { copyOf: template })
      const killed = service()
      await killed.ready
      const connection = await attachEmbedded(dataDir)
      assert.ok(connection)
      await query(connection, 'insert into kept values (2)')
      const orphan = await postmasterPid()
      killed.child.kill('SIGKILL')
      await killed.ended
      assert.notEqual(startOf(orphan), null)

      const database = await start()
      assert.equal(startOf(orphan), null)
      assert.deepEqual(await query(database.connection, 'select one from kept'), [{ one: 1 }, { one: 2 }])
      assert.ok(lines.some((line) => line.includes(String(orphan))))
      assert.ok(!lines.some((line) => RECOVERY.test(line)))
    })

    test('a kill of service and server, with a statement still running, loses nothing committed', async (t) => {
      const { dataDir, service, start, postmasterPid, lines } = await sandbox(t, { copyOf: template })
      const killed = service()
      await killed.ready
      const connection = await attachEmbedded(dataDir)
      assert.ok(connection)
      await query(connection, 'insert into kept values (2)')
      const endless = query(connection, 'select count(*) from generate_series(1, 1e12)').catch(
        () => 'cut off',
      )
      const cluster = await realpath(join(dataDir, 'postgres'))
      await queryWithin(
        2000,
        connection,
        `select 1 / count(*) from pg_stat_activity where query ~ '^select count'`,
      )
      killed.child.kill('SIGKILL')
      sendSignal(await postmasterPid(), 'SIGKILL')
      await killed.ended
      assert.ok(serverProcesses(cluster).length > 0)

      const database = await start()
      assert.equal(await endless, 'cut off')
      assert.deepEqual(await query(database.connection, 'select one from kept'), [{ one: 1 }, { one: 2 }])
      assert.ok(lines.some((line) => RECOVERY.test(line)))
    })

    test("a server's lock file whose pid is an unrelated process by now is no obstacle", async (t) => {
      const { dataDir, start, postmasterPid } = await sandbox(t, { copyOf: template })
      const first = await start()
      const file = join(dataDir, 'postgres', 'postmaster.pid')
      const socketFile = join(first.connection.host, '.s.PGSQL.5432.lock')
      const [text, socketText] = [await readFile(file, 'utf8'), await readFile(socketFile, 'utf8')]
      const serverPid = await postmasterPid()
      const owner = await stat(file)
      await first.stop()
      // Of the same user, since PostgreSQL by itself only disregards the processes of others.
      const stranger = spawn('sleep', ['60'], { uid: owner.uid, gid: owner.gid })
      t.after(() => stranger.kill())
      for (const [path, content] of [
        [file, text],
        [socketFile, socketText],
      ] as const) {
        await writeFile(path, content.replace(String(serverPid), String(stranger.pid)))
        if (isRoot) await lchown(path, owner.uid, owner.gid)
      }

      const second = await start()
      await query(second.connection, 'select 1')
      assert.equal(stranger.exitCode ?? stranger.signalCode, null)
    })

    test('a server that ends by itself is started again at the same address', async (t) => {
      const { start, postmasterPid, lines } = await sandbox(t, { copyOf: template })
      const { connection } = await start()
      const killed = await postmasterPid()
      sendSignal(killed, 'SIGKILL')
      await isTrueWithin(HANG_MS, () => startOf(killed) === null)
      await queryWithin(5000, connection, 'select 1')
      assert.notEqual(await postmasterPid(), killed)
      assert.ok(lines.some((line) => line.includes('SIGKILL')))

      sendSignal(await postmasterPid(), 'SIGTERM')
      await isTrueWithin(HANG_MS, () => lines.some((line) => line.includes('exit code 0')))
      await queryWithin(5000, connection, 'select 1')
    })
  })

  describe('the end', () => {
    test('stop ends the server and gives the folder back; stopping again is harmless', async (t) => {
      const { dataDir, start, postmasterPid } = await sandbox(t, { copyOf: template })
      const database = await start()
      const pid = await postmasterPid()
      await Promise.all([database.stop(), database.stop()])
      await database.stop()
      assert.equal(startOf(pid), null)
      assert.deepEqual(await readdir(dataDir), ['postgres'])
    })

    test('stop while the server is being started again leaves nothing running', async (t) => {
      const { dataDir, start, postmasterPid } = await sandbox(t, { copyOf: template })
      const database = await start()
      const cluster = await realpath(join(dataDir, 'postgres'))
      sendSignal(await postmasterPid(), 'SIGKILL')
      await sleep(120)
      await database.stop()
      await isTrueWithin(HANG_MS, () => serverProcesses(cluster).length === 0)
      assert.deepEqual(serverProcesses(cluster), [])
    })

    test('a server that does not react to the request is ended by force', async (t) => {
      const { start, postmasterPid } = await sandbox(t, { copyOf: template })
      const database = await start()
      const pid = await postmasterPid()
      sendSignal(pid, 'SIGSTOP')
      await database.stop()
      assert.equal(startOf(pid), null)
    })

    test('Ctrl-C reaches the service and not the server', async (t) => {
      const { service, postmasterPid } = await sandbox(t, { copyOf: template })
      const running = service()
      await running.ready
      const server = await postmasterPid()
      process.kill(-running.pid, 'SIGINT')
      assert.ok(await isTrueWithin(HANG_MS, () => running.said().includes('Ctrl-C')))
      assert.notEqual(startOf(server), null)
      running.child.kill('SIGTERM')
      await running.ended
      assert.equal(startOf(server), null)
      assert.match(running.said(), /no exit listener is left/)
    })

    test('a service that ends by an error takes its server with it', async (t) => {
      const { service, postmasterPid } = await sandbox(t, { copyOf: template })
      const failing = service()
      await failing.ready
      const server = await postmasterPid()
      failing.child.kill('SIGUSR2')
      await failing.ended
      assert.ok(await isTrueWithin(HANG_MS, () => startOf(server) === null))
    })
  })

  test('a path too long for a socket gets one in a private temporary folder', async (t) => {
    const { dataDir, start } = await sandbox(t, { below: 'a'.repeat(100) })
    const { connection, stop } = await start()
    assert.equal(dirname(connection.host), await realpath(tmpdir()))
    assert.equal((await stat(connection.host)).mode & 0o777, 0o700)
    assert.deepEqual(await attachEmbedded(dataDir), connection)
    await query(connection, 'select 1')
    await stop()
    assert.equal(existsSync(connection.host), false)
  })

  test('warnings are reported; errors, statements and values are not', async (t) => {
    const { start, lines } = await sandbox(t, { copyOf: template })
    const { connection } = await start()
    const secret = 'Maria-da-Silva'
    await query(
      connection,
      `create table pessoas (nome text primary key); insert into pessoas values ('${secret}')`,
    )
    await assert.rejects(query(connection, `insert into pessoas values ('${secret}')`))
    await assert.rejects(query(connection, `select '${secret}'::integer`))
    await assert.rejects(
      query(connection, `do $$ begin raise exception E'${secret}\\nWARNING: ${secret}'; end $$`),
    )
    await query(connection, `do $$ begin raise warning 'seen' using detail = '${secret}'; end $$`)
    assert.ok(await isTrueWithin(HANG_MS, () => lines.some((line) => line.includes('seen'))))

    const crashing = assert.rejects(query(connection, `select '${secret}', pg_sleep(60)`))
    await sleep(200)
    const [backend] = await query(
      connection,
      `select pid from pg_stat_activity where query ~ '^select .Maria'`,
    )
    sendSignal(Number(backend?.pid), 'SIGKILL')
    await crashing
    assert.ok(
      await isTrueWithin(HANG_MS, () => lines.some((line) => line.includes('terminated by signal 9'))),
    )
    await queryWithin(5000, connection, 'select 1')
    assert.deepEqual(
      lines.filter((line) => line.includes(secret)),
      [],
    )
  })
})

function isInitialising(dataDir: string): boolean {
  return existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.new'))
}
