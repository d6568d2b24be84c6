// What the tests of series share: the service, files on their way through the queue, and what is stored.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, type Person, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart } from '../../harness/multipart.ts'
import { problems } from '../refusals.ts'

export const RECIFE = '2611606'
export const OLINDA = '2609600'

/** Definition of a series with all it needs. */
export const SERIE = {
  codigo: 'casos_infodengue',
  nome: 'Casos segundo o InfoDengue',
  descricao: 'Casos notificados por semana',
  dominio: 'humano',
  tema: 'outro',
  unidade: '{casos}',
  tipo_valor: 'inteiro',
  periodo: 'semana',
  nivel: 'municipio',
  agrega_tempo: 'soma',
  agrega_lugar: 'soma',
  minimo: 0,
  fonte: 'InfoDengue',
  licenca: 'Dados abertos, com citação',
}

export const problemsOf = ({ body }: Answer): string[] => problems(body.error.details)

export interface Envio {
  modo?: string
  ignorar_erros?: string
  serie?: string
  periodo?: string
  municipio?: string
  estado?: string
  ano?: string
  formato?: string
  nome?: string
  by?: Person
}

/** The service with someone who reads, someone who imports, and someone who defines. */
export async function seriesApp() {
  const t = await testApp()
  const gestor = await t.person({ grupos: ['gestor'] })
  const analista = await t.person({ grupos: ['analista'] })
  const leitor = await t.person({ grupos: ['visualizador'] })
  const { pool } = t.database

  async function send(
    content: string | Buffer,
    { by = analista, nome = 'serie.csv', ...fields }: Envio = {},
  ) {
    const parts = Object.entries({ modo: 'importar', ...fields }).map(([field, one]) => ({
      field,
      content: one,
    }))
    return t.as(by).request('POST', '/series/bulk', {
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
      .post(`/series/importacoes/${id}/desfazer${simular ? '?simular=true' : ''}`)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    const done = (await t.as(by).get(`/jobs/${body.job_id}`)).body
    assert.equal(done.status, 'completed', JSON.stringify(done))
    return done.result
  }

  async function gravar(codigo: string, valores: object[], by = analista) {
    const { status, body, text } = await t.as(by).put(`/series/${codigo}/valores`, { valores })
    assert.equal(status, 200, text)
    return body
  }

  async function ler(path: string, by = leitor) {
    const { status, body, text } = await t.as(by).get(path)
    assert.equal(status, 200, text)
    return body
  }

  /** Values alone, in the order of the answer. */
  const valores = async (codigo: string, query: string, by = leitor) =>
    (await ler(`/series/${codigo}/valores?${query}`, by)).valores.map(
      ({ valor }: { valor: unknown }) => valor,
    )

  /** Values of all blocks, bit by bit. */
  const blocos = () =>
    pool.value<string>(sql`
      select md5(coalesce(string_agg(serie_id || '/' || lugar || '/' || ano || '/' || encode(array_send(valores), 'hex'), ','
        order by serie_id, lugar, ano), '')) from series_blocos`)

  async function registrar(more: object = {}) {
    const { status, body, text } = await t.as(gestor).post('/series', { ...SERIE, ...more })
    assert.equal(status, 201, text)
    return body
  }

  return {
    t,
    pool,
    gestor,
    analista,
    leitor,
    send,
    run,
    importar,
    desfazer,
    gravar,
    ler,
    valores,
    blocos,
    registrar,
  }
}
