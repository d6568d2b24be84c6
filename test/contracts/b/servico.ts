import assert from 'node:assert/strict'
import { sql } from '../../../src/db/sql.ts'
import type { Person, TestApp } from '../../harness/app.ts'

/** Service accounts and their keys, as an administrator makes them. */
export function servicos(t: TestApp, admin: Person) {
  let made = 0
  const idsOf = async (nomes: string[]): Promise<number[]> => {
    const rows = await t.database.pool.rows<{ id: number }>(sql`
      select p.id from unnest(${nomes}::text[]) with ordinality asked (nome, place)
        join permissoes p on p.nome = asked.nome order by place`)
    return rows.map(({ id }) => id)
  }
  return {
    idsOf,
    async conta(permissoes: string[], more: object = {}): Promise<{ id: number; nome: string }> {
      const body = { nome: `Integração ${++made}`, permissoes_ids: await idsOf(permissoes), ...more }
      const answer = await t.as(admin).post('/contas-de-servico', body)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    async chave(id: number, escopos: string[], more: object = {}): Promise<{ id: string; chave: string }> {
      const body = { nome: 'Produção', escopos, ...more }
      const answer = await t.as(admin).post(`/contas-de-servico/${id}/chaves`, body)
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    /** The verbs of whoever has the key. */
    by: (chave: string) => t.as({ id: 0, email: '', token: chave }),
  }
}
