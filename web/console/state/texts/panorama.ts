import { panorama } from '../../texts/pt-BR/panorama.ts'
import { screenTexts } from '../screen-texts.ts'

export const panoramaTexts = await screenTexts<typeof panorama>({
  'pt-BR': async () => panorama,
  'en-US': async () => (await import('../../texts/en-US/panorama.ts')).panorama,
  'es-ES': async () => (await import('../../texts/es-ES/panorama.ts')).panorama,
})
