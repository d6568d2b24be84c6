import { registro } from '../../texts/pt-BR/registro.ts'
import { screenTexts } from '../screen-texts.ts'

export const registroTexts = await screenTexts<typeof registro>({
  'pt-BR': async () => registro,
  'en-US': async () => (await import('../../texts/en-US/registro.ts')).registro,
  'es-ES': async () => (await import('../../texts/es-ES/registro.ts')).registro,
})
