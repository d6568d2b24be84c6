import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { noBrowser, openBrowser } from '../harness/browser.ts'
import { consoleService } from '../harness/console-service.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CLIENT = join(ROOT, 'clients/ts')
const VIGIA = join(ROOT, 'clients/cli/vigia.mjs')
const service = await consoleService()
after(() => service[Symbol.asyncDispose]())

const versionOf = (node: string) => spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim()
/** A Node of the machine that is another one than that of the repository. */
const OTHER_NODE = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => existsSync(node) && !node.includes('node_modules') && versionOf(node) !== process.version)
const noOther = OTHER_NODE === undefined && 'no other Node on this machine'

describe('The client', () => {
  for (const compiler of ['typescript-5', 'typescript-6']) {
    const tsc = join(CLIENT, 'node_modules', compiler, 'bin/tsc')
    it(`compiles strictly under ${compiler}`, {
      skip: !existsSync(tsc) && '`npm ci` in clients/ts installs it',
    }, async (t) => {
      const { version } = (
        await import(join(CLIENT, 'node_modules', compiler, 'package.json'), { with: { type: 'json' } })
      ).default
      assert.match(version, new RegExp(`^${compiler.at(-1)}\\.`))
      await run(process.execPath, [tsc, '--noEmit', '-p', CLIENT], { signal: t.signal })
    })
  }

  it('runs as a compiled package under the Node of the machine', { skip: noOther }, async (t) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'vigia-cliente-'))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, '-p', CLIENT, '--outDir', join(folder.path, 'dist')], {
      signal: t.signal,
    })
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
    await writeFile(join(folder.path, 'ca.pem'), service.ca)
    const program = `import { readFileSync } from 'node:fs'
      import { createVigia, VigiaError } from './dist/index.js'
      const [, , url, email, senha] = process.argv
      const vigia = createVigia({ url, email, senha, ca: readFileSync('ca.pem', 'utf8') })
      const file = new File(['tipo_agravo;numero_notificacao\\n'], 'casos.csv')
      const { job_id } = await vigia.post('/agravos/casos/bulk', { body: { file, formato: 'csv', modo: 'validar' } })
      const refused = await vigia.get('/grupos/{id}', { params: { id: 799999 } }).catch((error) => error)
      console.log((await vigia.get('/usuarios/me')).email, refused instanceof VigiaError, refused.code, typeof job_id)
      process.exit(0)`
    await writeFile(join(folder.path, 'program.js'), program)
    const args = ['program.js', service.origin, ADMIN_EMAIL, PASSWORD]
    const { stdout } = await run(OTHER_NODE as string, args, { cwd: folder.path, signal: t.signal })
    assert.equal(stdout.trim(), `${ADMIN_EMAIL} true NOT_FOUND string`)
  })

  it('runs in a browser', { skip: noBrowser }, async () => {
    const { outputFiles } = await build({
      entryPoints: [join(CLIENT, 'src/index.ts')],
      ...{
        bundle: true,
        minify: true,
        write: false,
        format: 'iife',
        globalName: 'cliente',
        platform: 'browser',
      },
    })
    const browser = await openBrowser()
    try {
      const page = await browser.newPage({ ignoreHTTPSErrors: true, bypassCSP: true })
      await page.goto(`${service.origin}/api/v1/health`)
      const told = await page.evaluate(`(async () => {
        ${outputFiles[0]?.text}
        const vigia = cliente.createVigia({ url: location.origin, email: '${ADMIN_EMAIL}', senha: '${PASSWORD}' })
        const file = new File(['tipo_agravo;numero_notificacao\\n'], 'casos.csv')
        const { job_id } = await vigia.post('/agravos/casos/bulk', { body: { file, formato: 'csv', modo: 'validar' } })
        const stop = new AbortController()
        for await (const job of vigia.job(job_id).acompanhar({ signal: stop.signal })) {
          stop.abort()
          return [(await vigia.get('/usuarios/me')).email, job.status]
        }
      })()`)
      assert.deepEqual(told, [ADMIN_EMAIL, 'processing'])
    } finally {
      await browser.close()
    }
  })
})

describe('vigia', () => {
  it('starts under the Node of the machine', { skip: noOther }, async (t) => {
    const { stdout } = await run(OTHER_NODE as string, [VIGIA, '--help'], { signal: t.signal })
    assert.match(stdout, /^COMANDOS$/m)
  })

  // Without `--`, npm takes the name for the value of `--no`.
  it('is there as npx vigia in the folder of the repository', async (t) => {
    const { stdout } = await run('npx', ['--no', '--', 'vigia', '--help'], { cwd: ROOT, signal: t.signal })
    assert.match(stdout, /^COMANDOS$/m)
  })
})
