import { boletins } from '../../texts/pt-BR/boletins.ts'
import { screenTexts } from '../screen-texts.ts'

export const boletinsTexts = await screenTexts<typeof boletins>({
  'pt-BR': async () => boletins,
  'en-US': async () => (await import('../../texts/en-US/boletins.ts')).boletins,
  'es-ES': async () => (await import('../../texts/es-ES/boletins.ts')).boletins,
})
