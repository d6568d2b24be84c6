import type { niveis as nivelTexts } from '../pt-BR/niveis.ts'
import { formats } from './formats.ts'

const number = (value: number) => formats.number(value, { maximumFractionDigits: 1 })
const percent = (share: number) =>
  `${formats.number(100 * share, { maximumFractionDigits: share > 0.99 ? 1 : 0 })} %`
const moment = (at: Date) =>
  `${formats.date(at)} a las ${formats.date(at, { hour: '2-digit', minute: '2-digit' })}`
const week = (semana: string) => `SE ${Number(semana.slice(4))}/${semana.slice(0, 4)}`

export const niveis: typeof nivelTexts = {
  nomes: { verde: 'Verde', amarelo: 'Amarillo', laranja: 'Naranja', vermelho: 'Rojo' },
  significados: {
    verde: 'sin señal de aumento',
    amarelo: 'atención',
    laranja: 'transmisión sostenida',
    vermelho: 'epidemia',
  },
  motivos: {
    crescimento: 'Los casos crecen: es muy probable que cada uno genere más de uno.',
    ears_c2: 'Casos muy por encima de las semanas anteriores (alarma EARS C2).',
    acima_da_media: 'Incidencia por encima de la media histórica de la semana.',
    acima_do_limite: 'Incidencia por encima del límite superior del diagrama de control durante dos semanas.',
    incidencia_4_semanas:
      'Incidencia alta sumada en cuatro semanas; hay pocos años para un diagrama de control.',
    carencia: 'Por encima del límite hasta la semana anterior; el nivel permanece una más.',
    dados_alterados: 'Los casos de esta semana cambiaron después del primer aviso.',
  },
  motivosCurtos: {
    crescimento: 'crecimiento',
    ears_c2: 'alarma EARS',
    acima_da_media: 'sobre la media',
    acima_do_limite: 'sobre el límite',
    incidencia_4_semanas: 'incidencia en 4 semanas',
    carencia: 'semana de gracia',
    dados_alterados: 'datos cambiados',
  },
  alerta: 'Nivel de alerta',
  at: (semana) => `en la ${week(semana)}`,
  why: 'Por qué',
  noReason: 'Ninguna condición de alerta se cumple esta semana.',
  known: 'Probables conocidos',
  expected: 'Probables esperados',
  incidence: 'Incidencia por 100 mil',
  limit: 'Límite superior por 100 mil',
  noLimit: 'pocos años',
  growth: 'Probabilidad de crecimiento',
  scope:
    'De todos los casos probables del lugar, sean cuales sean los otros filtros; las semanas recientes se estiman.',
  mapNote: (semana) =>
    `${week(semana)}: el nivel de la última semana terminada, de todos los casos probables.`,
  open: 'Ver las alertas de este lugar',
  number,
  percent,
  week,
  moment,
}
