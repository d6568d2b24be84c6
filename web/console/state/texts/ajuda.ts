import { ajuda } from '../../texts/pt-BR/ajuda.ts'
import { screenTexts } from '../screen-texts.ts'

export const ajudaTexts = await screenTexts<typeof ajuda>({
  'pt-BR': async () => ajuda,
  'en-US': async () => (await import('../../texts/en-US/ajuda.ts')).ajuda,
  'es-ES': async () => (await import('../../texts/es-ES/ajuda.ts')).ajuda,
})
