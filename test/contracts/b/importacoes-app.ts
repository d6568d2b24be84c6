// What the tests of imports share: files, their way through the queue, and what is stored.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, type Person, type RequestOptions, testApp } from '../../harness/app.ts'
import { MULTIPART, multipart, type Part } from '../../harness/multipart.ts'

export type Linha = Record<string, string>

let number = 0
/** A row of our own layout with all it needs, under a number of its own. */
export const linha = (more: Linha = {}): Linha => ({
  tipo_agravo: 'dengue',
  numero_notificacao: `I${++number}`,
  data_notificacao: '2024-04-25',
  paciente_nome: 'Joana Teste da Silva',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
  ...more,
})

/** A row as SINAN writes it. */
export const sinan = (more: Linha = {}): Linha => ({
  NU_NOTIFIC: `${7_000_000 + ++number}`,
  TP_NOT: '2',
  ID_AGRAVO: 'A90',
  DT_NOTIFIC: '2024-04-25',
  DT_SIN_PRI: '2024-04-21',
  SG_UF: '26',
  ID_MN_RESI: '261160',
  ...more,
})

/** The columns of the first row; texts that need it in quotes. */
export function csv(...linhas: Linha[]): string {
  const colunas = Object.keys(linhas[0] ?? {})
  const cell = (text: string) => (/[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [colunas, ...linhas.map((one) => colunas.map((coluna) => one[coluna] ?? ''))]
  return lines.map((values) => `${values.map(cell).join(';')}\r\n`).join('')
}

export interface Envio {
  formato?: string
  modo?: string
  ignorar_erros?: string
  tipo_agravo?: string
  textos?: string
  nome?: string
  by?: Person
  options?: RequestOptions
}

export const NUMEROS = [
  'total_linhas',
  'importados',
  'atualizados',
  'inalterados',
  'duplicados_no_arquivo',
  'erros',
  'avisos',
] as const
export type Numeros = Record<(typeof NUMEROS)[number], number>

export const ZERO: Numeros = {
  total_linhas: 0,
  importados: 0,
  atualizados: 0,
  inalterados: 0,
  duplicados_no_arquivo: 0,
  erros: 0,
  avisos: 0,
}
export const numeros = (resultado: Record<string, number>) =>
  Object.fromEntries(NUMEROS.map((nome) => [nome, resultado[nome]])) as unknown as Numeros

/** The service with someone who imports, someone who may do all to cases, and an administrator. */
export async function importacoesApp() {
  const t = await testApp()
  const admin = await t.administrador()
  const gestor = await t.person({ grupos: ['gestor'] })
  const analista = await t.person({ grupos: ['analista'] })
  const { pool } = t.database

  /** The request alone, with these parts of a form. */
  const post = (by: Person, parts: Part[], options: RequestOptions = {}): Promise<Answer> =>
    t.as(by).request('POST', '/agravos/casos/bulk', {
      headers: { ...MULTIPART, ...options.headers },
      payload: multipart(...parts),
    })

  function send(content: string | Buffer, envio: Envio = {}): Promise<Answer> {
    const { by = analista, nome = 'casos.csv', options, formato = 'csv', ...fields } = envio
    const parts = Object.entries({ formato, ...fields }).map(([field, one]) => ({ field, content: one }))
    return post(by, [...parts, { field: 'file', content, filename: nome }], options)
  }

  async function job(id: string, by: Person = analista) {
    const { status, body, text } = await t.as(by).get(`/jobs/${id}`)
    assert.equal(status, 200, text)
    return body
  }

  /** From the upload to the end: the job as its owner sees it then. */
  async function run(content: string | Buffer, envio: Envio = {}) {
    const { status, body, text } = await send(content, envio)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    return job(body.job_id, envio.by)
  }

  /** An import that is carried out; its result. */
  async function importar(content: string | Buffer, envio: Envio = {}) {
    const done = await run(content, { modo: 'importar', ...envio })
    assert.equal(done.status, 'completed', JSON.stringify(done))
    return done.resultado
  }

  /** Files that a dry run left for its import are no leftovers. */
  const isNotKept = sql`not exists (select from jobs j where j.entrada_id = a.id)`

  /** Everything an import may write, as hashes. */
  const stored = () =>
    pool.first(sql`
      select (select md5(json_agg(c order by c.id)::text) from casos c) as casos,
             (select md5(json_agg(h order by h.caso_id, h.versao)::text) from casos_historico h) as historico,
             (select md5(json_agg(i order by i.id)::text) from importacoes i) as importacoes,
             (select md5(json_agg(a order by a.id)::text) from auditoria a) as auditoria,
             (select count(*) from arquivos a where ${isNotKept}) as arquivos,
             (select count(*) from arquivos_partes p join arquivos a on a.id = p.arquivo_id where ${isNotKept}) as partes,
             (select count(*) from pg_class where relnamespace = 'preparo'::regnamespace) as tabelas`)

  /** Cases and their history, row by row. */
  const casos = () =>
    pool.first(sql`
      select (select json_agg(c order by c.id) from casos c) as casos,
             (select json_agg(h order by h.caso_id, h.versao) from casos_historico h) as historico`)

  async function leavesNothing() {
    assert.deepEqual(
      await pool.first(sql`
        select (select count(*) from pg_class where relnamespace = 'preparo'::regnamespace) as tabelas,
               (select count(*) from jobs_fila) as fila,
               (select count(*) from arquivos f where not exists (select from jobs j where f.id in (j.arquivo_id, j.entrada_id))
                 and not exists (select from anexos a where a.arquivo_id = f.id)) as arquivos`),
      { tabelas: 0, fila: 0, arquivos: 0 },
    )
  }

  /** The live case of a number. */
  async function idOf(numero: string): Promise<number> {
    const row = await pool.first<{ id: number }>(sql`
      select id from casos where numero_notificacao = ${numero} and excluido_em is null`)
    assert.ok(row, `no case ${numero}`)
    return row.id
  }

  /** A case with all that is told of it. */
  async function read(numero: string) {
    const id = await idOf(numero)
    const { status, body, text } = await t
      .as(gestor)
      .get(`/agravos/casos/${id}?identificado=true&include=historico,investigacao`)
    assert.equal(status, 200, text)
    return body
  }

  /** What is told of a case, without what belongs to this one record of it. */
  async function content(numero: string) {
    const { id, criado_em, atualizado_em, criado_por, responsavel, origem, versao, historico, ...told } =
      await read(numero)
    return told
  }

  /** The same of all live cases, by their number. */
  async function contents(): Promise<Record<string, unknown>> {
    const rows = await t.database.pool.rows<{ numero: string }>(sql`
      select numero_notificacao as numero from casos where excluido_em is null order by 1`)
    const told: Record<string, unknown> = {}
    for (const { numero } of rows) told[numero] = await content(numero)
    return told
  }

  async function change(numero: string, input: object) {
    const answer = await t.as(gestor).put(`/agravos/casos/${await idOf(numero)}`, input)
    assert.equal(answer.status, 200, answer.text)
  }

  async function exclude(numero: string) {
    const answer = await t.as(gestor).delete(`/agravos/casos/${await idOf(numero)}?motivo=teste`)
    assert.equal(answer.status, 204, answer.text)
  }

  /** The bytes of a job's file. */
  async function download(path: string, by: Person = analista) {
    const { statusCode, headers, rawPayload } = await t.server.inject({
      method: 'GET',
      url: `/api/v1${path}`,
      headers: { authorization: `Bearer ${by.token}` },
    })
    return { status: statusCode, headers, bytes: rawPayload }
  }

  async function rejeitados(jobId: string, by: Person = analista): Promise<string> {
    const { status, bytes } = await download(`/jobs/${jobId}/rejeitados`, by)
    assert.equal(status, 200, bytes.toString())
    return bytes.toString().replace(/^\uFEFF/, '')
  }

  return {
    t,
    admin,
    gestor,
    analista,
    post,
    send,
    run,
    job,
    importar,
    validar: (file: string | Buffer, envio: Envio = {}) => run(file, { modo: 'validar', ...envio }),
    stored,
    casos,
    leavesNothing,
    idOf,
    read,
    content,
    contents,
    change,
    exclude,
    download,
    rejeitados,
  }
}
