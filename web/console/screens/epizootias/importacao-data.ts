import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, pathTo } from '../../paths.ts'
import { refreshEpizootias } from '../../state/epizootias-keys.ts'
import { epizootiasUpload } from '../../state/epizootias-upload.ts'
import { api, cache } from '../../state/session.ts'
import { epizootiasImportacoesTexts } from '../../state/texts/epizootias-importacoes.ts'
import type { ImportTarget } from '../../ui/import-target.ts'

export type Importacao = AnswerOf<'GET', '/api/v1/epizootias/importacoes/{id}'>

export const IMPORTACOES = ['epizootias-importacoes'] as const

const withQuery = (path: string, query: Record<string, string>) => {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** Imports of events, as the parts that all imports share need them; the job is in the address of the wizard. */
export const EPIZOOTIAS_IMPORT: ImportTarget = {
  words: epizootiasImportacoesTexts,
  upload: epizootiasUpload,
  listPath: PATHS.epizootiasImportacoes,
  importarHref: (_form, job) => withQuery(PATHS.epizootiasImportar, job === undefined ? {} : { job }),
  importacaoHref: (id, query = {}) => withQuery(pathTo(PATHS.epizootiasImportacao, { id }), query),
  undo: (id, simular, idempotencyKey) =>
    api.post(
      '/api/v1/epizootias/importacoes/{id}/desfazer',
      { params: { id }, query: { simular } },
      { idempotencyKey },
    ),
  undoesOthers: 'epizootias.deletar',
  jobs: 'importacao_epizootias,desfazer_epizootias',
  refresh() {
    void cache.invalidateQueries({ queryKey: IMPORTACOES })
    void refreshEpizootias()
  },
}
