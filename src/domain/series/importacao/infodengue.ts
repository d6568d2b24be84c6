import { isCalendarDate } from '../../../brasil/calendar.ts'
import { InvalidFile } from '../../importacao/formats/table.ts'
import { columnName } from '../../importacao/layouts/header.ts'
import { firstDayOfPeriod, readPeriod } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, LinhaRecusada } from './arquivo.ts'
import { ColunaNumerica, readMunicipio } from './celulas.ts'

/** Weekly table of a municipality as InfoDengue publishes it. */

const CLIMA: Record<string, string> = {
  tempmin: 'temp_min_sem',
  tempmed: 'temp_med_sem',
  tempmax: 'temp_max_sem',
  umidmin: 'umid_min_sem',
  umidmed: 'umid_med_sem',
  umidmax: 'umid_max_sem',
}

export function isInfodengue(header: readonly string[]): boolean {
  const names = header.map(columnName)
  return names.includes('data_inise') && names.includes('se')
}

export function infodengueLayout(header: readonly string[], contexto: ContextoDoArquivo): LayoutDeSeries {
  const names = header.map(columnName)
  const { form, series, reference } = contexto
  const wanted = { ...CLIMA, ...(form.serie !== null && { casos: form.serie }) }
  const columns = Object.entries(wanted).flatMap(([name, codigo]) => {
    const index = names.indexOf(name)
    const serie = index < 0 ? undefined : series.get(codigo)
    return serie === undefined ? [] : [{ index, serie: weekly(serie), coluna: new ColunaNumerica(name) }]
  })
  if (columns.length === 0)
    throw new InvalidFile('Tabela do InfoDengue sem colunas de temperatura ou umidade.')
  const [se, inicio] = [names.indexOf('se'), names.indexOf('data_inise')]
  const named = ['geocodigo', 'localidade'].map((name) => names.indexOf(name)).find((index) => index >= 0)
  const id = names.indexOf('id')

  function placeOf(values: readonly string[]): string {
    const text = named === undefined ? (values[id] ?? '').slice(0, 7) : (values[named] ?? '')
    const found = contexto.lugar ?? readMunicipio(reference, text, form.estado)
    if (found === null) throw new LinhaRecusada('Município não reconhecido')
    return found
  }

  return {
    nome: 'infodengue',
    read({ values }, warn) {
      const week = readPeriod('semana', values[se] ?? '')
      if (week === null) throw new LinhaRecusada(`Semana "${(values[se] ?? '').slice(0, 20)}" não existe`)
      const sunday = firstDayOfPeriod('semana', week)
      const written = (values[inicio] ?? '').slice(0, 10)
      if (isCalendarDate(written) && written !== sunday)
        warn(`data_iniSE ${written} não é o domingo da semana ${values[se]} (${sunday}); vale a semana`)
      const lugar = placeOf(values)
      return columns.flatMap(({ index, serie, coluna }) => {
        const valor = coluna.read(values[index] ?? '')
        return valor === null ? [] : [{ serie, lugar, index: week, valor }]
      })
    },
  }
}

function weekly(serie: Serie): Serie {
  if (serie.periodo !== 'semana') throw new InvalidFile(`A série ${serie.codigo} não é semanal.`)
  return serie
}
