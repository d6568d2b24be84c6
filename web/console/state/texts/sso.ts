import { sso } from '../../texts/pt-BR/sso.ts'
import { screenTexts } from '../screen-texts.ts'

export const ssoTexts = await screenTexts<typeof sso>({
  'pt-BR': async () => sso,
  'en-US': async () => (await import('../../texts/en-US/sso.ts')).sso,
  'es-ES': async () => (await import('../../texts/es-ES/sso.ts')).sso,
})
