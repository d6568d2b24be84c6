import { avisos } from '../../texts/pt-BR/avisos.ts'
import { screenTexts } from '../screen-texts.ts'

export const avisosTexts = await screenTexts<typeof avisos>({
  'pt-BR': async () => avisos,
  'en-US': async () => (await import('../../texts/en-US/avisos.ts')).avisos,
  'es-ES': async () => (await import('../../texts/es-ES/avisos.ts')).avisos,
})
