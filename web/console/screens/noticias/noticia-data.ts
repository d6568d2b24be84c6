import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'

export type Noticia = AnswerOf<'GET', '/api/v1/noticias/{id}'>

export const NOTICIAS = ['noticias']
export const noticiaHref = (id: number) => pathTo(PATHS.noticia, { id })
