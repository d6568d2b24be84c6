import { grupos } from '../../texts/pt-BR/grupos.ts'
import { screenTexts } from '../screen-texts.ts'

export const gruposTexts = await screenTexts<typeof grupos>({
  'pt-BR': async () => grupos,
  'en-US': async () => (await import('../../texts/en-US/grupos.ts')).grupos,
  'es-ES': async () => (await import('../../texts/es-ES/grupos.ts')).grupos,
})
