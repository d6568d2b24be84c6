import type { Textos } from './textos.ts'

export const enUS: Textos = {
  saudacao: (nome) => (nome === null ? 'Hello,' : `Hello ${nome},`),
  rodape: 'Automatic message from Vigia; replies are not read.',
  comLink: {
    redefinir_senha: {
      assunto: 'Vigia: password reset',
      paragrafos: [
        'We received a request to reset the password of your Vigia account.',
        'To choose a new password, open the link below. It is valid for 1 hour and works only once.',
      ],
      acao: 'Choose a new password',
      depoisDoLink: ['If you did not ask for this, ignore this message: your password stays the same.'],
    },
    verificar_email: {
      assunto: 'Vigia: confirm your email',
      paragrafos: [
        'This address was given as the email of a Vigia account.',
        'To confirm that it is yours, open the link below. It is valid for 24 hours and works only once.',
      ],
      acao: 'Confirm email',
      depoisDoLink: ['If you do not know this account, ignore this message: nothing will be confirmed.'],
    },
  },
  avisos: {
    senha_alterada: ({ quando }) => ({
      assunto: 'Vigia: your password was changed',
      paragrafos: [
        `The password of your Vigia account was changed on ${quando} (Brasília time).`,
        'If it was not you, reset the password now and tell the administrators of the system.',
      ],
    }),
    senha_definida: ({ quando, trocar_senha }) => ({
      assunto: 'Vigia: an administrator set a new password',
      paragrafos: [
        `An administrator set a new password for your Vigia account on ${quando} (Brasília time). The old password no longer works and your sessions were ended.`,
        trocar_senha
          ? 'For your security the new password is not sent by email: ask whoever set it. You will have to change it at your next login.'
          : 'For your security the new password is not sent by email: ask whoever set it.',
        'If you did not expect this, talk to the administrators of the system.',
      ],
    }),
    email_alterado: ({ quando, pendente, desfazivel }) => ({
      assunto: pendente
        ? 'Vigia: request to change your email'
        : 'Vigia: the email of your account was changed',
      paragrafos: [
        pendente
          ? `On ${quando} (Brasília time) a change of the email of your Vigia account was requested. It counts only once the new address is confirmed; until then this one stays in use.`
          : `The email of your Vigia account was changed on ${quando} (Brasília time). This address will no longer be used.`,
        ...(desfazivel ? [] : ['If you did not expect this, talk to the administrators of the system.']),
      ],
    }),
    email_devolvido: ({ quando }) => ({
      assunto: 'Vigia: the change of email was undone',
      paragrafos: [
        `The change of the email of a Vigia account to this address was undone on ${quando} (Brasília time), by the link sent to the former address. This address will no longer be used, and the sessions of the account were ended.`,
        'If you did not expect this, talk to the administrators of the system.',
      ],
    }),
    mfa_ativado: ({ quando, desfazivel }) => ({
      assunto: 'Vigia: the second factor was switched on',
      paragrafos: [
        `The second factor of your Vigia account was switched on on ${quando} (Brasília time). Every login now asks for a code, too.`,
        ...(desfazivel ? [] : ['If you did not expect this, talk to the administrators of the system.']),
      ],
    }),
    mfa_desativado: ({ quando }) => ({
      assunto: 'Vigia: the second factor was switched off',
      paragrafos: [
        `The second factor of your Vigia account was switched off on ${quando} (Brasília time). The password alone now logs in.`,
        'If it was not you, reset the password now and tell the administrators of the system.',
      ],
    }),
    webhook_desligado: ({ quando }) => ({
      assunto: 'Vigia: one of your webhooks was switched off',
      paragrafos: [
        `One of your webhooks on Vigia was switched off on ${quando} (Brasília time), because its receiver answered 410 or accepted no delivery for five days.`,
        'The events are kept: mend the receiver and resume the webhook to get them. The delivery log tells what happened.',
      ],
    }),
  },
  naoFuiEu: {
    paragrafos: [
      'If it was not you, open the link below: this is undone, all sessions of the account are ended, and you get a link to choose a new password.',
    ],
    acao: 'This was not me',
    depoisDoLink: ['The link is valid for 7 days and works only once. If it was you, ignore it.'],
  },
}
