import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import {
  deletePermissao,
  findPermissaoForUpdate,
  insertPermissao,
  type PermissaoRow,
  updatePermissao,
} from './permissoes.sql.ts'
import { assertMayGrant } from './rights.ts'

/** Permissions defined by an installation. The built-in ones can be neither renamed nor deleted. */

type Needs = Pick<App, 'db' | 'auditoria'>
export interface NewPermissao {
  nome: string
  descricao: string | null
}

export async function createPermissao(
  { db, auditoria }: Needs,
  caller: Caller,
  input: NewPermissao,
): Promise<PermissaoRow> {
  return db.transaction(async (tx) => {
    const permissao = await insertPermissao(tx, input)
    await auditoria.record(tx, {
      acao: 'permissao.criada',
      ...by(caller),
      ...about(permissao.id),
      detalhes: { nome: input.nome },
    })
    return permissao
  })
}

export async function changePermissao(
  { db, auditoria }: Needs,
  caller: Caller,
  id: number,
  { nome, descricao }: NewPermissao,
): Promise<PermissaoRow> {
  return db.transaction(async (tx) => {
    const current = await lockPermissao(tx, caller, id)
    if (current.padrao && nome !== current.nome) throw invalid('body', ['nome'], 'PROTECTED', {})
    await updatePermissao(tx, id, { nome, descricao })
    await auditoria.record(tx, {
      acao: 'permissao.alterada',
      ...by(caller),
      ...about(id),
      detalhes: { nome },
    })
    return { id, nome, descricao }
  })
}

/** Deletes it; users and groups lose it by cascade. */
export async function removePermissao({ db, auditoria }: Needs, caller: Caller, id: number): Promise<void> {
  await db.transaction(async (tx) => {
    const { padrao, nome } = await lockPermissao(tx, caller, id)
    if (padrao) throw invalid('path', ['id'], 'PROTECTED', {})
    await deletePermissao(tx, id)
    await auditoria.record(tx, {
      acao: 'permissao.excluida',
      ...by(caller),
      ...about(id),
      detalhes: { nome },
    })
  })
}

async function lockPermissao(tx: Db, caller: Caller, id: number) {
  const permissao = await findPermissaoForUpdate(tx, id)
  if (permissao === null) throw new AppError('NOT_FOUND')
  // Renaming or deleting a permission changes the rights of its holders.
  assertMayGrant(caller, [permissao])
  return permissao
}

const about = (id: number) => ({ recurso: 'permissao', recurso_id: id })
