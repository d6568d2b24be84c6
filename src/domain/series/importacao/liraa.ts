import { weekOf, weeksIn } from '../../../brasil/epi-week.ts'
import { InvalidFile } from '../../importacao/formats/table.ts'
import { columnName } from '../../importacao/layouts/header.ts'
import { ANY_YEAR, readDate } from '../../importacao/layouts/values.ts'
import { FIRST_YEAR, periodAt, readPeriod } from '../periodos.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, LinhaRecusada } from './arquivo.ts'
import { ColunaNumerica, readEstado, readMes, readMunicipio, readValue } from './celulas.ts'

/** Rounds of LIRAa: a line for each municipality and round. */

const INDICES = ['iip', 'ib', 'classificacao', 'a1', 'a2', 'b', 'c', 'd1', 'd2', 'e']

export function isLiraa(header: readonly string[]): boolean {
  const names = header.map(columnName)
  return (
    names.includes('ciclo') && names.includes('municipio') && INDICES.some((name) => names.includes(name))
  )
}

export function liraaLayout(
  header: readonly string[],
  { reference, form, series, lugar: given }: ContextoDoArquivo,
): LayoutDeSeries {
  const names = header.map(columnName)
  const at = (values: readonly string[], name: string) => values[names.indexOf(name)] ?? ''
  const columns = INDICES.flatMap((name) => {
    const serie = series.get(`liraa_${name}`)
    return names.includes(name) && serie !== undefined
      ? [{ name, serie, coluna: new ColunaNumerica(name) }]
      : []
  })
  if (columns.length === 0) throw new InvalidFile('Nenhuma série do LIRAa está ativa.')
  return {
    nome: 'liraa',
    read({ values }) {
      const uf = readEstado(at(values, 'estado') || at(values, 'uf')) ?? form.estado
      const lugar = given ?? readMunicipio(reference, at(values, 'municipio'), uf)
      if (lugar === null)
        throw new LinhaRecusada(`Lugar "${at(values, 'municipio').slice(0, 60)}" não reconhecido`)
      const index = weekOfRound(at(values, 'ciclo'), Number(at(values, 'ano')) || form.ano)
      return columns.flatMap(({ name, serie, coluna }) => {
        const valor = readValue(serie, coluna, at(values, name))
        return valor === null ? [] : [{ serie, lugar, index, valor }]
      })
    },
  }
}

/** Later ones are the future of any clock. */
const LAST_YEAR = 2200

/** A week, a date, or a month: its week that holds the 15th. */
function weekOfRound(ciclo: string, ano: number | null): number {
  const week = readPeriod('semana', ciclo)
  if (week !== null) return week
  const date = readDate(ciclo, ANY_YEAR)
  if (date !== null) return weekOf(date)
  const month = readMes(ciclo)
  const year = month?.ano ?? ano
  if (month !== null && year !== null && year >= FIRST_YEAR && year <= LAST_YEAR)
    return weekOf(`${String(year).padStart(4, '0')}-${String(month.mes + 1).padStart(2, '0')}-15`)
  const [, number] = /^(?:se\s*)?(\d{1,2})$/i.exec(ciclo) ?? []
  if (number !== undefined && ano !== null && Number(number) >= 1 && Number(number) <= weeksIn(ano))
    return periodAt('semana', ano, Number(number) - 1) as number
  throw new LinhaRecusada(`Ciclo "${ciclo.slice(0, 20)}" não é semana, mês ou data`)
}
