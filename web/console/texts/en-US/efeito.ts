import type { efeito as efeitoTexts } from '../pt-BR/efeito.ts'

export const efeito: typeof efeitoTexts = {
  difference: 'What changes when you save',
  noDifference: 'Nothing changes in what the account may do.',
  gains: (permission) => `gains: ${permission}`,
  loses: (permission) => `loses: ${permission}`,
  mustEnrol: 'Must turn on the second factor at sign-in',
}
