import { servico } from '../../texts/pt-BR/servico.ts'
import { screenTexts } from '../screen-texts.ts'

export const servicoTexts = await screenTexts<typeof servico>({
  'pt-BR': async () => servico,
  'en-US': async () => (await import('../../texts/en-US/servico.ts')).servico,
  'es-ES': async () => (await import('../../texts/es-ES/servico.ts')).servico,
})
