import { seriesImportacoes } from '../../texts/pt-BR/series-importacoes.ts'
import { screenTexts } from '../screen-texts.ts'

export const seriesImportacoesTexts = await screenTexts<typeof seriesImportacoes>({
  'pt-BR': async () => seriesImportacoes,
  'en-US': async () => (await import('../../texts/en-US/series-importacoes.ts')).seriesImportacoes,
  'es-ES': async () => (await import('../../texts/es-ES/series-importacoes.ts')).seriesImportacoes,
})
