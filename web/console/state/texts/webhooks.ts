import { webhooks } from '../../texts/pt-BR/webhooks.ts'
import { screenTexts } from '../screen-texts.ts'

export const webhooksTexts = await screenTexts<typeof webhooks>({
  'pt-BR': async () => webhooks,
  'en-US': async () => (await import('../../texts/en-US/webhooks.ts')).webhooks,
  'es-ES': async () => (await import('../../texts/es-ES/webhooks.ts')).webhooks,
})
