import { addDays } from '../../../brasil/calendar.ts'
import { semanaOf } from '../../../brasil/epi-week.ts'
import { invalid } from '../../../errors/catalogue.ts'
import type { Filter } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { type Consulta, consultaOf } from '../counters/counters.sql.ts'
import { SEXOS } from '../enumeracoes.ts'
import { type Contagem, countAll, countBy, countTotals, FAIXAS_ETARIAS } from './estatisticas.sql.ts'

export const AGREGACOES = ['dia', 'semana', 'mes'] as const
export type Agregacao = (typeof AGREGACOES)[number]
export const DATAS_BASE = ['notificacao', 'sintomas'] as const
export const AGRUPAMENTOS = ['tipo_agravo', 'faixa_etaria', 'sexo', 'estado', 'municipio'] as const
export type Agrupamento = (typeof AGRUPAMENTOS)[number]

export interface Pedido {
  filter: Filter
  agregacao: Agregacao | null
  dataBase: (typeof DATAS_BASE)[number]
  agruparPor: Agrupamento[]
}

export interface Numeros extends Contagem {
  /** Percentages of the total, two decimals. */
  taxa_hospitalizacao: number
  taxa_obito: number
}

export interface Ponto extends Numeros {
  periodo: string
  inicio: string
  fim: string
}

export interface Grupo extends Numeros {
  valor: string | null
  nome: string | null
}

interface Serie {
  pontos: Ponto[]
  sem_data: number
}

export interface Resumo {
  periodo: { inicio: string | null; fim: string | null }
  numeros: Numeros
  /** Null when no series was asked for. */
  serie: Serie | null
  grupos: Partial<Record<Agrupamento, Grupo[]>>
}

const NOTHING: Contagem = {
  total: 0,
  confirmado: 0,
  descartado: 0,
  inconclusivo: 0,
  em_investigacao: 0,
  hospitalizados: 0,
  obitos: 0,
}

export async function summarise(
  { db, municipios }: Pick<App, 'db' | 'municipios'>,
  { filter, agregacao, dataBase, agruparPor }: Pedido,
): Promise<Resumo> {
  const consulta = consultaOf(filter, municipios)
  const asked = periodAsked(filter)
  const serie = agregacao && (await seriesOf(db, consulta, agregacao, dataBase, asked))
  const { periodo, ...totals } = await totalsOf(asked)
  const grupos: Resumo['grupos'] = {}
  for (const chave of agruparPor)
    grupos[chave] = labelled(chave, await countBy<string | number>(db, chave, consulta), municipios)
  return { periodo, numeros: withRates(totals), serie, grupos }

  async function totalsOf({ inicio, fim }: Resumo['periodo']): Promise<Contagem & Pick<Resumo, 'periodo'>> {
    if (inicio === null || fim === null) {
      const { primeira, ultima, ...totals } = await countTotals(db, consulta)
      return { ...totals, periodo: { inicio: inicio ?? primeira, fim: fim ?? ultima } }
    }
    // Every case has a day of notification: the curve by those has all of them.
    const isInSerie = serie !== null && dataBase === 'notificacao'
    const totals = isInSerie ? serie.pontos.reduce<Contagem>(add, NOTHING) : await countAll(db, consulta)
    return { ...totals, periodo: asked }
  }
}

async function seriesOf(
  db: App['db'],
  consulta: Consulta,
  agregacao: Agregacao,
  dataBase: Pedido['dataBase'],
  asked: Resumo['periodo'],
): Promise<Serie> {
  const isBySintomas = dataBase === 'sintomas'
  const byNotificacao = agregacao === 'mes' ? 'mes' : 'data_notificacao'
  const counted = await countBy<string>(db, isBySintomas ? 'data_inicio_sintomas' : byNotificacao, consulta)
  const dated = counted.filter(({ valor }) => valor !== null) as (Contagem & { valor: string })[]
  const sem_data = counted.find(({ valor }) => valor === null)?.total ?? 0
  const range = isBySintomas ? { inicio: null, fim: null } : asked
  return { pontos: pointsOf(dated, agregacao, range), sem_data }
}

/** The period that plain limits name; `null` where there is none. */
function periodAsked(filter: Filter): { inicio: string | null; fim: string | null } {
  const tests = filter.kind === 'and' ? filter.of : [filter]
  const limitOf = (...names: string[]) => {
    const test = tests.find((one) => one.kind === 'test' && names.includes(one.field))
    return test?.kind === 'test' ? String(test.value) : null
  }
  return {
    inicio: limitOf('data_inicio', 'data_notificacao_inicio'),
    fim: limitOf('data_fim', 'data_notificacao_fim'),
  }
}

/** More than a curve can show; a coarser step is asked for instead. */
const MAX_POINTS = 5_000

/** Every period from the first to the last, those without cases too: a curve has no holes. */
function pointsOf(
  days: (Contagem & { valor: string })[],
  agregacao: Agregacao,
  asked: { inicio: string | null; fim: string | null },
): Ponto[] {
  const first = asked.inicio ?? days.at(0)?.valor
  const last = asked.fim ?? days.at(-1)?.valor
  if (first === undefined || last === undefined) return []
  const points = new Map<string, Ponto>()
  for (let day = first; day <= last; ) {
    const period = PERIODS[agregacao](day)
    points.set(period.periodo, { ...period, ...withRates(NOTHING) })
    if (points.size > MAX_POINTS) throw invalid('query', ['agregacao'], 'TOO_MANY', { limit: MAX_POINTS })
    // The day after the last of the calendar has no spelling.
    if (period.fim >= last) break
    day = addDays(period.fim, 1)
  }
  const sums = new Map<string, Contagem>()
  for (const { valor, ...counted } of days) {
    const { periodo } = PERIODS[agregacao](valor)
    sums.set(periodo, add(sums.get(periodo) ?? NOTHING, counted))
  }
  for (const [periodo, sum] of sums) Object.assign(points.get(periodo) as Ponto, withRates(sum))
  return [...points.values()]
}

const PERIODS: Record<Agregacao, (day: string) => Pick<Ponto, 'periodo' | 'inicio' | 'fim'>> = {
  dia: (day) => ({ periodo: day, inicio: day, fim: day }),
  semana: (day) => {
    const { codigo, inicio, fim } = semanaOf(day)
    return { periodo: codigo, inicio, fim }
  },
  mes: (day) => {
    const periodo = day.slice(0, 7)
    const [year, month] = periodo.split('-').map(Number) as [number, number]
    const fim = new Date(Date.UTC(2000, month, 0))
    fim.setUTCFullYear(year, month, 0)
    return { periodo, inicio: `${periodo}-01`, fim: fim.toISOString().slice(0, 10) }
  },
}

function add(a: Contagem, b: Contagem): Contagem {
  return Object.fromEntries(
    Object.keys(NOTHING).map((key) => [key, a[key as keyof Contagem] + b[key as keyof Contagem]]),
  ) as unknown as Contagem
}

function withRates(counted: Contagem): Numeros {
  const rate = (part: number) => (counted.total === 0 ? 0 : Math.round((part / counted.total) * 10_000) / 100)
  return {
    ...counted,
    taxa_hospitalizacao: rate(counted.hospitalizados),
    taxa_obito: rate(counted.obitos),
  }
}

const ORDERS: Partial<Record<Agrupamento, readonly string[]>> = { faixa_etaria: FAIXAS_ETARIAS, sexo: SEXOS }

/** In the order of the form where there is one; what is not known comes last. */
function labelled(
  chave: Agrupamento,
  rows: (Contagem & { valor: string | number | null })[],
  municipios: App['municipios'],
): Grupo[] {
  const order = ORDERS[chave]
  const rank = (valor: string | number | null) => order?.indexOf(String(valor)) ?? 0
  const sorted = order
    ? [...rows].sort(
        (a, b) => Number(a.valor === null) - Number(b.valor === null) || rank(a.valor) - rank(b.valor),
      )
    : rows
  return sorted.map(({ valor, ...counted }) => ({
    valor: valor === null ? null : String(valor),
    nome: chave === 'municipio' && valor !== null ? (municipios.byCodigo(Number(valor))?.nome ?? null) : null,
    ...withRates(counted),
  }))
}
