import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { type Tagged, tagged } from '../../state/tagged.ts'

export type Noticia = AnswerOf<'GET', '/api/v1/noticias/{id}'>
/** With its version, to be changed. */
export type NoticiaAberta = Tagged<Noticia>

export const openNoticia = (id: number, signal?: AbortSignal): Promise<NoticiaAberta> =>
  tagged('/api/v1/noticias/{id}', { params: { id } }, signal)

export const NOTICIAS = ['noticias']
export const noticiaHref = (id: number) => pathTo(PATHS.noticia, { id })
