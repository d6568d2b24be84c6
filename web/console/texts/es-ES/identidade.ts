import type { identidade as original } from '../pt-BR/identidade.ts'
import { formats } from './formats.ts'

const moment = (at: Date) =>
  `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const identidade: typeof original = {
  motive: 'Motivo (opcional)',
  motiveNote: 'Queda cifrado en la auditoría; solo quien puede identificar pacientes lo lee.',
  readings: 'Quién vio al paciente',
  noReadings: 'Nadie ha visto los datos del paciente de este caso.',
  moreReadings: (shown, total) => `Las ${shown} lecturas más recientes, de ${total}.`,
  somebody: 'Cuenta que ya no existe',
  acts: {
    'caso.identificado': 'vio los datos del paciente',
    'caso.anexo_baixado': 'descargó un adjunto',
    'pessoa.buscada': 'encontró el caso buscando a la persona',
    'pessoa.relatorio': 'sacó el informe de la persona',
  },
  at: (at) => moment(at),
  reason: (text) => `Motivo: ${text}`,
}
