import { conta } from '../../texts/pt-BR/conta.ts'
import { screenTexts } from '../screen-texts.ts'

export const contaTexts = await screenTexts<typeof conta>({
  'pt-BR': async () => conta,
  'en-US': async () => (await import('../../texts/en-US/conta.ts')).conta,
  'es-ES': async () => (await import('../../texts/es-ES/conta.ts')).conta,
})
