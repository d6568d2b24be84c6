import type { avisos as pt } from '../pt-BR/avisos.ts'

const LOCALE = 'en-US'

export const avisos: typeof pt = {
  title: 'Notifications',
  open: (unread: number) => (unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`),
  none: 'Nothing yet. Here you find what ended while you were on another screen: imports, exports, bulletins.',
  unread: 'New:',
  file: 'Download the file',
  jobOver: 'A task ended',
  tipos: {
    webhook_desligado: 'A webhook of yours was switched off: its receiver does not answer',
    sessoes_encerradas: 'An administrator ended your sessions',
    mfa_encerrado: 'An administrator removed your second factor',
    senha_definida: 'An administrator set your password',
  },
  moment: (at: Date) =>
    `${at.toLocaleDateString(LOCALE)} at ${at.toLocaleTimeString(LOCALE, { hour: '2-digit', minute: '2-digit' })}`,
  outOfDate: 'There are new data.',
  refresh: 'Update',
}
