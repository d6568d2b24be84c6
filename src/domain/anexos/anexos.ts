import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { type Arquivo, discardArquivo, readArquivo, useArquivo } from '../arquivos/arquivos.ts'
import { by } from '../auditoria/auditoria.ts'
import { holdCaso, noteOnCaso } from '../casos/create.ts'
import { assertMayIdentify, openCaso, recordIdentifiedRead } from '../casos/reading/read.ts'
import { type AnexoRow, countAnexos, findAnexo, insertAnexo, listAnexos, setDescricao } from './anexos.sql.ts'
import { extensionOf, formatoOf } from './formato.ts'

/** Attachments of a case. They identify the patient: reading one needs the same permission as the patient's name. */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'auditoria' | 'municipios'>

export const MAX_ANEXO_BYTES = 10 * 1024 * 1024
const MAX_ANEXOS = 50
export const TIPOS_DE_ANEXO = ['exame', 'notificacao', 'outro'] as const

export const ANEXOS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    tipo: { type: 'text', operators: ['eq', 'ne', 'in'], values: TIPOS_DE_ANEXO },
    tamanho: { type: 'integer' },
    uploaded_at: { type: 'datetime' },
  },
  sortable: ['id', 'tipo', 'tamanho', 'uploaded_at'],
  defaultSort: { field: 'id', order: 'asc' },
}

export interface Anexo extends Omit<AnexoRow, 'descricao' | 'arquivo_id'> {
  /** Generated: the sender's file name may contain the patient's. */
  nome: string
  /** Null where the caller may not see it. */
  descricao: string | null
}

export const contextOf = (id: number) => `anexos/${id}/descricao`

function toAnexo({ descricao: _, arquivo_id: __, ...row }: AnexoRow, descricao: string | null): Anexo {
  return { ...row, nome: nomeOf(row), descricao }
}

const nomeOf = ({ id, tipo, formato }: Pick<AnexoRow, 'id' | 'tipo' | 'formato'>) =>
  `${tipo}-${id}.${extensionOf(formato)}`

/** Attaches a stored file; the caller discards it on failure. */
export async function addAnexo(
  app: Needs,
  caller: Caller,
  casoId: number,
  { id: arquivo_id, tamanho, start }: Arquivo,
  { tipo, descricao }: { tipo: AnexoRow['tipo']; descricao: string | null },
): Promise<Anexo> {
  await openCaso(app, caller, casoId)
  const formato = formatoOf(start)
  if (formato === null) throw invalid('body', ['arquivo'], 'INVALID_FILE', {})
  const sender = { enviado_por_id: caller.id, enviado_por_nome: caller.nome, uploaded_at: app.clock.now() }
  const row = { caso_id: casoId, arquivo_id, tipo, formato, tamanho, ...sender }
  return app.db.transaction(async (tx) => {
    await holdCaso(tx, caller, casoId)
    await useArquivo(tx, arquivo_id)
    const id = await insertAnexo(tx, row)
    if (descricao !== null)
      await setDescricao(tx, id, app.cipher.encrypt(Buffer.from(descricao), contextOf(id)))
    const anexo = { id, tipo, formato, tamanho }
    await noteOnCaso(app, tx, caller, casoId, 'anexo_incluido', { anexo })
    // Counted under the case's lock, so that the limit holds among simultaneous uploads.
    if ((await countAnexos(tx, casoId)) > MAX_ANEXOS)
      throw invalid('body', ['arquivo'], 'TOO_MANY', { limit: MAX_ANEXOS })
    return toAnexo({ id, ...row, descricao: null }, descricao)
  })
}

export async function pageOfAnexos(
  app: Needs,
  caller: Caller,
  casoId: number,
  list: ListQuery,
  identificado: boolean,
): Promise<Page<Anexo>> {
  if (identificado) await recordIdentifiedRead(app, caller, casoId, { anexos: true })
  await openCaso(app, caller, casoId)
  const page = await listAnexos(app.db, casoId, list)
  return {
    ...page,
    // Attachments of absorbed cases are opened by way of this one.
    items: page.items.map((row) =>
      toAnexo({ ...row, caso_id: casoId }, identificado ? openDescricao(app, row) : null),
    ),
  }
}

function openDescricao({ cipher }: Pick<App, 'cipher'>, { id, descricao }: AnexoRow): string | null {
  return descricao && cipher.decrypt(descricao, contextOf(id)).toString('utf8')
}

/** Open to callers who may identify patients, and to the sender; recorded in the audit before the first byte. */
export async function openAnexo(
  app: Needs,
  caller: Caller,
  casoId: number,
  id: number,
): Promise<{ anexo: Anexo; content: AsyncIterable<Buffer> }> {
  const row = await findAnexo(app.db, casoId, id)
  if (row?.enviado_por_id !== caller.id) assertMayIdentify(caller)
  if (row === null) throw new AppError('NOT_FOUND')
  await openCaso(app, caller, casoId)
  await recordDownload(app, caller, row)
  return { anexo: toAnexo(row, null), content: readArquivo(app, row.arquivo_id) }
}

async function recordDownload(
  { db, auditoria }: Pick<App, 'db' | 'auditoria'>,
  caller: Caller,
  { id, caso_id }: AnexoRow,
): Promise<void> {
  const about = { recurso: 'caso', recurso_id: caso_id, detalhes: { anexo_id: id } }
  await db.transaction((tx) => auditoria.record(tx, { acao: 'caso.anexo_baixado', ...by(caller), ...about }))
}

export async function removeAnexo(app: Needs, caller: Caller, casoId: number, id: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    await holdCaso(tx, caller, casoId)
    const row = await findAnexo(tx, casoId, id)
    if (row === null) throw new AppError('NOT_FOUND')
    const { tipo, formato, tamanho } = row
    await noteOnCaso(app, tx, caller, casoId, 'anexo_excluido', { anexo: { id, tipo, formato, tamanho } })
    await discardArquivo(tx, row.arquivo_id)
  })
}
