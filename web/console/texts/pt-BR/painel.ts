import { formats } from './formats.ts'

const { date } = formats
const digits = (value: number, maximumFractionDigits = 0) => formats.number(value, { maximumFractionDigits })
const number = (value: number) => digits(value)
/** Small rates keep a digit more, so that they do not all read as zero. */
const rate = (value: number) => digits(value, value < 1 ? 2 : value < 100 ? 1 : 0)
const percent = (value: number) => `${digits(Math.abs(value), Math.abs(value) < 10 ? 1 : 0)} %`
const moment = (at: Date) => `${date(at)} às ${date(at, { hour: '2-digit', minute: '2-digit' })}`
const utc = (day: string, options: Intl.DateTimeFormatOptions) =>
  date(new Date(`${day}T00:00:00Z`), { ...options, timeZone: 'UTC' })
const week = (semana: string) => `SE ${Number(semana.slice(4))}`

export const charts = {
  table: 'Tabela',
  csv: 'Baixar CSV',
  arriving: 'ainda chegando',
  estimated: 'ainda chegando, estimativa pontilhada',
  walk: 'Curva por semana. Setas andam de semana em semana, Shift e setas escolhem um período, Enter abre os casos.',
}

export const map = {
  walk: 'Mapa. Setas andam pelos lugares da tabela, Enter entra no lugar, Esc volta.',
  less: 'menos',
  same: 'igual',
  more: 'mais',
  source: 'Fonte: IBGE, malha municipal; simplificada.',
}

export const painel = {
  number,
  rate,
  lead: (parts: string[]) => `${parts.join(', ')}, por município de residência.`,
  copyLink: 'Copiar link',
  print: 'Imprimir',
  changedAt: (at: Date) => `Última mudança em ${moment(at)}.`,
  neverChanged: 'Nenhum caso deste agravo ainda.',
  lastWeek: (semana: string) => `Casos até a ${week(semana)}/${semana.slice(0, 4)}.`,
  importedAt: (at: Date) => `Última importação em ${moment(at)}.`,
  residents: (residents: number, ano: number) => `${number(residents)} habitantes (IBGE, ${ano}).`,
  nothing: 'Nenhum caso neste recorte.',
  nearest: (ano: number, casos: number) => `Ver ${ano}: ${number(casos)} casos no mesmo período`,
  wholeCountry: 'Ver o Brasil inteiro',
  keyFigures: 'Números principais',
  casos: {
    provavel: 'Casos prováveis',
    notificado: 'Casos notificados',
    confirmado: 'Casos confirmados',
  } as Record<string, string | undefined>,
  casosNow: 'Casos no recorte',
  incidencia: 'Incidência por 100 mil',
  confirmados: 'Confirmados',
  hospitalizados: 'Hospitalizações',
  obitos: 'Óbitos pelo agravo',
  unknown: '–',
  noResidents: 'população desconhecida',
  residentsOf: (ano: number) => `população de ${ano} (IBGE)`,
  ofCases: (share: number) => `${percent(share)} dos casos`,
  before: (value: number) => `(um ano antes: ${number(value)})`,
  investigated: (count: number) => `${number(count)} em investigação`,
  noneInvestigated: 'nenhum em investigação',
  change: (pct: number) => `${pct >= 0.05 ? '▲ ' : pct <= -0.05 ? '▼ ' : ''}${percent(pct)}`,
  signed: (pct: number) => `${pct >= 0.05 ? '+' : pct <= -0.05 ? '−' : ''}${percent(pct)}`,
  over: (ano: number, semana: number) => `sobre ${ano}, até a SE ${semana}`,
  notCompared: 'sem comparação com o ano anterior',
  curve: 'Curva por semana epidemiológica',
  series: 'Séries',
  curveNote: 'Arraste para escolher um período; setas andam de semana em semana',
  curveSentence: (years: string, peak: { semana: string; casos: number } | null) =>
    peak === null
      ? `Casos por semana epidemiológica, ${years}: nenhum.`
      : `Casos por semana epidemiológica, ${years}. Pico na ${peak.semana}, ${number(peak.casos)} casos.`,
  measure: 'Medida',
  byEstado: 'por estado',
  byMunicipio: 'por município',
  measures: { casos: 'Casos', incidencia: 'Incidência', per100k: 'Por 100 mil' },
  week,
  weekTick: (semana: string, isFirst: boolean) =>
    isFirst ? `SE ${Number(semana.slice(4))}` : String(Number(semana.slice(4))),
  estimate: 'Estimativa',
  weekColumn: 'Semana',
  days: (inicio: string, fim: string) => {
    const [from, to] = [utc(inicio, { day: 'numeric' }), utc(fim, { day: 'numeric', month: 'long' })]
    return inicio.slice(0, 7) === fim.slice(0, 7)
      ? `${from} a ${to}`
      : `${utc(inicio, { day: 'numeric', month: 'long' })} a ${to}`
  },
  middle: (years: string) => `Metade central de ${years}`,
  lower: (years: string) => `1º quartil ${years}`,
  upper: (years: string) => `3º quartil ${years}`,
  mapTitles: {
    incidencia: 'Incidência no mapa',
    casos: 'Casos no mapa',
    mudanca: 'Mudança no mapa',
    nivel: 'Nível de alerta no mapa',
  },
  mapMeasures: { incidencia: 'Por 100 mil', casos: 'Casos', mudanca: 'Mudança', nivel: 'Alerta' },
  populationUnknown: 'Sem população conhecida.',
  changeUnknown: 'Sem casos nas quatro semanas anteriores.',
  changeNote: 'Quatro semanas sobre as quatro anteriores; as que ainda chegam ficam de fora.',
  changeWords: (pct: number | null, now: number, before: number) => {
    const weeks = `${number(now)} em 4 semanas, ${number(before)} nas 4 anteriores`
    if (pct === null) return now === 0 ? 'Nenhum caso em 8 semanas.' : `${weeks}.`
    const word = pct >= 0.05 ? 'Subiu' : pct <= -0.05 ? 'Caiu' : 'Igual'
    return `${word}${word === 'Igual' ? '' : ` ${percent(pct)}`}: ${weeks}.`
  },
  flatNote: 'Todos os lugares estão abaixo de 50 por 100 mil; por isso o mapa começa pelos casos.',
  bairros: 'Bairros no mapa',
  bairro: 'Bairro',
  bairrosNote: (hasBubbles: boolean, rest: number) =>
    [
      hasBubbles
        ? 'Círculos: casos por bairro; a área segue o número.'
        : 'Nenhum bairro com 5 casos ou mais.',
      ...(rest === 0
        ? []
        : [`${number(rest)} ${rest === 1 ? 'caso' : 'casos'} em bairros com menos de 5, ou sem bairro.`]),
    ].join(' '),
  moreBairros: (count: number) => (count === 1 ? 'e mais 1 bairro' : `e mais ${number(count)} bairros`),
  bairrosAtOnePoint: 'Sem coordenadas próprias: todos neste ponto.',
  casesOf: (casos: number) => (casos === 1 ? '1 caso' : `${number(casos)} casos`),
  mapSentence: (lugar: string) => `Mapa: ${lugar}. A tabela traz os mesmos números.`,
  severalPlaces: 'vários lugares',
  noCases: 'Nenhum caso.',
  noCasesHere: 'Nenhum caso, ou fora do recorte.',
  casesAndRate: (casos: number, incidencia: number | null) =>
    incidencia === null
      ? `${number(casos)} casos`
      : `${number(casos)} casos · ${rate(incidencia)} por 100 mil`,
  goDown: 'Clique ou Enter: entrar',
  place: 'Lugar',
  unknownPlace: 'Lugar desconhecido',
  most: { estado: 'Estados com mais casos', municipio: 'Municípios com mais casos' },
  withCases: {
    estado: (count: number) => (count === 1 ? '1 estado com casos' : `${number(count)} estados com casos`),
    municipio: (count: number) =>
      count === 1 ? '1 município com casos' : `${number(count)} municípios com casos`,
  },
  deaths: 'Óbitos',
  seeAll: 'Ver todos',
  seeFewer: 'Ver menos',
  fourWeeks: '4 semanas',
  twelveWeeks: '12 semanas',
  fourComplete:
    '4 semanas: as últimas quatro já completas sobre as quatro anteriores; as que ainda chegam ficam de fora.',
  work: 'Para resolver hoje',
  workNote: 'Prazos e qualidade do mesmo recorte',
  allWork: (rest: number) => `Ver mais (${number(rest)})`,
  nothingToDo: 'Nada pendente neste recorte.',
  silent: (from: string, to: string) =>
    from === to
      ? `Municípios sem casos na ${week(to)}`
      : `Municípios sem casos das SE ${Number(from.slice(4))} a ${Number(to.slice(4))}`,
  silentSince: (semana: string) => `última: ${week(semana)} de ${semana.slice(0, 4)}`,
  silentAlways: 'nenhum no período',
  ages: 'Idade e sexo',
  agesNote: 'Casos por faixa de idade, em anos',
  agesUnknown: (count: number) => `Casos por faixa de idade, em anos; ${number(count)} sem sexo ou idade`,
  ageColumn: 'Idade',
  age: (faixa: string) =>
    faixa.startsWith('<')
      ? 'menos de 1 ano'
      : faixa.endsWith('+')
        ? '80 anos e mais'
        : `${faixa.replace('-', ' a ')} anos`,
  months: 'Classificação ao longo do período',
  monthsNote: 'Todas as classificações, por mês da semana epidemiológica',
  monthsSentence: 'Casos por mês e classificação. A tabela traz os mesmos números.',
  month: 'Mês',
  monthName: (mes: string) => utc(`${mes}-01`, { month: 'long', year: 'numeric' }),
  monthTick: (mes: string) => utc(`${mes}-01`, { month: 'short' }).replace('.', ''),
  classes: {
    confirmado: 'Confirmado',
    descartado: 'Descartado',
    inconclusivo: 'Inconclusivo',
    em_investigacao: 'Em investigação',
  },
}
