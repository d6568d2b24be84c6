import { formats } from './formats.ts'

const { number } = formats
const one = (value: number) => number(value, { maximumFractionDigits: 1 })
const after = (weeks: number) =>
  weeks === 0 ? 'en la misma semana' : `${number(weeks)} ${weeks === 1 ? 'semana' : 'semanas'} después`

export const qualidade = {
  lead: (casos: number | undefined, de: string, ate: string) =>
    `${casos === undefined ? 'Fichas' : `${number(casos)} ${casos === 1 ? 'ficha' : 'fichas'}`} con notificación del ${de} al ${ate}.`,
  file: 'Descargar (CSV)',
  none: 'Ninguna ficha se notificó en este lugar y período.',
  partial: 'Parte del lugar queda fuera de su territorio y no cuenta aquí.',
  period: 'Notificación',
  lastYear: 'Últimos 365 días',
  by: 'Dividir por',
  parts: {
    municipio: 'Municipio',
    regiao_saude: 'Región de salud',
    estado: 'Estado',
    unidade: 'Unidad (CNES)',
  },
  records: 'Fichas',
  unknown: 'Desconocido',
  percent: (value: number | null) => (value === null ? '–' : `${one(value)} %`),
  days: (value: number | null) => (value === null ? '–' : one(value)),
  of: (part: number, whole: number) => `${number(part)} de ${number(whole)}`,
  grades: { excelente: 'Excelente', bom: 'Bueno', regular: 'Regular', ruim: 'Malo', muito_ruim: 'Muy malo' },
  completeness: {
    title: 'Completitud',
    note: 'Parte de las fichas en que el campo está relleno; "ignorado" no cuenta. Excelente desde 95 %, bueno 90 %, regular 80 %, malo 50 %.',
    field: 'Campo',
    share: 'Relleno',
    grade: 'Franja',
    records: 'Fichas',
  },
  timeliness: {
    title: 'Oportunidad',
    note: 'Días de un hecho a otro, y la parte de las fichas en plazo.',
    measure: 'De uno a otro',
    inTime: 'En plazo',
    mediana: 'Mediana (días)',
    p90: '90 % en hasta (días)',
    measures: {
      notificacao: 'De los síntomas a la notificación',
      digitacao: 'De la notificación a la digitación',
      encerramento: 'De la notificación al cierre',
      obito: 'De la muerte por la enfermedad a la notificación',
    },
    limits: {
      notificacao: 'hasta 7 días',
      digitacao: 'hasta 7 días',
      encerramento: 'en el plazo de la enfermedad, de las fichas en que venció',
      obito: 'hasta 1 día',
    },
    automatic: (count: number) =>
      `${number(count)} ${count === 1 ? 'ficha fue cerrada' : 'fichas fueron cerradas'} como inconclusa el día 61 por el SINAN, sin investigación.`,
  },
  contradictions: {
    title: 'Inconsistencias',
    note: 'Lo que una ficha dice y ella misma desmiente. Cada número lleva a las fichas.',
    none: 'Ninguna inconsistencia.',
    pairs: 'pares de fichas que pueden ser de la misma persona',
  },
  delays: {
    title: 'Demora hasta la digitación',
    note: 'Semanas desde el inicio de los síntomas hasta que el caso está digitado, en los casos probables de las últimas 26 semanas cerradas.',
    choose: 'Elija una enfermedad.',
    few: 'Son menos de 50 casos con fecha de digitación: pocos para decir cuánto demoran.',
    undated: (count: number) =>
      `${number(count)} ${count === 1 ? 'caso sin fecha de digitación no entra' : 'casos sin fecha de digitación no entran'}.`,
    half: (half: number, most: number | null) =>
      `La mitad está digitada ${after(half)}${most === null ? '' : `, el 90 % ${after(most)}`}.`,
    weeks: 'Digitados',
    share: 'Parte de los casos',
    until: 'Hasta entonces',
    after,
  },
  pending: {
    title: 'Dónde hay pendientes',
    note: 'Por pendiente y municipio de residencia, del número mayor al menor.',
    none: 'Nada espera.',
    records: 'Fichas',
    work: 'Pendiente',
    place: 'Municipio',
    unknown: 'Municipio desconocido',
  },
  groups: {
    titles: {
      municipio: 'Por municipio',
      regiao_saude: 'Por región de salud',
      estado: 'Por estado',
      unidade: 'Por unidad notificadora',
    },
    note: 'Solo lo que tiene fichas, en orden de código.',
    inTime: {
      notificacao: 'Notificación en plazo',
      digitacao: 'Digitación en plazo',
      encerramento: 'Cierre en plazo',
    },
    poor: 'Campos malos o muy malos',
  },
}
