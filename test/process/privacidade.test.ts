import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { MULTIPART, multipart } from '../harness/multipart.ts'
import {
  ALTERACAO,
  anexoPlantado,
  casoPlantado,
  holdsBairro,
  MOTIVO,
  NOME,
  PLANTADOS,
  plantedIn,
} from '../planted.ts'
import { answerOf, beginRequest, dataFolder, type Service } from './service.ts'

const folder = await dataFolder({ after })
const [EMAIL, SENHA] = ['admin@vigia.local', 'Senha#Boa1']

/** A form with a file, which the service's own verbs do not send. */
async function attach(service: Service, token: string, id: number) {
  const url = new URL(`/api/v1/agravos/casos/${id}/anexos`, service.url)
  const outgoing = beginRequest(url, { method: 'POST', token, headers: MULTIPART })
  outgoing.end(multipart(...anexoPlantado()))
  return answerOf(outgoing)
}

async function filesIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

it('what identifies a patient is in no file of the database and in no line of the log, whatever was done with it', async () => {
  const service = await folder.start({ ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: SENHA, LOG_LEVEL: 'trace' })
  const token = await service.login(EMAIL, SENHA)
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.request(`/api/v1/agravos/casos${path}`, {
      method,
      token,
      headers,
      ...(body !== undefined && { body }),
    })
  const motivo = encodeURIComponent(MOTIVO)
  const key = { 'idempotency-key': PLANTADOS.chave }

  const [changed, removed] = [
    await call('POST', '', casoPlantado()),
    await call('POST', '', casoPlantado(), key),
  ]
  const [one, other] = [changed.body.id, removed.body.id]
  const answers = [
    changed,
    removed,
    await call('PUT', `/${one}`, ALTERACAO),
    await attach(service, token, one),
    await attach(service, token, other),
    await call('DELETE', `/${one}?motivo=${motivo}`),
    await call('POST', `/${one}/restaurar`),
    await call('DELETE', `/${other}?motivo=${motivo}&force=true`),
    await call('POST', '', { ...casoPlantado(), tipo_agravo: PLANTADOS.recusado }),
    await call('PUT', `/${one}`, { paciente_nome: NOME.repeat(20) }),
    await call('GET', `?search=${encodeURIComponent(NOME)}`),
    await call('GET', `/${one}?identificado=true&include=historico,anexos`),
    await call('GET', '/mapa-calor?nivel=cep&identificado=true'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 200, 201, 201, 204, 200, 204, 422, 422, 200, 200, 200],
  )
  assert.ok(plantedIn(answers.at(-2)?.text ?? '').includes('nome novo'), 'it was stored')
  assert.equal((await service.stop()).code, 0)

  const output = service.output.stdout + service.output.stderr
  assert.ok(output.includes('/api/v1/agravos/casos/{id}'))
  assert.deepEqual(plantedIn(output), [])

  const open: string[] = []
  const files = await filesIn(folder.dataDir)
  for (const file of files) {
    const bytes = await readFile(file)
    if (holdsBairro(bytes)) open.push(file)
    assert.deepEqual(plantedIn(bytes), [], file)
    for (const what of ['latitude', 'longitude', 'latitude nova'] as const)
      assert.ok(!holdsNumber(bytes, -Number(PLANTADOS[what])), `${file}: ${what} as a number`)
  }
  // What is stored openly is found in a table and in the write-ahead log: the search looks where it should.
  assert.ok(files.length > 500)
  assert.ok(
    open.some((file) => file.includes('/postgres/base/')),
    open.join(),
  )
  assert.ok(
    open.some((file) => file.includes('/pg_wal/')),
    open.join(),
  )
})

function holdsNumber(bytes: Buffer, value: number): boolean {
  const double = Buffer.alloc(8)
  double.writeDoubleLE(value)
  return bytes.includes(double)
}
