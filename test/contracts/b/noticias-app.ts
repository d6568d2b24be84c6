import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Answer, testApp } from '../../harness/app.ts'
import { problems } from '../refusals.ts'

export interface Noticia {
  id: number
  titulo: string
  resumo: string | null
  conteudo: string
  fonte: string | null
  url: string | null
  publicado_em: string
  criado_em: string
  atualizado_em: string
}

export const MINIMO = { titulo: 'Boletim', conteudo: 'Texto do boletim' }

/** The service with someone who may do everything to news, and nothing else. */
export async function noticiasApp() {
  const t = await testApp()
  const permissoes = ['noticias.listar', 'noticias.criar', 'noticias.editar', 'noticias.deletar']
  const redator = await t.person({ permissoes })

  async function newNoticia(input: object = {}): Promise<Noticia> {
    const { status, body, text } = await t.as(redator).post('/noticias', { ...MINIMO, ...input })
    assert.equal(status, 201, text)
    return body
  }

  /** Hashes of the news and of what is recorded about them: some are long, and hundreds of refusals are compared. */
  const stored = () =>
    t.database.pool.first(sql`
      select (select md5(json_agg(n order by n.id)::text) from noticias n) as noticias,
             (select md5(json_agg(a order by a.id)::text) from auditoria a) as auditoria`)

  /** Asserts that the request is refused and that it changed nothing; answers the error. */
  async function refused(act: () => Promise<Answer>, status: number, code: string) {
    const before = await stored()
    const { status: answered, body, text } = await act()
    assert.equal(answered, status, text)
    assert.equal(body.error.code, code)
    assert.deepEqual(await stored(), before, 'a refusal changes nothing')
    return body.error
  }

  return {
    t,
    redator,
    newNoticia,
    getNoticia: async (id: number): Promise<Noticia> => (await t.as(redator).get(`/noticias/${id}`)).body,
    refused,
    missing: (act: () => Promise<Answer>) => refused(act, 404, 'NOT_FOUND'),
    /** What is wrong, each as `field CODE`. */
    invalid: async (act: () => Promise<Answer>) =>
      problems((await refused(act, 422, 'VALIDATION_ERROR')).details),
    /** What the audit says about one item, oldest first. */
    registros: (id: number) =>
      t.database.pool.rows(sql`
        select acao, ator_id, detalhes from auditoria where recurso = 'noticia' and recurso_id = ${String(id)}
         order by id`),
  }
}
