import { weeksIn } from '../../../brasil/epi-week.ts'
import { keyOf } from '../../../brasil/nome.ts'
import { InvalidFile } from '../../importacao/formats/table.ts'
import { shownName } from '../../importacao/layouts/header.ts'
import { type Periodo, periodAt, readPeriod } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, type Lido, LinhaRecusada, SemLugar } from './arquivo.ts'
import { ColunaNumerica, readEstado, readMes, readMunicipio, readPeriodo, readValue } from './celulas.ts'
import { formSerie } from './longa.ts'

/** Wide table as TabNet and TabWin write it: a line for each place, a column for each period. */

interface ColunaDePeriodo {
  index: number
  titulo: string
  period: number
  coluna: ColunaNumerica
  sum: number
}

const SEMANA = /^(?:semana|sem|se)\.?\s*0?(\d{1,2})$/i

/** True where some column beside the first is a period. */
export const isLarga = (header: readonly string[]): boolean =>
  header.slice(1).some((title) => isPeriodTitle(title.trim()))

const isPeriodTitle = (title: string): boolean =>
  SEMANA.test(title) ||
  /^\d{4}$|^\d{6}$|^\d{4}-\d{2}$/.test(title) ||
  readMes(title) !== null ||
  readPeriodo('dia', title) !== null

export function largaLayout(header: readonly string[], contexto: ContextoDoArquivo): LayoutDeSeries {
  const serie = formSerie(contexto.form.serie, contexto.series)
  const { periodo = null } = contexto.form
  if (periodo !== null && periodo !== serie.periodo)
    throw new InvalidFile(`A série ${serie.codigo} é por ${serie.periodo}, não por ${periodo}.`)
  const totalAt = header.findIndex((title, i) => i > 0 && keyOf(title) === 'total')
  const colunas = header.flatMap((title, index) => {
    if (index === 0 || index === totalAt || title.trim() === '') return []
    const period = periodOfTitle(serie, shownName(title), contexto.form.ano)
    return period === null
      ? []
      : [{ index, titulo: shownName(title), period, coluna: new ColunaNumerica(title), sum: 0 }]
  })
  if (colunas.length === 0)
    throw new InvalidFile(`Nenhuma coluna é um período da série ${serie.codigo}, que é por ${serie.periodo}.`)
  return {
    nome: 'larga',
    read({ values }, warn) {
      const name = values[0] ?? ''
      if (keyOf(name) === 'total') {
        for (const aviso of differences(colunas, values)) warn(aviso)
        return []
      }
      const lugar = placeOf(contexto, name)
      const lidos = colunas.flatMap((one): Lido[] => {
        const valor = cellValue(serie, one, values[one.index] ?? '')
        return valor === null ? [] : [{ serie, lugar, index: one.period, valor }]
      })
      for (const { index, valor } of lidos)
        for (const one of colunas) if (one.period === index) one.sum += valor
      if (totalAt > 0) checkTotal(lidos, values[totalAt] ?? '', warn)
      return lidos
    },
  }
}

/** TabNet writes a hyphen for zero. */
const cellValue = (serie: Serie, { coluna }: ColunaDePeriodo, text: string): number | null =>
  text === '-' && serie.tipo_valor !== 'categoria' ? 0 : readValue(serie, coluna, text)

/** Null for a column of something else. */
function periodOfTitle({ periodo }: Serie, title: string, ano: number | null): number | null {
  const [, week] = SEMANA.exec(title) ?? []
  if (week !== undefined) return periodo === 'semana' ? weekOfYear(Number(week), ano, title) : null
  const month = readMes(title)
  if (month !== null) return periodo === 'mes' ? monthOfYear(month, ano) : null
  return readTitle(periodo, title)
}

function readTitle(periodo: Periodo, title: string): number | null {
  const [, year, part] = /^(\d{4})(\d{2})$/.exec(title) ?? []
  if (periodo === 'mes' && year !== undefined) return readPeriod('mes', `${year}-${part}`)
  return readPeriodo(periodo, title)
}

function weekOfYear(week: number, ano: number | null, title: string): number {
  if (ano === null) throw new InvalidFile('As semanas do arquivo não dizem o ano: informe o campo ano.')
  if (week < 1 || week > weeksIn(ano))
    throw new InvalidFile(`A coluna ${title} não existe: ${ano} não tem essa semana.`)
  return periodAt('semana', ano, week - 1) as number
}

function monthOfYear({ mes, ano: written }: { mes: number; ano: number | null }, ano: number | null): number {
  const year = written ?? ano
  if (year === null) throw new InvalidFile('Os meses do arquivo não dizem o ano: informe o campo ano.')
  return periodAt('mes', year, mes) as number
}

function placeOf({ reference, form }: ContextoDoArquivo, name: string): string {
  // `UF0000`: residents of the state, municipality unknown.
  if (/^(\d{2}0000|\d{2}00000)\b/.test(name) || /^(municipio)?ignorad[oa]/.test(keyOf(name)))
    throw new SemLugar()
  const found = readMunicipio(reference, name, form.estado) ?? readEstado(name.replace(/^(\d{2})\s.*$/, '$1'))
  if (found === null) throw new LinhaRecusada(`Lugar "${name.slice(0, 60)}" não reconhecido`)
  return found
}

function checkTotal(lidos: readonly Lido[], text: string, warn: (aviso: string) => void): void {
  const total = Number(text.replace(',', '.'))
  const sum = lidos.reduce((all, { valor }) => all + valor, 0)
  if (text !== '' && Number.isFinite(total) && Math.abs(total - sum) > 1e-6)
    warn(`Total da linha: ${total} no arquivo, ${sum} na soma`)
}

function differences(colunas: readonly ColunaDePeriodo[], values: readonly string[]): string[] {
  return colunas.flatMap(({ index, titulo, sum }) => {
    const text = values[index] ?? ''
    const total = text === '-' ? 0 : Number(text.replace(',', '.'))
    return text !== '' && Number.isFinite(total) && Math.abs(total - sum) > 1e-6
      ? [`Total da coluna ${titulo}: ${total} no arquivo, ${sum} na soma`]
      : []
  })
}
