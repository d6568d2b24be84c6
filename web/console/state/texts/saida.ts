import { saida } from '../../texts/pt-BR/saida.ts'
import { screenTexts } from '../screen-texts.ts'

export const saidaTexts = await screenTexts<typeof saida>({
  'pt-BR': async () => saida,
  'en-US': async () => (await import('../../texts/en-US/saida.ts')).saida,
  'es-ES': async () => (await import('../../texts/es-ES/saida.ts')).saida,
})
