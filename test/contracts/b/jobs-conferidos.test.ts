import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { bind, RECIFE } from '../../harness/bound.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { csv, importacoesApp, linha } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, analista, gestor, validar, job } = app
const { pool } = t.database
after(() => t.close())

const DAY = 86_400_000

/** Checked files that can still be imported, as the console asks for them. */
async function conferidos(by = analista): Promise<Record<string, string>> {
  const since = new Date(t.clock.now().getTime() - DAY).toISOString()
  const { status, body, text } = await t.as(by).get(`/jobs?arquivo_guardado_ate[gte]=${since}`)
  assert.equal(status, 200, text)
  return Object.fromEntries(
    body.items.flatMap(({ job_id, arquivo_guardado_ate }: Record<string, string>) =>
      arquivo_guardado_ate === undefined ? [] : [[job_id, arquivo_guardado_ate]],
    ),
  )
}

async function importValidated(validacao: string): Promise<string> {
  const { status, body, text } = await t.as(analista).request('POST', '/agravos/casos/bulk', {
    headers: MULTIPART,
    payload: multipart(
      { field: 'validacao', content: validacao },
      { field: 'modo', content: 'importar' },
      { field: 'ignorar_erros', content: 'false' },
    ),
  })
  assert.equal(status, 202, text)
  return body.job_id
}

describe('A checked file that was not imported', () => {
  it('is in the list of jobs until it is imported, not while it is being', async () => {
    const { job_id, resultado, arquivo_guardado_ate } = await validar(csv(linha()))
    assert.equal(arquivo_guardado_ate, resultado.arquivo_guardado_ate)
    const free = { [job_id]: arquivo_guardado_ate }
    assert.deepEqual(await conferidos(), free)
    assert.deepEqual(await conferidos(gestor), {}, 'of its account alone')

    const canceled = await importValidated(job_id)
    assert.deepEqual(await conferidos(), {}, 'an import has it')
    assert.equal((await t.as(analista).delete(`/jobs/${canceled}`)).status, 200)
    assert.deepEqual(await conferidos(), free, 'that was canceled')

    await importValidated(job_id)
    await t.jobWorker.runAll()
    assert.deepEqual(await conferidos(), {})
    assert.equal((await job(job_id)).arquivo_guardado_ate, undefined)
    assert.equal(
      (await job(job_id)).resultado.arquivo_guardado_ate,
      arquivo_guardado_ate,
      'what was said stays',
    )
  })

  it('is not told once it has expired, nor of a territory that is smaller by now', async () => {
    const { job_id } = await validar(csv(linha()))
    await bind(t, analista, RECIFE)
    assert.deepEqual(await conferidos(), {})
    await bind(t, analista)
    assert.deepEqual(Object.keys(await conferidos()), [job_id])
    await pool.run(sql`update jobs set entrada_expira_em = ${t.clock.now()} where id = ${job_id}`)
    assert.deepEqual(await conferidos(), {}, 'also before the cleanup')
  })

  it('is no filter of a moment that is none', async () => {
    assert.equal((await t.as(analista).get('/jobs?arquivo_guardado_ate[gte]=ontem')).status, 422)
  })
})

it('an import under way tells the lines it has read; another job and one that is over do not', async () => {
  const { body } = await app.send(csv(linha(), linha()))
  assert.equal((await job(body.job_id)).linhas_lidas, undefined, 'not begun')
  await pool.run(sql`update jobs_fila set ponto = '{"linhas": 8000}' where job_id = ${body.job_id}`)
  assert.equal((await job(body.job_id)).linhas_lidas, 8000)
  await pool.run(sql`update jobs_fila set ponto = null where job_id = ${body.job_id}`)
  await t.jobWorker.runAll()
  assert.equal((await job(body.job_id)).linhas_lidas, undefined)
})
