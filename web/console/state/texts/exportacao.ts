import { exportacao } from '../../texts/pt-BR/exportacao.ts'
import { screenTexts } from '../screen-texts.ts'

export const exportacaoTexts = await screenTexts<typeof exportacao>({
  'pt-BR': async () => exportacao,
  'en-US': async () => (await import('../../texts/en-US/exportacao.ts')).exportacao,
  'es-ES': async () => (await import('../../texts/es-ES/exportacao.ts')).exportacao,
})
