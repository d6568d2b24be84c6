import { InvalidFile } from '../../importacao/formats/table.ts'
import { columnName, shownName } from '../../importacao/layouts/header.ts'
import { CAMPO_DO_PERIODO, PERIODOS, type Periodo } from '../periodos.ts'
import type { Serie } from '../serie.ts'
import { type ContextoDoArquivo, type LayoutDeSeries, LinhaRecusada } from './arquivo.ts'
import { ColunaNumerica, readEstado, readMunicipio, readPeriodo, readRegiao, readValue } from './celulas.ts'

/** Long table: a line for each place and period, its values in one column or in one for each series. */

const MUNICIPIO = ['municipio', 'codigo_ibge', 'geocodigo', 'cod_ibge', 'ibge']
const ESTADO = ['estado', 'uf']
const REGIAO = ['regiao_saude']

interface Colunas {
  municipio: number
  estado: number
  regiao: number
  periodo: Periodo
  indexOfPeriodo: number
  serie: number
  valor: number
  /** Columns named by the code of a series. */
  series: { index: number; serie: Serie; coluna: ColunaNumerica }[]
}

export function columnsOf(header: readonly string[], contexto: ContextoDoArquivo): Colunas | null {
  const names = header.map(columnName)
  const first = (candidates: readonly string[]) => names.findIndex((name) => candidates.includes(name))
  const series = names.flatMap((name, index) => {
    const serie = contexto.series.get(name)
    return serie === undefined ? [] : [{ index, serie, coluna: new ColunaNumerica(name) }]
  })
  const valor = names.indexOf('valor')
  const periodo = periodIn(names, contexto, series[0]?.serie)
  if (periodo === undefined || (valor < 0 && series.length === 0)) return null
  return {
    municipio: first(MUNICIPIO),
    estado: first(ESTADO),
    regiao: first(REGIAO),
    periodo,
    indexOfPeriodo: names.indexOf(CAMPO_DO_PERIODO[periodo]),
    serie: names.indexOf('serie'),
    valor,
    series: valor < 0 ? series : [],
  }
}

/** Period of the lines: that of the form, else that of the first series that header or form name, else the finest there is. */
function periodIn(
  names: readonly string[],
  { form, series }: ContextoDoArquivo,
  ofHeader: Serie | undefined,
): Periodo | undefined {
  const present = PERIODOS.filter((one) => names.includes(CAMPO_DO_PERIODO[one]))
  const asked = form.periodo ?? null
  if (asked !== null && present.length > 0 && !present.includes(asked))
    throw new InvalidFile(`Falta a coluna ${CAMPO_DO_PERIODO[asked]}, do período que foi informado.`)
  const own = (ofHeader ?? (form.serie === null ? undefined : series.get(form.serie)))?.periodo
  return asked ?? present.find((one) => one === own) ?? present[0]
}

export function longaLayout(
  header: readonly string[],
  contexto: ContextoDoArquivo,
  colunas: Colunas,
): LayoutDeSeries {
  const { form, series } = contexto
  const coluna = new ColunaNumerica(shownName(header[colunas.valor] ?? 'valor'))
  const fixed = colunas.serie < 0 && colunas.valor >= 0 ? formSerie(form.serie, series) : null
  const placeOf = placesIn(contexto, colunas)
  const periodOf = remembered((text) => readPeriodo(colunas.periodo, text))

  function checked(serie: Serie | undefined, codigo: string): Serie {
    if (serie === undefined) throw new LinhaRecusada(`Série "${codigo.slice(0, 40)}" desconhecida ou inativa`)
    if (serie.periodo !== colunas.periodo)
      throw new LinhaRecusada(
        `A série ${serie.codigo} é por ${serie.periodo}: falta a coluna ${CAMPO_DO_PERIODO[serie.periodo]}`,
      )
    return serie
  }

  return {
    nome: 'longa',
    read({ values }) {
      const text = values[colunas.indexOfPeriodo] ?? ''
      const index = periodOf(text)
      if (index === null) throw new LinhaRecusada(`Período "${text.slice(0, 20)}" não existe`)
      const lugar = placeOf(values)
      if (colunas.valor < 0)
        return colunas.series.flatMap((one) => {
          const serie = checked(one.serie, one.serie.codigo)
          const valor = readValue(serie, one.coluna, values[one.index] ?? '')
          return valor === null ? [] : [{ serie, lugar, index, valor }]
        })
      const codigo = values[colunas.serie] ?? ''
      const serie = checked(fixed ?? series.get(codigo), codigo)
      const valor = readValue(serie, coluna, values[colunas.valor] ?? '')
      return valor === null ? [] : [{ serie, lugar, index, valor }]
    },
  }
}

export function formSerie(codigo: string | null, series: ReadonlyMap<string, Serie>): Serie {
  const serie = codigo === null ? undefined : series.get(codigo)
  if (serie !== undefined) return serie
  throw new InvalidFile(
    codigo === null
      ? 'O arquivo não diz de que série são os valores: informe o campo serie.'
      : `A série ${codigo.slice(0, 40)} não existe, está arquivada ou é derivada.`,
  )
}

/** Key of the place of a line; the smallest part that the file names decides. */
function placesIn(
  contexto: ContextoDoArquivo,
  { municipio, estado, regiao }: Colunas,
): (values: readonly string[]) => string {
  const { reference, form } = contexto
  const keyOf = remembered((text) => {
    const [town = '', state = '', region = ''] = text.split('\n')
    const uf = state === '' ? form.estado : readEstado(state)
    if (town !== '') return readMunicipio(reference, town, uf)
    if (region !== '') return readRegiao(reference, region)
    if (state !== '') return uf
    return municipio < 0 && regiao < 0 && estado < 0 ? (form.estado ?? '') : null
  })
  const cell = (values: readonly string[], index: number) => (index < 0 ? '' : (values[index] ?? ''))
  let last = { town: '', state: '', region: '', key: null as string | null }
  return (values) => {
    if (contexto.lugar !== null) return contexto.lugar
    const [town, state, region] = [cell(values, municipio), cell(values, estado), cell(values, regiao)]
    // Lines of one place mostly follow each other.
    const isSame = town === last.town && state === last.state && region === last.region
    if (isSame && last.key !== null) return last.key
    const key = keyOf(`${town}\n${state}\n${region}`)
    if (key === null) throw new LinhaRecusada(`Lugar "${town.slice(0, 60)}" não reconhecido`)
    last = { town, state, region, key }
    return key
  }
}

const MOST_REMEMBERED = 50_000

/** Files repeat the same few thousand texts. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    const found = read(text)
    if (known.size < MOST_REMEMBERED) known.set(text, found)
    return found
  }
}
