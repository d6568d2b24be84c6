import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder, type Service } from './service.ts'

const DOCUMENT = new URL('../../docs/analysts.md', import.meta.url)

/** Snippets of the document, and how their interpreters are called; skipped where one is not installed. */
const SNIPPETS = {
  python: { run: 'python3', args: [] as string[], probe: ['-c', 'import ssl'] },
  r: {
    run: 'Rscript',
    args: ['--vanilla'],
    probe: ['-e', 'library(httr2); library(jsonlite); library(data.table)'],
  },
}

describe('docs/analysts.md', async () => {
  const database = await createTestDatabase()
  const folder = await dataFolder({ after })
  after(() => database.drop())
  const env = { DATABASE_URL: databaseUrl(database.name), ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
  const text = await readFile(DOCUMENT, 'utf8')
  let service: Service
  let token: string
  before(async () => {
    const { code, stderr } = await folder.run(['demo', '300', '--only-cases'], env)
    assert.equal(code, 0, stderr)
    service = await folder.start(env)
    token = await service.login(ADMIN_EMAIL, PASSWORD)
  })

  for (const [language, { run, args, probe }] of Object.entries(SNIPPETS)) {
    const snippet = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? ''
    it(`has a snippet in ${language} of at most 15 lines`, () => {
      const lines = snippet.trimEnd().split('\n').length
      assert.ok(lines > 5 && lines <= 15, `${lines} lines`)
    })

    const isMissing = spawnSync(run, probe).status !== 0
    it(`counts in ${language} what the service counts`, {
      skip: isMissing && `${run} is not installed`,
    }, async (t) => {
      const file = join(folder.dataDir, `snippet.${language}`)
      await writeFile(file, snippet)
      const { stdout } = await promisify(execFile)(run, [...args, file], {
        env: {
          ...process.env,
          VIGIA_URL: service.url.replace(/\/$/, ''),
          VIGIA_TOKEN: token,
          VIGIA_CA: join(folder.dataDir, 'tls/cert.pem'),
        },
        signal: t.signal,
      })
      const rows = stdout
        .trim()
        .split('\n')
        .map((line) => line.split(';'))
      const { status, body } = await service.request(
        '/api/v1/agravos/casos/estatisticas/resumo?tipo_agravo=dengue',
        { headers: { authorization: `Bearer ${token}` } },
      )
      assert.equal(status, 200)
      const { total } = body
      assert.ok(total > 0)
      assert.equal(
        rows.reduce((sum, [, , cases]) => sum + Number(cases), 0),
        total,
      )
      for (const [week] of rows) assert.match(week ?? '', /^20\d{4}$/)
    })

    it(`says in ${language} that the job failed, and reads an empty VIGIA_CA as none`, {
      skip: isMissing && `${run} is not installed`,
    }, async (t) => {
      const asked: string[] = []
      const server = createServer((request, response) => {
        asked.push(String(request.url))
        const job = { job_id: 'j', status: 'failed', message: 'Sem resposta do banco' }
        response.setHeader('content-type', 'application/json').end(JSON.stringify(job))
      })
      t.after(() => server.close())
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const file = join(folder.dataDir, `failed.${language}`)
      await writeFile(file, snippet)
      const env = { ...process.env, VIGIA_URL: url, VIGIA_TOKEN: token, VIGIA_CA: '' }
      const running = promisify(execFile)(run, [...args, file], { env, signal: t.signal })
      await assert.rejects(running, /Sem resposta do banco/)
      assert.deepEqual(asked, ['/api/v1/agravos/casos/exportar', '/api/v1/jobs/j'])
    })
  }
})
