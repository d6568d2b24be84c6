import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import pg from 'pg'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { arquivoDeCasos } from './import-setup.ts'
import { dataFolder } from './service.ts'

describe('npm run vigia -- import', async () => {
  const database = await createTestDatabase()
  const folder = await dataFolder({ after })
  const stranger = await dataFolder({ after })
  const client = new pg.Client(database.connection)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  const service = await folder.start({ DATABASE_URL: databaseUrl(database.name) })
  const { port } = new URL(service.url)
  const file = join(folder.dataDir, 'casos de teste.csv')
  await writeFile(file, arquivoDeCasos('A', 50))
  const bad = join(folder.dataDir, 'ruins.csv')
  await writeFile(bad, `${arquivoDeCasos('B', 3)}dengue;B4;2999-01-01;;;;;;;;;;\n`)

  const env = { PORT: port, ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
  const run = (args: string[], more: Record<string, string> = {}, from = folder) =>
    from.run(['import', ...args], { ...env, ...more })
  const casos = async () => (await client.query('select count(*)::int as total from casos')).rows[0].total

  async function refused(
    args: string[],
    says: RegExp,
    more: Record<string, string> = {},
    { from = folder, exitCode = 1 } = {},
  ) {
    const before = await casos()
    const { code, stdout, stderr } = await run(args, more, from)
    assert.equal(code, exitCode, stdout)
    assert.match(stderr, says)
    assert.doesNotMatch(stderr, /^ {4}at /m, 'no stack')
    assert.equal(stdout, '')
    assert.equal(await casos(), before)
  }

  it('only checks the file, unless it is told otherwise', async () => {
    const { code, stdout, stderr } = await run([file])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Validação concluída$/m)
    assert.match(stdout, /^ {2}total_linhas +50$/m)
    assert.match(stdout, /^ {2}importados +50$/m)
    assert.match(stdout, /^ {2}erros +0$/m)
    assert.equal(await casos(), 0)
  })

  it('imports it with --importar, over the certificate that the service made for itself', async () => {
    const { code, stdout, stderr } = await run([file, '--importar'])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Importação concluída$/m)
    assert.match(stdout, /^ {2}importados +50$/m)
    assert.equal(await casos(), 50)
    const again = await run([file, '--importar'])
    assert.match(again.stdout, /^ {2}inalterados +50$/m)
    assert.equal(await casos(), 50)
  })

  it('ends with exit code 1 when the import failed, and names the lines', async () => {
    const { code, stdout } = await run([bad, '--importar'])
    assert.equal(code, 1)
    assert.match(stdout, /^Nada foi importado: 1 linha\(s\) com erro$/m)
    assert.match(stdout, /^ {2}line 5: /m)
    assert.match(stdout, /^ {2}rejected rows: https:/m)
    assert.equal(await casos(), 50)
  })

  it('takes the good rows with --ignorar-erros', async () => {
    const { code, stdout } = await run([bad, '--importar', '--ignorar-erros'])
    assert.equal(code, 0)
    assert.match(stdout, /^ {2}importados +3$/m)
    assert.equal(await casos(), 53)
  })

  it('says what is wrong: a file that is not there, no file, two files, an option it does not know', async () => {
    await refused([join(folder.dataDir, 'nada.csv')], /nada\.csv cannot be read/)
    await refused([], /npm run vigia -- import file/, {}, { exitCode: 2 })
    await refused([file, bad], /npm run vigia -- import file/, {}, { exitCode: 2 })
    await refused([file, '--importa'], /--importa.*npm run vigia -- import file/, {}, { exitCode: 2 })
  })

  it('says what is wrong: the password, the disease, no service at all', async () => {
    await refused([file, '--importar'], /^401: /m, { ADMIN_PASSWORD: 'Errada#123' })
    await refused([file, '--importar', '--tipo', 'gripe'], /^422: .*tipo_agravo: /)
    await refused([file, '--importar'], /https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/, { PORT: '1' })
  })

  it('without a password and without anybody to ask, ends with exit code 1', async () => {
    await refused([file], /Password of /, { ADMIN_PASSWORD: '' })
  })

  it('trusts no certificate it does not know, unless it is told to', async () => {
    await refused(
      [file, '--url', service.url],
      /self-signed|unable to verify|certificate/i,
      {},
      { from: stranger },
    )
    const { code, stdout, stderr } = await run([file, '--url', service.url, '--inseguro'], {}, stranger)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^ {2}total_linhas +50$/m)
  })
})
