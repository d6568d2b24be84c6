import { importacoes } from '../../texts/pt-BR/importacoes.ts'
import { screenTexts } from '../screen-texts.ts'

export const importacoesTexts = await screenTexts<typeof importacoes>({
  'pt-BR': async () => importacoes,
  'en-US': async () => (await import('../../texts/en-US/importacoes.ts')).importacoes,
  'es-ES': async () => (await import('../../texts/es-ES/importacoes.ts')).importacoes,
})
