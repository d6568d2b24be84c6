import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { dataFolder } from './service.ts'

describe('npm run vigia -- demo', async () => {
  const database = await createTestDatabase()
  const folder = await dataFolder({ after })
  const client = new pg.Client(database.connection)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  const env = { DATABASE_URL: databaseUrl(database.name), ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
  const demo = (args: string[], more: Record<string, string> = {}) =>
    folder.run(['demo', ...args, '--only-cases'], { ...env, ...more })
  /** Midnight may pass between two runs. */
  let lastDay = ''
  const counted = async (table: string) =>
    (await client.query(`select count(*)::int as total from ${table}`)).rows[0].total

  async function refused(args: string[], says: RegExp, more: Record<string, string> = {}, exitCode = 1) {
    const before = [await counted('casos'), await counted('jobs'), await counted('arquivos')]
    const { code, stdout, stderr } = await demo(args, more)
    assert.equal(code, exitCode, stdout)
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /^ {4}at /m, 'no stack')
    assert.deepEqual([await counted('casos'), await counted('jobs'), await counted('arquivos')], before)
  }

  it('is refused outside of a sandbox', () =>
    refused(['200'], /AMBIENTE is staging/, { AMBIENTE: 'staging' }))

  it('is refused for numbers that are none', async () => {
    await refused(['many'], /npm run vigia -- demo \[cases \[seed \[last day\]\]\] \[--only-cases\]/, {}, 2)
    await refused(['0'], /npm run vigia -- demo/, {}, 2)
    for (const day of ['2', '2026-02-30', '2015-06-01', '2999-01-01'])
      await refused(['10', '1', day], /The last day is a date from 2016-01-01 to today/, {}, 2)
    await refused(['10', '1', '2026-06-30', '2'], /npm run vigia -- demo/, {}, 2)
  })

  it('fills a sandbox that does not run, through the importer', async () => {
    const { code, stdout, stderr } = await demo(['200'])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^200 cases of seed 1 up to \d{4}-\d{2}-\d{2} in /m)
    lastDay = /up to (\S+)/.exec(stdout)?.[1] as string
    assert.match(stdout, /^ {2}importados +200$/m)
    assert.match(stdout, /curl -sk "\$API\/agravos\/casos\?/)
    assert.equal(await counted('casos'), 200)
    assert.equal(await counted('importacoes'), 1)
    assert.equal(await counted('arquivos'), 0)
  })

  it('changes nothing the second time, and beside a running service', async () => {
    const service = await folder.start(env)
    const { code, stdout, stderr } = await demo(['200', '1', lastDay])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^ {2}importados +0$/m)
    assert.match(stdout, /^ {2}inalterados +200$/m)
    assert.equal(await counted('casos'), 200)
    const other = await demo(['50', '2'])
    assert.equal(other.code, 0, other.stderr)
    assert.match(other.stdout, /^ {2}importados +50$/m)
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    const { body } = await service.request('/api/v1/agravos/casos', { token })
    assert.equal(body.total, 250)
    assert.equal((await service.stop()).code, 0)
  })

  it('furnishes it once: staff, a file with mistakes and duplicates, bulletins, news, paused webhooks', async () => {
    const whole = () => folder.run(['demo', '200', '1', lastDay], env)
    const { code, stdout, stderr } = await whole()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^ {2}inalterados +200$/m)
    const senha = /^ {2}Password \(shown only now\): (\S{12,})$/m.exec(stdout)?.[1] ?? ''
    const service = await folder.start(env)
    const token = await service.login(ADMIN_EMAIL, PASSWORD)
    const get = async (path: string, as: string) =>
      (await service.request(`/api/v1${path}`, { token: as })).body
    const week = (await get('/agravos/importacoes', token)).items.find(
      ({ arquivo }: { arquivo: { nome: string } }) => arquivo.nome === 'notificacoes-da-semana.csv',
    )
    assert.equal(week.erros, 3)
    assert.ok((await get('/agravos/duplicidades', token)).total >= 8)
    assert.equal((await get('/agravos/boletins', token)).total, 2)
    assert.equal((await get('/agravos/agendas', token)).total, 1)
    assert.equal((await get('/agravos/casos/excluidos', token)).total, 1)
    assert.equal((await get('/noticias', token)).total, 3)
    const { rows } = await client.query('select ativo from webhooks')
    assert.deepEqual(
      rows.map(({ ativo }) => ativo),
      [false, false, false],
      'nothing is sent anywhere',
    )
    const { rows: entregas } = await client.query('select estado, motivo from entregas')
    const made = new Set(entregas.map(({ estado, motivo }) => `${motivo} ${estado}`))
    for (const kind of ['evento entregue', 'evento pendente', 'teste entregue', 'teste falhou'])
      assert.ok(made.has(kind), `${kind} among ${[...made]}`)
    const avisos = (await get('/notificacoes', token)).notificacoes
    assert.ok(avisos.some(({ tipo }: { tipo: string }) => tipo === 'webhook_desligado'))
    const marta = await service.login('marta.nunes@vigia.example', senha)
    const seen = (await get('/agravos/casos?size=1', marta)).total
    assert.ok(seen > 0 && seen < (await get('/agravos/casos?size=1', token)).total, 'her territory alone')
    const before = await counted('usuarios')
    assert.equal((await whole()).code, 0)
    assert.equal(await counted('usuarios'), before)
    assert.equal((await service.stop()).code, 0)
  })
})
