import { covers, type Territorio } from '../../../caller/territorio.ts'
import type { Problem } from '../../../errors/catalogue.ts'
import { problemText } from '../../../errors/texts.ts'
import type { FileRow } from '../../importacao/formats/table.ts'
import type { CamposDaEpizootia, EntradaDeEpizootia } from '../campos.ts'
import { changedFields, type Referencia, resolve } from '../regras.ts'
import { EventoRecusado, type LayoutDeEpizootias } from './layouts.ts'

/** Content of a file: events, lines that are refused, warnings. */

export interface Linha {
  row: FileRow
  entrada: EntradaDeEpizootia
  /** As a new event. */
  campos: CamposDaEpizootia
}

export interface EventoRejeitado {
  linha: number
  erro: string
  valores: string[]
}

type Chave = Pick<CamposDaEpizootia, 'numero' | 'data_ocorrencia'>

export const keyOf = ({ numero, data_ocorrencia }: Chave): string => `${data_ocorrencia ?? ''}/${numero}`

export const reasonOf = (problems: readonly Problem[]): string =>
  problems.map((one) => `${one.path.join('.')}: ${problemText(one, 'pt-BR')}`).join('; ')

const KEPT_REJECTED = 10_000
const MOST_DETAILS = 1_000
const MOST_WARNINGS = 1_000

export class LeitorDeEpizootias {
  readonly linhas = new Map<string, Linha>()
  readonly rejeitadas: EventoRejeitado[] = []
  readonly avisos: { linha: number | null; aviso: string }[] = []
  readonly #referencia: Referencia
  readonly #territorio: Territorio | null
  total = 0
  erros = 0
  duplicados = 0

  constructor(referencia: Referencia, territorio: Territorio | null) {
    this.#referencia = referencia
    this.#territorio = territorio
  }

  warn(linha: number | null, aviso: string): void {
    if (this.avisos.length < MOST_WARNINGS) this.avisos.push({ linha, aviso })
  }

  row(layout: LayoutDeEpizootias, row: FileRow): void {
    this.total += 1
    try {
      this.#add(row, layout.read(row))
    } catch (error) {
      if (!(error instanceof EventoRecusado)) throw error
      this.reject(row, error.message)
    }
  }

  #add(row: FileRow, entrada: EntradaDeEpizootia): void {
    const { campos, problems } = resolve(null, entrada, this.#referencia)
    if (problems.length > 0) throw new EventoRecusado(reasonOf(problems))
    if (!covers(this.#territorio, campos)) throw new EventoRecusado('Lugar fora do território da conta')
    const { data_ocorrencia: dia, ano_ocorrencia: ano } = campos
    if (dia !== null && Number(dia.slice(0, 4)) !== ano)
      this.warn(row.line, `O ano ${ano} não é o da data ${dia}; as semanas e os meses seguem a data`)
    const key = keyOf(campos)
    const before = this.linhas.get(key)
    if (before === undefined) this.linhas.set(key, { row, entrada, campos })
    else if (changedFields(before.campos, campos).length === 0) this.duplicados += 1
    else throw new EventoRecusado('Outro evento do arquivo tem o mesmo número e a mesma data')
  }

  reject({ line, values }: FileRow, erro: string): void {
    this.erros += 1
    if (this.rejeitadas.length < KEPT_REJECTED) this.rejeitadas.push({ linha: line, erro, valores: values })
  }

  get erros_detalhados() {
    return this.rejeitadas.slice(0, MOST_DETAILS).map(({ linha, erro }) => ({ linha, erro }))
  }

  /** In the order of their keys, which is the order of the locks of every import. */
  get emOrdem(): Linha[] {
    return [...this.linhas].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, linha]) => linha)
  }
}
