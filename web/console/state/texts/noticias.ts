import { noticias } from '../../texts/pt-BR/noticias.ts'
import { screenTexts } from '../screen-texts.ts'

export const noticiasTexts = await screenTexts<typeof noticias>({
  'pt-BR': async () => noticias,
  'en-US': async () => (await import('../../texts/en-US/noticias.ts')).noticias,
  'es-ES': async () => (await import('../../texts/es-ES/noticias.ts')).noticias,
})
