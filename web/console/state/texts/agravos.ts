import { agravos } from '../../texts/pt-BR/agravos.ts'
import { screenTexts } from '../screen-texts.ts'

export const agravosTexts = await screenTexts<typeof agravos>({
  'pt-BR': async () => agravos,
  'en-US': async () => (await import('../../texts/en-US/agravos.ts')).agravos,
  'es-ES': async () => (await import('../../texts/es-ES/agravos.ts')).agravos,
})
