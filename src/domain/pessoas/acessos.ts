import { type Caller, mayIdentify } from '../../caller/caller.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { isLeituraOf, pageOfAuditoria } from '../auditoria/list.ts'
import { openMotivo } from '../auditoria/motivo.ts'
import { openCaso } from '../casos/reading/read.ts'
import { type Leitura, toLeitura } from './relatorio.ts'

/** Readings of a patient's identity, as those who answer for the case or for the audit see them. */

type Needs = Pick<App, 'db' | 'cipher'>

export interface AcessoIdentificado extends Leitura {
  /** Of the record in the audit. */
  id: number
  /** Null: none was given, or the reader may not identify patients. */
  motivo: string | null
}

export const ACESSOS_LIST: ListRules = {
  fields: { data: { type: 'datetime' }, ator_id: { type: 'integer' } },
  sortable: ['data'],
  defaultSort: { field: 'data', order: 'desc' },
}

export async function pageOfAcessos(
  app: Needs,
  caller: Caller,
  id: number,
  list: ListQuery,
): Promise<Page<AcessoIdentificado>> {
  const { db, cipher } = app
  await openCaso(app, caller, id)
  const page = await pageOfAuditoria(db, list, isLeituraOf(id))
  const mayRead = mayIdentify(caller)
  const items = page.items.map((row) => {
    const { motivo } = openMotivo(cipher, row, mayRead).detalhes
    return { id: row.id, ...toLeitura(row), motivo: typeof motivo === 'string' && mayRead ? motivo : null }
  })
  return { ...page, items }
}
