import type { casoPares as original } from '../pt-BR/caso-pares.ts'
import { formats } from './formats.ts'

const day = (at: Date) => formats.date(at)

export const casoPares: typeof original = {
  title: 'Duplicates',
  merge: 'Merge with another case…',
  open: 'May be the same case; waits for a decision:',
  compare: (numero) => `Compare with ${numero}`,
  bands: { quase_certa: 'Nearly certain', provavel: 'Probable', possivel: 'Possible' },
  merged: 'Merged into this case:',
  notification: (numero) => `Notification ${numero}`,
  since: (at) => `on ${day(at)}`,
  absorbed: (numero, into, at) =>
    `Notification ${numero} was merged with ${into} on ${day(at)}: they are one case.`,
  remained: (numero) => `Open the case that remained: notification ${numero}`,
}
