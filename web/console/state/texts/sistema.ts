import { sistema } from '../../texts/pt-BR/sistema.ts'
import { screenTexts } from '../screen-texts.ts'

export const sistemaTexts = await screenTexts<typeof sistema>({
  'pt-BR': async () => sistema,
  'en-US': async () => (await import('../../texts/en-US/sistema.ts')).sistema,
  'es-ES': async () => (await import('../../texts/es-ES/sistema.ts')).sistema,
})
