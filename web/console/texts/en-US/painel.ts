import type { charts as chartTexts, map as mapTexts, painel as painelTexts } from '../pt-BR/painel.ts'
import { formats } from './formats.ts'

const { date } = formats
const digits = (value: number, maximumFractionDigits = 0) => formats.number(value, { maximumFractionDigits })
const number = (value: number) => digits(value)
/** Small rates keep a digit more, so that they do not all read as zero. */
const rate = (value: number) => digits(value, value < 1 ? 2 : value < 100 ? 1 : 0)
const percent = (value: number) => `${digits(Math.abs(value), Math.abs(value) < 10 ? 1 : 0)}%`
const moment = (at: Date) => `${date(at)} at ${date(at, { hour: '2-digit', minute: '2-digit' })}`
const utc = (day: string, options: Intl.DateTimeFormatOptions) =>
  date(new Date(`${day}T00:00:00Z`), { ...options, timeZone: 'UTC' })
const week = (semana: string) => `Week ${Number(semana.slice(4))}`

export const charts: typeof chartTexts = {
  table: 'Table',
  csv: 'Download CSV',
  arriving: 'still arriving',
  estimated: 'still arriving, estimate dotted',
  walk: 'Curve by week. Arrows move from week to week, Shift and arrows choose a period, Enter opens the cases.',
}

export const map: typeof mapTexts = {
  walk: 'Map. Arrows move through the places of the table, Enter goes into a place, Esc goes back.',
  less: 'less',
  same: 'same',
  more: 'more',
  source: 'Source: IBGE, municipal boundaries; simplified.',
}

export const painel: typeof painelTexts = {
  number,
  rate,
  lead: (parts: string[]) => `${parts.join(', ')}, by municipality of residence.`,
  copyLink: 'Copy link',
  print: 'Print',
  changedAt: (at: Date) => `Last change on ${moment(at)}.`,
  neverChanged: 'No cases of this disease yet.',
  lastWeek: (semana: string) => `Cases up to ${week(semana)}/${semana.slice(0, 4)}.`,
  importedAt: (at: Date) => `Last import on ${moment(at)}.`,
  residents: (residents: number, ano: number) => `${number(residents)} inhabitants (IBGE, ${ano}).`,
  nothing: 'No cases match this filter.',
  nearest: (ano: number, casos: number) => `See ${ano}: ${number(casos)} cases in the same period`,
  wholeCountry: 'See all of Brazil',
  keyFigures: 'Key figures',
  casos: {
    provavel: 'Probable cases',
    notificado: 'Notified cases',
    confirmado: 'Confirmed cases',
  } as Record<string, string | undefined>,
  casosNow: 'Cases in the filter',
  incidencia: 'Incidence per 100,000',
  confirmados: 'Confirmed',
  hospitalizados: 'Hospitalisations',
  obitos: 'Deaths from the disease',
  unknown: '–',
  noResidents: 'population unknown',
  residentsOf: (ano: number) => `population of ${ano} (IBGE)`,
  ofCases: (share: number) => `${percent(share)} of the cases`,
  before: (value: number) => `(a year before: ${number(value)})`,
  investigated: (count: number) => `${number(count)} under investigation`,
  noneInvestigated: 'none under investigation',
  change: (pct: number) => `${pct >= 0.05 ? '▲ ' : pct <= -0.05 ? '▼ ' : ''}${percent(pct)}`,
  signed: (pct: number) => `${pct >= 0.05 ? '+' : pct <= -0.05 ? '−' : ''}${percent(pct)}`,
  over: (ano: number, semana: number) => `on ${ano}, up to week ${semana}`,
  notCompared: 'not compared with the year before',
  curve: 'Curve by epidemiological week',
  series: 'Series',
  curveNote: 'Drag to choose a period; arrows move from week to week',
  curveSentence: (years: string, peak: { semana: string; casos: number } | null) =>
    peak === null
      ? `Cases by epidemiological week, ${years}: none.`
      : `Cases by epidemiological week, ${years}. Peak in ${peak.semana}, ${number(peak.casos)} cases.`,
  measure: 'Measure',
  byEstado: 'by state',
  byMunicipio: 'by municipality',
  measures: { casos: 'Cases', incidencia: 'Incidence', per100k: 'Per 100,000' },
  week,
  weekTick: (semana: string, isFirst: boolean) =>
    isFirst ? `Wk ${Number(semana.slice(4))}` : String(Number(semana.slice(4))),
  estimate: 'Estimate',
  weekColumn: 'Week',
  days: (inicio: string, fim: string) => {
    const [from, to] = [utc(inicio, { day: 'numeric' }), utc(fim, { day: 'numeric', month: 'long' })]
    return inicio.slice(0, 7) === fim.slice(0, 7)
      ? `${from} to ${to}`
      : `${utc(inicio, { day: 'numeric', month: 'long' })} to ${to}`
  },
  middle: (years: string) => `Middle half of ${years}`,
  lower: (years: string) => `1st quartile ${years}`,
  upper: (years: string) => `3rd quartile ${years}`,
  mapTitles: {
    incidencia: 'Incidence on the map',
    casos: 'Cases on the map',
    mudanca: 'Change on the map',
    nivel: 'Alert level on the map',
  },
  mapMeasures: { incidencia: 'Per 100,000', casos: 'Cases', mudanca: 'Change', nivel: 'Alert' },
  populationUnknown: 'Population unknown.',
  changeUnknown: 'No cases in the four weeks before.',
  changeNote: 'Four weeks against the four before; those still arriving are left out.',
  changeWords: (pct: number | null, now: number, before: number) => {
    const weeks = `${number(now)} in 4 weeks, ${number(before)} in the 4 before`
    if (pct === null) return now === 0 ? 'No cases in 8 weeks.' : `${weeks}.`
    const word = pct >= 0.05 ? 'Up' : pct <= -0.05 ? 'Down' : 'Same'
    return `${word}${word === 'Same' ? '' : ` ${percent(pct)}`}: ${weeks}.`
  },
  flatNote: 'All places are below 50 per 100,000; the map therefore begins with cases.',
  bairros: 'Neighbourhoods on the map',
  bairro: 'Neighbourhood',
  bairrosNote: (hasBubbles: boolean, rest: number) =>
    [
      hasBubbles
        ? 'Circles: cases by neighbourhood; the area follows the number.'
        : 'No neighbourhood with 5 cases or more.',
      ...(rest === 0
        ? []
        : [
            `${number(rest)} ${rest === 1 ? 'case' : 'cases'} in neighbourhoods with fewer than 5, or without one.`,
          ]),
    ].join(' '),
  moreBairros: (count: number) =>
    count === 1 ? 'and 1 more neighbourhood' : `and ${number(count)} more neighbourhoods`,
  bairrosAtOnePoint: 'Without coordinates of their own: all at this point.',
  casesOf: (casos: number) => (casos === 1 ? '1 case' : `${number(casos)} cases`),
  mapSentence: (lugar: string) => `Map: ${lugar}. The table has the same numbers.`,
  severalPlaces: 'several places',
  noCases: 'No cases.',
  noCasesHere: 'No cases, or outside of the filter.',
  casesAndRate: (casos: number, incidencia: number | null) =>
    incidencia === null
      ? `${number(casos)} cases`
      : `${number(casos)} cases · ${rate(incidencia)} per 100,000`,
  goDown: 'Click or Enter: go in',
  place: 'Place',
  unknownPlace: 'Unknown place',
  most: { estado: 'States with the most cases', municipio: 'Municipalities with the most cases' },
  withCases: {
    estado: (count: number) => (count === 1 ? '1 state with cases' : `${number(count)} states with cases`),
    municipio: (count: number) =>
      count === 1 ? '1 municipality with cases' : `${number(count)} municipalities with cases`,
  },
  deaths: 'Deaths',
  seeAll: 'See all',
  seeFewer: 'See fewer',
  fourWeeks: '4 weeks',
  twelveWeeks: '12 weeks',
  fourComplete:
    '4 weeks: the last four complete ones against the four before; those still arriving are left out.',
  work: 'To do today',
  workNote: 'Deadlines and quality within the same filter',
  allWork: (rest: number) => `See more (${number(rest)})`,
  nothingToDo: 'Nothing to do within this filter.',
  silent: (from: string, to: string) =>
    from === to
      ? `Municipalities without cases in week ${Number(to.slice(4))}`
      : `Municipalities without cases of weeks ${Number(from.slice(4))} to ${Number(to.slice(4))}`,
  silentSince: (semana: string) => `last: week ${Number(semana.slice(4))} of ${semana.slice(0, 4)}`,
  silentAlways: 'none in the period',
  ages: 'Age and sex',
  agesNote: 'Cases by age band, in years',
  agesUnknown: (count: number) => `Cases by age band, in years; ${number(count)} without sex or age`,
  ageColumn: 'Age',
  age: (faixa: string) =>
    faixa.startsWith('<')
      ? 'under 1 year'
      : faixa.endsWith('+')
        ? '80 years and over'
        : `${faixa.replace('-', ' to ')} years`,
  months: 'Classification over the period',
  monthsNote: 'All classifications, by month of the epidemiological week',
  monthsSentence: 'Cases by month and classification. The table has the same numbers.',
  month: 'Month',
  monthName: (mes: string) => utc(`${mes}-01`, { month: 'long', year: 'numeric' }),
  monthTick: (mes: string) => utc(`${mes}-01`, { month: 'short' }).replace('.', ''),
  classes: {
    confirmado: 'Confirmed',
    descartado: 'Discarded',
    inconclusivo: 'Inconclusive',
    em_investigacao: 'Under investigation',
  },
}
