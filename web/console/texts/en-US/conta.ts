import type { conta as pt } from '../pt-BR/conta.ts'
import { formats } from './formats.ts'

const { number } = formats
const moment = (at: Date) =>
  `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const conta: typeof pt = {
  lead: 'Your data, your security, your sessions and preferences.',
  profile: {
    title: 'Profile',
    nome: 'Name',
    email: 'E-mail',
    emailPending: (email) =>
      `Waiting for ${email} to be confirmed by the link we sent; until then this one holds.`,
    emailNote: 'A new address counts only once it is confirmed by the link that we send to it.',
    telefone: 'Telephone',
    telefoneNote: 'Like (81) 99999-0000.',
    cargo: 'Position',
    departamento: 'Department',
    instituicao: 'Institution',
    cidade: 'City',
    estado: 'State',
    noEstado: 'Not given',
    required: 'Fill in this field.',
    save: 'Save profile',
    saving: 'Saving…',
    saved: 'Profile saved.',
    nothing: 'Nothing was changed.',
    confirmEmail:
      'Profile saved. Open the link that we sent to the new address to confirm it; until then the present one counts.',
    grupos: 'Groups',
    territorios: 'Territory',
    everywhere: 'All of Brazil',
  },
  photo: {
    change: 'Change the photo',
    choose: 'Choose the photo',
    alt: 'Your photo',
    title: 'Crop the photo',
    lead: 'Drag to choose the square, or use the controls.',
    zoom: 'Zoom',
    horizontal: 'From left to right',
    vertical: 'From top to bottom',
    preview: 'The photo as it will be',
    unreadable: 'This file is no picture that can be read. Use JPEG, PNG or WebP.',
    send: 'Use this photo',
    sending: 'Sending…',
    done: 'Photo changed.',
  },
  password: {
    title: 'Password',
    lead: 'Changing it ends the other sessions.',
    open: 'Change the password',
    done: (ended) =>
      ended === 0
        ? 'Password changed.'
        : ended === 1
          ? 'Password changed. 1 other session was ended.'
          : `Password changed. ${number(ended)} other sessions were ended.`,
  },
  mfa: {
    title: 'Second factor',
    on: 'On',
    off: 'Off',
    lead: 'A code from your phone beside the password. Somebody who learns the password does not get in without it.',
    enable: 'Turn the second factor on',
    disable: 'Turn off',
    scan: 'Scan it with the authenticator app',
    qr: 'QR code of the second factor',
    orType: 'Or type this secret into the app:',
    codes: 'Backup codes',
    codesLeft: (count) =>
      count === 0
        ? 'No backup code is left: make new ones.'
        : count === 1
          ? '1 backup code is left.'
          : `${count} backup codes are left.`,
    codesNote: 'Each counts once, for when the phone is not at hand. They are shown only now.',
    print: 'Print',
    kept: 'I have kept the backup codes',
    keptMissing: 'Keep the codes and tick here first.',
    code: 'Six-digit code of the app',
    codeMissing: 'Type the code.',
    confirm: 'Turn on',
    enabled: 'Second factor turned on.',
    newCodes: 'New backup codes',
    newCodesNote: 'The codes you have are no longer valid. You are told by email.',
    keptCodes: 'I kept the codes',
    codesRenewed: 'Backup codes renewed.',
    disableTitle: 'Turn the second factor off?',
    disableNote: 'Your account then depends on the password alone. You get a notice by mail.',
    senha: 'Password',
    anyCode: 'Code of the app, or a backup code',
    disabled: 'Second factor turned off.',
    missing: 'Fill in this field.',
  },
  sessions: {
    title: 'Sessions',
    lead: 'Where your account is open now.',
    device: 'Where',
    address: 'Address',
    last: 'Last use',
    actions: 'Actions',
    current: 'This session',
    opened: (at) => `opened ${moment(at)}`,
    end: 'End',
    endOf: (device) => `End the session on ${device}`,
    endOthers: 'End all others',
    ended: (count) => (count === 1 ? '1 session ended.' : `${number(count)} sessions ended.`),
  },
  identities: {
    title: 'Single sign-on',
    lead: 'Identities that open your account without the password.',
    none: 'No identity is linked. The first sign-in by a provider links it.',
    provider: 'Provider',
    linked: 'Linked on',
    last: 'Last use',
    actions: 'Actions',
    unlink: 'Unlink',
    unlinkOf: (nome: string) => `Unlink ${nome}`,
    done: 'Identity unlinked. To sign in without it, use the password.',
  },
  security: {
    title: 'Security of the account',
    score: (points) => `${points} of 100`,
    scoreLabel: 'Security score',
    advice: 'What improves it',
    fine: 'Nothing to improve.',
    suspicious: 'Attention',
    strength: 'Strength of the password',
    strengths: {
      muito_fraca: 'Very weak',
      fraca: 'Weak',
      media: 'Medium',
      forte: 'Strong',
      muito_forte: 'Very strong',
    },
    age: 'Age of the password',
    days: (days) => (days === 1 ? '1 day' : `${number(days)} days`),
    logins: 'Sign-ins in 30 days',
    failed: 'Failed attempts',
  },
  preferences: {
    title: 'Preferences',
    startPlace: 'First place of the dashboard',
    startNote: 'The dashboard opens there, from the menu and after you sign in.',
    density: 'Height of the rows of tables',
    densities: { confortavel: 'Comfortable', compacta: 'Compact' },
  },
  moment,
  number,
}
