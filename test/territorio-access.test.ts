import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../src/contracts/service.routes.ts'
import { sql } from '../src/db/sql.ts'
import { PLACES, putAlertas } from './harness/alertas.ts'
import type { Answer, Person } from './harness/app.ts'
import { putAgenda, putBoletim } from './harness/boletins.ts'
import { MULTIPART, multipart } from './harness/multipart.ts'
import { type Ask, type Kind, NAMED, OTHERS, PHOTO, type Shown } from './territorio-operations.ts'
import { LUGARES, type Lugar, MARKS, NOBODY, territorioWorld } from './territorio-world.ts'

/**
 * Every operation of the document as five callers, who hold every permission but `admin` and are bound to different places.
 * Operations that name a case, an account, an import or a delivery are asked for one inside, for one of each place outside and
 * for one that does not exist: the last two are answered alike. All others are asked once. No answer holds a mark of a place
 * that its caller does not reach: a word of names, numbers, addresses and files, or the id of something there.
 */
const world = await territorioWorld()
const { t, admin, callers, geral, thingsOf, marksOf } = world
after(() => t.close())

const info = { title: '', version: '', description: '', publicUrl: null }
const operations = new Set(
  describedContracts(info)
    .contracts.flatMap(({ rows }) => rows)
    .map(({ method, path }) => `${method} ${path.replace('/api/v1', '')}`),
)

const idOf = (query: ReturnType<typeof sql>) => t.database.pool.value<number>(query)
const GRUPO = await idOf(sql`select id from grupos where nome = 'analista'`)
const PERMISSAO = await idOf(sql`select id from permissoes where nome = 'agravos.listar'`)
/** Kinds of things in a place that a text tells of. */
const marked = (text: string, lugar: Lugar) =>
  MARKS.filter((mark) => text.toLowerCase().includes(marksOf(lugar)[mark].toLowerCase()))
const isOpen = (lugar: Lugar, scope: string) => lugar.open.includes(scope)

/** Sends a request with these ids in its path. */
function send(who: Person, operation: string, ids: Record<string, unknown>, { query = '', body, form }: Ask) {
  const [method = '', path = ''] = operation.split(' ')
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) => String(ids[name]))
  return t.as(who).request(method, `${url}${query}`, {
    ...(body !== undefined && {
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(body),
    }),
    ...(form && { headers: MULTIPART, payload: multipart(...form) }),
  })
}

const whole = ({ headers, text }: Answer) => `${JSON.stringify(headers)}\n${text}`

/** An answer without what differs from request to request. */
function comparable({ status, headers, body }: Answer) {
  const { etag, 'content-type': type, 'content-length': length } = headers
  return { status, etag, type, length, error: { ...body?.error, request_id: 0, timestamp: 0 } }
}

function assertNoMarks(answer: Answer, scope: string, operation: string): void {
  for (const lugar of LUGARES.filter((one) => !isOpen(one, scope)))
    assert.deepEqual(
      marked(whole(answer), lugar),
      [],
      `${operation} as ${scope} shows of ${lugar.palavra}: ${answer.text.slice(0, 400)}`,
    )
}

type Ids = Record<string, unknown>
const pathIds = { grupo_id: GRUPO, permissao_id: PERMISSAO }
/** The thing of a place that an operation of this kind names. */
function shared(kind: Kind, lugar: Lugar): Ids {
  const { caso, excluido, anexo, importacao, conta, job } = thingsOf(lugar)
  switch (kind) {
    case 'caso':
      return { id: caso }
    case 'excluido':
      return { id: excluido }
    case 'anexo':
      return { id: caso, anexo_id: anexo }
    case 'importacao':
      return { id: importacao }
    case 'job':
    case 'job em fila':
      return { job_id: job }
    default:
      return { ...pathIds, id: conta, usuario_id: conta }
  }
}

/** A new thing for an operation that may end it; a job is the caller's own. */
async function fresh(kind: Kind, lugar: Lugar, who: Person): Promise<Ids> {
  if (kind === 'importacao') return { id: (await world.newImportacao(lugar)).importacao }
  if (kind.startsWith('job')) {
    const { body } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
    if (kind === 'job') await t.jobWorker.runAll()
    return { job_id: body.job_id }
  }
  if (kind.startsWith('conta')) {
    const { id } = await world.newConta(lugar)
    if (kind === 'conta com foto')
      await send(admin, 'POST /usuarios/{id}/foto-perfil', { id }, { form: [PHOTO] })
    return { ...pathIds, id, usuario_id: id }
  }
  const id = await world.newCaso(lugar)
  if (kind === 'excluido') await t.as(admin).delete(`/agravos/casos/${id}?motivo=engano`)
  return { id, ...(kind === 'anexo' && { anexo_id: await world.newAnexo(lugar, id) }) }
}

const missing = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [
      name,
      name in pathIds ? id : name === 'job_id' ? 'job_nenhum' : NOBODY,
    ]),
  )

/** The body of an operation on accounts that names places names that of the account. */
function askFor(ask: Ask | undefined, lugar: Lugar): Ask {
  const [nivel, codigo] = lugar.codigo.split(':')
  const isOwn = (ask?.body as { territorios?: unknown } | undefined)?.territorios === 'own'
  return isOwn ? { body: { territorios: [{ nivel, codigo }] } } : (ask ?? {})
}

let made = 0

/** Operations that end a session, or change the account, are asked by somebody with the same places. */
async function callerFor(operation: string, scope: string): Promise<Person> {
  const isOwn = /\/auth\/|logout/.test(operation)
  return isOwn ? world.newCaller(scope) : (callers.get(scope) as Person)
}

/** Ids for operations on things of no place, or of the caller's own. */
async function ownIds(operation: string, who: Person): Promise<Ids> {
  const path = operation.split(' ')[1] ?? ''
  const create = async (of: string, body: object) => (await t.as(admin).post(of, body)).body.id
  // Of a case that only an account without a territory reaches.
  if (path.startsWith('/webhooks/{id}/entregas'))
    return { id: geral, entrega_id: thingsOf(LUGARES.at(-1) as Lugar).entrega }
  if (path.startsWith('/webhooks/{id}')) return { id: await world.newWebhook(who, `proprio${++made}`) }
  if (path.startsWith('/grupos/{id}'))
    return {
      ...pathIds,
      id: await create('/grupos', { nome: `grupo_${++made}`, permissoes_ids: [PERMISSAO] }),
    }
  if (path === '/permissoes/{id}') return { id: await create('/permissoes', { nome: `nova.${++made}` }) }
  if (path === '/noticias/{id}')
    return { id: await create('/noticias', { titulo: 'Nota', conteudo: 'Texto' }) }
  const author = { id: who.id, nome: 'Pessoa' }
  if (path.startsWith('/agravos/boletins/agendas/{id}'))
    return { id: await putAgenda(t.database.pool, author, t.clock.now()) }
  if (path.startsWith('/agravos/boletins/{id}'))
    return { id: await putBoletim(t.database.pool, author, t.clock.now()) }
  if (path.startsWith('/agravos/alertas/{id}'))
    return { id: (await putAlertas(t.database.pool, t.clock.now(), PLACES.manaus))[0] }
  if (path === '/rascunhos/{uuid}') {
    const uuid = randomUUID()
    await t.as(who).put(`/rascunhos/${uuid}`, { conteudo: {} })
    return { uuid }
  }
  return { ...pathIds, session_id: randomUUID() }
}

/** What a job that was asked for writes for its owner. */
async function filesOf({ status, body }: Answer, who: Person): Promise<Answer[]> {
  if (status !== 202 || body.job_id === undefined) return []
  await t.jobWorker.runAll()
  const job = await t.as(who).get(`/jobs/${body.job_id}`)
  assert.equal(job.body.status, 'completed', job.text)
  return [job, await t.as(who).get(`/jobs/${body.job_id}/arquivo`)]
}

const SHOWN: Record<Shown, (lugar: Lugar) => unknown> = {
  casos: (lugar) => thingsOf(lugar).caso,
  contas: (lugar) => thingsOf(lugar).conta,
  importacoes: (lugar) => thingsOf(lugar).importacao,
  eventos: (lugar) => thingsOf(lugar).evento,
}

/** Sets of cases are by residence, so that nothing is inside for somebody who only notified. */
function assertShown(text: string, shown: Shown, scope: string): void {
  const byResidence = shown === 'casos'
  for (const lugar of LUGARES.filter((one) => isOpen(one, scope)))
    if (!byResidence || scope !== 'a municipality that only notified')
      assert.ok(text.includes(String(SHOWN[shown](lugar))), `${scope} sees ${shown} of ${lugar.palavra}`)
}

describe('Territories and operations', () => {
  it('have every operation in one of the tables, and nothing else', () => {
    const written = [...Object.keys(NAMED), ...Object.keys(OTHERS)]
    assert.deepEqual(written.toSorted(), [...operations].toSorted())
  })

  for (const [operation, [kind, expected, ask]] of Object.entries(NAMED))
    it(`${operation}: opens what lies inside, and knows nothing of the rest`, async () => {
      for (const [scope, who] of callers) {
        for (const lugar of LUGARES.filter((one) => isOpen(one, scope))) {
          const opened = await send(who, operation, await fresh(kind, lugar, who), askFor(ask, lugar))
          assert.equal(opened.status, expected, `${scope}: ${opened.text.slice(0, 300)}`)
          assertNoMarks(opened, scope, operation)
        }
        for (const lugar of LUGARES.filter((one) => kind.startsWith('job') || !isOpen(one, scope))) {
          const ids = shared(kind, lugar)
          const refused = await send(who, operation, ids, askFor(ask, lugar))
          assert.equal(refused.status, 404, `${scope}, ${lugar.palavra}: ${refused.text.slice(0, 300)}`)
          assertNoMarks(refused, scope, operation)
          const nothing = await send(who, operation, missing(ids), askFor(ask, lugar))
          assert.deepEqual(comparable(refused), comparable(nothing), scope)
        }
      }
    })

  for (const [operation, [expected, ask = {}, shows]] of Object.entries(OTHERS))
    it(`${operation}: tells nothing of what lies outside`, async () => {
      for (const scope of callers.keys()) {
        const who = await callerFor(operation, scope)
        const asked = typeof ask === 'function' ? ask(++made) : ask
        const answer = await send(who, operation, await ownIds(operation, who), asked)
        const status = typeof expected === 'function' ? expected(scope) : expected
        assert.ok(
          [status].flat().includes(answer.status),
          `${scope}: ${answer.status} ${answer.text.slice(0, 300)}`,
        )
        const told = [answer, ...(await filesOf(answer, who))]
        for (const one of told) assertNoMarks(one, scope, operation)
        if (shows) assertShown(told.map(whole).join('\n'), shows, scope)
      }
    })
})
