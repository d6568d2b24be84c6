import type { links as linksTexts } from '../pt-BR/links.ts'

export const links: typeof linksTexts = {
  invalidTitle: 'Invalid link',
  askAnother: 'Ask for another link',
  goOn: 'Go to Vigia',
  sending: 'Sending…',
  taken: 'This address already is that of another account. Talk to the administrators of the system.',
  redefinir: {
    doneTitle: 'Password changed',
    done: 'Your password was changed. Sign in with the new one; sessions that were open have been ended.',
    invalid:
      'This link is not valid: it was already used, has expired or is incomplete. Ask for a new password-reset email.',
  },
  verificar: {
    lead: 'Use the button to confirm that the address at which you received this link is yours.',
    submit: 'Confirm email',
    doneTitle: 'Email confirmed',
    done: 'Your email is confirmed.',
    invalid:
      'This link is not valid: it was already used, has expired or is incomplete. For another one, change the email in “My account” again or talk to the administrators of the system.',
  },
  naoFuiEu: {
    lead: 'If it was not you, use the button: what the email told of is undone, all sessions of the account are ended, and you get a link to choose a new password.',
    submit: 'This was not me: undo',
    doneTitle: 'Undone',
    done: 'It is undone, and all sessions of the account were ended. Choose a new password now, with the link we sent to this address: somebody else may know the present one.',
    invalid:
      'This link is not valid: it was already used, has expired or is incomplete. If it was not you, reset your password and talk to the administrators of the system.',
  },
}
