import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { valorWords } from '../../state/filter-words.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { texts } from '../../state/texts.ts'

export type BoletimResumido = AnswerOf<'GET', '/api/v1/agravos/boletins'>['items'][number]

export const boletimHref = (id: number) => pathTo(PATHS.boletim, { id })

/** The document itself, under a policy of its own: opened as a page, never drawn by a script of the console. */
export const arquivoHref = (id: number, formato: 'html' | 'pdf') =>
  `/api/v1/agravos/boletins/${id}/arquivo?formato=${formato}`

/** `Dengue, Pernambuco`. */
export function nameOf({ tipo_agravo, lugar }: Pick<BoletimResumido, 'tipo_agravo' | 'lugar'>): string {
  const t = texts()
  const own = boletinsTexts()
  const agravo = tipo_agravo === 'todos' ? own.todos : valorWords(tipo_agravo, t)
  const isPart = lugar.nivel === 'municipio' || lugar.nivel === 'regiao_saude'
  return `${agravo}, ${isPart ? `${lugar.nome} (${lugar.estado})` : lugar.nome}`
}
