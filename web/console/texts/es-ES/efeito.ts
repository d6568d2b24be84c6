import type { efeito as efeitoTexts } from '../pt-BR/efeito.ts'

export const efeito: typeof efeitoTexts = {
  difference: 'Lo que cambia al guardar',
  noDifference: 'Nada cambia en lo que la cuenta puede hacer.',
  gains: (permission) => `gana: ${permission}`,
  loses: (permission) => `pierde: ${permission}`,
  mustEnrol: 'Debe activar el segundo factor al entrar',
}
