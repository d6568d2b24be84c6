// What the tests of events in animals share: the service, people, files on their way through the queue.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Person, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'

export { problemsOf } from './series-app.ts'

export const RECIFE = '2611606'
export const OLINDA = '2609600'
export const CARUARU = '2604106'
export const PALMAS = '1721000'

let next = 0

/** All that a new event needs. */
export const evento = (more: object = {}) => ({
  numero: `E${++next}`,
  data_ocorrencia: '2026-01-12',
  municipio: RECIFE,
  especie_grupo: 'pnh',
  suspeita: 'febre_amarela',
  ...more,
})

export interface Envio {
  modo?: string
  ignorar_erros?: string
  formato?: string
  nome?: string
  by?: Person
}

/** Header of the Ministry's file of primates. */
export const MINISTERIO =
  'ID;MACRORREG_OCOR;COD_UF_OCOR;UF_OCOR;COD_MUN_OCOR;MUN_OCOR;DATA_OCOR;SE_OCOR;MES_OCOR;ANO_OCOR;MONITORAMENTO_OCOR'

export async function epizootiasApp() {
  const t = await testApp()
  const gestor = await t.person({ grupos: ['gestor'] })
  const analista = await t.person({ grupos: ['analista'] })
  const leitor = await t.person({ grupos: ['visualizador'] })
  const { pool } = t.database

  async function registrar(more: object = {}, by: Person = analista): Promise<number> {
    const { status, body, text } = await t.as(by).post('/epizootias', evento(more))
    assert.equal(status, 201, text)
    return body.id
  }

  async function ler(path: string, by: Person = leitor) {
    const { status, body, text } = await t.as(by).get(path)
    assert.equal(status, 200, text)
    return body
  }

  const send = (
    content: string | Buffer,
    { by = analista, nome = 'epizootias.csv', ...fields }: Envio = {},
  ) => {
    const parts = Object.entries({ modo: 'importar', ...fields }).map(([field, one]) => ({
      field,
      content: one,
    }))
    return t.as(by).request('POST', '/epizootias/bulk', {
      headers: MULTIPART,
      payload: multipart(...parts, { field: 'file', content, filename: nome }),
    })
  }

  /** From the upload to the end: the job as its owner sees it then. */
  async function run(content: string | Buffer, envio: Envio = {}) {
    const { status, body, text } = await send(content, envio)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    return (await t.as(envio.by ?? analista).get(`/jobs/${body.job_id}`)).body
  }

  async function importar(content: string | Buffer, envio: Envio = {}) {
    const done = await run(content, envio)
    assert.equal(done.status, 'completed', JSON.stringify(done))
    return done.resultado
  }

  async function desfazer(id: number, { simular = false, by = analista } = {}) {
    const { status, body, text } = await t
      .as(by)
      .post(`/epizootias/importacoes/${id}/desfazer${simular ? '?simular=true' : ''}`)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    return (await t.as(by).get(`/jobs/${body.job_id}`)).body
  }

  /** Events of the service about an event in animals, in their order. */
  const eventosDe = (id: number) =>
    pool.rows<{ tipo: string; dados: Record<string, unknown> }>(sql`
      select tipo, dados from (
        select tipo, dados, chave, numero from eventos_novos
        union all select tipo, dados, chave, ordem - 1000000000 from eventos) e
      where chave = ${`epizootia:${id}`} order by numero`)

  return { t, pool, gestor, analista, leitor, registrar, ler, send, run, importar, desfazer, eventosDe }
}
