import { epizootias } from '../../texts/pt-BR/epizootias.ts'
import { screenTexts } from '../screen-texts.ts'

export const epizootiasTexts = await screenTexts<typeof epizootias>({
  'pt-BR': async () => epizootias,
  'en-US': async () => (await import('../../texts/en-US/epizootias.ts')).epizootias,
  'es-ES': async () => (await import('../../texts/es-ES/epizootias.ts')).epizootias,
})
