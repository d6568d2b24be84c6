import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../harness/eventually.ts'
import {
  arquivoDeCasos,
  enqueue,
  formOf,
  GATE_ROWS,
  gateOf,
  holdTable,
  leftovers,
  NADA,
  numbersOf,
  ROWS,
  resultadoEsperado,
  retratoDe,
  retratoEsperado,
  SHORT_BLOCKS,
  untilOver,
} from './import-setup.ts'
import { instancesOf } from './instances.ts'
import type { Service } from './service.ts'

/** Block after block, from the beginning to the end, none of them twice. */
function assertOnce(pontos: number[], message?: string): void {
  assert.equal(pontos[0], 0)
  assert.equal(pontos.at(-1), ROWS)
  assert.ok(pontos.length > 3)
  assert.deepEqual(
    pontos,
    [...new Set(pontos)].sort((a, b) => a - b),
    message,
  )
}

describe('an import through the life and death of the service', async () => {
  const instances = await instancesOf({ after }, { count: 2, tuning: SHORT_BLOCKS })
  const { client, queued } = instances
  const gate = await gateOf(client)
  afterEach(() => gate.reset())

  /** Handed on from one test to the next. */
  let service: Service
  let token: string
  async function start(instance = 0, more: Record<string, string> = {}): Promise<Service> {
    const started = await instances.start(instance, more)
    token ??= await instances.logIn(started)
    return started
  }

  const send = (service: Service, serie: string) =>
    enqueue(service, token, formOf(arquivoDeCasos(serie, ROWS)))
  /** As if the ten seconds of the dead worker were over. */
  const expire = (id: string) => client.query('update jobs_fila set vence_em = now() where job_id = $1', [id])

  /** Each row once, the numbers right, nothing left behind. */
  async function assertExact(job: Record<string, unknown>, serie: string): Promise<void> {
    assert.equal(job.status, 'completed', JSON.stringify(job))
    assert.deepEqual(numbersOf(job.resultado as Record<string, unknown>), resultadoEsperado(ROWS))
    assert.deepEqual(await retratoDe(client, serie), retratoEsperado(ROWS))
    const imports = await client.query('select importados from importacoes where job_id = $1', [job.job_id])
    assert.deepEqual(imports.rows, [{ importados: ROWS }])
    await until('nothing is left', async () => (await leftovers(client)).preparo === 0)
    await until('the file is gone', async () => (await leftovers(client)).arquivos === 0)
    assert.deepEqual(await leftovers(client), NADA)
  }

  it('waits on an instance that does not work, and is done by one that does', async () => {
    const serving = await start(0, { WORKER: 'off' })
    const id = await send(serving, 'E')
    await sleep(2500)
    assert.equal((await serving.request(`/api/v1/jobs/${id}`, { token })).body.status, 'processing')
    assert.deepEqual(await queued(id), { trabalhador: null, ponto: null, tentativas: 0 })
    service = await start(1)
    await assertExact(await untilOver(serving, token, id), 'E')
    assert.equal((await serving.stop()).code, 0)
  })

  it('is done in a process of its own, block by block, while requests are answered', async (t) => {
    const begun = performance.now()
    const id = await send(service, 'A')
    const seen: number[] = []
    await assertExact(await untilOver(service, token, id, { seen }), 'A')
    t.diagnostic(`${ROWS} rows in ${Math.round(performance.now() - begun)} ms`)
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
      'progress never goes back',
    )
    assertOnce(await gate.pontos())
    const { body } = await service.request('/api/v1/agravos/casos?numero_notificacao=A77', { token })
    assert.equal(body.total, 1)
  })

  it('killed while it reads, goes on behind the last block that was committed', async () => {
    await gate.shut()
    const id = await send(service, 'B')
    await gate.untilSomebodyWaits()
    const { linhas } = (await queued(id)).ponto
    assert.ok(linhas > 0 && linhas <= GATE_ROWS)
    const read = await gate.pontos()
    assert.equal(read.at(-1), linhas)
    const { body: before } = await service.request(`/api/v1/jobs/${id}`, { token })
    await service.kill()
    await gate.open()
    const seen: number[] = [before.progress]
    service = await start()
    // Nobody helps here: the next one waits until the lease of the dead one is over.
    await assertExact(await untilOver(service, token, id, { seen }), 'B')
    assertOnce(await gate.pontos(), 'no block is read into the table twice')
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
      'progress never goes back',
    )
  })

  it('killed while it stores, stores all of it the next time, and reads nothing anew', async () => {
    const hold = await holdTable(client, 'casos')
    const id = await send(service, 'C')
    await hold.untilSomebodyWaits()
    assert.equal((await queued(id)).ponto.linhas, ROWS)
    await service.kill()
    await hold.release()
    assert.equal((await retratoDe(client, 'C')).casos, 0, 'all or nothing')
    await expire(id)
    service = await start()
    await assertExact(await untilOver(service, token, id), 'C')
    assertOnce(await gate.pontos())
  })

  it('handed back on SIGTERM, goes on at the next start without waiting for anybody', async () => {
    const hold = await holdTable(client, 'casos')
    const id = await send(service, 'D')
    await hold.untilSomebodyWaits()
    assert.equal((await service.stop()).code, 0)
    const { trabalhador, ponto, tentativas } = await queued(id)
    assert.deepEqual([trabalhador, ponto.linhas, tentativas], [null, ROWS, 0])
    await hold.release()
    service = await start()
    await assertExact(await untilOver(service, token, id), 'D')
  })

  it('canceled while it stores, leaves nothing', async () => {
    const hold = await holdTable(client, 'casos')
    const id = await send(service, 'F')
    await hold.untilSomebodyWaits()
    const { status } = await service.request(`/api/v1/jobs/${id}`, { token, method: 'DELETE' })
    assert.equal(status, 200)
    // Its process does not come back from the database to hear of it, and is ended.
    const job = await untilOver(service, token, id)
    assert.deepEqual([job.status, job.message], ['canceled', 'Cancelado'])
    await hold.release()
    await until('nothing is left', async () => (await leftovers(client)).preparo === 0)
    await until('the file is gone', async () => (await leftovers(client)).arquivos === 0)
    assert.equal((await retratoDe(client, 'F')).casos, 0)
    assert.equal((await client.query('select from importacoes where job_id = $1', [id])).rowCount, 0)
  })
})
