// What the tests of exports share: the request, its way through the queue, and the file.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { readTable } from '../../domain/importacao/formats/files.ts'
import type { Person } from '../../harness/app.ts'
import { importacoesApp } from './importacoes-app.ts'

/** The filters of an export as parameters of the list. */
export function queryOf(filtros: object): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filtros)) query.set(name, String(value))
  return query
}

export async function exportacoesApp() {
  const app = await importacoesApp()
  const { t, analista } = app

  const ask = (body: object, by: Person = analista, path = '/agravos/casos/exportar') =>
    t.as(by).post(path, { formato: 'csv', ...body })

  /** From the request to the end of the job. */
  async function run(body: object, by: Person = analista, path = '/agravos/casos/exportar') {
    const { status, body: accepted, text } = await ask(body, by, path)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    const done = await app.job(accepted.job_id, by)
    assert.equal(done.status, 'completed', JSON.stringify(done))
    return done
  }

  async function fileOf(body: object, by: Person = analista, path?: string): Promise<Buffer> {
    const { job_id } = await run(body, by, path)
    const { status, bytes } = await app.download(`/jobs/${job_id}/arquivo`, by)
    assert.equal(status, 200)
    return bytes
  }

  /** The rows of an exported file as objects, read by the importer; of JSON lines, parsed. */
  async function rowsOf(body: { formato?: string }, by: Person = analista, path?: string) {
    const bytes = await fileOf(body, by, path)
    if (body.formato === 'json')
      return bytes
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    const { header, values } = await readTable(bytes)
    return values.map(
      (row) => Object.fromEntries(header.map((nome, i) => [nome, row[i] ?? ''])) as Record<string, unknown>,
    )
  }

  const audit = (acao: string) =>
    t.database.pool.rows<{
      ator_id: number
      recurso: string
      recurso_id: string
      detalhes: Record<string, unknown>
    }>(sql`
      select ator_id, recurso, recurso_id, detalhes from auditoria where acao = ${acao} order by id`)

  const take = (person: Person, permissao: string) =>
    t.database.pool.run(sql`
      delete from usuarios_permissoes where usuario_id = ${person.id}
        and permissao_id = (select id from permissoes where nome = ${permissao})`)

  const jobs = () =>
    t.database.pool.first(sql`
      select (select count(*) from jobs) as jobs, (select count(*) from auditoria) as auditoria,
             (select count(*) from arquivos) as arquivos`)

  return { ...app, ask, run, fileOf, rowsOf, audit, take, jobs }
}
