import type { fator as fatorTexts } from '../pt-BR/fator.ts'

export const fator: typeof fatorTexts = {
  lead: 'One of your groups requires a second factor: besides the password, a code of your phone. It takes two minutes.',
  offer:
    'This account administers Vigia. With the second factor, somebody who finds out the password does not get in without a code of your phone. It takes two minutes.',
  later: 'Not now',
  laterNote: 'The second factor stays in “My account”, and this screen does not come back.',
  start: 'Begin',
  starting: 'Preparing…',
  app: 'Install an authenticator app on your phone and read this code with it.',
  qr: 'QR code with the secret',
  secret: 'Without a camera, type this secret into the app:',
  backupTitle: 'Backup codes',
  backup:
    'Each is valid once, when the phone is not at hand. Print or copy them now: they are not shown again.',
  kept: 'I have kept the backup codes',
  keptMissing: 'Keep the codes before you go on.',
  code: 'Code of the app',
  codeMissing: 'Type the six digits that the app shows.',
  confirm: 'Turn on the second factor',
  print: 'Print',
}
