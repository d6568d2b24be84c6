import type { esqueci as esqueciTexts, trocar as trocarTexts } from '../pt-BR/senha.ts'

export const esqueci: typeof esqueciTexts = {
  lead: 'Give the e-mail of your account. If it is registered, we will send a link to choose another password.',
  submit: 'Send link',
  sending: 'Sending…',
  done: 'If the e-mail is registered, you will receive the instructions in a moment.',
  back: 'Back to the sign-in',
}

export const trocar: typeof trocarTexts = {
  lead: 'The present password was generated or set by somebody else. Choose one that only you know to go on.',
  atual: 'Present password',
  nova: 'New password',
  confirmar: 'Repeat the new password',
  submit: 'Save new password',
  sending: 'Saving…',
  mismatch: 'The two passwords differ.',
  rulesTitle: 'The new password must have:',
  rules: {
    length: 'From 8 to 128 characters',
    uppercase: 'At least one uppercase letter',
    lowercase: 'At least one lowercase letter',
    digit: 'At least one digit',
    special: 'At least one special character',
  },
  met: 'met',
}
