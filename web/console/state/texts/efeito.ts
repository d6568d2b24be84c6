import { efeito } from '../../texts/pt-BR/efeito.ts'
import { screenTexts } from '../screen-texts.ts'

export const efeitoTexts = await screenTexts<typeof efeito>({
  'pt-BR': async () => efeito,
  'en-US': async () => (await import('../../texts/en-US/efeito.ts')).efeito,
  'es-ES': async () => (await import('../../texts/es-ES/efeito.ts')).efeito,
})
