import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import { type Person, type TestAppOptions, testApp } from '../../harness/app.ts'
import { refusalsOf } from '../refusals.ts'

export const UNKNOWN_ID = 2_000_000_000

let number = 0
/** What every case needs, with a notification number of its own. */
export const minimo = () => ({
  tipo_agravo: 'dengue',
  numero_notificacao: `N${++number}`,
  data_notificacao: '2024-03-12',
  paciente_nome: 'Maria da Silva Santos',
  municipio_residencia: 'Recife',
  estado_residencia: 'PE',
})

/** The service with someone who may do all to cases and sees names, someone who only reads, and an administrator. */
export async function casosApp(options: TestAppOptions = {}) {
  const t = await testApp(options)
  const admin = await t.administrador()
  const gestor = await t.person({ grupos: ['gestor'] })
  const leitor = await t.person({ grupos: ['visualizador'] })
  const path = (id: number, rest = '') => `/agravos/casos/${id}${rest}`

  const create = (input: object = {}, who: Person = gestor) =>
    t.as(who).post('/agravos/casos', { ...minimo(), ...input })

  /** The id of a new case. */
  async function newCaso(input: object = {}, who: Person = gestor): Promise<number> {
    const { status, body, text } = await create(input, who)
    assert.equal(status, 201, text)
    return body.id
  }

  async function read(id: number, query: Record<string, string> = {}, who: Person = gestor) {
    const { status, body, text } = await t.as(who).get(path(id, `?${new URLSearchParams(query)}`))
    assert.equal(status, 200, text)
    return body
  }

  async function change(id: number, input: object, headers: Record<string, string> = {}) {
    const { status, body, text } = await t.as(gestor).put(path(id), input, { headers })
    assert.equal(status, 200, text)
    return body
  }

  async function exclude(id: number, query: Record<string, string> = { motivo: 'Digitado em duplicidade' }) {
    const { status, text } = await t.as(admin).delete(path(id, `?${new URLSearchParams(query)}`))
    assert.equal(status, 204, text)
  }

  /** Hashes of the cases, their history and what is recorded about them. */
  const stored = () =>
    t.database.pool.first(sql`
      select (select md5(json_agg(c order by c.id)::text) from casos c) as casos,
             (select md5(json_agg(h order by h.caso_id, h.versao)::text) from casos_historico h) as historico,
             (select md5(json_agg(a order by a.id)::text) from auditoria a) as auditoria`)

  return {
    t,
    admin,
    gestor,
    leitor,
    path,
    create,
    newCaso,
    read,
    /** With all that tells who the patient is. */
    identify: (id: number, query: Record<string, string> = {}) =>
      read(id, { identificado: 'true', ...query }),
    change,
    exclude,
    ...refusalsOf(stored),
    /** What the audit says about one case, oldest first. */
    registros: (id: number) =>
      t.database.pool.rows<{ acao: string; ator_id: number; detalhes: unknown }>(sql`
        select acao, ator_id, detalhes from auditoria where recurso = 'caso' and recurso_id = ${String(id)}
         order by id`),
  }
}
