import { formats } from './formats.ts'

const number = (value: number) => formats.number(value, { maximumFractionDigits: 1 })
const percent = (share: number) =>
  `${formats.number(100 * share, { maximumFractionDigits: share > 0.99 ? 1 : 0 })} %`
const moment = (at: Date) =>
  `${formats.date(at)} às ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`
const week = (semana: string) => `SE ${Number(semana.slice(4))}/${semana.slice(0, 4)}`

/** Levels of alert, wherever they are shown. */
export const niveis = {
  nomes: { verde: 'Verde', amarelo: 'Amarelo', laranja: 'Laranja', vermelho: 'Vermelho' },
  significados: {
    verde: 'sem sinal de aumento',
    amarelo: 'atenção',
    laranja: 'transmissão sustentada',
    vermelho: 'epidemia',
  },
  motivos: {
    crescimento: 'Os casos crescem: é muito provável que cada um gere mais de um.',
    ears_c2: 'Casos muito acima das semanas anteriores (alarme EARS C2).',
    acima_da_media: 'Incidência acima da média histórica da semana.',
    acima_do_limite: 'Incidência acima do limite superior do diagrama de controle por duas semanas.',
    incidencia_4_semanas:
      'Incidência alta somada em quatro semanas; há anos de menos para um diagrama de controle.',
    carencia: 'Acima do limite até a semana anterior; o nível permanece por mais uma.',
    dados_alterados: 'Os casos desta semana mudaram depois do primeiro aviso.',
  },
  motivosCurtos: {
    crescimento: 'crescimento',
    ears_c2: 'alarme EARS',
    acima_da_media: 'acima da média',
    acima_do_limite: 'acima do limite',
    incidencia_4_semanas: 'incidência em 4 semanas',
    carencia: 'carência',
    dados_alterados: 'dados alterados',
  },
  alerta: 'Nível de alerta',
  at: (semana: string) => `na ${week(semana)}`,
  why: 'Por quê',
  noReason: 'Nenhuma condição de alerta se cumpre nesta semana.',
  known: 'Prováveis conhecidos',
  expected: 'Prováveis esperados',
  incidence: 'Incidência por 100 mil',
  limit: 'Limite superior por 100 mil',
  noLimit: 'anos de menos',
  growth: 'Probabilidade de crescimento',
  scope:
    'De todos os casos prováveis do lugar, quaisquer que sejam os outros filtros; as semanas recentes são estimadas.',
  mapNote: (semana: string) =>
    `${week(semana)}: o nível da última semana encerrada, de todos os casos prováveis.`,
  open: 'Ver os alertas deste lugar',
  number,
  percent,
  week,
  moment,
}
