import assert from 'node:assert/strict'
import { cp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { checkArchive } from '../../src/db/backup/restore.ts'
import { readMigrations } from '../../src/db/migrate.ts'
import { sql } from '../../src/db/sql.ts'
import { PASSWORD } from '../harness/app.ts'
import { administer, createTestDatabase, databaseUrl, testServer } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { MULTIPART, multipart } from '../harness/multipart.ts'
import { arquivoDeCasos, enqueue, formOf, untilOver } from './import-setup.ts'
import { answerOf, beginRequest, dataFolder, type Service } from './service.ts'

const ADMIN = 'admin@vigia.local'
const CASOS = '/api/v1/agravos/casos'
const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

const novoCaso = (numero_notificacao: string) => ({
  tipo_agravo: 'dengue',
  numero_notificacao,
  data_notificacao: '2024-03-12',
  // What COPY must write with care.
  paciente_nome: 'Maria \\N \\. da Silva',
  bairro_residencia: 'Boa\tViagem \\. \\N é',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
})

/** What a reader of the API sees, wherever the service listens. */
async function portrait(service: Service, caso: number, webhook: string, job: string) {
  const token = await service.login(ADMIN, PASSWORD)
  const read = async (path: string) => {
    const { status, text } = await service.request(`/api/v1${path}`, { token })
    assert.equal(status, 200, text)
    return JSON.parse(text.replaceAll(service.url, ''))
  }
  const {
    items: [anexo],
  } = await read(`/agravos/casos/${caso}/anexos?identificado=true`)
  const { url, eventos, criado_em } = await read(`/webhooks/${webhook}`)
  return {
    caso: await read(`/agravos/casos/${caso}?identificado=true&include=historico,anexos`),
    importados: (await read('/agravos/casos?size=5&numero_notificacao=A17')).tipos,
    anexo,
    conteudo: (await service.request(`${CASOS}/${caso}/anexos/${anexo.id}`, { token })).text,
    usuarios: (await read('/usuarios?nome=ana')).items,
    webhook: { url, eventos, criado_em },
    job: await read(`/jobs/${job}`),
  }
}

/** One case after the other until told to stop; the numbers that were acknowledged. */
function writer(service: Service, token: string) {
  let stopped = false
  const acknowledged: string[] = []
  const done = (async () => {
    for (let i = 1; !stopped; i++) {
      const { status, text } = await service.request(CASOS, { token, body: novoCaso(`W${i}`) })
      assert.equal(status, 201, text)
      acknowledged.push(`W${i}`)
    }
  })()
  return {
    acknowledged,
    async stop() {
      stopped = true
      await done
    },
  }
}

describe('a backup', async () => {
  const folder = await dataFolder({ after })
  const empty = await dataFolder({ after })
  const env = { ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' }
  const beside = (name: string) => join(folder.dataDir, '..', name)
  const file = beside('backup.gz')
  let service: Service
  let before: Awaited<ReturnType<typeof portrait>>
  let ids: { caso: number; webhook: string; job: string }
  let acknowledgedBefore: string[]

  it('is made beside a service that goes on writing', async () => {
    service = await folder.start(env)
    const token = await service.login(ADMIN, PASSWORD)
    const post = async (path: string, body: object) => {
      const answer = await service.request(`/api/v1${path}`, { token, body })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    }
    const job = await enqueue(service, token, formOf(arquivoDeCasos('A', 500)))
    await untilOver(service, token, job)
    // What the comparison of its cases found is added to its result.
    await until('its cases are compared', async () => {
      const { body } = await service.request(`/api/v1/jobs/${job}`, { token })
      return body.resultado.duplicidades
    })
    const webhook = await post('/webhooks', {
      url: 'http://127.0.0.1:9999/nobody',
      eventos: ['agravo.criado'],
    })
    const caso = await post('/agravos/casos', novoCaso('1'))
    await service.request(`${CASOS}/${caso.id}`, {
      method: 'PUT',
      token,
      body: { bairro_residencia: 'Pina' },
    })
    await post('/usuarios', { nome: 'Ana', email: 'ana@saude.example', senha: PASSWORD })
    const form = multipart(
      { field: 'tipo', content: 'exame' },
      { field: 'arquivo', content: PDF, filename: 'e.pdf' },
    )
    const sending = beginRequest(new URL(`${CASOS}/${caso.id}/anexos`, service.url), {
      method: 'POST',
      token,
      headers: { ...MULTIPART, 'content-length': String(form.length) },
    })
    sending.end(form)
    assert.equal((await answerOf(sending)).status, 201)

    const load = writer(service, token)
    await until('the writer writes', async () => load.acknowledged.length > 2)
    ids = { caso: caso.id, webhook: webhook.id, job }
    acknowledgedBefore = [...load.acknowledged]
    const { code, stdout, stderr } = await folder.run(['backup', file], env)
    await load.stop()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /Backed up \d+ rows of \d+ tables/)
    assert.match(stdout, /It holds no keys/)
    assert.ok(load.acknowledged.length > acknowledgedBefore.length, 'writing went on meanwhile')
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    before = await portrait(service, ids.caso, ids.webhook, ids.job)
  })

  it('does not take the place of another one', async () => {
    const old = await readFile(file)
    const { code, stderr } = await folder.run(['backup', file], env)
    assert.equal(code, 1)
    assert.match(stderr, /exists: give the backup another name/)
    assert.ok(old.equals(await readFile(file)))
  })

  it('that was cut or changed is refused and changes nothing', async () => {
    const whole = await readFile(file)
    const text = gunzipSync(whole)
    const changed = Buffer.from(text.toString('latin1').replace('Boa Viagem', 'Boa viagem'), 'latin1')
    const lastTable = text.lastIndexOf('\n\\.\n')
    const damaged: Record<string, Buffer> = {
      'cut.gz': whole.subarray(0, whole.length / 2),
      'cut-by-a-byte.gz': whole.subarray(0, -1),
      'without-its-end.gz': gzipSync(text.subarray(0, lastTable + 4)),
      'changed.gz': gzipSync(changed),
      'longer.gz': gzipSync(Buffer.concat([text, Buffer.from('{}\n')])),
      'something-else.gz': gzipSync('{"formato":"other"}\n'),
    }
    const migrations = await readMigrations()
    for (const [name, bytes] of Object.entries(damaged)) {
      await writeFile(beside(name), bytes)
      await assert.rejects(checkArchive(beside(name), migrations), /is no whole backup/, name)
    }
    const { code, stderr } = await empty.run(['restore', beside('cut.gz')], env)
    assert.equal(code, 1)
    assert.match(stderr, /cut\.gz is no whole backup/)
    await assert.rejects(readdir(empty.dataDir), { code: 'ENOENT' })
  })

  it('is not restored over what there is', async () => {
    const { code, stderr } = await folder.run(['restore', file], env)
    assert.equal(code, 1)
    assert.match(stderr, /into an empty database only/)
    assert.deepEqual(await portrait(service, ids.caso, ids.webhook, ids.job), before)
    assert.equal((await service.stop()).code, 0)
  })

  it('restored into an empty folder is the service as it was: cases, history, files, accounts, jobs, audit', async (t) => {
    const { code, stdout, stderr } = await empty.run(['restore', file], env)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Restored \d+ rows, as of /m)
    assert.deepEqual(empty.databaseProcesses(), [])
    await cp(join(folder.dataDir, 'keys'), join(empty.dataDir, 'keys'), { recursive: true })
    const audit = await empty.run(['audit:verify'])
    assert.equal(audit.code, 0, audit.stderr)
    t.diagnostic(audit.stdout.trim())

    const restored = await empty.start(env)
    assert.deepEqual(await portrait(restored, ids.caso, ids.webhook, ids.job), before)
    const token = await restored.login('ana@saude.example', PASSWORD)
    assert.equal((await restored.request('/api/v1/usuarios/logado', { token })).status, 200)
    assert.equal((await restored.request('/api/v1/health/detailed')).status, 200)
    const admin = await restored.login(ADMIN, PASSWORD)
    const { status, body } = await restored.request(CASOS, { token: admin, body: novoCaso('depois') })
    assert.equal(status, 201)
    assert.ok(body.id > ids.caso, 'numbers go on where they were')
    for (const numero of acknowledgedBefore) {
      const { body: found } = await restored.request(`${CASOS}?numero_notificacao=${numero}`, {
        token: admin,
      })
      assert.equal(found.total, 1, `${numero} was acknowledged before the backup began`)
    }
    assert.equal((await restored.stop()).code, 0)
  })

  it('goes to a server and comes back the same, without the rights of a superuser', async () => {
    const database = await createTestDatabase({ template: 'template0' })
    const role = `r_${database.name}`
    await administer(`create role ${role} login`)
    await administer(`alter database ${database.name} owner to ${role}`)
    const again = beside('again.gz')
    try {
      const DATABASE_URL = databaseUrl(database.name).replace(
        `//${testServer().connection.user}@`,
        `//${role}@`,
      )
      const into = await empty.run(['restore', file], { ...env, DATABASE_URL })
      assert.equal(into.code, 0, into.stderr)
      const out = await empty.run(['backup', again], { ...env, DATABASE_URL })
      assert.equal(out.code, 0, out.stderr)
      const [orphans] = await database.pool.rows(sql`
        with avisos as (select tipo, dados from eventos union all select tipo, dados from eventos_novos)
        select count(*) as casos from casos c
         where (select count(*) from casos_historico h where h.caso_id = c.id) <> c.versao - 1
            or (c.numero_notificacao like 'W%' and not exists
                 (select from avisos e where e.tipo = 'agravo.criado' and (e.dados ->> 'id')::int = c.id))`)
      assert.deepEqual(orphans, { casos: 0 }, 'of each case all or nothing is in the backup')
    } finally {
      await database.drop()
      await administer(`drop role ${role}`)
    }
    const linesOf = async (path: string) =>
      gunzipSync(await readFile(path))
        .toString('latin1')
        .split('\n')
        .slice(1)
    assert.deepEqual(await linesOf(again), await linesOf(file))
  })
})
