import * as senha from '../../texts/pt-BR/senha.ts'
import { screenTexts } from '../screen-texts.ts'

export const senhaTexts = await screenTexts<typeof senha>({
  'pt-BR': async () => senha,
  'en-US': () => import('../../texts/en-US/senha.ts'),
  'es-ES': () => import('../../texts/es-ES/senha.ts'),
})
