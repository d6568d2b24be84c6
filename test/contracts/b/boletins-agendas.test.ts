import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { proximaVez } from '../../../src/domain/boletins/horario.ts'
import { runBoletim } from '../../../src/domain/boletins/job.ts'
import { runDueAgendas } from '../../../src/domain/boletins/vencidas.ts'
import type { ClaimedJob } from '../../../src/domain/jobs/queue.sql.ts'
import { createJobTask, leasesOf } from '../../../src/domain/jobs/queue.ts'
import { bind } from '../../harness/bound.ts'
import { boletinsApp, RELATORIOS } from './boletins-app.ts'
import { OLINDA, RECIFE } from './epidemiologia-app.ts'

const PAULISTA = 2610707

const { t, pool, autora, outbreak, vigilante } = await boletinsApp()
after(() => t.close())
before(() => outbreak([3, 9, 12, 20]))

const AGENDA = {
  nome: 'Semanal',
  dia_semana: 'terca',
  hora: '08:00',
  pedidos: [{ tipo_agravo: 'dengue', municipio: String(RECIFE) }],
}
/** Of a run of several bulletins, each of which takes two steps and a checkpoint: the second is computed and not yet stored. */
const STEP_OF_SECOND = 5
const DAY_MS = 86_400_000
const path = '/agravos/agendas'
const boletins = () => pool.value<number>(sql`select count(*) from boletins`)
const queued = () => pool.value<number>(sql`select count(*) from jobs_fila`)
const agendas = () => pool.value<number>(sql`select count(*) from boletins_agendas`)

const create = async (more: object = {}, person = autora) => {
  const { status, body, text } = await t.as(person).post(path, { ...AGENDA, ...more })
  assert.equal(status, 201, text)
  return body
}
const remove = async (id: number, person = autora) =>
  assert.equal((await t.as(person).delete(`${path}/${id}`)).status, 204)
/** Puts the next time of a schedule so far back: sessions would not outlive a clock that is moved on for days. */
const makeDue = ({ id }: { id: number }, ago = 1_000) =>
  pool.run(sql`
    update boletins_agendas set proxima_em = ${new Date(t.clock.now().getTime() - ago)} where id = ${id}`)

describe('The time of a schedule', () => {
  const at = (now: string) => proximaVez({ dia_semana: 2, hora: '08:00' }, new Date(now)).toISOString()

  it('is the next such weekday and hour in Brasília, never now', () => {
    // 17 November 2026 is a Tuesday.
    assert.equal(at('2026-11-16T12:00:00Z'), '2026-11-17T11:00:00.000Z')
    assert.equal(at('2026-11-17T10:59:59Z'), '2026-11-17T11:00:00.000Z')
    assert.equal(at('2026-11-17T11:00:00Z'), '2026-11-24T11:00:00.000Z')
    // Tuesday in Greenwich, and Monday in Brasília.
    assert.equal(at('2026-11-24T01:00:00Z'), '2026-11-24T11:00:00.000Z')
  })
})

describe('A schedule', () => {
  it('is created, listed, changed and deleted by its owner; others do not see it', async () => {
    const agenda = await create({ grupos: [1] })
    assert.deepEqual(
      [agenda.dia_semana, agenda.ativo, agenda.grupos.length, agenda.usuario.id, agenda.pedidos[0].publico],
      ['terca', true, 1, autora.id, false],
    )
    const changed = await t
      .as(autora)
      .put(`${path}/${agenda.id}`, { hora: '09:30', ativo: false, grupos: [] })
    assert.deepEqual(
      [changed.status, changed.body.hora, changed.body.nome, changed.body.proxima_em, changed.body.grupos],
      [200, '09:30', 'Semanal', null, []],
    )
    assert.equal((await t.as(autora).patch(`${path}/${agenda.id}`, { ativo: true })).body.ativo, true)
    const other = await t.person({ permissoes: ['relatorios.gerar'] })
    assert.equal((await t.as(other).get(path)).body.total, 0)
    for (const method of ['put', 'patch'] as const)
      assert.equal((await t.as(other)[method](`${path}/${agenda.id}`, { nome: 'Minha' })).status, 404)
    assert.equal((await t.as(other).delete(`${path}/${agenda.id}`)).status, 404)
    assert.equal((await t.as(other).delete(`${path}/x`)).status, 422)
    const admin = await t.administrador()
    assert.equal((await t.as(admin).get(path)).body.total, 1)
    assert.deepEqual((await t.as(autora).get(`${path}?nome=seman`)).body.items[0].id, agenda.id)
    await remove(agenda.id)
    assert.equal((await t.as(autora).get(path)).body.total, 0)
    const audit = await pool.rows<{ acao: string }>(sql`
      select acao from auditoria where recurso = 'agenda_de_boletim' order by id`)
    assert.deepEqual(
      audit.map(({ acao }) => acao.split('.')[1]),
      ['criada', 'alterada', 'alterada', 'excluida'],
    )
  })

  const REFUSED: [string, object, string, string][] = [
    ['no name', { nome: undefined }, 'nome', 'REQUIRED'],
    ['an unknown day', { dia_semana: 'tuesday' }, 'dia_semana', 'INVALID_VALUE'],
    ['an hour that is none', { hora: '24:00' }, 'hora', 'INVALID_FORMAT'],
    ['no request', { pedidos: [] }, 'pedidos', 'TOO_FEW'],
    ['too many requests', { pedidos: Array(21).fill(AGENDA.pedidos[0]) }, 'pedidos', 'TOO_MANY'],
    ['an unknown group', { grupos: [999_999] }, 'grupos', 'UNKNOWN'],
    ['a group twice', { grupos: [1, 1] }, 'grupos', 'REPEATED'],
    [
      'an unknown place',
      { pedidos: [AGENDA.pedidos[0], { tipo_agravo: 'zika', municipio: '9999999' }] },
      'pedidos.1.municipio',
      'UNKNOWN_MUNICIPIO',
    ],
    ['the same twice', { pedidos: [AGENDA.pedidos[0], AGENDA.pedidos[0]] }, 'pedidos.1', 'REPEATED'],
  ]
  for (const [what, change, field, code] of REFUSED)
    it(`is refused with ${what}, and nothing is stored`, async () => {
      const count = await agendas()
      const { status, body } = await t.as(autora).post(path, { ...AGENDA, ...change })
      assert.equal(status, 422)
      assert.deepEqual(
        body.error.details.map((one: Record<string, string>) => [one.field, one.code]),
        [[field, code]],
      )
      assert.equal(await agendas(), count)
    })

  it('of a bound account has places of its territory alone', async () => {
    const person = await bind(t, await t.person({ permissoes: RELATORIOS }), `municipio:${OLINDA}`)
    const refused = await t.as(person).post(path, AGENDA)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'OUT_OF_TERRITORY'])
    const agenda = await create({ pedidos: [{ tipo_agravo: 'todos', municipio: String(OLINDA) }] }, person)
    const changed = await t.as(person).put(`${path}/${agenda.id}`, { pedidos: AGENDA.pedidos })
    assert.equal(changed.status, 403)
    await remove(agenda.id, person)
  })

  it('is one of twenty at most', async () => {
    const person = await t.person({ permissoes: ['relatorios.gerar'] })
    for (let i = 0; i < 20; i++) await create({ ativo: false }, person)
    const refused = await t.as(person).post(path, AGENDA)
    assert.equal(refused.status, 409)
    assert.equal((await t.as(person).get(path)).body.total, 20)
  })

  it('needs the permission', async () => {
    assert.equal((await t.as(vigilante).post(path, AGENDA)).status, 403)
  })
})

describe('A due schedule', () => {
  it('runs once, however many instances look, and not before its time', async () => {
    const agenda = await create()
    const count = await boletins()
    const before = new Date(Date.parse(agenda.proxima_em) - 1)
    assert.equal(await runDueAgendas({ ...t.app, clock: { now: () => before } }), 0)
    await makeDue(agenda)
    const ran = await Promise.all([runDueAgendas(t.app), runDueAgendas(t.app), runDueAgendas(t.app)])
    assert.equal(
      ran.reduce((sum, one) => sum + one, 0),
      1,
    )
    assert.equal(await queued(), 1)
    await t.agendaDeBoletins.runOnce()
    assert.equal(await queued(), 1)
    await t.jobWorker.runAll()
    assert.equal(await boletins(), count + 1)
    const { body } = await t.as(autora).get(path)
    const [after] = body.items
    assert.equal(after.proxima_em, agenda.proxima_em)
    const job = await t.as(autora).get(`/jobs/${after.ultimo_job}`)
    assert.deepEqual([job.body.status, job.body.result.boletins.length], ['completed', 1])
    const [made] = (await t.as(autora).get('/agravos/boletins')).body.items
    assert.deepEqual([made.agenda_id, made.criado_por.id], [agenda.id, autora.id])
    await remove(agenda.id)
    assert.equal((await t.as(autora).get(`/agravos/boletins/${made.id}`)).body.agenda_id, null)
  })

  it('runs once for all the times that passed while no instance was there', async () => {
    const agenda = await create()
    await makeDue(agenda, 30 * DAY_MS)
    assert.equal(await runDueAgendas(t.app), 1)
    assert.equal(await runDueAgendas(t.app), 0)
    await t.jobWorker.runAll()
    const { body } = await t.as(autora).get(path)
    assert.ok(Date.parse(body.items[0].proxima_em) > t.clock.now().getTime())
    await remove(agenda.id)
  })

  it('that is switched off does not run', async () => {
    const agenda = await create({ ativo: false })
    const later = new Date(t.clock.now().getTime() + 14 * DAY_MS)
    assert.equal(await runDueAgendas({ ...t.app, clock: { now: () => later } }), 0)
    await remove(agenda.id)
  })

  it('leaves out places that its owner no longer reaches', async () => {
    const person = await t.person({ permissoes: RELATORIOS })
    const pedidos = [RECIFE, OLINDA].map((municipio) => ({
      tipo_agravo: 'dengue',
      municipio: String(municipio),
    }))
    const agenda = await create({ pedidos }, person)
    await bind(t, person, `municipio:${OLINDA}`)
    await makeDue(agenda)
    await runDueAgendas(t.app)
    await t.jobWorker.runAll()
    const { body } = await t.as(person).get('/agravos/boletins')
    assert.deepEqual(
      body.items.map(({ lugar }: { lugar: { codigo: string } }) => lugar.codigo),
      [String(OLINDA)],
    )
    await remove(agenda.id, person)
  })

  it('makes nothing once its owner lost the permission', async () => {
    const person = await t.person({ permissoes: RELATORIOS })
    const agenda = await create({}, person)
    await pool.run(sql`delete from usuarios_permissoes where usuario_id = ${person.id}`)
    const count = await boletins()
    await makeDue(agenda)
    await runDueAgendas(t.app)
    await t.jobWorker.runAll()
    assert.equal(await boletins(), count)
    await remove(agenda.id, await t.administrador())
  })
})

describe('Mail of a schedule', () => {
  let teams = 0
  const grupo = async () => {
    const admin = await t.administrador()
    const { status, body, text } = await t.as(admin).post('/grupos', { nome: `equipe-${++teams}` })
    assert.equal(status, 201, text)
    return body.id as number
  }
  const join = (grupoId: number, usuarioId: number) =>
    pool.run(sql`insert into usuarios_grupos (usuario_id, grupo_id) values (${usuarioId}, ${grupoId})`)

  async function mailsOf(pedidos: object[], members: number[]) {
    const grupoId = await grupo()
    for (const id of members) await join(grupoId, id)
    const agenda = await create({ pedidos, grupos: [grupoId] })
    await makeDue(agenda)
    await runDueAgendas(t.app)
    await t.jobWorker.runAll()
    t.mails.length = 0
    await t.mailWorker.runOnce()
    await remove(agenda.id)
    return [...t.mails]
  }

  it('goes to members who may read the bulletin, and to nobody else', async () => {
    const reader = await t.person({ permissoes: ['relatorios.gerar'] })
    const inRecife = await bind(t, await t.person({ permissoes: RELATORIOS }), `municipio:${RECIFE}`)
    const inOlinda = await bind(t, await t.person({ permissoes: RELATORIOS }), `municipio:${OLINDA}`)
    const without = await t.person({ permissoes: ['agravos.listar'] })
    const gone = await t.person({ permissoes: RELATORIOS })
    assert.equal((await t.as(await t.administrador()).post(`/usuarios/${gone.id}/desativar`)).status, 200)
    const members = [reader, inRecife, inOlinda, without, gone]
    const mails = await mailsOf(
      AGENDA.pedidos,
      members.map(({ id }) => id),
    )
    assert.deepEqual(mails.map(({ to }) => to).sort(), [reader.email, inRecife.email].sort())
    const [made] = (await t.as(autora).get('/agravos/boletins')).body.items
    for (const { text, subject } of mails) {
      assert.ok(text.includes(`/boletins/${made.id}`), text)
      assert.match(subject, /Recife/)
      assert.doesNotMatch(text, /casos/, 'no figures of a bulletin that is not public')
    }
  })

  it('has the headline figures of a public bulletin, suppressed as there', async () => {
    const reader = await t.person({ permissoes: ['relatorios.gerar'] })
    const [mail] = await mailsOf([{ ...AGENDA.pedidos[0], publico: true }], [reader.id])
    const [made] = (await t.as(autora).get('/agravos/boletins')).body.items
    const { dados } = (await t.as(autora).get(`/agravos/boletins/${made.id}`)).body
    const { casos_4_semanas, nivel } = dados.secoes[0].numeros
    assert.ok(mail?.text.includes(`nível ${nivel}`))
    assert.ok(mail?.text.includes(`quatro semanas: ${casos_4_semanas.valor ?? 'suprimidos'}`))
  })

  it('is sent once for each bulletin of a run that is killed half-way and goes on', async () => {
    const reader = await t.person({ permissoes: ['relatorios.gerar'] })
    const grupoId = await grupo()
    await join(grupoId, reader.id)
    const pedidos = [RECIFE, OLINDA, PAULISTA].map((municipio) => ({
      tipo_agravo: 'dengue',
      municipio: String(municipio),
    }))
    const agenda = await create({ pedidos, grupos: [grupoId] })
    await makeDue(agenda)
    await runDueAgendas(t.app)
    const count = await boletins()
    const claimed = (await leasesOf(t.app, 'killed').claim()) as ClaimedJob
    let steps = 0
    const task = createJobTask(t.app, claimed, 'killed', { canceled: false, lost: false }, () => {
      if (++steps === STEP_OF_SECOND) throw new Error('killed')
    })
    await assert.rejects(runBoletim(t.app, task), /killed/)
    assert.equal(await boletins(), count + 1)
    await pool.run(sql`update jobs_fila set trabalhador = null, vence_em = null where job_id = ${claimed.id}`)
    await t.jobWorker.runAll()
    assert.equal(await boletins(), count + pedidos.length)
    const { body } = await t.as(autora).get(`/jobs/${claimed.id}`)
    assert.deepEqual([body.status, body.result.boletins.length], ['completed', pedidos.length])
    t.mails.length = 0
    await t.mailWorker.runOnce()
    assert.equal(t.mails.length, pedidos.length)
    assert.equal(new Set(t.mails.map(({ subject }) => subject)).size, pedidos.length)
    await remove(agenda.id)
  })

  it('is not sent about a bulletin that was deleted before', async () => {
    const reader = await t.person({ permissoes: ['relatorios.gerar'] })
    const grupoId = await grupo()
    await join(grupoId, reader.id)
    const agenda = await create({ grupos: [grupoId] })
    await makeDue(agenda)
    await runDueAgendas(t.app)
    await t.jobWorker.runAll()
    const [made] = (await t.as(autora).get('/agravos/boletins')).body.items
    assert.equal((await t.as(autora).delete(`/agravos/boletins/${made.id}`)).status, 204)
    t.mails.length = 0
    await t.mailWorker.runOnce()
    assert.deepEqual(t.mails, [])
    await remove(agenda.id)
  })
})
