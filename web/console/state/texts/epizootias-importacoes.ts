import { epizootiasImportacoes } from '../../texts/pt-BR/epizootias-importacoes.ts'
import { screenTexts } from '../screen-texts.ts'

export const epizootiasImportacoesTexts = await screenTexts<typeof epizootiasImportacoes>({
  'pt-BR': async () => epizootiasImportacoes,
  'en-US': async () => (await import('../../texts/en-US/epizootias-importacoes.ts')).epizootiasImportacoes,
  'es-ES': async () => (await import('../../texts/es-ES/epizootias-importacoes.ts')).epizootiasImportacoes,
})
