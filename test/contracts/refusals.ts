import assert from 'node:assert/strict'
import { sql } from '../../src/db/sql.ts'
import type { Answer, TestApp } from '../harness/app.ts'

type Act = () => Promise<Answer>

/** Hashes of the groups, of who is in them and who may do what. */
export async function storedRights(t: TestApp): Promise<unknown> {
  return t.database.pool.first(sql`
    select (select md5(json_agg(g order by g.id)::text) from grupos g) as grupos,
           (select md5(json_agg(gp order by gp.grupo_id, gp.permissao_id)::text) from grupos_permissoes gp) as grupos_permissoes,
           (select md5(json_agg(ug order by ug.grupo_id, ug.usuario_id)::text) from usuarios_grupos ug) as usuarios_grupos,
           (select md5(json_agg(up order by up.usuario_id, up.permissao_id)::text) from usuarios_permissoes up)
             as usuarios_permissoes,
           (select md5(json_agg(json_build_object('id', u.id, 'admin', u.admin, 'ativo', u.ativo) order by u.id)::text)
              from usuarios u) as usuarios`)
}

/** Refusals, each with the assertion that nothing of what is `stored` changed. */
export function refusalsOf(stored: () => Promise<unknown>) {
  /** Answers the error. */
  async function refused(act: Act, status: number, code: string) {
    const before = await stored()
    const { status: answered, body, text } = await act()
    assert.equal(answered, status, text)
    assert.equal(body.error.code, code)
    assert.deepEqual(await stored(), before, 'a refusal changes nothing')
    return body.error
  }
  return {
    refused,
    /** 422: what is wrong, each as `field CODE`. */
    invalid: async (act: Act): Promise<string[]> =>
      problems((await refused(act, 422, 'VALIDATION_ERROR')).details),
    /** 403: the permission that was lacking. */
    denied: async (act: Act): Promise<string> =>
      (await refused(act, 403, 'PERMISSION_DENIED')).required_permission,
    missing: async (act: Act): Promise<void> => {
      await refused(act, 404, 'NOT_FOUND')
    },
  }
}

export const problems = (details: { field: string; code: string }[]) =>
  details.map(({ field, code }) => `${field} ${code}`)

const rightsOf = (t: TestApp) => refusalsOf(() => storedRights(t))
export const invalid = (t: TestApp, act: Act) => rightsOf(t).invalid(act)
export const denied = (t: TestApp, act: Act) => rightsOf(t).denied(act)
export const missing = (t: TestApp, act: Act) => rightsOf(t).missing(act)

/** How many of simultaneous answers had each status. */
export function tally(answers: Answer[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, those]) => [status, those.length]))
}
