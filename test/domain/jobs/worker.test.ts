import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from '../../../src/db/sql.ts'
import { dropOrphanStaging, openStaging } from '../../../src/domain/casos/bulk/bulk.ts'
import type { ClaimedJob } from '../../../src/domain/jobs/queue.sql.ts'
import { createJobTask, JobLost, JobStalled } from '../../../src/domain/jobs/queue.ts'
import { AppError } from '../../../src/errors/catalogue.ts'
import { runHere, runInProcess } from '../../../src/worker/run.ts'
import { STALLED, stallCheck } from '../../../src/worker/stall.ts'
import type { JobWorker, RunJob } from '../../../src/worker/worker.ts'
import { until } from '../../harness/eventually.ts'
import { DONE, queueApp } from './queue-app.ts'

const f = await queueApp()
const { t, pool, enqueue, enqueueImport, jobOf } = f
const running: JobWorker[] = []
after(() => t.close())
beforeEach(async () => {
  await pool.run(sql`delete from casos`)
  await pool.run(sql`delete from arquivos`)
  await pool.run(sql`delete from importacoes`)
  await f.emptyQueue()
})
afterEach(() => Promise.all(running.splice(0).map((worker) => worker.stop())))

const NOTHING = { casos: 0, importacoes: 0, arquivos: 0, preparo: 0, fila: 0 }

async function isRead(id: string): Promise<boolean> {
  const ponto = (await jobOf(id)).fila?.ponto as { linhas: number } | null | undefined
  return (ponto?.linhas ?? 0) > 0
}

function started(run: RunJob, options: Parameters<typeof f.worker>[1] = {}): JobWorker {
  const worker = f.worker(run, options)
  running.push(worker)
  worker.start()
  return worker
}

const finish: RunJob = (job, worker, stop) =>
  pool.transaction((tx) => createJobTask(t.app, job, worker, stop).finish(tx, { message: DONE }))

/** Runs the job as often as it comes to be available. */
async function insist(worker: JobWorker, id: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await worker.runAll()
    await f.makeAvailable(id)
  }
}

describe('a worker', () => {
  it('does all that waits, oldest first, and says how much that was', async () => {
    const ids = [await enqueue(), await enqueue(), await enqueue()]
    const done: string[] = []
    const worker = f.worker(async (job, name, stop) => {
      done.push(job.id)
      await finish(job, name, stop)
    })
    assert.equal(await worker.runAll(), 3)
    assert.deepEqual(done, ids)
    assert.equal(await worker.runAll(), 0)
  })

  it('is woken by what is asked for, and has no more in hand than it may', async () => {
    let inHand = 0
    let most = 0
    const worker = started(
      async (...job) => {
        most = Math.max(most, ++inHand)
        await sleep(50)
        await finish(...job)
        inHand -= 1
      },
      { atOnce: 2 },
    )
    const ids = await f.enqueueMany(12)
    worker.wake()
    await until('all are done', async () => (await f.left()).fila === 0)
    for (const id of ids) assert.equal((await jobOf(id)).status, 'completed')
    assert.equal(most, 2)
  })

  it('keeps its last place for others: two long files of one account do not stop everybody', async () => {
    const [other, third] = [await t.person(), await t.person()]
    const [first, second] = [await enqueue(), await enqueue()]
    const begun: string[] = []
    const release = Promise.withResolvers<void>()
    const worker = started(
      async (...job) => {
        begun.push(job[0].id)
        if (job[0].id === first) await release.promise
        await finish(...job)
      },
      { atOnce: 2 },
    )
    try {
      await until('the first has begun', () => begun.length === 1)
      const theirs = [
        await enqueue('exportacao_casos', other),
        await enqueue('exportacao_casos', third),
        await enqueue('exportacao_casos', other),
      ]
      worker.wake()
      await until('theirs are done', async () => {
        const states = await Promise.all(theirs.map(async (id) => (await jobOf(id)).status))
        return states.every((status) => status === 'completed')
      })
      assert.deepEqual(begun, [first, ...theirs])
    } finally {
      release.resolve()
    }
    await until('the rest follows', async () => (await jobOf(second)).status === 'completed')
  })

  it('two of them share the work, and no job is done twice', async () => {
    const ids = await f.enqueueMany(20)
    const done: string[] = []
    const run: RunJob = async (job, name, stop) => {
      await sleep(5)
      await finish(job, name, stop)
      done.push(job.id)
    }
    started(run)
    started(run)
    await until('all are done', () => done.length >= 20)
    assert.deepEqual(done.toSorted(), ids.toSorted())
  })
})

describe('a job that fails', () => {
  it('always: is tried five times, then failed, with nothing left of it', async () => {
    const id = await enqueueImport(3)
    const errors: unknown[] = []
    let attempts = 0
    const worker = f.worker(
      async (job) => {
        attempts += 1
        await openStaging(pool, job.numero)
        throw new Error('a fault of ours')
      },
      { errors },
    )
    await insist(worker, id, 4)
    assert.equal((await jobOf(id)).status, 'processing')
    assert.deepEqual(await f.left(), { ...NOTHING, arquivos: 1, preparo: 2, fila: 1 })
    await insist(worker, id, 2)
    const { status, message, completed_at } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'failed', message: 'Erro interno' })
    assert.ok(completed_at)
    assert.equal(attempts, 5)
    assert.equal(errors.length, 5)
    assert.deepEqual(await f.left(), NOTHING)
  })

  it('waits a little before each new attempt', async () => {
    const id = await enqueue()
    const worker = f.worker(async () => {
      throw new Error('a fault of ours')
    })
    assert.equal(await worker.runAll(), 1)
    const row = await pool.first<{ segundos: number }>(
      sql`select extract(epoch from disponivel_em - now()) as segundos from jobs_fila where job_id = ${id}`,
    )
    assert.ok(Number(row?.segundos) > 2 && Number(row?.segundos) <= 5)
  })

  it('in the end of an import whose rows were all read: is failed as well', async () => {
    const id = await enqueueImport(3)
    await pool.run(sql`alter table casos add constraint casos__impossivel check (numero_notificacao <> 'N2')`)
    const errors: unknown[] = []
    const worker = f.worker(runHere(t.app), { errors })
    await insist(worker, id, 8)
    await pool.run(sql`alter table casos drop constraint casos__impossivel`)
    assert.equal((await jobOf(id)).status, 'failed')
    assert.equal(errors.length, 5)
    assert.deepEqual(await f.left(), NOTHING)
  })

  it('with a step forward between: is given five attempts from there', async () => {
    const id = await enqueue()
    let attempts = 0
    const worker = f.worker(async (job, name, stop) => {
      attempts += 1
      if (attempts === 4)
        await pool.transaction((tx) => createJobTask(t.app, job, name, stop).checkpoint(tx, { n: 1 }, 1))
      throw new Error('a fault of ours')
    })
    await insist(worker, id, 12)
    assert.equal(attempts, 8)
    assert.equal((await jobOf(id)).status, 'failed')
  })

  it('because the database was away: is tried again as often as it takes, and reported to nobody', async () => {
    const id = await enqueueImport(3)
    const errors: unknown[] = []
    let attempts = 0
    const here = runHere(t.app)
    const worker = f.worker(
      async (...job) => {
        attempts += 1
        if (attempts <= 12) throw new AppError('UNAVAILABLE', { retryAfter: 1 })
        await here(...job)
      },
      { errors },
    )
    await insist(worker, id, 12)
    assert.equal((await jobOf(id)).fila?.tentativas, 0)
    await insist(worker, id, 1)
    assert.equal((await jobOf(id)).status, 'completed')
    assert.deepEqual(errors, [])
    assert.deepEqual(await f.left(), { ...NOTHING, casos: 3, importacoes: 1 })
  })

  it('by taking its process along, again and again: is not begun for ever', async () => {
    const id = await enqueueImport(3)
    for (let i = 0; i < 20; i++) {
      assert.ok(await f.leases(`dead ${i}`).claim())
      await f.expire(id)
    }
    const errors: unknown[] = []
    const worker = f.worker(() => assert.fail('it is not begun'), { errors })
    assert.equal(await worker.runAll(), 1)
    assert.equal((await jobOf(id)).status, 'failed')
    assert.equal(errors.length, 1)
    assert.deepEqual(await f.left(), NOTHING)
  })
})

describe('a job that does not go forward', () => {
  it('is told by the CPU used since its last step, however long it waits', () => {
    const isStalled = stallCheck(60_000)
    const seen = [
      [0, 500, false],
      [0, 60_400, false],
      [1, 60_600, false],
      // It waits for the database.
      [1, 60_601, false],
      [1, 120_600, false],
      [1, 120_601, true],
    ] as const
    for (const [steps, cpuMs, stalled] of seen) assert.equal(isStalled(steps, cpuMs), stalled, String(cpuMs))
  })

  for (const [name, args, end] of [
    ['is ended while its event loop hangs', [], { code: null, signal: STALLED }],
    ['is left alone as long as it makes steps', ['stepping'], { code: 0, signal: null }],
  ] as const)
    it(name, async (test) => {
      const child = spawn(process.execPath, [fileURLToPath(new URL('spinning.ts', import.meta.url)), ...args])
      test.after(() => child.kill('SIGKILL'))
      const [code, signal] = await once(child, 'exit')
      assert.deepEqual({ code, signal }, end)
    })

  it('fails at once, with the reason, and leaves nothing', async () => {
    const id = await enqueueImport(500)
    const { connection } = t.database
    const errors: unknown[] = []
    const worker = f.worker(
      runInProcess(
        {
          connection,
          dataKey: t.dataKey,
          municipios: t.app.municipios.all,
          standby: null,
          territorioObrigatorio: false,
          duplicidadeDias: 60,
        },
        { stallMs: 1 },
      ),
      { errors },
    )
    assert.equal(await worker.runAll(), 1)
    const { status, message, fila } = await jobOf(id)
    assert.deepEqual(
      { status, message, fila },
      { status: 'failed', message: 'Encerrado depois de um minuto de processamento sem avançar', fila: null },
    )
    assert.equal(errors.length, 1)
    assert.ok(errors[0] instanceof JobStalled)
    // A statement that its process had sent may be carried out after the end; the hourly cleaning takes away what that made.
    await until('its tables are gone', async () => {
      await dropOrphanStaging(pool)
      return (await f.left()).preparo === 0
    })
    assert.deepEqual(await f.left(), NOTHING)
  })
})

describe('canceling', () => {
  it('ends a job that waits at once, and its file goes with it', async () => {
    const id = await enqueueImport(3)
    const { status, body } = await t.as(f.gestor).delete(`/jobs/${id}`)
    assert.deepEqual([status, body.status, body.message], [200, 'canceled', 'Cancelado'])
    assert.ok(body.completed_at)
    assert.deepEqual(await f.left(), NOTHING)
    assert.equal(await f.worker(() => assert.fail('nothing is left to do')).runAll(), 0)
  })

  it('stops an import that is under way, and leaves nothing of it', async () => {
    const id = await enqueueImport(500)
    const hold = await f.holdWriting()
    started(runHere(t.app))
    await until('it is read', () => isRead(id))
    const renewed = async () => {
      const row = await pool.first<{ em: Date }>(
        sql`select vence_em as em from jobs_fila where job_id = ${id}`,
      )
      return Number(row?.em)
    }
    assert.equal((await t.as(f.gestor).delete(`/jobs/${id}`)).body.status, 'processing')
    const asked = await renewed()
    // Its worker hears of it when it renews its lease.
    await until('it was renewed', async () => (await renewed()) > asked)
    await hold.release()
    await until('it ended', async () => (await jobOf(id)).status !== 'processing')
    await until('all is gone', async () => (await f.left()).preparo === 0)
    const { status, message, completed_at } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'canceled', message: 'Cancelado' })
    assert.ok(completed_at)
    await until('its file too', async () => (await f.left()).arquivos === 0)
    assert.deepEqual(await f.left(), NOTHING)
  })

  it('of a job whose worker died ends it at once, too', async () => {
    const id = await enqueue()
    const old = f.leases('a')
    const job = (await old.claim()) as ClaimedJob
    await f.expire(id)
    assert.equal((await t.as(f.gestor).delete(`/jobs/${id}`)).body.status, 'canceled')
    const late = pool.transaction((tx) =>
      createJobTask(t.app, job, 'a', { canceled: false, lost: false }).finish(tx, { message: DONE }),
    )
    await assert.rejects(late, JobLost)
    assert.equal((await jobOf(id)).status, 'canceled')
  })
})

describe('an owner who loses the right', () => {
  const take = (id: number) => pool.run(sql`delete from usuarios_grupos where usuario_id = ${id}`)
  const give = () =>
    pool.run(sql`
      insert into usuarios_grupos (usuario_id, grupo_id)
      select ${f.gestor.id}, id from grupos where nome = 'gestor' on conflict do nothing`)
  afterEach(give)
  const REASON = 'A conta não tem mais permissão para isto; nada foi gravado'

  it('while the job waits: it is not begun, says why, and leaves nothing', async () => {
    const id = await enqueueImport(3)
    await take(f.gestor.id)
    assert.equal(await f.worker(runHere(t.app)).runAll(), 1)
    const { status, message } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'failed', message: REASON })
    assert.deepEqual(await f.left(), NOTHING)
  })

  it('while the job works: it stores nothing', async () => {
    const id = await enqueueImport(500)
    const hold = await f.holdWriting()
    started(runHere(t.app))
    await until('it is read', () => isRead(id))
    await take(f.gestor.id)
    await hold.release()
    await until('it ended', async () => (await jobOf(id)).status !== 'processing')
    const { status, message } = await jobOf(id)
    assert.deepEqual({ status, message }, { status: 'failed', message: REASON })
    await until('all is gone', async () => {
      const { preparo, arquivos } = await f.left()
      return preparo + arquivos === 0
    })
    assert.deepEqual(await f.left(), NOTHING)
  })
})

describe('stopping', () => {
  it('hands back what is in hand, uncounted and at once, and the next worker goes on from the checkpoint', async () => {
    const id = await enqueue()
    let begun = false
    let late: unknown
    const worker = started(async (job, name, stop) => {
      const task = createJobTask(t.app, job, name, stop)
      await pool.transaction((tx) => task.checkpoint(tx, { linhas: 7 }, 20))
      begun = true
      try {
        for (;;) {
          task.proceed()
          await sleep(5)
        }
      } catch (error) {
        // One that does not listen, and ends its work all the same.
        await sleep(300)
        await pool
          .transaction((tx) => task.finish(tx, { message: DONE }))
          .catch((failure) => {
            late = failure
          })
        throw error
      }
    })
    await until('it works', () => begun)
    await worker.stop()
    assert.ok(late instanceof JobLost)
    const { status, fila } = await jobOf(id)
    assert.equal(status, 'processing')
    assert.deepEqual([fila?.trabalhador, fila?.tentativas, fila?.ponto], [null, 0, { linhas: 7 }])
    const next = await f.leases('b').claim()
    assert.deepEqual([next?.id, next?.ponto, next?.tentativas], [id, { linhas: 7 }, 1])
  })

  it('takes nothing new', async () => {
    const worker = started(finish)
    await worker.stop()
    const id = await enqueue()
    worker.wake()
    await sleep(100)
    assert.equal((await jobOf(id)).status, 'processing')
  })
})

describe('two workers on one import, the first of which was thought dead', () => {
  it('before it began to read: it does not empty the table the second one fills', async () => {
    const id = await enqueueImport(30)
    const old = (await f.leases('a').claim()) as ClaimedJob
    await f.expire(id)
    const hold = await f.holdWriting()
    started(runHere(t.app))
    await until('it is read', () => isRead(id))
    await assert.rejects(runHere(t.app)(old, 'a', { canceled: false, lost: false }), JobLost)
    await hold.release()
    await until('it ended', async () => (await jobOf(id)).status !== 'processing')
    assert.equal((await jobOf(id)).status, 'completed')
    await until('its tables are gone', async () => (await f.left()).preparo === 0)
    await until('its file too', async () => (await f.left()).arquivos === 0)
    assert.deepEqual(await f.left(), { ...NOTHING, casos: 30, importacoes: 1 })
  })
})
