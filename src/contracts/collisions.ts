import type { Collision } from '../http/endpoint.ts'
import { USUARIO_CHANGE_FIELDS } from './b/usuario-change.shapes.ts'
import { DESCRIPTIONS } from './descriptions.ts'

/** Routes that both descriptions define, and the property of the request that chooses. Nothing else asks "A or B?". */

/** Paths of A that end with a slash, which B serves without it; on every other path the slash does not matter. */
const WITH_SLASH = new Set(
  DESCRIPTIONS.flatMap(({ rows }) => rows.filter(({ path }) => path.endsWith('/')).map(({ path }) => path)),
)

export function slashMatters(method: string, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && WITH_SLASH.has(path)
}

const has = (object: unknown, ...names: string[]) =>
  typeof object === 'object' && object !== null && names.some((name) => Object.hasOwn(object, name))

export const COLLISIONS: Collision[] = [
  {
    method: 'GET',
    path: '/api/v1/usuarios',
    by: 'query',
    choose: ({ query }) => (has(query, 'limit', 'offset') && !has(query, 'page', 'size') ? 'a' : 'b'),
  },
  {
    method: 'PUT',
    path: '/api/v1/usuarios/{id}',
    by: 'body',
    choose: ({ body }) => (!has(body, 'usuario') && has(body, ...USUARIO_CHANGE_FIELDS) ? 'b' : 'a'),
  },
  {
    method: 'DELETE',
    path: '/api/v1/usuarios/{id}',
    by: 'query',
    choose: ({ query }) => (has(query, 'motivo') ? 'b' : 'a'),
  },
]
