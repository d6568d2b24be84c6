import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { until } from '../harness/eventually.ts'
import { enqueue, formOf, holdTable, leftovers, NADA, untilOver } from './import-setup.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

const ROWS = 60
const BULK = '/api/v1/epizootias/bulk'

/** Events in the Ministry's layout, of several weeks and three places. */
function arquivo(): Buffer {
  const header = 'ID;COD_MUN_OCOR;DATA_OCOR;SE_OCOR;MES_OCOR;ANO_OCOR'
  const lines = Array.from({ length: ROWS }, (_, i) => {
    const day = String(1 + (i % 28)).padStart(2, '0')
    return `${i + 1};${['261160', '355030', '410690'][i % 3]};${day}/03/2021;;3;2021`
  })
  return Buffer.from([header, ...lines].join('\r\n'))
}

describe('an import of events in animals through the death of the service', async () => {
  const instances = await instancesOf({ after }, { count: 1, tuning: {} })
  const { client } = instances
  let service: Service
  let token: string

  const start = async () => {
    service = await instances.start(0)
    token ??= await instances.logIn(service)
  }
  /** As if the ten seconds of the dead worker were over. */
  const expire = (id: string) => client.query('update jobs_fila set vence_em = now() where job_id = $1', [id])

  const stored = async () => {
    const { rows } = await client.query(`
      select (select count(*)::int from epizootias) as eventos,
        (select count(distinct numero)::int from epizootias) as numeros,
        (select coalesce(sum(eventos), 0)::int from epizootias_contagens) as contados,
        (select count(*)::int from importacoes) as importacoes,
        (select coalesce(sum(versao), 0)::int from epizootias) as versoes`)
    return rows[0]
  }

  /** Kills the service while the job writes, some times; then lets it end. */
  async function killedAtWriting(begin: () => Promise<string>, times: number) {
    let hold = await holdTable(client, 'epizootias')
    const id = await begin()
    const before = await stored()
    for (let n = 1; n <= times; n++) {
      await hold.untilSomebodyWaits()
      await service.kill()
      await hold.release()
      await until('the dead one is gone', async () => {
        const { rowCount } = await client.query(
          `select from pg_locks where relation = 'epizootias'::regclass and mode = 'RowExclusiveLock'`,
        )
        return rowCount === 0
      })
      assert.deepEqual(await stored(), before, 'all or nothing')
      await expire(id)
      if (n < times) hold = await holdTable(client, 'epizootias')
      await start()
    }
    return untilOver(service, token, id)
  }

  it('stores each line once, however often it is killed', async () => {
    await start()
    const job = await killedAtWriting(() => enqueue(service, token, formOf(arquivo()), BULK), 2)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    assert.deepEqual([job.resultado.importados, job.resultado.erros], [ROWS, 0])
    assert.deepEqual(await stored(), {
      ...{ eventos: ROWS, numeros: ROWS, contados: ROWS, importacoes: 1, versoes: ROWS },
    })
    await until('the file is gone', async () => (await leftovers(client)).arquivos === 0)
    assert.deepEqual(await leftovers(client), NADA)
  })

  it('is undone wholly, killed or not', async () => {
    const { rows } = await client.query('select id from importacoes')
    const path = `/api/v1/epizootias/importacoes/${rows[0].id}/desfazer`
    const begin = async () => (await service.request(path, { token, method: 'POST' })).body.job_id
    const job = await killedAtWriting(begin, 1)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    assert.equal(job.result.removidos, ROWS)
    assert.deepEqual(await stored(), {
      ...{ eventos: 0, numeros: 0, contados: 0, importacoes: 1, versoes: 0 },
    })
    assert.equal((await service.stop()).code, 0)
  })
})
