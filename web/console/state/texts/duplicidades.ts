import { duplicidades } from '../../texts/pt-BR/duplicidades.ts'
import { screenTexts } from '../screen-texts.ts'

export const duplicidadesTexts = await screenTexts<typeof duplicidades>({
  'pt-BR': async () => duplicidades,
  'en-US': async () => (await import('../../texts/en-US/duplicidades.ts')).duplicidades,
  'es-ES': async () => (await import('../../texts/es-ES/duplicidades.ts')).duplicidades,
})
