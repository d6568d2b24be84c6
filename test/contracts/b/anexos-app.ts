// What the tests of attachments share: a form, a case, and what is stored.
import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import type { Answer, Person, TestApp } from '../../harness/app.ts'
import { MULTIPART, multipart, type Part } from '../../harness/multipart.ts'

export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\nendobj\n%%EOF\n')

export const file = (content: Buffer | string = PDF, filename = 'exame.pdf'): Part => ({
  field: 'arquivo',
  content,
  filename,
})
export const field = (name: string, content: string): Part => ({ field: name, content })
export const EXAME = field('tipo', 'exame')

export interface Stored {
  arquivos: number
  partes: number
  anexos: number
  historico: number
  versoes: number
}

export function anexosOf(t: TestApp) {
  let numero = 0
  return {
    async caso(by: Person, more: object = {}): Promise<number> {
      const { status, body, text } = await t.as(by).post('/agravos/casos', {
        tipo_agravo: 'dengue',
        numero_notificacao: `A${++numero}`,
        data_notificacao: '2026-03-12',
        paciente_nome: 'Maria da Silva Santos',
        municipio_residencia: 'Recife',
        estado_residencia: 'PE',
        ...more,
      })
      assert.equal(status, 201, text)
      return body.id
    },
    send: (by: Person, caso: number | string, ...parts: Part[]) =>
      t.as(by).request('POST', `/agravos/casos/${caso}/anexos`, {
        headers: MULTIPART,
        payload: multipart(...parts),
      }),
    async attach(by: Person, caso: number, ...parts: Part[]) {
      const answer = await this.send(by, caso, ...(parts.length > 0 ? parts : [EXAME, file()]))
      assert.equal(answer.status, 201, answer.text)
      return answer.body as { id: number; nome: string; tipo: string; tamanho: number; url: string }
    },
    /** The bytes and headers, where text would not do. */
    async download(by: Person | null, caso: number, anexo: number | string) {
      const { statusCode, headers, rawPayload } = await t.server.inject({
        method: 'GET',
        url: `/api/v1/agravos/casos/${caso}/anexos/${anexo}`,
        headers: by === null ? {} : { authorization: `Bearer ${by.token}` },
      })
      return { status: statusCode, headers, bytes: rawPayload }
    },
    async stored(): Promise<Stored> {
      return (await t.database.pool.first<Stored>(sql`
        select (select count(*) from arquivos) as arquivos, (select count(*) from arquivos_partes) as partes,
               (select count(*) from anexos) as anexos, (select count(*) from casos_historico) as historico,
               (select coalesce(sum(versao), 0) from casos) as versoes`)) as Stored
    },
    async audit(acao: string, caso: number) {
      return t.database.pool.rows<{ ator_id: number; detalhes: Record<string, unknown> }>(sql`
        select ator_id, detalhes from auditoria where acao = ${acao} and recurso = 'caso'
           and recurso_id = ${String(caso)} order by id`)
    },
    /** Refused with these problems, each as `field CODE`, and nothing is stored of it. */
    async refuses(answer: () => Promise<Answer>, expected: string[]): Promise<void> {
      const before = await this.stored()
      const { status, body, text } = await answer()
      assert.equal(status, 422, text)
      assert.equal(body.error.code, 'VALIDATION_ERROR')
      const told = body.error.details.map(
        (one: { field: string; code: string }) => `${one.field} ${one.code}`,
      )
      assert.deepEqual(told.toSorted(), expected.toSorted())
      assert.deepEqual(await this.stored(), before, 'a refusal changes nothing')
    },
  }
}

/** Meanwhile nothing can be written into the audit. */
export async function whileAuditFails<T>(t: TestApp, act: () => Promise<T>): Promise<T> {
  const { pool } = t.database
  await pool.run(sql`
    create function falhar() returns trigger language plpgsql as $$ begin raise exception 'sem auditoria'; end $$`)
  await pool.run(sql`create trigger falha before insert on auditoria for each row execute function falhar()`)
  try {
    return await act()
  } finally {
    await pool.run(sql`drop trigger falha on auditoria`)
    await pool.run(sql`drop function falhar`)
  }
}
