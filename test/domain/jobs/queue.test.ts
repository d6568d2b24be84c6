import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { enqueueJob } from '../../../src/domain/jobs/jobs.ts'
import type { ClaimedJob } from '../../../src/domain/jobs/queue.sql.ts'
import { createJobTask, JobCanceled, JobLost } from '../../../src/domain/jobs/queue.ts'
import type { AppError } from '../../../src/errors/catalogue.ts'
import { DONE, FAILED, idsOf, queueApp } from './queue-app.ts'

const { t, pool, gestor, enqueue, enqueueMany, leases, jobOf, expire, makeAvailable, emptyQueue } =
  await queueApp()
after(() => t.close())
beforeEach(emptyQueue)

const going = () => ({ canceled: false, lost: false })

/** A job and the hand of the worker that claimed it. */
async function claimed(worker: string) {
  const hand = leases(worker)
  const job = (await hand.claim()) as ClaimedJob
  assert.ok(job)
  return { hand, job, task: createJobTask(t.app, job, worker, going()) }
}

describe('claiming', () => {
  it('goes in the order in which the jobs were asked for', async () => {
    const ids = [await enqueue(), await enqueue('exportacao_usuarios'), await enqueue()]
    const hand = leases('a')
    const jobs = [await hand.claim(), await hand.claim(), await hand.claim(), await hand.claim()]
    assert.deepEqual(idsOf(jobs), [...ids, undefined])
    const { numero, parametros, usuario_nome, arquivo_id, ponto, tentativas } = jobs[0] as ClaimedJob
    assert.ok(numero > 0)
    assert.deepEqual(
      { parametros, usuario_nome, arquivo_id, ponto, tentativas },
      { parametros: { pedido: 1 }, usuario_nome: 'Pessoa 1', arquivo_id: null, ponto: null, tentativas: 1 },
    )
  })

  it('never gives one job to two workers, however many ask at once', async () => {
    const ids = await enqueueMany(40)
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
    assert.deepEqual(await hand.renew(id), { stop: false })
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

describe('turns', () => {
  const of = (person: typeof gestor) => enqueue('exportacao_casos', person)

  it('go by account: who has more under way, or began last, stands behind the others', async () => {
    const [ana, bia, caio] = [gestor, await t.person(), await t.person()]
    const [a1, a2, a3, a4] = [await of(ana), await of(ana), await of(ana), await of(ana)]
    const [b1, b2] = [await of(bia), await of(bia)]
    const c1 = await of(caio)
    const hand = leases('a')
    const taken: (string | undefined)[] = []
    for (let i = 0; i < 8; i++) taken.push((await hand.claim())?.id)
    assert.deepEqual(taken, [a1, b1, c1, a2, b2, a3, a4, undefined])
  })

  it('alternate where one job is done after the other', async () => {
    const bia = await t.person()
    const [a1, a2, a3] = [await of(gestor), await of(gestor), await of(gestor)]
    const [b1, b2] = [await of(bia), await of(bia)]
    const taken: string[] = []
    for (let i = 0; i < 5; i++) {
      const { hand, job } = await claimed('a')
      taken.push(job.id)
      await hand.end(job.id, 'failed', FAILED)
    }
    assert.deepEqual(taken, [a1, b1, a2, b2, a3])
  })

  it('leave what is kept for others to accounts that have nothing under way', async () => {
    const [a1, a2] = [await of(gestor), await of(gestor)]
    const hand = leases('a')
    assert.equal((await hand.claim({ idleOnly: true }))?.id, a1)
    assert.equal(await leases('b').claim({ idleOnly: true }), null)
    const b1 = await of(await t.person())
    assert.equal((await leases('b').claim({ idleOnly: true }))?.id, b1)
    await hand.end(a1, 'failed', FAILED)
    assert.equal((await leases('b').claim({ idleOnly: true }))?.id, a2)
  })

  it('hold among simultaneous workers, too', async () => {
    const people = [gestor, await t.person(), await t.person()]
    for (const person of people) for (let i = 0; i < 3; i++) await of(person)
    const jobs = await Promise.all(Array.from({ length: 6 }, (_, i) => leases(`w${i}`).claim()))
    const each = Map.groupBy(jobs, (job) => job?.usuario_id)
    assert.deepEqual(
      people.map(({ id }) => each.get(id)?.length),
      [2, 2, 2],
    )
  })
})

describe('the share of one account in the queue', () => {
  const tooMany = (error: AppError) => {
    assert.deepEqual([error.code, error.reason], ['RATE_LIMITED', 'TOO_MANY_JOBS'])
    return true
  }

  it('is ten jobs that wait, however many ask at once; those under way and of others do not count', async () => {
    const asked = await Promise.allSettled(Array.from({ length: 25 }, () => enqueue()))
    assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 10)
    for (const one of asked) if (one.status === 'rejected') tooMany(one.reason)
    await enqueue('exportacao_casos', await t.person())
    const hand = leases('a')
    const first = (await hand.claim()) as ClaimedJob
    await enqueue()
    await assert.rejects(enqueue(), tooMany)
    await expire(first.id)
    await assert.rejects(enqueue(), tooMany)
    const total = await pool.first(sql`select count(*) as total from jobs where usuario_id = ${gestor.id}`)
    assert.deepEqual(total, { total: 11 })
  })

  it('is 4 GiB of files that wait', async () => {
    const GiB = 1024 ** 3
    const file = async (tamanho: number) => {
      const id = randomUUID()
      await pool.run(
        sql`insert into arquivos (id, criado_em, tamanho, em_uso) values (${id}, now(), ${tamanho}, true)`,
      )
      return { id, tamanho }
    }
    const send = async (tamanho: number) => {
      const arquivo = await file(tamanho)
      const pedido = { tipo: 'importacao', trabalho: 'importacao', parametros: {}, permissoes: [] } as const
      await pool.transaction((tx) =>
        enqueueJob(
          t.app,
          tx,
          { id: gestor.id, nome: 'x', territorio: null },
          { ...pedido, permissoes: [], arquivo },
        ),
      )
    }
    await send(2 * GiB)
    await send(2 * GiB)
    await assert.rejects(send(1), tooMany)
    const first = (await leases('a').claim()) as ClaimedJob
    await send(2 * GiB - 1)
    await assert.rejects(send(2), tooMany)
    await leases('a').end(first.id, 'failed', FAILED)
    await send(1)
  })
})

describe('a worker that was thought dead', () => {
  it('loses its job to the next one, which goes on from the last checkpoint', async () => {
    const id = await enqueue()
    const { task } = await claimed('a')
    await pool.transaction((tx) => task.checkpoint(tx, { linhas: 5000 }, 30))
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
    await pool.transaction((tx) => next.task.checkpoint(tx, { linhas: 1 }, 10))
    const before = await jobOf(id)

    const block = pool.transaction(async (tx) => {
      await tx.run(sql`update usuarios set departamento = 'escrito' where id = 1`)
      await old.task.checkpoint(tx, { linhas: 9 }, 90)
    })
    await assert.rejects(block, JobLost)
    await old.task.progress(95)
    await assert.rejects(
      pool.transaction((tx) => old.task.finish(tx, { message: DONE })),
      JobLost,
    )
    assert.equal(await old.hand.renew(id), null)
    assert.equal(await old.hand.release(id, 0, { counts: true }), 0)
    assert.equal(await old.hand.end(id, 'failed', FAILED), 0)

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
    await pool.transaction((tx) => next.task.finish(tx, { message: DONE, resultado: { sucesso: 1 } }))
    const before = await jobOf(id)
    assert.equal(before.status, 'completed')
    await assert.rejects(
      pool.transaction((tx) => old.task.finish(tx, { status: 'failed', message: FAILED })),
      JobLost,
    )
    await old.task.progress(99)
    assert.equal(await old.hand.renew(id), null)
    assert.deepEqual(await jobOf(id), before)
  })
})

describe('progress', () => {
  it('never goes back, whoever reports it', async () => {
    const id = await enqueue()
    const { task } = await claimed('a')
    const shown: number[] = []
    const show = async () => shown.push((await jobOf(id)).progress)
    await pool.transaction((tx) => task.checkpoint(tx, 1, 40.9))
    await show()
    await pool.transaction((tx) => task.checkpoint(tx, 0, 3))
    await show()
    await task.progress(20)
    await show()
    await task.progress(66.6)
    await show()
    await expire(id)
    const next = await claimed('b')
    await next.task.progress(5)
    await show()
    await pool.transaction((tx) => next.task.finish(tx, { status: 'failed', message: FAILED }))
    await show()
    assert.deepEqual(shown, [40, 40, 40, 66, 66, 66])
  })

  it('is 100 when the job is done, and only then', async () => {
    const id = await enqueue()
    const { task } = await claimed('a')
    await task.progress(99.99)
    assert.equal((await jobOf(id)).progress, 99)
    await pool.transaction((tx) => task.finish(tx, { message: DONE }))
    const { status, progress, message, completed_at, fila } = await jobOf(id)
    assert.deepEqual(
      { status, progress, message, fila },
      { status: 'completed', progress: 100, message: 'Exportação concluída', fila: null },
    )
    assert.ok(completed_at)
  })

  it('a checkpoint counts only when what it stands for is committed', async () => {
    const id = await enqueue()
    const { task } = await claimed('a')
    const before = await jobOf(id)
    const failed = pool.transaction(async (tx) => {
      await task.checkpoint(tx, { linhas: 5000 }, 50)
      throw new Error('the block was not written')
    })
    await assert.rejects(failed, /not written/)
    assert.deepEqual(await jobOf(id), before)
  })
})

describe('the rights of the owner', () => {
  const take = (id: number) => pool.run(sql`delete from usuarios_permissoes where usuario_id = ${id}`)
  const departamento = async () =>
    (await pool.first<{ departamento: unknown }>(sql`select departamento from usuarios where id = 1`))
      ?.departamento

  it('are read again in the transaction that stores: without them all of it is rolled back', async () => {
    const owner = await t.person({ permissoes: ['agravos.importar'] })
    const id = await enqueue('importacao', owner, ['agravos.importar'])
    const { task, hand } = await claimed('a')
    await task.authorise(pool)
    assert.deepEqual(await hand.renew(id), { stop: false })
    await take(owner.id)
    const storing = pool.transaction(async (tx) => {
      await tx.run(sql`update usuarios set departamento = 'escrito' where id = 1`)
      await task.finish(tx, { message: DONE })
    })
    await assert.rejects(storing, JobCanceled)
    assert.equal(await departamento(), null)
    await assert.rejects(task.authorise(pool), JobCanceled)
    assert.deepEqual(await hand.renew(id), { stop: true }, 'its worker hears of it')
    assert.equal((await jobOf(id)).status, 'processing')
  })

  it('are all that the job needs, or everything; a switched-off or removed account has none', async () => {
    const cases = [
      { permissoes: ['agravos.exportar', 'agravos.identificar'], may: true },
      { permissoes: ['agravos.exportar'], may: false },
      { permissoes: ['admin'], may: true },
      { admin: true, may: true },
      { admin: true, may: false, change: (id: number) => sql`delete from usuarios where id = ${id}` },
      {
        admin: true,
        may: false,
        change: (id: number) => sql`update usuarios set desativado_em = now() where id = ${id}`,
      },
    ]
    for (const { may, change, ...options } of cases) {
      const owner = await t.person(options)
      const id = await enqueue('exportacao_casos', owner, ['agravos.exportar', 'agravos.identificar'])
      if (change) await pool.run(change(owner.id))
      assert.equal(await leases('a').isPermitted(id), may, JSON.stringify(options))
    }
  })
})

describe('proceed', () => {
  it('stops a job that was canceled or is no longer the worker’s, with the right reason', async () => {
    await enqueue()
    const { job } = await claimed('a')
    const stop = going()
    const task = createJobTask(t.app, job, 'a', stop)
    task.proceed()
    stop.canceled = true
    assert.throws(() => task.proceed(), JobCanceled)
    stop.lost = true
    assert.throws(() => task.proceed(), JobLost)
  })
})
