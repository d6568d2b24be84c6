import type { saida as saidaTexts } from '../pt-BR/saida.ts'

export const saida: typeof saidaTexts = {
  title: 'Leave without saving?',
  stay: 'Stay here',
  discard: 'Leave and discard',
}
