import { tabelas } from '../../texts/pt-BR/tabelas.ts'
import { screenTexts } from '../screen-texts.ts'

export const tabelasTexts = await screenTexts<typeof tabelas>({
  'pt-BR': async () => tabelas,
  'en-US': async () => (await import('../../texts/en-US/tabelas.ts')).tabelas,
  'es-ES': async () => (await import('../../texts/es-ES/tabelas.ts')).tabelas,
})
