import { formats } from './formats.ts'

const day = (at: Date) => formats.date(at)

export const casoPares = {
  title: 'Duplicidades',
  merge: 'Fundir com outro caso…',
  open: 'Pode ser o mesmo caso; espera decisão:',
  compare: (numero: string) => `Comparar com a ${numero}`,
  bands: { quase_certa: 'Quase certa', provavel: 'Provável', possivel: 'Possível' },
  merged: 'Fundido neste caso:',
  notification: (numero: string) => `Notificação ${numero}`,
  since: (at: Date) => `em ${day(at)}`,
  absorbed: (numero: string, into: string, at: Date) =>
    `A notificação ${numero} foi fundida com a ${into} em ${day(at)}: são o mesmo caso.`,
  remained: (numero: string) => `Abrir o caso que ficou: notificação ${numero}`,
}
