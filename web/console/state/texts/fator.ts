import { fator } from '../../texts/pt-BR/fator.ts'
import { screenTexts } from '../screen-texts.ts'

export const fatorTexts = await screenTexts<typeof fator>({
  'pt-BR': async () => fator,
  'en-US': async () => (await import('../../texts/en-US/fator.ts')).fator,
  'es-ES': async () => (await import('../../texts/es-ES/fator.ts')).fator,
})
