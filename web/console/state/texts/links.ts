import { links } from '../../texts/pt-BR/links.ts'
import { screenTexts } from '../screen-texts.ts'

export const linksTexts = await screenTexts<typeof links>({
  'pt-BR': async () => links,
  'en-US': async () => (await import('../../texts/en-US/links.ts')).links,
  'es-ES': async () => (await import('../../texts/es-ES/links.ts')).links,
})
