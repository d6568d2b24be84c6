import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { askForAlertas, isDue, isWeekDue } from '../../../src/domain/alertas/agenda.ts'
import { foldInBulk } from '../../../src/domain/casos/counters/counters.ts'
import { alertasApp } from './alertas-app.ts'

const { t, pool, outbreak, told } = await alertasApp()
after(() => t.close())

const MINUTE_MS = 60_000
/** Sunday, 8 March 2026, at three in Brasília; the week 2932 ended the day before. */
const SUNDAY = new Date('2026-03-08T06:00:00Z')
const ENDED = 2930

describe('The time of alerts', () => {
  const before = (ms: number) => new Date(SUNDAY.getTime() - ms)

  it('is Sunday at three for every place, or as soon as the service runs after it', () => {
    assert.equal(isWeekDue({ semana_completa: null }, SUNDAY), true)
    assert.equal(isWeekDue({ semana_completa: ENDED - 1 }, SUNDAY), true)
    assert.equal(isWeekDue({ semana_completa: ENDED }, SUNDAY), false)
    assert.equal(isWeekDue({ semana_completa: ENDED - 1 }, before(1)), false)
    assert.equal(isWeekDue({ semana_completa: ENDED - 2 }, new Date('2026-03-11T12:00:00Z')), true)
  })

  it('is at once after a bulk change, and every five minutes after others', () => {
    const execucao = (pedida: number | null) => ({
      semana_completa: ENDED,
      pedida_em: pedida === null ? null : before(pedida),
    })
    const none = { algumas: false, em_massa: false, contadas: true }
    assert.equal(isDue(execucao(null), none, SUNDAY), false)
    assert.equal(isDue(execucao(1), { ...none, algumas: true, em_massa: true }, SUNDAY), true)
    assert.equal(isDue(execucao(5 * MINUTE_MS - 1), { ...none, algumas: true }, SUNDAY), false)
    assert.equal(isDue(execucao(5 * MINUTE_MS), { ...none, algumas: true }, SUNDAY), true)
  })
})

describe('The job of alerts', () => {
  const queued = () => pool.value<number>(sql`select count(*) from jobs_fila`)

  it('is not asked for without cases', async () => {
    assert.equal(await askForAlertas(t.app), false)
    assert.equal(await queued(), 0)
  })

  it('is asked for once, however many instances look', async () => {
    await outbreak([1, 1, 2, 4, 8, 16, 30, 60])
    const asked = await Promise.all([askForAlertas(t.app), askForAlertas(t.app), askForAlertas(t.app)])
    assert.deepEqual(asked.sort(), [false, false, true])
    assert.equal(await queued(), 1)
    assert.equal(await askForAlertas(t.app), false)
  })

  it('runs like every job, without an owner, and is shown to nobody', async () => {
    assert.equal(await t.jobWorker.runAll(), 1)
    const job = await pool.one<{ id: string; status: string; resultado: object }>(
      sql`select id, status, resultado from jobs where tipo = 'alertas'`,
    )
    assert.deepEqual([job.status, job.resultado], ['completed', { lugares: 4, niveis: 48, alertas: 4 }])
    assert.equal((await told()).length, 4)
    const admin = t.as(await t.administrador())
    assert.equal((await admin.get(`/jobs/${job.id}`)).status, 404)
    assert.equal((await admin.get('/jobs')).body.total, 0)
  })

  it('waits for five minutes after a single case, and not after a bulk change', async () => {
    await outbreak([1])
    await t.agendaDeAlertas.runOnce()
    assert.equal(await queued(), 0)
    t.clock.advance(5 * MINUTE_MS)
    await t.agendaDeAlertas.runOnce()
    assert.equal(await queued(), 1)
    await t.jobWorker.runAll()
    await pool.transaction(async (tx) => foldInBulk(tx))
    await t.agendaDeAlertas.runOnce()
    assert.equal(await queued(), 1)
    await t.jobWorker.runAll()
    await t.agendaDeAlertas.runOnce()
    assert.equal(await queued(), 0, 'done with it')
  })
})
