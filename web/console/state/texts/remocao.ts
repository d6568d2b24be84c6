import { remocao } from '../../texts/pt-BR/remocao.ts'
import { screenTexts } from '../screen-texts.ts'

export const remocaoTexts = await screenTexts<typeof remocao>({
  'pt-BR': async () => remocao,
  'en-US': async () => (await import('../../texts/en-US/remocao.ts')).remocao,
  'es-ES': async () => (await import('../../texts/es-ES/remocao.ts')).remocao,
})
