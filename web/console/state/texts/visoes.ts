import { visoes } from '../../texts/pt-BR/visoes.ts'
import { screenTexts } from '../screen-texts.ts'

export const visoesTexts = await screenTexts<typeof visoes>({
  'pt-BR': async () => visoes,
  'en-US': async () => (await import('../../texts/en-US/visoes.ts')).visoes,
  'es-ES': async () => (await import('../../texts/es-ES/visoes.ts')).visoes,
})
