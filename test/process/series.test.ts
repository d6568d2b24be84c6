import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { until } from '../harness/eventually.ts'
import { enqueue, formOf, holdTable, leftovers, NADA, untilOver } from './import-setup.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

const BULK = '/api/v1/series/bulk'
/** Where a job is when it is killed: with all blocks compared and none written, and with the images of some written. */
const STAGES = ['series_blocos_historico', 'series_blocos'] as const
/** Imports and their undoings, each killed once for each stage. */
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1)
const PLACES = [2611606, 2609600, 3550308, 5300108]
const DAYS = 500

/** Two years of days of some places; the first places have other values than before, the last have none yet. */
function arquivo(places: readonly number[], plus: number): Buffer {
  const lines = places.flatMap((place, n) =>
    Array.from({ length: DAYS }, (_, i) => {
      const data = new Date(Date.UTC(2020, 2, 1 + i)).toISOString().slice(0, 10)
      return `${place};${data};${15 + plus + ((7919 * (i + n)) % 100) / 10}`
    }),
  )
  return Buffer.from(['municipio;data;valor', ...lines].join('\n'))
}

describe('an import of series through the death of the service', async () => {
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
  const send = (content: Buffer) =>
    enqueue(service, token, formOf(content, { serie: 'temp_min' }, 'serie.csv'), BULK)
  const undo = async (id: number) => {
    const path = `/api/v1/series/importacoes/${id}/desfazer`
    return (await service.request(path, { token, method: 'POST' })).body.job_id as string
  }

  /** Values bit by bit, with the summary that a reader sees. */
  const stored = async () => {
    const { rows } = await client.query(`
      select md5(string_agg(lugar || ano || encode(array_send(b.valores), 'hex') || encode(semanas, 'hex'), '' order by lugar, ano))
          as blocos,
        count(*)::int as quantos, (select valores::int from series where codigo = 'temp_min') as valores,
        (select primeiro || '/' || ultimo from series where codigo = 'temp_min') as periodo
      from series_blocos b`)
    return rows[0]
  }
  const everything = async () => {
    const { rows } = await client.query(`
      select (select count(*)::int from series_blocos_historico) as imagens, (select count(*)::int from importacoes) as importacoes,
        (select count(*)::int from (select tipo from eventos union all select tipo from eventos_novos) e
          where tipo = 'serie.atualizada') as eventos`)
    return { ...(await stored()), ...rows[0] }
  }
  const finished = async (id: string) => {
    const job = await untilOver(service, token, id)
    assert.equal(job.status, 'completed', JSON.stringify(job))
    return job
  }

  async function killedAtEachStage(begin: () => Promise<string>) {
    const before = await everything()
    let hold = await holdTable(client, STAGES[0])
    const id = await begin()
    for (const [n, stage] of STAGES.entries()) {
      await hold.untilSomebodyWaits()
      await service.kill()
      await hold.release()
      await until('the dead one is gone', async () => {
        const { rowCount } = await client.query(
          `select from pg_locks where relation = '${stage}'::regclass and mode = 'RowExclusiveLock'`,
        )
        return rowCount === 0
      })
      assert.deepEqual(await everything(), before, 'all or nothing')
      await expire(id)
      const next = STAGES[n + 1]
      if (next !== undefined) hold = await holdTable(client, next)
      await start()
    }
    return finished(id)
  }

  it('ends as if nothing had happened, and so does its undoing', async () => {
    await start()
    await finished(await send(arquivo(PLACES.slice(0, 2), 0)))
    const before = await stored()
    const first = await finished(await send(arquivo(PLACES, 1)))
    const imported = await stored()
    assert.notEqual(imported.blocos, before.blocos)
    await finished(await undo(first.resultado.importacao_id))
    assert.deepEqual(await stored(), before)
    for (let round = 0; round < ROUNDS; round++) {
      const { resultado } = await killedAtEachStage(() => send(arquivo(PLACES, 1)))
      assert.deepEqual(
        [resultado.importados, resultado.atualizados, resultado.series],
        [first.resultado.importados, first.resultado.atualizados, first.resultado.series],
      )
      assert.deepEqual(await stored(), imported)
      const undone = await killedAtEachStage(() => undo(resultado.importacao_id))
      assert.equal(undone.result.total_mantidos, 0)
      assert.deepEqual(await stored(), before)
    }
    await until('the files are gone', async () => (await leftovers(client)).arquivos === 0)
    assert.deepEqual(await leftovers(client), NADA)
    assert.equal((await service.stop()).code, 0)
  })
})
