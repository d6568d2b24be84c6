import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder, freePort } from './service.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The commands of the README's requests and of the tour that continues them, but for those that start the service. */
async function commandsOfTour(): Promise<string[]> {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const requests = readme.slice(readme.indexOf('## Five requests'), readme.indexOf('### Demo data'))
  const tour = await readFile(join(root, 'docs/tour.md'), 'utf8')
  const blocks = [...`${requests}\n${tour}`.matchAll(/^```sh\n(.*?)^```$/gms)].map(
    ([, block]) => block as string,
  )
  return blocks.filter((block) => !/^npm start/m.test(block))
}

/** Writes the status of every answer to the error output, in a form that nothing else there has. */
const PREAMBLE = `
curl() { command curl -w '%{stderr}ANSWER %{http_code} %{method} %{url}\\n' "$@"; }
`

describe('The requests of the README and the tour', () => {
  it('can be pasted from top to bottom: only what is meant to be refused is', async (t) => {
    const database = await createTestDatabase()
    t.after(() => database.drop())
    const folder = await dataFolder(t)
    const DATABASE_URL = databaseUrl(database.name)
    const service = await folder.start({
      DATABASE_URL,
      RATE_LIMITS: 'on',
      MASTER_KEY: 'chave-mestra-do-passeio',
    })
    const { port } = new URL(service.url)
    const blocks = await commandsOfTour()
    assert.ok(blocks.length >= 6)
    const script = blocks
      .join('\n')
      .replaceAll('/tmp/vigia-tour', folder.dataDir)
      .replaceAll('8443', port)
      .replaceAll('admin@vigia.local', ADMIN_EMAIL)
      .replaceAll('Passeio#2026', PASSWORD)
      .replaceAll('9000', String(await freePort()))
    const file = join(folder.dataDir, 'tour.sh')
    await writeFile(file, `${PREAMBLE}${script}`)
    const { stdout, stderr } = await promisify(execFile)('bash', ['-u', file], {
      cwd: root,
      env: { ...process.env, PORT: port, ADMIN_EMAIL, TMPDIR: folder.dataDir },
      maxBuffer: 64 * 1024 * 1024,
      signal: t.signal,
    })
    const answers = [...stderr.matchAll(/ANSWER (\d+ \w+) https:\/\/[^/]+\/api\/v1(\S*)/g)]
    const refused = answers
      .map(([, answer, path]) => `${answer} ${path}`)
      .filter((answer) => !answer.startsWith('2'))
    assert.deepEqual(refused, ['422 POST /grupos', '428 POST /auth/login'], stdout)
    assert.ok(answers.length > 38, `${answers.length} answers`)
    assert.doesNotMatch(stderr, /unbound variable|command not found|No such file|undefined/)
    assert.doesNotMatch(stdout, /undefined/)
    assert.match(stdout, /[0-9a-f]{64} \{/, 'the receiver has printed a delivery')
    assert.match(stdout, /2000001/, 'the export is shown')
    assert.match(stdout, /Importação concluída/)
  })
})
