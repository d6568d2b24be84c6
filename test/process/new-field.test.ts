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
const ROWS = `
  'dados_especificos.vacinado': column(BOOLEAN, { listed: true }),
  data_alta: column(DATE, { listed: true }),
  paciente_altura: column(integer(1, 300), { listed: true }),
  paciente_mae: sigilo(text(200)),
`
const DESCRIPTIONS = `
  'dados_especificos.vacinado': 'Vacinado contra a dengue',
  data_alta: 'Dia da alta',
  paciente_altura: 'Altura em centímetros',
  paciente_mae: 'Nome da mãe',
`
const MIGRATION =
  'alter table casos add column vacinado boolean, add column data_alta date, add column paciente_altura integer;\n'

interface Campo {
  campo: string
  column: string
  /** Two values, and the first as a file writes it. */
  values: [unknown, unknown]
  written: string
  wrong: unknown
  /** Groups that it stands in, in requests and in answers. */
  sent: (value: unknown) => object
  shown: (caso: Record<string, Record<string, unknown>>) => unknown
}

const FIELDS: Campo[] = [
  {
    campo: 'dados_especificos.vacinado',
    column: 'vacinado',
    values: [true, false],
    written: 'sim',
    wrong: 'talvez',
    sent: (vacinado) => ({ dados_especificos: { vacinado } }),
    shown: (caso) => caso.dados_especificos?.vacinado,
  },
  {
    campo: 'data_alta',
    column: 'data_alta',
    values: ['2024-03-20', '2024-03-21'],
    written: '20/03/2024',
    wrong: 'logo',
    sent: (data_alta) => ({ data_alta }),
    shown: (caso) => caso.data_alta,
  },
  {
    campo: 'paciente_altura',
    column: 'paciente_altura',
    values: [170, 171],
    written: '170',
    wrong: 301,
    sent: (paciente_altura) => ({ paciente_altura }),
    shown: (caso) => caso.paciente?.altura,
  },
]
const bodyOf = (pick: (field: Campo) => unknown) =>
  Object.assign({}, ...FIELDS.map((field) => field.sent(pick(field))))
const first = ({ values }: Campo) => values[0]
const second = ({ values }: Campo) => values[1]

/** A copy of the service with more fields: rows of the table of fields, and a migration. */
async function copyWithFields(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'vigia-field-'))
  after(() => rm(copy, { recursive: true, force: true, maxRetries: 10 }))
  const parts = [
    'src',
    'migrations',
    'web',
    'package.json',
    'test/process/service.ts',
    'test/harness/eventually.ts',
    'test/harness/folder.ts',
  ]
  for (const part of parts) await cp(join(ROOT, part), join(copy, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  await insert('campos.ts', /export const CAMPOS = \{\n/, ROWS)
  await insert('descricoes.ts', /export const DESCRICOES[^\n]*\{\n/, DESCRIPTIONS)
  await writeFile(join(copy, 'migrations/9999_campos.sql'), MIGRATION)
  return copy

  async function insert(file: string, behind: RegExp, rows: string): Promise<void> {
    const path = join(copy, 'src/domain/casos', file)
    const text = await readFile(path, 'utf8')
    const changed = text.replace(behind, (start) => start + rows)
    assert.notEqual(changed, text)
    await writeFile(path, changed)
  }
}

describe('fields that rows of the table and a migration add, in a group, at the top and of the patient', async () => {
  const copy = await copyWithFields()
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
  /** Stored values by column, as JSON writes them. */
  const stored = async (numero: string) => {
    const { rows } = await client.query(
      'select to_json(c) as caso from casos c where numero_notificacao = $1',
      [numero],
    )
    return Object.fromEntries(FIELDS.map(({ column }) => [column, rows[0].caso[column]]))
  }
  const row = (pick: (field: Campo) => unknown) =>
    Object.fromEntries(FIELDS.map((field) => [field.column, pick(field)]))
  const CASO = {
    tipo_agravo: 'dengue',
    data_notificacao: '2024-03-12',
    paciente_nome: 'Ana Lima',
    municipio_residencia: 'Recife',
    estado_residencia: 'PE',
  }

  it('are accepted, stored in their columns, and shown in the case and in the list', async () => {
    const { id } = await post('/agravos/casos', { ...CASO, numero_notificacao: 'N1', ...bodyOf(first) }, 201)
    assert.deepEqual(await stored('N1'), row(first))
    const caso = await get(`/agravos/casos/${id}`)
    const [listed] = (await get('/agravos/casos')).tipos
    for (const { campo, shown, values } of FIELDS) {
      assert.equal(shown(caso), values[0], campo)
      assert.equal(shown(listed), values[0], campo)
    }
  })

  it('are checked as their kind says, and described', async () => {
    const wrong = { ...CASO, numero_notificacao: 'N2', ...bodyOf((field) => field.wrong) }
    const refusal = JSON.stringify(await post('/agravos/casos', wrong, 422))
    const { components } = JSON.parse((await service.request('/api/v1/openapi.json')).text)
    const { CasoResumo, CasoDetalhe } = components.schemas
    for (const { campo } of FIELDS) assert.ok(refusal.includes(campo), campo)
    for (const { properties } of [CasoResumo, CasoDetalhe]) {
      assert.equal(properties.data_alta.description, 'Dia da alta')
      assert.equal(properties.paciente.properties.altura.description, 'Altura em centímetros')
    }
  })

  it('change, with lines in the history', async () => {
    const [{ id }] = (await get('/agravos/casos')).tipos
    const change = { method: 'PUT', token, body: bodyOf(second) }
    const { status, text } = await service.request(`/api/v1/agravos/casos/${id}`, change)
    assert.equal(status, 200, text)
    assert.deepEqual(await stored('N1'), row(second))
    const { historico } = await get(`/agravos/casos/${id}`)
    const { alteracoes } = historico[0].detalhes
    assert.equal(alteracoes.length, FIELDS.length)
    for (const { campo, values } of FIELDS) {
      const [anterior, novo] = values
      const line = alteracoes.find((one: { campo: string }) => one.campo === campo)
      assert.deepEqual(line, { campo, anterior, novo })
    }
  })

  it('are imported from our own layout and exported', async () => {
    const header = [...Object.keys(CASO), 'numero_notificacao', ...FIELDS.map(({ column }) => column)]
    const values = [...Object.values(CASO), 'N3', ...FIELDS.map(({ written }) => written)]
    const file = Buffer.from(`${header.join(';')}\n${values.join(';')}\n`)
    const imported = await untilOver(service, token, await enqueue(service, token, formOf(file)))
    assert.equal(imported.resultado?.importados, 1, JSON.stringify(imported))
    assert.deepEqual(await stored('N3'), row(first))

    const { job_id } = await post('/agravos/casos/exportar', { formato: 'csv' }, 202)
    const exported = await untilOver(service, token, job_id)
    assert.equal(exported.status, 'completed', JSON.stringify(exported))
    const { text } = await service.request(`/api/v1/jobs/${job_id}/arquivo`, { token })
    const [names = [], ...rows] = text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(/[;,]/))
    for (const { campo, values } of FIELDS)
      assert.deepEqual(rows.map((row) => row[names.indexOf(campo)]).sort(), values.map(String).sort(), campo)
  })

  it('are shown only in an identified read where they are secret', async () => {
    const secret = { ...CASO, numero_notificacao: 'N4', paciente_mae: 'Rita Lima' }
    const { id } = await post('/agravos/casos', secret, 201)
    assert.equal((await get(`/agravos/casos/${id}`)).paciente.mae, null)
    assert.equal((await get(`/agravos/casos/${id}?identificado=true`)).paciente.mae, 'Rita Lima')
  })
})
