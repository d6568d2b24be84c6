import { identidade } from '../../texts/pt-BR/identidade.ts'
import { screenTexts } from '../screen-texts.ts'

export const identidadeTexts = await screenTexts<typeof identidade>({
  'pt-BR': async () => identidade,
  'en-US': async () => (await import('../../texts/en-US/identidade.ts')).identidade,
  'es-ES': async () => (await import('../../texts/es-ES/identidade.ts')).identidade,
})
