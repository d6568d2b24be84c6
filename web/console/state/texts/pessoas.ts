import { pessoas } from '../../texts/pt-BR/pessoas.ts'
import { screenTexts } from '../screen-texts.ts'

export const pessoasTexts = await screenTexts<typeof pessoas>({
  'pt-BR': async () => pessoas,
  'en-US': async () => (await import('../../texts/en-US/pessoas.ts')).pessoas,
  'es-ES': async () => (await import('../../texts/es-ES/pessoas.ts')).pessoas,
})
