import { casoPares } from '../../texts/pt-BR/caso-pares.ts'
import { screenTexts } from '../screen-texts.ts'

export const casoParesTexts = await screenTexts<typeof casoPares>({
  'pt-BR': async () => casoPares,
  'en-US': async () => (await import('../../texts/en-US/caso-pares.ts')).casoPares,
  'es-ES': async () => (await import('../../texts/es-ES/caso-pares.ts')).casoPares,
})
