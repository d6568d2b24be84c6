import { formats } from './formats.ts'

const moment = (at: Date) =>
  `${formats.date(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`

export const identidade = {
  motive: 'Motivo (opcional)',
  motiveNote: 'Fica cifrado na auditoria; só quem pode identificar pacientes o lê.',
  readings: 'Quem viu o paciente',
  noReadings: 'Ninguém viu os dados do paciente deste caso.',
  moreReadings: (shown: number, total: number) => `As ${shown} leituras mais recentes, de ${total}.`,
  somebody: 'Conta que não existe mais',
  acts: {
    'caso.identificado': 'viu os dados do paciente',
    'caso.anexo_baixado': 'baixou um anexo',
    'pessoa.buscada': 'achou o caso procurando a pessoa',
    'pessoa.relatorio': 'tirou o relatório da pessoa',
  } as Record<string, string>,
  at: (at: Date) => moment(at),
  reason: (text: string) => `Motivo: ${text}`,
}
