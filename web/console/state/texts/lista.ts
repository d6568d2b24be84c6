import { lista } from '../../texts/pt-BR/lista.ts'
import { screenTexts } from '../screen-texts.ts'

export const listaTexts = await screenTexts<typeof lista>({
  'pt-BR': async () => lista,
  'en-US': async () => (await import('../../texts/en-US/lista.ts')).lista,
  'es-ES': async () => (await import('../../texts/es-ES/lista.ts')).lista,
})
