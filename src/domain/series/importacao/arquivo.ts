import type { Territorio } from '../../../caller/territorio.ts'
import type { App } from '../../app.ts'
import type { FileRow } from '../../importacao/formats/table.ts'
import { Colheita } from '../escrita.ts'
import { depthOf, isInside, nivelOfKey } from '../lugares.ts'
import { codeOfPeriod, FIRST_YEAR, type Periodo, periodOf, yearOf } from '../periodos.ts'
import type { Serie } from '../serie.ts'

/** Content of a file: values, lines that are refused, warnings. */

export type Reference = Pick<App, 'municipios' | 'territorios'>

/** Parts of the file that the form says in its place. */
export interface Formulario {
  serie: string | null
  municipio: string | null
  estado: string | null
  ano: number | null
  /** Of the column of periods that counts, where a file has several; absent in jobs of before. */
  periodo?: Periodo | null
}

export interface ContextoDoArquivo {
  reference: Reference
  form: Formulario
  /** Key of the municipality of the form. */
  lugar: string | null
  /** Active given series by code. */
  series: ReadonlyMap<string, Serie>
  territorio: Territorio | null
  today: string
}

/** One value of a line. */
export interface Lido {
  serie: Serie
  lugar: string
  index: number
  valor: number
}

/** A line that cannot be taken; the text is shown to the sender. */
export class LinhaRecusada extends Error {}

/** Line without a place that counts. */
export class SemLugar extends Error {}

export interface Rejeitada {
  linha: number
  erro: string
  valores: string[]
}

/** Reads the lines of a file of one layout. */
export interface LayoutDeSeries {
  nome: string
  /** Values of a line, null of one about the file itself; throws `LinhaRecusada`. `warn` adds a warning about it. */
  read(row: FileRow, warn: (aviso: string) => void): Lido[] | null
  /** Values that only the whole file tells. */
  end?(warn: (aviso: string) => void): Lido[]
}

export const LAYOUTS_DE_SERIES = ['inmet', 'infodengue', 'larga', 'longa', 'liraa', 'valores'] as const

const KEPT_REJECTED = 10_000
const MOST_DETAILS = 1_000
const MOST_WARNINGS = 1_000

export class LeitorDeSeries {
  readonly colheita = new Colheita()
  readonly rejeitadas: Rejeitada[] = []
  readonly avisos: { linha: number | null; aviso: string }[] = []
  readonly #contexto: ContextoDoArquivo
  /** Last period that has begun, of each kind. */
  readonly #present: Record<Periodo, number>
  /** Place and series of the value before, which may be written. */
  #checked: { serie: Serie | null; lugar: string } = { serie: null, lugar: '' }
  linhas = 0
  erros = 0
  totalAvisos = 0
  duplicados = 0
  semLugar = 0

  constructor(contexto: ContextoDoArquivo) {
    this.#contexto = contexto
    const present = (periodo: Periodo) => periodOf(periodo, contexto.today)
    this.#present = {
      dia: present('dia'),
      semana: present('semana'),
      mes: present('mes'),
      ano: present('ano'),
    }
  }

  warn(linha: number | null, aviso: string): void {
    this.totalAvisos += 1
    if (this.avisos.length < MOST_WARNINGS) this.avisos.push({ linha, aviso })
  }

  row(layout: LayoutDeSeries, row: FileRow): void {
    this.linhas += 1
    try {
      const lidos = layout.read(row, (aviso) => this.warn(row.line, aviso))
      if (lidos === null) {
        this.linhas -= 1
        return
      }
      for (const lido of lidos) this.#check(lido)
      for (const lido of lidos) this.#add(lido)
    } catch (error) {
      if (error instanceof SemLugar) this.semLugar += 1
      else if (error instanceof LinhaRecusada) this.#reject(row, error.message)
      else throw error
    }
  }

  end(layout: LayoutDeSeries): void {
    const lidos = layout.end?.((aviso) => this.warn(null, aviso)) ?? []
    for (const lido of lidos) {
      try {
        this.#check(lido)
        this.#add(lido)
      } catch (error) {
        if (!(error instanceof LinhaRecusada)) throw error
        const { serie, index } = lido
        const where = `${serie.codigo} ${codeOfPeriod(serie.periodo, index)}`
        this.#reject({ line: 0, values: [] }, `${where}: ${error.message}`)
      }
    }
  }

  get erros_detalhados() {
    return this.rejeitadas.slice(0, MOST_DETAILS).map(({ linha, erro }) => ({ linha, erro }))
  }

  #reject({ line, values }: FileRow, erro: string): void {
    this.erros += 1
    if (this.rejeitadas.length < KEPT_REJECTED) this.rejeitadas.push({ linha: line, erro, valores: values })
  }

  #check({ serie, lugar, index, valor }: Lido): void {
    const { minimo, maximo, periodo, tipo_valor } = serie
    if (lugar !== this.#checked.lugar || serie !== this.#checked.serie) this.#checkPlace(serie, lugar)
    if (yearOf(periodo, index) < FIRST_YEAR) throw new LinhaRecusada(`Período antes de ${FIRST_YEAR}`)
    if (index > this.#present[periodo]) throw new LinhaRecusada('Período no futuro')
    if (tipo_valor === 'inteiro' && !Number.isSafeInteger(valor))
      throw new LinhaRecusada(`${serie.codigo}: ${valor} não é um número inteiro`)
    if ((minimo !== null && valor < minimo) || (maximo !== null && valor > maximo))
      throw new LinhaRecusada(`${serie.codigo}: ${valor} fora de ${minimo ?? '…'} a ${maximo ?? '…'}`)
  }

  #checkPlace(serie: Serie, lugar: string): void {
    const { reference, territorio } = this.#contexto
    if (depthOf(nivelOfKey(lugar)) > depthOf(serie.nivel))
      throw new LinhaRecusada(`A série ${serie.codigo} é por ${serie.nivel}: o lugar é menor`)
    if (territorio !== null && !isInside(reference, territorio, lugar))
      throw new LinhaRecusada('Lugar fora do território da conta')
    this.#checked = { serie, lugar }
  }

  #add({ serie, lugar, index, valor }: Lido): void {
    const added = this.colheita.add(serie, lugar, index, valor)
    if (added === 'igual') this.duplicados += 1
    if (added === 'outro')
      throw new LinhaRecusada(
        `${serie.codigo} ${codeOfPeriod(serie.periodo, index)}: outro valor do mesmo lugar e período`,
      )
  }
}
