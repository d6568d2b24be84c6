import type { charts as chartTexts, map as mapTexts, painel as painelTexts } from '../pt-BR/painel.ts'
import { formats } from './formats.ts'

const { date } = formats
const digits = (value: number, maximumFractionDigits = 0) => formats.number(value, { maximumFractionDigits })
const number = (value: number) => digits(value)
/** Small rates keep a digit more, so that they do not all read as zero. */
const rate = (value: number) => digits(value, value < 1 ? 2 : value < 100 ? 1 : 0)
const percent = (value: number) => `${digits(Math.abs(value), Math.abs(value) < 10 ? 1 : 0)} %`
const moment = (at: Date) => `${date(at)} a las ${date(at, { hour: '2-digit', minute: '2-digit' })}`
const utc = (day: string, options: Intl.DateTimeFormatOptions) =>
  date(new Date(`${day}T00:00:00Z`), { ...options, timeZone: 'UTC' })
const week = (semana: string) => `SE ${Number(semana.slice(4))}`

export const charts: typeof chartTexts = {
  table: 'Tabla',
  csv: 'Descargar CSV',
  arriving: 'aún llegando',
  estimated: 'aún llegando, estimación punteada',
  walk: 'Curva por semana. Las flechas avanzan de semana en semana, Mayús y flechas eligen un período, Intro abre los casos.',
}

export const map: typeof mapTexts = {
  walk: 'Mapa. Las flechas recorren los lugares de la tabla, Intro entra en el lugar, Esc vuelve.',
  less: 'menos',
  same: 'igual',
  more: 'más',
  source: 'Fuente: IBGE, límites municipales; simplificados.',
}

export const painel: typeof painelTexts = {
  number,
  rate,
  lead: (parts: string[]) => `${parts.join(', ')}, por municipio de residencia.`,
  copyLink: 'Copiar enlace',
  print: 'Imprimir',
  changedAt: (at: Date) => `Último cambio el ${moment(at)}.`,
  neverChanged: 'Todavía no hay casos de esta enfermedad.',
  lastWeek: (semana: string) => `Casos hasta la ${week(semana)}/${semana.slice(0, 4)}.`,
  importedAt: (at: Date) => `Última importación el ${moment(at)}.`,
  residents: (residents: number, ano: number) => `${number(residents)} habitantes (IBGE, ${ano}).`,
  nothing: 'Ningún caso en este recorte.',
  nearest: (ano: number, casos: number) => `Ver ${ano}: ${number(casos)} casos en el mismo período`,
  wholeCountry: 'Ver todo Brasil',
  keyFigures: 'Cifras principales',
  casos: {
    provavel: 'Casos probables',
    notificado: 'Casos notificados',
    confirmado: 'Casos confirmados',
  } as Record<string, string | undefined>,
  casosNow: 'Casos del recorte',
  incidencia: 'Incidencia por 100 mil',
  confirmados: 'Confirmados',
  hospitalizados: 'Hospitalizaciones',
  obitos: 'Muertes por la enfermedad',
  unknown: '–',
  noResidents: 'población desconocida',
  residentsOf: (ano: number) => `población de ${ano} (IBGE)`,
  ofCases: (share: number) => `${percent(share)} de los casos`,
  before: (value: number) => `(un año antes: ${number(value)})`,
  investigated: (count: number) => `${number(count)} en investigación`,
  noneInvestigated: 'ninguna en investigación',
  change: (pct: number) => `${pct >= 0.05 ? '▲ ' : pct <= -0.05 ? '▼ ' : ''}${percent(pct)}`,
  signed: (pct: number) => `${pct >= 0.05 ? '+' : pct <= -0.05 ? '−' : ''}${percent(pct)}`,
  over: (ano: number, semana: number) => `sobre ${ano}, hasta la SE ${semana}`,
  notCompared: 'sin comparación con el año anterior',
  curve: 'Curva por semana epidemiológica',
  series: 'Series',
  curveNote: 'Arrastre para elegir un período; las flechas avanzan de semana en semana',
  curveSentence: (years: string, peak: { semana: string; casos: number } | null) =>
    peak === null
      ? `Casos por semana epidemiológica, ${years}: ninguno.`
      : `Casos por semana epidemiológica, ${years}. Pico en la ${peak.semana}, ${number(peak.casos)} casos.`,
  measure: 'Medida',
  byEstado: 'por estado',
  byMunicipio: 'por municipio',
  measures: { casos: 'Casos', incidencia: 'Incidencia', per100k: 'Por 100 mil' },
  week,
  weekTick: (semana: string, isFirst: boolean) =>
    isFirst ? `SE ${Number(semana.slice(4))}` : String(Number(semana.slice(4))),
  estimate: 'Estimación',
  weekColumn: 'Semana',
  days: (inicio: string, fim: string) => {
    const [from, to] = [utc(inicio, { day: 'numeric' }), utc(fim, { day: 'numeric', month: 'long' })]
    return inicio.slice(0, 7) === fim.slice(0, 7)
      ? `${from} a ${to}`
      : `${utc(inicio, { day: 'numeric', month: 'long' })} a ${to}`
  },
  middle: (years: string) => `Mitad central de ${years}`,
  lower: (years: string) => `1.er cuartil ${years}`,
  upper: (years: string) => `3.er cuartil ${years}`,
  mapTitles: {
    incidencia: 'Incidencia en el mapa',
    casos: 'Casos en el mapa',
    mudanca: 'Cambio en el mapa',
    nivel: 'Nivel de alerta en el mapa',
  },
  mapMeasures: { incidencia: 'Por 100 mil', casos: 'Casos', mudanca: 'Cambio', nivel: 'Alerta' },
  populationUnknown: 'Población desconocida.',
  changeUnknown: 'Sin casos en las cuatro semanas anteriores.',
  changeNote: 'Cuatro semanas sobre las cuatro anteriores; las que aún llegan quedan fuera.',
  changeWords: (pct: number | null, now: number, before: number) => {
    const weeks = `${number(now)} en 4 semanas, ${number(before)} en las 4 anteriores`
    if (pct === null) return now === 0 ? 'Ningún caso en 8 semanas.' : `${weeks}.`
    const word = pct >= 0.05 ? 'Subió' : pct <= -0.05 ? 'Bajó' : 'Igual'
    return `${word}${word === 'Igual' ? '' : ` ${percent(pct)}`}: ${weeks}.`
  },
  flatNote: 'Todos los lugares están por debajo de 50 por 100 mil; por eso el mapa empieza por los casos.',
  bairros: 'Barrios en el mapa',
  bairro: 'Barrio',
  bairrosNote: (hasBubbles: boolean, rest: number) =>
    [
      hasBubbles
        ? 'Círculos: casos por barrio; el área sigue al número.'
        : 'Ningún barrio con 5 casos o más.',
      ...(rest === 0
        ? []
        : [`${number(rest)} ${rest === 1 ? 'caso' : 'casos'} en barrios con menos de 5, o sin barrio.`]),
    ].join(' '),
  moreBairros: (count: number) => (count === 1 ? 'y 1 barrio más' : `y ${number(count)} barrios más`),
  bairrosAtOnePoint: 'Sin coordenadas propias: todos en este punto.',
  casesOf: (casos: number) => (casos === 1 ? '1 caso' : `${number(casos)} casos`),
  mapSentence: (lugar: string) => `Mapa: ${lugar}. La tabla tiene las mismas cifras.`,
  severalPlaces: 'varios lugares',
  noCases: 'Ningún caso.',
  noCasesHere: 'Ningún caso, o fuera del recorte.',
  casesAndRate: (casos: number, incidencia: number | null) =>
    incidencia === null
      ? `${number(casos)} casos`
      : `${number(casos)} casos · ${rate(incidencia)} por 100 mil`,
  goDown: 'Clic o Intro: entrar',
  place: 'Lugar',
  unknownPlace: 'Lugar desconocido',
  most: { estado: 'Estados con más casos', municipio: 'Municipios con más casos' },
  withCases: {
    estado: (count: number) => (count === 1 ? '1 estado con casos' : `${number(count)} estados con casos`),
    municipio: (count: number) =>
      count === 1 ? '1 municipio con casos' : `${number(count)} municipios con casos`,
  },
  deaths: 'Muertes',
  seeAll: 'Ver todos',
  seeFewer: 'Ver menos',
  fourWeeks: '4 semanas',
  twelveWeeks: '12 semanas',
  fourComplete:
    '4 semanas: las últimas cuatro ya completas sobre las cuatro anteriores; las que aún llegan quedan fuera.',
  work: 'Para resolver hoy',
  workNote: 'Plazos y calidad del mismo recorte',
  allWork: (rest: number) => `Ver más (${number(rest)})`,
  nothingToDo: 'Nada pendiente en este recorte.',
  silent: (from: string, to: string) =>
    from === to
      ? `Municipios sin casos en la ${week(to)}`
      : `Municipios sin casos de las SE ${Number(from.slice(4))} a ${Number(to.slice(4))}`,
  silentSince: (semana: string) => `última: ${week(semana)} de ${semana.slice(0, 4)}`,
  silentAlways: 'ninguno en el período',
  ages: 'Edad y sexo',
  agesNote: 'Casos por grupo de edad, en años',
  agesUnknown: (count: number) => `Casos por grupo de edad, en años; ${number(count)} sin sexo o edad`,
  ageColumn: 'Edad',
  age: (faixa: string) =>
    faixa.startsWith('<')
      ? 'menos de 1 año'
      : faixa.endsWith('+')
        ? '80 años y más'
        : `${faixa.replace('-', ' a ')} años`,
  months: 'Clasificación a lo largo del período',
  monthsNote: 'Todas las clasificaciones, por mes de la semana epidemiológica',
  monthsSentence: 'Casos por mes y clasificación. La tabla tiene las mismas cifras.',
  month: 'Mes',
  monthName: (mes: string) => utc(`${mes}-01`, { month: 'long', year: 'numeric' }),
  monthTick: (mes: string) => utc(`${mes}-01`, { month: 'short' }).replace('.', ''),
  classes: {
    confirmado: 'Confirmado',
    descartado: 'Descartado',
    inconclusivo: 'No concluyente',
    em_investigacao: 'En investigación',
  },
}
