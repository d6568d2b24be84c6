import { qualidade } from '../../texts/pt-BR/qualidade.ts'
import { screenTexts } from '../screen-texts.ts'

export const qualidadeTexts = await screenTexts<typeof qualidade>({
  'pt-BR': async () => qualidade,
  'en-US': async () => (await import('../../texts/en-US/qualidade.ts')).qualidade,
  'es-ES': async () => (await import('../../texts/es-ES/qualidade.ts')).qualidade,
})
