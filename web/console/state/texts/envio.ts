import { envio } from '../../texts/pt-BR/envio.ts'
import { screenTexts } from '../screen-texts.ts'

export const envioTexts = await screenTexts<typeof envio>({
  'pt-BR': async () => envio,
  'en-US': async () => (await import('../../texts/en-US/envio.ts')).envio,
  'es-ES': async () => (await import('../../texts/es-ES/envio.ts')).envio,
})
