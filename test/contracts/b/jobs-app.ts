// What the tests of jobs share: people, their requests, and the way through the queue.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'

export const HEADER =
  'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'
export const GOOD = 'dengue;N1;2024-03-12;Ana Lima;Recife;PE'
export const BAD = 'dengue;N2;2024-03-12;;Recife;PE'

export async function jobsApp() {
  const t = await testApp()
  const { pool } = t.database
  const admin = await t.administrador()
  const ana = await t.person({ grupos: ['gestor'] })
  const bia = await t.person({ grupos: ['gestor'] })

  async function sendImport(
    lines: string[],
    fields: Record<string, string> = {},
    who = ana,
  ): Promise<string> {
    const form = multipart(
      ...Object.entries({ formato: 'csv', ...fields }).map(([field, content]) => ({ field, content })),
      { field: 'file', content: [HEADER, ...lines, ''].join('\n'), filename: 'casos.csv' },
    )
    const { status, body, text } = await t
      .as(who)
      .request('POST', '/agravos/casos/bulk', { headers: MULTIPART, payload: form })
    assert.equal(status, 202, text)
    return body.job_id
  }

  async function sendExport(who: Person = ana): Promise<string> {
    const { status, body, text } = await t.as(who).post('/agravos/casos/exportar', { formato: 'csv' })
    assert.equal(status, 202, text)
    return body.job_id
  }

  async function done(id: string): Promise<string> {
    await t.jobWorker.runAll()
    return id
  }

  async function read(id: string, who: Person = ana) {
    const { status, body, text } = await t.as(who).get(`/jobs/${id}`)
    assert.equal(status, 200, text)
    return body
  }

  async function empty() {
    await pool.run(sql`delete from jobs`)
    await pool.run(sql`delete from arquivos`)
  }

  return { t, pool, admin, ana, bia, sendImport, sendExport, done, read, empty }
}
