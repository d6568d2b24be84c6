import assert from 'node:assert/strict'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { JobReservado } from '../../../src/domain/jobs/fila.sql.ts'
import { createTarefa, JobCancelado, JobPerdido } from '../../../src/domain/jobs/fila.ts'
import { filaApp, idsOf } from './fila-app.ts'

const { t, pool, enqueue, leases, jobOf, expire, makeAvailable, emptyQueue } = await filaApp()
after(() => t.close())
beforeEach(emptyQueue)

const going = () => ({ canceled: false, lost: false })

/** A job and the hand of the worker that claimed it. */
async function claimed(worker: string) {
  const hand = leases(worker)
  const job = (await hand.claim()) as JobReservado
  assert.ok(job)
  return { hand, job, tarefa: createTarefa(t.app, job, worker, going()) }
}

describe('claiming', () => {
  it('goes in the order in which the jobs were asked for', async () => {
    const ids = [await enqueue(), await enqueue('exportacao_usuarios'), await enqueue()]
    const hand = leases('a')
    const jobs = [await hand.claim(), await hand.claim(), await hand.claim(), await hand.claim()]
    assert.deepEqual(idsOf(jobs), [...ids, undefined])
    const { numero, parametros, usuario_nome, arquivo_id, ponto, tentativas } = jobs[0] as JobReservado
    assert.ok(numero > 0)
    assert.deepEqual(
      { parametros, usuario_nome, arquivo_id, ponto, tentativas },
      { parametros: { pedido: 1 }, usuario_nome: 'Pessoa 1', arquivo_id: null, ponto: null, tentativas: 1 },
    )
  })

  it('never gives one job to two workers, however many ask at once', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, () => enqueue()))
    const taken: string[] = []
    await Promise.all(
      Array.from({ length: 9 }, async (_, i) => {
        const hand = leases(`w${i}`)
        for (let job = await hand.claim(); job !== null; job = await hand.claim()) taken.push(job.id)
      }),
    )
    assert.deepEqual(taken.toSorted(), ids.toSorted())
  })

  it('leaves alone what another worker keeps renewing', async () => {
    const id = await enqueue()
    const { hand } = await claimed('a')
    assert.deepEqual(await hand.renew(id), { cancelar: false })
    assert.equal(await leases('b').claim(), null)
    const row = await pool.first<{ segundos: number }>(
      sql`select extract(epoch from vence_em - now()) as segundos from jobs_fila where job_id = ${id}`,
    )
    assert.ok(Number(row?.segundos) > 5 && Number(row?.segundos) <= 10)
  })

  it('takes what was handed back, at once or after the time that was asked for', async () => {
    const id = await enqueue()
    const { hand } = await claimed('a')
    assert.equal(await hand.release(id, 60, { counts: true }), 1)
    assert.equal(await leases('b').claim(), null)
    await makeAvailable(id)
    const again = await claimed('b')
    assert.equal(again.job.tentativas, 2)
    assert.equal(await again.hand.release(id, 0, { counts: false }), 1)
    assert.equal((await leases('c').claim())?.tentativas, 2)
  })
})

describe('a worker that was thought dead', () => {
  it('loses its job to the next one, which goes on from the last checkpoint', async () => {
    const id = await enqueue()
    const { tarefa } = await claimed('a')
    await pool.transaction((tx) => tarefa.checkpoint(tx, { linhas: 5000 }, 30))
    assert.equal(await leases('b').claim(), null)
    await expire(id)
    const next = await claimed('b')
    assert.equal(next.job.id, id)
    assert.deepEqual(next.job.ponto, { linhas: 5000 })
    assert.equal(await leases('c').claim(), null)
  })

  it('changes nothing any more: no checkpoint, no progress, no end, no renewal, no release', async () => {
    const id = await enqueue()
    const old = await claimed('a')
    await expire(id)
    const next = await claimed('b')
    await pool.transaction((tx) => next.tarefa.checkpoint(tx, { linhas: 1 }, 10))
    const before = await jobOf(id)

    const block = pool.transaction(async (tx) => {
      await tx.run(sql`update usuarios set departamento = 'escrito' where id = 1`)
      await old.tarefa.checkpoint(tx, { linhas: 9 }, 90)
    })
    await assert.rejects(block, JobPerdido)
    await old.tarefa.progress(95)
    await assert.rejects(
      pool.transaction((tx) => old.tarefa.finish(tx, { message: 'Pronto' })),
      JobPerdido,
    )
    assert.equal(await old.hand.renew(id), null)
    assert.equal(await old.hand.release(id, 0, { counts: true }), 0)
    assert.equal(await old.hand.end(id, 'failed', 'Erro interno'), 0)

    assert.deepEqual(await jobOf(id), before)
    const row = await pool.first<{ departamento: unknown }>(
      sql`select departamento from usuarios where id = 1`,
    )
    assert.equal(row?.departamento, null, 'what it wrote beside the checkpoint is gone as well')
  })

  it('finds a job that is over as little its own as one that another has', async () => {
    const id = await enqueue()
    const old = await claimed('a')
    await expire(id)
    const next = await claimed('b')
    await pool.transaction((tx) => next.tarefa.finish(tx, { message: 'Pronto', resultado: { sucesso: 1 } }))
    const before = await jobOf(id)
    assert.equal(before.status, 'completed')
    await assert.rejects(
      pool.transaction((tx) => old.tarefa.finish(tx, { status: 'failed', message: 'x' })),
      JobPerdido,
    )
    await old.tarefa.progress(99)
    assert.equal(await old.hand.renew(id), null)
    assert.deepEqual(await jobOf(id), before)
  })
})

describe('progress', () => {
  it('never goes back, whoever reports it', async () => {
    const id = await enqueue()
    const { tarefa } = await claimed('a')
    const shown: number[] = []
    const show = async () => shown.push((await jobOf(id)).progress)
    await pool.transaction((tx) => tarefa.checkpoint(tx, 1, 40.9))
    await show()
    await pool.transaction((tx) => tarefa.checkpoint(tx, 0, 3))
    await show()
    await tarefa.progress(20)
    await show()
    await tarefa.progress(66.6)
    await show()
    await expire(id)
    const next = await claimed('b')
    await next.tarefa.progress(5)
    await show()
    await pool.transaction((tx) => next.tarefa.finish(tx, { status: 'failed', message: 'Não deu' }))
    await show()
    assert.deepEqual(shown, [40, 40, 40, 66, 66, 66])
  })

  it('is 100 when the job is done, and only then', async () => {
    const id = await enqueue()
    const { tarefa } = await claimed('a')
    await tarefa.progress(99.99)
    assert.equal((await jobOf(id)).progress, 99)
    await pool.transaction((tx) => tarefa.finish(tx, { message: 'Pronto' }))
    const { status, progress, message, completed_at, fila } = await jobOf(id)
    assert.deepEqual(
      { status, progress, message, fila },
      { status: 'completed', progress: 100, message: 'Pronto', fila: null },
    )
    assert.ok(completed_at)
  })

  it('a checkpoint counts only when what it stands for is committed', async () => {
    const id = await enqueue()
    const { tarefa } = await claimed('a')
    const before = await jobOf(id)
    const failed = pool.transaction(async (tx) => {
      await tarefa.checkpoint(tx, { linhas: 5000 }, 50)
      throw new Error('the block was not written')
    })
    await assert.rejects(failed, /not written/)
    assert.deepEqual(await jobOf(id), before)
  })
})

describe('proceed', () => {
  it('stops a job that was canceled or is no longer the worker’s, with the right reason', async () => {
    await enqueue()
    const { job } = await claimed('a')
    const parada = going()
    const tarefa = createTarefa(t.app, job, 'a', parada)
    tarefa.proceed()
    parada.canceled = true
    assert.throws(() => tarefa.proceed(), JobCancelado)
    parada.lost = true
    assert.throws(() => tarefa.proceed(), JobPerdido)
  })
})
