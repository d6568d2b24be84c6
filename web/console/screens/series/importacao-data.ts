import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { FORM_NAMES, type SeriesForm, seriesUpload } from '../../state/series-upload.ts'
import { api, cache } from '../../state/session.ts'
import { seriesImportacoesTexts } from '../../state/texts/series-importacoes.ts'
import type { ImportResult, ImportTarget } from '../../ui/import-target.ts'
import type { Job } from '../../ui/use-job.ts'
import { refreshSeries } from './serie-links.ts'

export type Importacao = AnswerOf<'GET', '/api/v1/series/importacoes/{id}'>

/** Result of an import or of its check, as the job holds it. */
export interface Resultado extends ImportResult {
  arquivo: ImportResult['arquivo'] & { layout: Importacao['arquivo']['layout'] }
  sem_lugar: number
  series: { codigo: string; valores: number; lugares: number; primeiro: string; ultimo: string }[]
}

export const resultadoOf = (job: Job) => job.resultado as Resultado | undefined

export const IMPORTACOES = ['series-importacoes'] as const

/** The wizard: the job and what the form says in place of the file are in the address. */
export function importarHref(form: SeriesForm = {}, job?: string, etapa?: 'conferencia'): string {
  const query = new URLSearchParams({ ...(job && { job }), ...(etapa && { etapa }), ...form })
  return query.size === 0 ? PATHS.seriesImportar : `${PATHS.seriesImportar}?${query}`
}

export const formOfAddress = (query: Record<string, string>): SeriesForm =>
  Object.fromEntries(FORM_NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))

export function importacaoHref(id: number, query: Record<string, string> = {}): string {
  const search = new URLSearchParams(query).toString()
  const path = pathTo(PATHS.seriesImportacao, { id })
  return search === '' ? path : `${path}?${search}`
}

export const SERIES_IMPORT: ImportTarget = {
  words: seriesImportacoesTexts,
  upload: seriesUpload,
  listPath: PATHS.seriesImportacoes,
  importarHref,
  importacaoHref,
  undo: (id, simular, idempotencyKey) =>
    api.post(
      '/api/v1/series/importacoes/{id}/desfazer',
      { params: { id }, query: { simular } },
      { idempotencyKey },
    ),
  undoesOthers: 'series.definir',
  jobs: 'importacao_series,desfazer_series',
  refresh() {
    void cache.invalidateQueries({ queryKey: IMPORTACOES })
    void refreshSeries()
  },
}
