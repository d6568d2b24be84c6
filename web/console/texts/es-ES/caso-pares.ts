import type { casoPares as original } from '../pt-BR/caso-pares.ts'
import { formats } from './formats.ts'

const day = (at: Date) => formats.date(at)

export const casoPares: typeof original = {
  title: 'Duplicidades',
  merge: 'Fusionar con otro caso…',
  open: 'Puede ser el mismo caso; espera una decisión:',
  compare: (numero) => `Comparar con la ${numero}`,
  bands: { quase_certa: 'Casi segura', provavel: 'Probable', possivel: 'Posible' },
  merged: 'Fusionado en este caso:',
  notification: (numero) => `Notificación ${numero}`,
  since: (at) => `el ${day(at)}`,
  absorbed: (numero, into, at) =>
    `La notificación ${numero} se fusionó con la ${into} el ${day(at)}: son el mismo caso.`,
  remained: (numero) => `Abrir el caso que quedó: notificación ${numero}`,
}
