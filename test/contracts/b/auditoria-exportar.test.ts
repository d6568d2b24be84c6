import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import type { Person } from '../../harness/app.ts'
import { bind } from '../../harness/bound.ts'
import { casosApp } from './casos-app.ts'

const { t, admin, gestor, newCaso } = await casosApp()
const { pool } = t.database
after(() => t.close())
const PATH = '/auditoria/exportar'
const leitor = await t.person({ grupos: ['gestor'], permissoes: ['auditoria.ver'] })

async function exported(who: Person, body: object) {
  const asked = await t.as(who).post(PATH, body)
  assert.equal(asked.status, 202, asked.text)
  await t.jobWorker.runAll()
  const job = (await t.as(who).get(`/jobs/${asked.body.job_id}`)).body
  assert.equal(job.status, 'completed', JSON.stringify(job))
  const { status, text } = await t.as(who).get(`/jobs/${asked.body.job_id}/arquivo`)
  assert.equal(status, 200)
  return { job, text }
}

/** Records of a file of JSON lines. */
const recordsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('POST /auditoria/exportar', () => {
  it('writes the records that the list has, in the order of the chain, with their seals', async () => {
    await newCaso({})
    const list = (await t.as(leitor).get('/auditoria?sort=id&order=asc&size=100&acao=login.sucesso')).body
    const { job, text } = await exported(leitor, { formato: 'json', filtros: { acao: 'login.sucesso' } })
    assert.deepEqual([job.tipo, job.trabalho], ['exportacao_auditoria', 'exportacao'])
    const records = recordsOf(text)
    assert.equal(records.length, list.total)
    assert.equal(job.result.total_processados, list.total)
    assert.deepEqual(
      records.map(({ ator_id, ator_nome, detalhes, ...record }) => ({
        ...record,
        detalhes: JSON.parse(detalhes),
        ator: ator_id === null ? null : { id: ator_id, nome: ator_nome },
      })),
      list.items,
    )
  })

  it('is a table for spreadsheets too, and is itself recorded, as is its download', async () => {
    const { job, text } = await exported(admin, { formato: 'csv', filtros: { ator_id: gestor.id } })
    assert.match(text, /^\uFEFFid;data;ator_id;ator_nome;acao;/)
    const [made, taken] = await pool.rows<{ acao: string; detalhes: Record<string, unknown> }>(sql`
      select acao, detalhes from auditoria where acao in ('auditoria.exportada', 'exportacao.baixada')
      and ator_id = ${admin.id} order by id`)
    assert.deepEqual([made?.acao, taken?.acao], ['auditoria.exportada', 'exportacao.baixada'])
    assert.equal(made?.detalhes.job_id, job.job_id)
    assert.equal(made?.detalhes.formato, 'csv')
  })

  it('of somebody bound to a place: what their list shows, no more', async () => {
    const bound = await t
      .person({ grupos: ['gestor'], permissoes: ['auditoria.ver'] })
      .then((who) => bind(t, who, 'uf:PE'))
    const list = (await t.as(bound).get('/auditoria?size=100')).body
    const { text } = await exported(bound, { formato: 'json' })
    const ids = recordsOf(text).map(({ id }) => id)
    assert.deepEqual(
      ids,
      list.items.map(({ id }: { id: number }) => id).toSorted((a: number, b: number) => a - b),
    )
    assert.ok(ids.length < recordsOf((await exported(admin, { formato: 'json' })).text).length)
  })

  it('refuses those who may not read the audit, and what it does not know, and asks for nothing', async () => {
    const jobs = () => pool.value(sql`select count(*)::integer from jobs`)
    const before = await jobs()
    const denied = await t.as(gestor).post(PATH, { formato: 'csv' })
    assert.equal(denied.status, 403)
    assert.equal(denied.body.error.required_permission, 'auditoria.ver')
    assert.equal((await t.anonymous.post(PATH, { formato: 'csv' })).status, 401)
    for (const [body, field] of [
      [{}, 'formato'],
      [{ formato: 'dbf' }, 'formato'],
      [{ formato: 'xlsx', compactacao: 'gzip' }, 'compactacao'],
      [{ formato: 'csv', filtros: { cor: 'azul' } }, 'filtros.cor'],
      [{ formato: 'csv', filtros: { ator_id: 'x' } }, 'filtros.ator_id'],
    ] as const) {
      const { status, body: answered } = await t.as(leitor).post(PATH, body)
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal(answered.error.details[0].field, field)
    }
    assert.equal(await jobs(), before)
  })
})
