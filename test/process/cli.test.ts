import assert from 'node:assert/strict'
import { type ChildProcess, type StdioOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, writeFile } from 'node:fs/promises'
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

  interface Begun {
    child: ChildProcess
    stderr: () => string
    stdout: () => string
  }
  const begin = (...args: string[]): Begun => beginWith('pipe', ...args)

  function beginWith(stdio: StdioOptions, ...args: string[]): Begun {
    const env = {
      ...process.env,
      XDG_CONFIG_HOME: folder.dataDir,
      VIGIA_URL: service.url,
      VIGIA_TOKEN: token,
    }
    const child = spawn(process.execPath, [BIN, ...args, '--ca', join(folder.dataDir, 'tls/cert.pem')], {
      env,
      stdio,
    })
    const written = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
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

  it('says that the disk is full behind its output', {
    skip: !existsSync('/dev/full') && 'no /dev/full here',
  }, async () => {
    const full = await open('/dev/full', 'w')
    const { child, stderr } = beginWith(['ignore', full.fd, 'pipe'], 'grupos', 'listar', '--json')
    const [code] = await once(child, 'close')
    await full.close()
    assert.deepEqual([code, stderr()], [1, 'Falha: não há espaço no disco\n'])
  })

  it('leaves the terminal as it was at Ctrl-C while it asks for a password', {
    skip: spawnSync('script', ['--version']).status !== 0 && 'script is not installed',
  }, async () => {
    const shown = (name: string) => join(folder.dataDir, `terminal-${name}`)
    const login = `'${process.execPath}' '${BIN}' login --email ana@teste.local --url ${service.url}`
    const command = `stty -g >'${shown('antes')}'; ${login}; echo "fim $?"; stty -g >'${shown('depois')}'`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, XDG_CONFIG_HOME: folder.dataDir, SHELL: '/bin/sh' },
    })
    const closed = once(child, 'close')
    let told = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text
    })
    await until('it asks', () => told.includes('Senha de ana@teste.local: '))
    child.stdin.write('meia-senha')
    child.stdin.write('\u0003')
    await until('it has ended', () => told.includes('fim '))
    child.stdin.end()
    await closed
    assert.match(told, /fim 130/)
    assert.doesNotMatch(told, /meia-senha/)
    assert.equal(await readFile(shown('depois'), 'utf8'), await readFile(shown('antes'), 'utf8'))
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
