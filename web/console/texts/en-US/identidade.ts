import type { identidade as original } from '../pt-BR/identidade.ts'
import { formats } from './formats.ts'

const moment = (at: Date) =>
  `${formats.date(at)} at ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const identidade: typeof original = {
  motive: 'Reason (optional)',
  motiveNote: 'Encrypted in the audit; only those who may identify patients can read it.',
  readings: 'Who saw the patient',
  noReadings: 'Nobody has seen the patient data of this case.',
  moreReadings: (shown, total) => `The latest ${shown} of ${total} readings.`,
  somebody: 'Account that no longer exists',
  acts: {
    'caso.identificado': 'saw the patient data',
    'caso.anexo_baixado': 'downloaded an attachment',
    'pessoa.buscada': 'found the case searching for the person',
    'pessoa.relatorio': 'made the report of the person',
  },
  at: (at) => moment(at),
  reason: (text) => `Reason: ${text}`,
}
