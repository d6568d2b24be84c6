import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import { listPermissoesByIds, listPermissoesByNomes, type PermissaoRow } from './permissoes.sql.ts'

export { listPermissoes } from './permissoes.sql.ts'

/** A permission record as a client writes it: matched by `id`, else by `nome`. */
export interface PermissaoRef {
  id?: number
  nome?: string
}

export async function getPermissao(db: Db, id: number): Promise<PermissaoRow> {
  const [permissao] = await listPermissoesByIds(db, [id])
  if (permissao === undefined) throw new AppError('NOT_FOUND')
  return permissao
}

/** Permissions with these ids, or a 422 that names the unknown ones. */
export async function getPermissoes(db: Db, ids: number[], field: string): Promise<PermissaoRow[]> {
  const { found, unknown } = await findPermissoes(
    db,
    ids.map((id) => ({ id })),
  )
  if (unknown.length > 0) throw invalid('body', [field], 'UNKNOWN', { ids: unknown })
  return found
}

/** Known permissions, each once, and the ids or names of the unknown ones. */
export async function findPermissoes(
  db: Db,
  refs: PermissaoRef[],
): Promise<{ found: PermissaoRow[]; unknown: (number | string)[] }> {
  const ids = refs.flatMap(({ id }) => (id === undefined ? [] : [id]))
  const nomes = refs.flatMap(({ id, nome }) => (id === undefined && nome !== undefined ? [nome] : []))
  const rows = [...(await listPermissoesByIds(db, ids)), ...(await listPermissoesByNomes(db, nomes))]
  const known = new Set<number | string>(rows.flatMap(({ id, nome }) => [id, nome]))
  const wanted = new Set(refs.map(({ id, nome }) => id ?? nome ?? ''))
  const found = [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) => a.id - b.id)
  return { found, unknown: [...wanted].filter((ref) => !known.has(ref)) }
}
