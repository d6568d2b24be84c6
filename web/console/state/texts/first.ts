import { first } from '../../texts/pt-BR/first.ts'
import { screenTexts } from '../screen-texts.ts'

export const firstTexts = await screenTexts<typeof first>({
  'pt-BR': async () => first,
  'en-US': async () => (await import('../../texts/en-US/first.ts')).first,
  'es-ES': async () => (await import('../../texts/es-ES/first.ts')).first,
})
