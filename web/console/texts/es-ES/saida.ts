import type { saida as saidaTexts } from '../pt-BR/saida.ts'

export const saida: typeof saidaTexts = {
  title: '¿Salir sin guardar?',
  stay: 'Seguir aquí',
  discard: 'Salir y descartar',
}
