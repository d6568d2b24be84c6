import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { arquivoDeCasos } from './import-setup.ts'
import { dataFolder } from './service.ts'

const BIN = fileURLToPath(new URL('../../clients/cli/vigia.mjs', import.meta.url))

describe('vigia as a process', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const folder = await dataFolder({ after })
  // Jobs wait: nobody works on them.
  const service = await folder.start({ DATABASE_URL: databaseUrl(database.name), WORKER: 'off' })
  const token = await service.login(ADMIN_EMAIL, PASSWORD)
  const file = join(folder.dataDir, 'casos.csv')
  await writeFile(file, arquivoDeCasos('A', 5))

  function begin(...args: string[]): { child: ChildProcess; stderr: () => string; stdout: () => string } {
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: folder.dataDir,
      VIGIA_URL: service.url,
      VIGIA_TOKEN: token,
    }
    const child = spawn(process.execPath, [BIN, ...args, '--ca', join(folder.dataDir, 'tls/cert.pem')], {
      env,
    })
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        written[name] += text
      })
    return { child, stdout: () => written.stdout, stderr: () => written.stderr }
  }

  it('ends with 130 at Ctrl-C, and leaves the job to the service', async () => {
    const sent = begin('importar', file, '--json')
    assert.equal((await once(sent.child, 'close'))[0], 0, sent.stderr())
    const { job_id } = JSON.parse(sent.stdout())
    const { child, stdout } = begin('jobs', 'acompanhar', job_id, '--json')
    await until('it follows the job', async () => stdout() !== '')
    child.kill('SIGINT')
    assert.equal((await once(child, 'close'))[0], 130)
    const { body } = await service.request(`/api/v1/jobs/${job_id}`, { token })
    assert.equal(body.status, 'processing')
  })

  it('ends quietly when nobody reads its output any more', async () => {
    const { child, stderr } = begin('grupos', 'listar', '--json')
    child.stdout?.destroy()
    const [code] = await once(child, 'close')
    assert.deepEqual([code, stderr()], [0, ''])
  })

  it('ends with the code of its command', async () => {
    const { child, stdout, stderr } = begin('casos', 'ver', '1')
    const [code] = await once(child, 'close')
    assert.deepEqual([code, stdout()], [1, ''], stderr())
  })

  // What is typed: `vigia casos e` and Tab.
  const TAB = 'COMP_WORDS=(vigia casos e); COMP_CWORD=2; _vigia; echo "$' + '{COMPREPLY[@]}"'
  const SHELLS = {
    bash: `source "$SCRIPT"; ${TAB}`,
    zsh: `autoload -U compinit bashcompinit; compinit -u -D; bashcompinit; source "$SCRIPT"; setopt ksh_arrays; ${TAB}`,
  }
  for (const [shell, script] of Object.entries(SHELLS))
    it(`completes commands in ${shell}`, {
      skip: spawnSync(shell, ['-c', 'true']).status !== 0 && `${shell} is not installed`,
    }, async () => {
      const bin = join(folder.dataDir, 'bin')
      await mkdir(bin, { recursive: true })
      const command = `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`
      await writeFile(join(bin, 'vigia'), command, { mode: 0o755 })
      const PATH = `${bin}:${process.env.PATH}`
      const SCRIPT = join(folder.dataDir, 'completar')
      await writeFile(SCRIPT, spawnSync(join(bin, 'vigia'), ['completar', 'bash']).stdout)
      const { stdout, stderr } = spawnSync(shell, ['-c', script], {
        encoding: 'utf8',
        env: { ...process.env, PATH, SCRIPT },
      })
      assert.deepEqual(stdout.trim().split(/\s+/), ['exportar', 'extrair'], stderr)
    })
})
