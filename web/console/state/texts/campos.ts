import { campos } from '../../texts/pt-BR/campos.ts'
import { screenTexts } from '../screen-texts.ts'

export const camposTexts = await screenTexts<typeof campos>({
  'pt-BR': async () => campos,
  'en-US': async () => (await import('../../texts/en-US/campos.ts')).campos,
  'es-ES': async () => (await import('../../texts/es-ES/campos.ts')).campos,
})
