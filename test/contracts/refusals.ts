import assert from 'node:assert/strict'
import { sql } from '../../src/db/sql.ts'
import type { Answer, TestApp } from '../harness/app.ts'

type Act = () => Promise<Answer>

/** The groups, who is in them and who may do what, as the database has them. */
export async function storedRights(t: TestApp): Promise<unknown> {
  return t.database.pool.first(sql`
    select (select json_agg(g order by g.id) from grupos g) as grupos,
           (select json_agg(gp order by gp.grupo_id, gp.permissao_id) from grupos_permissoes gp) as grupos_permissoes,
           (select json_agg(ug order by ug.grupo_id, ug.usuario_id) from usuarios_grupos ug) as usuarios_grupos,
           (select json_agg(up order by up.usuario_id, up.permissao_id) from usuarios_permissoes up)
             as usuarios_permissoes,
           (select json_agg(json_build_object('id', u.id, 'admin', u.admin, 'ativo', u.ativo) order by u.id)
              from usuarios u) as usuarios`)
}

/** Asserts that the request is refused and that it changed nothing; answers the error. */
async function refused(t: TestApp, act: Act, status: number, code: string) {
  const before = await storedRights(t)
  const { status: answered, body, text } = await act()
  assert.equal(answered, status, text)
  assert.equal(body.error.code, code)
  assert.deepEqual(await storedRights(t), before, 'a refusal changes nothing')
  return body.error
}

/** 422: what is wrong, each as `field CODE`. */
export async function invalid(t: TestApp, act: Act): Promise<string[]> {
  const { details } = await refused(t, act, 422, 'VALIDATION_ERROR')
  return problems(details)
}

export const problems = (details: { field: string; code: string }[]) =>
  details.map(({ field, code }) => `${field} ${code}`)

/** 403: the permission that was lacking. */
export async function denied(t: TestApp, act: Act): Promise<string> {
  return (await refused(t, act, 403, 'PERMISSION_DENIED')).required_permission
}

export async function missing(t: TestApp, act: Act): Promise<void> {
  await refused(t, act, 404, 'NOT_FOUND')
}

/** How many of simultaneous answers had each status. */
export function tally(answers: Answer[]): Record<number, number> {
  const byStatus = Map.groupBy(answers, ({ status }) => status)
  return Object.fromEntries([...byStatus].map(([status, those]) => [status, those.length]))
}
