import { InvalidFile } from '../../importacao/formats/table.ts'
import { withoutAccents } from '../../importacao/layouts/values.ts'
import { readPeriod } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, type Lido, LinhaRecusada } from './arquivo.ts'
import { ColunaNumerica, readMunicipio } from './celulas.ts'

/** Station files of INMET: hours in UTC, or days. */

type Agrega = 'soma' | 'media' | 'maximo' | 'minimo'

/** Beginning of a column's name, the series it feeds and how hours become days. */
const VARIAVEIS: readonly [begins: string, codigo: string, agrega: Agrega][] = [
  ['PRECIPITACAO TOTAL', 'chuva', 'soma'],
  ['TEMPERATURA DO AR', 'temp_med', 'media'],
  ['TEMPERATURA MEDIA', 'temp_med', 'media'],
  ['TEMPERATURA MAXIMA', 'temp_max', 'maximo'],
  ['TEMPERATURA MINIMA', 'temp_min', 'minimo'],
  ['UMIDADE REL. MAX', 'umid_max', 'maximo'],
  ['UMIDADE REL. MIN', 'umid_min', 'minimo'],
  ['UMIDADE RELATIVA DO AR, MINIMA', 'umid_min', 'minimo'],
  ['UMIDADE RELATIVA', 'umid_med', 'media'],
]

/** Hours of a variable that a day needs. */
const FEWEST_HOURS = 18
/** The day is that of UTC−3 in the whole country. */
const HOURS_BEHIND = 3

interface Dia {
  count: number
  sum: number
  minimo: number
  maximo: number
}

interface Variavel {
  index: number
  serie: Serie
  agrega: Agrega
  coluna: ColunaNumerica
  dias: Map<number, Dia>
}

const plainKey = (text: string) => withoutAccents(text).toUpperCase().trim()

export const isInmet = (header: readonly string[]): boolean =>
  /^(REGIAO|UF|NOME|CODIGO|ESTACAO)/.test(plainKey(header[0] ?? '')) && (header[0] ?? '').trim().endsWith(':')

/** The first line of the file is the header of its table, though it is the first of eight about the station. */
export function inmetLayout(header: readonly string[], contexto: ContextoDoArquivo): LayoutDeSeries {
  const about = new Map([[nameOf(header[0] ?? ''), header[1] ?? '']])
  let variaveis: Variavel[] | null = null
  let hourly = true
  let lugar: string | null = null

  function begin(values: readonly string[], warn: (aviso: string) => void): void {
    hourly = /^HORA/.test(plainKey(values[1] ?? ''))
    lugar = contexto.lugar ?? placeOfStation(contexto, about)
    variaveis = variaveisOf(values, contexto, warn)
  }

  return {
    nome: 'inmet',
    read({ values }, warn) {
      if (variaveis === null) {
        if (/^DATA( MEDICAO)?( \(|$)/.test(plainKey(values[0] ?? ''))) begin(values, warn)
        else about.set(nameOf(values[0] ?? ''), values[1] ?? '')
        return null
      }
      addHour(variaveis, dayOfRow(values, hourly), values)
      return []
    },
    end() {
      if (variaveis === null || lugar === null)
        throw new InvalidFile('Arquivo do INMET sem a linha de cabeçalho que começa por Data.')
      return daysOf(variaveis, lugar, hourly ? FEWEST_HOURS : 1)
    },
  }
}

const nameOf = (text: string) => plainKey(text).replace(/:$/, '')

function placeOfStation({ reference }: ContextoDoArquivo, about: ReadonlyMap<string, string>): string {
  const nome = about.get('ESTACAO') ?? about.get('NOME') ?? ''
  const found = readMunicipio(reference, nome, about.get('UF') ?? null)
  if (found !== null) return found
  throw new InvalidFile(
    `A estação ${nome.slice(0, 60) || 'sem nome'} não tem o nome de um município: informe o campo municipio.`,
  )
}

function variaveisOf(
  header: readonly string[],
  { series }: ContextoDoArquivo,
  warn: (aviso: string) => void,
): Variavel[] {
  const found: Variavel[] = []
  for (const [index, title] of header.entries()) {
    const name = plainKey(title)
    const variable = VARIAVEIS.find(([begins]) => name.startsWith(begins))
    if (variable === undefined || found.some(({ serie }) => serie.codigo === variable[1])) continue
    const serie = series.get(variable[1])
    if (serie === undefined) warn(`A série ${variable[1]} não está ativa: a coluna não foi lida`)
    else found.push({ index, serie, agrega: variable[2], coluna: new ColunaNumerica(title), dias: new Map() })
  }
  if (found.length === 0)
    throw new InvalidFile('Arquivo do INMET sem colunas de chuva, temperatura ou umidade.')
  return found
}

function dayOfRow([data = '', hora = '']: readonly string[], hourly: boolean): number {
  const day = readPeriod('dia', data.replaceAll('/', '-').trim())
  if (day === null) throw new LinhaRecusada(`Data "${data.slice(0, 20)}" não reconhecida`)
  if (!hourly) return day
  const [, hour] = /^(\d{2}):?\d{2}/.exec(hora.trim()) ?? []
  if (hour === undefined || Number(hour) > 23)
    throw new LinhaRecusada(`Hora "${hora.slice(0, 20)}" não reconhecida`)
  return Number(hour) < HOURS_BEHIND ? day - 1 : day
}

function addHour(variaveis: readonly Variavel[], day: number, values: readonly string[]): void {
  const read = variaveis.map(({ coluna, index }) => coluna.read(values[index] ?? ''))
  for (const [i, { dias }] of variaveis.entries()) {
    const valor = read[i]
    if (valor === null || valor === undefined) continue
    const dia = dias.get(day) ?? {
      count: 0,
      sum: 0,
      minimo: Number.POSITIVE_INFINITY,
      maximo: Number.NEGATIVE_INFINITY,
    }
    dia.count += 1
    dia.sum += valor
    dia.minimo = Math.min(dia.minimo, valor)
    dia.maximo = Math.max(dia.maximo, valor)
    dias.set(day, dia)
  }
}

function daysOf(variaveis: readonly Variavel[], lugar: string, fewest: number): Lido[] {
  return variaveis.flatMap(({ serie, agrega, dias }) =>
    [...dias]
      .filter(([, { count }]) => count >= fewest)
      .map(([index, dia]) => ({ serie, lugar, index, valor: dailyValue(agrega, dia) })),
  )
}

function dailyValue(agrega: Agrega, { sum, count, minimo, maximo }: Dia): number {
  if (agrega === 'soma') return sum
  if (agrega === 'media') return sum / count
  return agrega === 'maximo' ? maximo : minimo
}
