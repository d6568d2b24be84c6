import type { MailTexts } from './texts.ts'

export const enUS: MailTexts = {
  greeting: (nome) => (nome === null ? 'Hello,' : `Hello ${nome},`),
  footer: 'Automatic message from Vigia; replies are not read.',
  withLink: {
    redefinir_senha: {
      subject: 'Vigia: password reset',
      paragraphs: [
        'We received a request to reset the password of your Vigia account.',
        'To choose a new password, open the link below. It is valid for 1 hour and works only once.',
      ],
      action: 'Choose a new password',
      afterLink: ['If you did not ask for this, ignore this message: your password stays the same.'],
    },
    verificar_email: {
      subject: 'Vigia: confirm your email',
      paragraphs: [
        'This address was given as the email of a Vigia account.',
        'To confirm that it is yours, open the link below. It is valid for 24 hours and works only once.',
      ],
      action: 'Confirm email',
      afterLink: ['If you do not know this account, ignore this message: nothing will be confirmed.'],
    },
    convite: {
      subject: 'Vigia: invitation to use the system',
      paragraphs: [
        'An account in Vigia, the health surveillance system, has been created for you. Your user name is this e-mail address.',
        'To choose your password and sign in, open the link below. It is valid for 7 days and works once.',
      ],
      action: 'Choose the password',
      afterLink: [
        'If the link has expired, ask the administrators of the system for another invitation.',
        'If you did not expect this, ignore this message: without the password nobody can enter the account.',
      ],
    },
  },
  notices: {
    senha_alterada: ({ when }) => ({
      subject: 'Vigia: your password was changed',
      paragraphs: [
        `The password of your Vigia account was changed on ${when} (Brasília time).`,
        'If it was not you, reset the password now and tell the administrators of the system.',
      ],
    }),
    senha_definida: ({ when, trocar_senha }) => ({
      subject: 'Vigia: an administrator set a new password',
      paragraphs: [
        `An administrator set a new password for your Vigia account on ${when} (Brasília time). The old password no longer works and your sessions were ended.`,
        trocar_senha
          ? 'For your security the new password is not sent by email: ask whoever set it. You will have to change it at your next login.'
          : 'For your security the new password is not sent by email: ask whoever set it.',
        'If you did not expect this, talk to the administrators of the system.',
      ],
    }),
    email_alterado: ({ when, pending, undoable }) => ({
      subject: pending
        ? 'Vigia: request to change your email'
        : 'Vigia: the email of your account was changed',
      paragraphs: [
        pending
          ? `On ${when} (Brasília time) a change of the email of your Vigia account was requested. It counts only once the new address is confirmed; until then this one stays in use.`
          : `The email of your Vigia account was changed on ${when} (Brasília time). This address will no longer be used.`,
        ...(undoable ? [] : ['If you did not expect this, talk to the administrators of the system.']),
      ],
    }),
    email_devolvido: ({ when }) => ({
      subject: 'Vigia: the change of email was undone',
      paragraphs: [
        `The change of the email of a Vigia account to this address was undone on ${when} (Brasília time), by the link sent to the former address. This address will no longer be used, and the sessions of the account were ended.`,
        'If you did not expect this, talk to the administrators of the system.',
      ],
    }),
    mfa_ativado: ({ when, undoable }) => ({
      subject: 'Vigia: the second factor was switched on',
      paragraphs: [
        `The second factor of your Vigia account was switched on on ${when} (Brasília time). Every login now asks for a code, too.`,
        ...(undoable ? [] : ['If you did not expect this, talk to the administrators of the system.']),
      ],
    }),
    mfa_desativado: ({ when }) => ({
      subject: 'Vigia: the second factor was switched off',
      paragraphs: [
        `The second factor of your Vigia account was switched off on ${when} (Brasília time). The password alone now logs in.`,
        'If it was not you, reset the password now and tell the administrators of the system.',
      ],
    }),
    mfa_encerrado: ({ when }) => ({
      subject: 'Vigia: the second factor was ended by the administration',
      paragraphs: [
        `The administration ended the second factor of your Vigia account on ${when} (Brasília time). The password alone is now enough to sign in, and your sessions were ended.`,
        'If you did not ask for this, reset your password now and tell the administration of the system. If you did, turn the second factor on again as soon as you can.',
      ],
    }),
    codigos_renovados: ({ when }) => ({
      subject: 'Vigia: new backup codes',
      paragraphs: [
        `New backup codes were made for your Vigia account on ${when} (Brasília time). The previous ones are no longer valid.`,
        'If it was not you, reset your password now and tell the administration of the system.',
      ],
    }),
    sessoes_encerradas: ({ when }) => ({
      subject: 'Vigia: your sessions were ended',
      paragraphs: [
        `The administration ended the sessions of your Vigia account on ${when} (Brasília time). To go on, sign in again.`,
        'If you did not expect this, talk to the administration of the system.',
      ],
    }),
    muitas_fusoes: ({ when }) => ({
      subject: 'Vigia: many merges of cases in a day',
      paragraphs: [
        `An account merged more than 50 cases in one day, up to ${when} (Brasília time). A case that is merged into another leaves all counts.`,
        'The audit tells who merged which cases (action caso.fundido). Each merge can be undone on the screen Duplicates.',
      ],
    }),
    identidade_vinculada: ({ when }) => ({
      subject: 'Vigia: single sign-on linked to your account',
      paragraphs: [
        `Your Vigia account was linked to an identity of single sign-on on ${when} (Brasília time). The account is now entered by it, too.`,
        'If this was not you, unlink it in “My account”, end the other sessions and tell the administration of the system.',
      ],
    }),
    identidade_desvinculada: ({ when }) => ({
      subject: 'Vigia: single sign-on unlinked from your account',
      paragraphs: [
        `An identity of single sign-on was unlinked from your Vigia account on ${when} (Brasília time). To enter without it, use the password; without one, choose one by “Forgot your password”.`,
        'If you did not expect this, ask the administration of the system.',
      ],
    }),
    webhook_desligado: ({ when }) => ({
      subject: 'Vigia: one of your webhooks was switched off',
      paragraphs: [
        `One of your webhooks on Vigia was switched off on ${when} (Brasília time), because its receiver answered 410 or accepted no delivery for five days.`,
        'The events are kept: mend the receiver and resume the webhook to get them. The delivery log tells what happened.',
      ],
    }),
  },
  boletim: ({ lugar, semana, agravos, secoes }) => ({
    subject: `Vigia: bulletin of ${lugar}, week ${semana}`,
    paragraphs: [
      `The epidemiological bulletin of ${lugar}, week ${semana} (${agravos}), is ready.`,
      ...secoes.map(
        ({ agravo, nivel, casos_ano, casos_4_semanas }) =>
          `${agravo}: level ${nivel}; probable cases of the year: ${casos_ano ?? 'suppressed'}; of the last four weeks: ${casos_4_semanas ?? 'suppressed'}.`,
      ),
    ],
    action: 'Open the bulletin',
    afterLink: ['To open it, log in with your account.'],
  }),
  nomes: {
    dengue: 'Dengue',
    zika: 'Zika',
    chikungunya: 'Chikungunya',
    verde: 'green',
    amarelo: 'yellow',
    laranja: 'orange',
    vermelho: 'red',
  },
  disown: {
    paragraphs: [
      'If it was not you, open the link below: this is undone, all sessions of the account are ended, and you get a link to choose a new password.',
    ],
    action: 'This was not me',
    afterLink: ['The link is valid for 7 days and works only once. If it was you, ignore it.'],
  },
}
