import type { Caller } from '../../caller/caller.ts'
import { AppError } from '../../errors/catalogue.ts'
import type { ListRules } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { notifyNoticia } from '../notificacoes/notificacoes.ts'
import { assertVersao, type IfMatch, versaoDe } from '../versoes.ts'
import {
  deleteNoticia,
  findNoticia,
  findNoticiaForUpdate,
  insertNoticia,
  type NoticiaFields,
  type NoticiaRow,
  updateNoticia,
} from './noticias.sql.ts'

export { pageOfNoticias } from './noticias.sql.ts'

/** News for the surveillance staff. The audit records who changed which fields, without their text. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

export const NOTICIAS_LIST: ListRules = {
  fields: {
    id: { type: 'integer' },
    titulo: { type: 'text', plain: 'like' },
    resumo: { type: 'text', plain: 'like' },
    conteudo: { type: 'text', plain: 'like', operators: ['like'] },
    fonte: { type: 'text', plain: 'like' },
    url: { type: 'text' },
    publicado_em: { type: 'datetime' },
    criado_em: { type: 'datetime' },
    atualizado_em: { type: 'datetime' },
  },
  sortable: ['id', 'titulo', 'fonte', 'publicado_em', 'criado_em', 'atualizado_em'],
  defaultSort: { field: 'publicado_em', order: 'desc' },
}

/** Older ones are entered for the record, and ring no bell; those of a day to come ring it then (`publicar.ts`). */
export const NEWS_MS = 7 * 24 * 60 * 60 * 1000

/** Without a date it is published at once. */
export type NewNoticia = Omit<NoticiaFields, 'publicado_em'> & { publicado_em: Date | null }

export const versaoDaNoticia = ({
  titulo,
  resumo,
  conteudo,
  fonte,
  url,
  publicado_em,
}: NoticiaFields): string => versaoDe([titulo, resumo, conteudo, fonte, url, publicado_em])

export async function getNoticia({ db }: Pick<App, 'db'>, id: number): Promise<NoticiaRow> {
  return (await findNoticia(db, id)) ?? notFound()
}

export async function createNoticia(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  noticia: NewNoticia,
): Promise<NoticiaRow> {
  return db.transaction(async (tx) => {
    const now = clock.now()
    const created = await insertNoticia(tx, { ...noticia, publicado_em: noticia.publicado_em ?? now }, now)
    await auditoria.record(tx, { acao: 'noticia.criada', ...by(caller), ...about(created.id) })
    const age = now.getTime() - created.publicado_em.getTime()
    if (age >= 0 && age < NEWS_MS) await notifyNoticia(tx, created.id, caller.id, now)
    return created
  })
}

export async function changeNoticia(
  { db, clock, auditoria }: Needs,
  caller: Caller,
  id: number,
  change: Partial<NoticiaFields>,
  ifMatch: IfMatch,
): Promise<NoticiaRow> {
  return db.transaction(async (tx) => {
    const noticia = (await findNoticiaForUpdate(tx, id)) ?? notFound()
    assertVersao(ifMatch, versaoDaNoticia(noticia))
    const changed = await updateNoticia(tx, id, { ...noticia, ...change }, clock.now())
    const detalhes = { campos: Object.keys(change) }
    await auditoria.record(tx, { acao: 'noticia.alterada', ...by(caller), ...about(id), detalhes })
    return changed
  })
}

export async function removeNoticia(
  { db, auditoria }: Needs,
  caller: Caller,
  id: number,
  ifMatch: IfMatch,
): Promise<void> {
  await db.transaction(async (tx) => {
    const noticia = (await findNoticiaForUpdate(tx, id)) ?? notFound()
    assertVersao(ifMatch, versaoDaNoticia(noticia))
    await deleteNoticia(tx, id)
    await auditoria.record(tx, { acao: 'noticia.excluida', ...by(caller), ...about(id) })
  })
}

const about = (id: number) => ({ recurso: 'noticia', recurso_id: id })

function notFound(): never {
  throw new AppError('NOT_FOUND')
}
