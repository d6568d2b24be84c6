import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { enqueue, formOf, untilOver } from './import-setup.ts'
import type * as Processes from './service.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FIELD = 'dados_especificos.vacinado'
const ROW = `  '${FIELD}': column(BOOLEAN, 'Vacinado contra a dengue', { listed: true }),\n`
const MIGRATION = 'alter table casos add column vacinado boolean;\n'

/** A copy of the service with one field more: a row of the table of fields, and a migration. */
async function copyWithField(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'vigia-field-'))
  after(() => rm(copy, { recursive: true, force: true }))
  const parts = [
    'src',
    'migrations',
    'web',
    'package.json',
    'test/process/service.ts',
    'test/harness/eventually.ts',
  ]
  for (const part of parts) await cp(join(ROOT, part), join(copy, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  const campos = join(copy, 'src/domain/casos/campos.ts')
  const table = await readFile(campos, 'utf8')
  const changed = table.replace('export const CAMPOS = {\n', (start) => start + ROW)
  assert.notEqual(changed, table)
  await writeFile(campos, changed)
  await writeFile(join(copy, 'migrations/9999_vacinado.sql'), MIGRATION)
  return copy
}

describe('a field that a row of the table and a migration add', async () => {
  const copy = await copyWithField()
  const { dataFolder }: typeof Processes = await import(
    pathToFileURL(join(copy, 'test/process/service.ts')).href
  )
  const database = await createTestDatabase()
  const client = new pg.Client(database.connection)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  const folder = await dataFolder({ after })
  const service = await folder.start({ DATABASE_URL: databaseUrl(database.name) })
  const token = await service.login(ADMIN_EMAIL, PASSWORD)
  after(() => service.stop())
  const get = async (path: string) => (await service.request(`/api/v1${path}`, { token })).body
  const post = async (path: string, body: unknown, status: number) => {
    const answer = await service.request(`/api/v1${path}`, { method: 'POST', token, body })
    assert.equal(answer.status, status, answer.text)
    return answer.body
  }
  const stored = async (numero: string) =>
    (await client.query('select vacinado from casos where numero_notificacao = $1', [numero])).rows[0]
  const CASO = {
    tipo_agravo: 'dengue',
    data_notificacao: '2024-03-12',
    paciente_nome: 'Ana Lima',
    municipio_residencia: 'Recife',
    estado_residencia: 'PE',
  }

  it('is accepted, stored in its column, and shown in the case and in the list', async () => {
    const caso = { ...CASO, numero_notificacao: 'N1', dados_especificos: { vacinado: true } }
    const { id } = await post('/agravos/casos', caso, 201)
    assert.deepEqual(await stored('N1'), { vacinado: true })
    assert.equal((await get(`/agravos/casos/${id}`)).dados_especificos.vacinado, true)
    const [listed] = (await get('/agravos/casos')).tipos
    assert.equal(listed.dados_especificos.vacinado, true)
  })

  it('is checked as its kind says, and described', async () => {
    const wrong = { ...CASO, numero_notificacao: 'N2', dados_especificos: { vacinado: 'talvez' } }
    assert.match(JSON.stringify(await post('/agravos/casos', wrong, 422)), /dados_especificos\.vacinado/)
    assert.match((await service.request('/api/v1/openapi.json')).text, /Vacinado contra a dengue/)
  })

  it('changes, with a line in the history', async () => {
    const [{ id }] = (await get('/agravos/casos')).tipos
    const change = { method: 'PUT', token, body: { dados_especificos: { vacinado: false } } }
    const { status, text } = await service.request(`/api/v1/agravos/casos/${id}`, change)
    assert.equal(status, 200, text)
    assert.deepEqual(await stored('N1'), { vacinado: false })
    const { historico } = await get(`/agravos/casos/${id}`)
    assert.deepEqual(historico[0].detalhes.alteracoes, [{ campo: FIELD, anterior: true, novo: false }])
  })

  it('is imported from our own layout and exported', async () => {
    const header = `${Object.keys(CASO).join(';')};numero_notificacao;vacinado`
    const file = Buffer.from(`${header}\n${Object.values(CASO).join(';')};N3;sim\n`)
    const imported = await untilOver(service, token, await enqueue(service, token, formOf(file)))
    assert.equal(imported.resultado?.importados, 1, JSON.stringify(imported))
    assert.deepEqual(await stored('N3'), { vacinado: true })

    const { job_id } = await post('/agravos/casos/exportar', { formato: 'csv' }, 202)
    const exported = await untilOver(service, token, job_id)
    assert.equal(exported.status, 'completed', JSON.stringify(exported))
    const { text } = await service.request(`/api/v1/jobs/${job_id}/arquivo`, { token })
    const [names = [], ...rows] = text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(/[;,]/))
    const values = rows.map((row) => row[names.indexOf(FIELD)])
    assert.deepEqual(values.sort(), ['false', 'true'])
  })
})
