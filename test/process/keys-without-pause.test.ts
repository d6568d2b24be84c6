import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { sql } from '../../src/db/sql.ts'
import { ADMIN_EMAIL, PASSWORD } from '../harness/app.ts'
import { createTestDatabase, databaseUrl } from '../harness/database.ts'
import { until } from '../harness/eventually.ts'
import { dataFolder, type Env, type Service } from './service.ts'

const CASOS = '/api/v1/agravos/casos'
const newKey = () => randomBytes(32).toString('base64')
const [OLD, NEW] = [newKey(), newKey()]

interface Acknowledged {
  id: number
  nome: string
}

describe('another DATA_KEY without a pause', async () => {
  const database = await createTestDatabase()
  const folders = await Promise.all([0, 1].map(() => dataFolder({ after })))
  after(() => database.drop())
  const env = { DATABASE_URL: databaseUrl(database.name), ADMIN_EMAIL, ADMIN_PASSWORD: PASSWORD }
  const services: (Service | null)[] = []

  const start = async (at: number, keys: Env) => {
    services[at] = await (folders[at] as (typeof folders)[number]).start({ ...env, ...keys })
  }

  /** As behind a balancer: to an instance that is there, to the other one where the connection is cut, with the same key. */
  async function write(token: string, n: number): Promise<Acknowledged> {
    const nome = `Maria da Silva ${n}`
    const body = {
      tipo_agravo: 'dengue',
      numero_notificacao: `SEM-PAUSA-${n}`,
      data_notificacao: '2024-03-12',
      paciente_nome: nome,
      municipio_residencia: 'Recife',
      estado_residencia: 'PE',
    }
    const headers = { 'idempotency-key': randomUUID() }
    for (let turn = n; ; turn++) {
      const service = services[turn % 2] ?? services[(turn + 1) % 2]
      const answer = await service?.request(CASOS, { token, headers, body }).catch(() => null)
      if (answer?.status === 201) return { id: answer.body.id, nome }
      if (answer && answer.status !== 503) assert.fail(answer.text)
    }
  }

  /** Two callers, one case after the other, until told to stop. */
  function writers(token: string) {
    const acknowledged: Acknowledged[] = []
    let [stopped, n] = [false, 0]
    const call = async () => {
      while (!stopped) acknowledged.push(await write(token, ++n))
    }
    const done = Promise.all([call(), call()])
    return {
      acknowledged,
      more: (count = 10) => {
        const wanted = acknowledged.length + count
        return until('more is written', () => acknowledged.length >= wanted)
      },
      async stop() {
        stopped = true
        await done
      },
    }
  }

  async function assertReadable(service: Service, token: string, cases: Acknowledged[]): Promise<void> {
    for (const { id, nome } of cases) {
      const { status, text, body } = await service.request(`${CASOS}/${id}?identificado=true`, { token })
      assert.equal(status, 200, text)
      assert.equal(body.paciente.nome, nome)
    }
  }

  it('replaced instance by instance under writes: each reads what the other writes, and nothing is lost', async (t) => {
    for (const at of [0, 1]) await start(at, { DATA_KEY: OLD })
    const token = await (services[0] as Service).login(ADMIN_EMAIL, PASSWORD)
    const load = writers(token)
    await load.more()

    async function replaceAll(keys: Env): Promise<void> {
      for (const at of [0, 1]) {
        const leaving = services[at] as Service
        services[at] = null
        assert.equal((await leaving.stop()).code, 0)
        await start(at, keys)
        const before = load.acknowledged.length
        await load.more(20)
        for (const service of services)
          await assertReadable(service as Service, token, load.acknowledged.slice(before))
      }
    }

    await replaceAll({ DATA_KEY: OLD, DATA_KEY_PREVIOUS: NEW })
    await replaceAll({ DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD })
    const both = { ...env, DATA_KEY: NEW, DATA_KEY_PREVIOUS: OLD }
    const [folder] = folders as [(typeof folders)[number]]
    const rotated = await folder.run(['keys:rotate-data'], both)
    assert.equal(rotated.code, 0, rotated.stderr)
    assert.match(rotated.stdout, /^Nothing is under former keys$/m)
    await replaceAll({ DATA_KEY: NEW })
    await load.stop()

    t.diagnostic(`${load.acknowledged.length} writes acknowledged`)
    await assertReadable(services[0] as Service, token, load.acknowledged)
    const stored = await database.pool.one(sql`
      select count(*) as total, count(distinct numero_notificacao) as numeros from casos`)
    const total = load.acknowledged.length
    assert.deepEqual(stored, { total, numeros: total })
    const audit = await folder.run(['audit:verify'], { ...env, DATA_KEY: NEW })
    assert.equal(audit.code, 0, audit.stderr)
    for (const service of services) assert.equal((await service?.stop())?.code, 0)
  })
})
