import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { setApart } from '../../src/commands/announce.ts'
import { sql } from '../../src/db/sql.ts'
import { createLogger, terminalLines } from '../../src/system/logging.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder } from './service.ts'

const database = await createTestDatabase()
const folder = await dataFolder({ after })
after(() => database.drop())

/** Everything a person might be recognised by, or get in with, in places where careless logging would find it. */
const PRIVATE = {
  email: ADMIN_EMAIL,
  senha: PASSWORD,
  unknownEmail: 'maria.aparecida@exemplo.test',
  wrongPassword: 'Senha#Errada77',
  query: 'Aparecida-na-consulta',
  path: 'Aparecida-no-caminho',
  body: 'aparecida_no_corpo',
  broken: 'aparecida-no-json-quebrado',
  agent: 'Navegador-da-Aparecida/1.0',
  cookie: 'sessao-da-aparecida',
  basic: Buffer.from('maria:segredo-basico').toString('base64'),
  forged: 'aaaaaaaaaaaa.bbbbbbbbbbbb.cccccccccccc',
}

it('whatever is asked, the log at its most talkative holds no secret, token, e-mail or value of a request', async () => {
  const service = await folder.start({ DATABASE_URL: databaseUrl(database.name), LOG_LEVEL: 'trace' })
  const { request } = service
  const login = (username: string, password: string) =>
    request('/api/v1/auth/login', { body: { username, password } })

  assert.equal((await login(PRIVATE.email, PRIVATE.wrongPassword)).status, 401)
  assert.equal((await login(PRIVATE.unknownEmail, PRIVATE.wrongPassword)).status, 401)
  const { status, body } = await login(PRIVATE.email, PRIVATE.senha)
  assert.equal(status, 200)
  const { access_token: token, refresh_token } = body
  const text = `username=${encodeURIComponent(PRIVATE.unknownEmail)}&password=${PRIVATE.wrongPassword}`
  const type = { 'content-type': 'application/x-www-form-urlencoded' }

  const grupo = { nome: PRIVATE.body, descricao: PRIVATE.query }
  const answers = [
    await request('/api/v1/usuarios/logado', {
      token,
      headers: {
        'user-agent': PRIVATE.agent,
        cookie: PRIVATE.cookie,
        referer: `https://x/?q=${PRIVATE.query}`,
      },
    }),
    await request(`/api/v1/grupos?nome=${PRIVATE.query}`, { token }),
    await request(`/api/v1/grupos?access_token=${token}`, { token }),
    await request(`/api/v1/grupos?email=${PRIVATE.unknownEmail}&size=${PRIVATE.query}`, { token }),
    await request(`/api/v1/grupos/${PRIVATE.path}`, { token }),
    await request(`/${PRIVATE.path}?${PRIVATE.query}`),
    await request('/api/v1/grupos', { token, body: grupo }),
    await request('/api/v1/grupos', { token, body: grupo }),
    await request('/api/v1/grupos', { token, body: { nome: PRIVATE.query } }),
    await request('/api/v1/grupos', { token, body: [PRIVATE.query] }),
    await request('/api/v1/grupos', { token: PRIVATE.forged }),
    await request('/api/v1/grupos', { headers: { authorization: `Basic ${PRIVATE.basic}` } }),
    await request('/api/v1/grupos', { token, headers: { 'x-request-id': `${PRIVATE.unknownEmail} x` } }),
    await request('/api/v1/usuarios/login_sw', { text, headers: type }),
    await request(`/api/v1/usuarios/login_sw?${text}`, { text: '', headers: type }),
    await request('/api/v1/grupos', { token, text: `{"nome": "${PRIVATE.broken}` }),
  ]
  // A fault of ours: the statement that PostgreSQL refuses holds values of the request.
  await database.pool.run(sql`alter table grupos rename column descricao to outra`)
  answers.push(await request('/api/v1/grupos', { token, body: { nome: 'x', descricao: PRIVATE.query } }))
  assert.deepEqual(
    answers.map((answer) => answer.status),
    [200, 200, 422, 422, 422, 404, 201, 422, 422, 422, 401, 401, 200, 401, 422, 400, 500],
  )
  await service.stop()

  const output = service.output.stdout + service.output.stderr
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  assert.ok(lines.length > answers.length, 'every request left a line')
  assert.ok(output.includes('"msg":"fault"'), 'the fault is in the log')
  for (const [what, value] of Object.entries({ ...PRIVATE, token, refresh_token }))
    for (const form of [value, encodeURIComponent(value), value.toLowerCase()])
      assert.ok(!output.includes(form), `the output holds the ${what}: ${value}`)
  assert.doesNotMatch(output, /aparecida/i)
})

it('on a terminal a request is one line: what was asked, what came of it', () => {
  const written: string[] = []
  const log = createLogger('info', terminalLines({ write: (text) => written.push(text) }))
  const request = { request_id: 'abc', method: 'GET', route: '/api/v1/grupos', status: 200, ms: 3.4 }
  log.info({ ...request, usuario_id: 7 }, 'request')
  log.info({ applied: ['0001_a.sql', '0002_b.sql'] }, 'migrations applied')
  const lines = written.map((text) => stripVTControlCharacters(text).replace(/^\[[\d:]+\] /, ''))
  assert.deepEqual(lines, [
    'INFO: GET /api/v1/grupos 200 3.4 ms\n',
    'INFO: migrations applied {"applied":["0001_a.sql","0002_b.sql"]}\n',
  ])
})

it('the announcement is set apart by rules on a terminal, and plain elsewhere', () => {
  assert.equal(setApart(['Vigia is ready', 'Password: x'], false), '\nVigia is ready\nPassword: x\n\n')
  const rule = '─'.repeat('Vigia is ready'.length)
  const expected = `\n${rule}\nVigia is ready\nPassword: x\n${rule}\n\n`
  assert.equal(setApart(['Vigia is ready', 'Password: x'], true), expected)
})
