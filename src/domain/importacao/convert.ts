import { Linhas } from '../../db/line-buffer.ts'
import type { App } from '../app.ts'
import { lineOfCaso, lineOfOcorrencia } from '../casos/bulk/bulk.ts'
import type { Campos, NomeDeCampo, Valor } from '../casos/campos.ts'
import type { TipoAgravo } from '../casos/enumeracoes.ts'
import type { KeyedHash } from '../cipher.ts'
import { InvalidFile } from './formats/table.ts'
import { chooseLayout } from './layouts/choose.ts'
import type { Layout } from './layouts/layout.ts'

/** From the rows of a file to lines for the tables of its import: each row is checked, and what is secret sealed. */

type Needs = Pick<App, 'cipher' | 'cepKey' | 'linhaHash' | 'municipios'>

/** What a row is understood by. */
export interface Leitura {
  jobId: string
  cabecalho: string[]
  /** In Brazil. */
  today: string
  tipoAgravo: TipoAgravo | null
}

/** Rows to be converted, each as JSON: of the many short texts of a row, none outlives its reading. */
export interface Pacote {
  linhas: number[]
  valores: string[]
  /** Enough rejected rows are kept: more are only counted. */
  countOnly?: boolean
}

export interface Convertidas {
  validas: number
  erros: number
  avisos: number
  /** Some row is a case or could be one. */
  plausible: boolean
  /** Of some the notification number is derived. */
  derivados: boolean
  casos: Buffer[]
  rejeitadas: Buffer[]
  /** Of warnings, `MAX_DETALHES` at most. */
  avisadas: string[]
}

export interface Conversor {
  /** So many blocks at the same time are worth while. */
  atOnce: number
  convert(pacote: Pacote): Promise<Convertidas>
  end(): Promise<void>
}

export type CreateConversor = (leitura: Leitura) => Conversor

export const MAX_DETALHES = 1_000
const MAX_REMEMBERED = 20_000

/** In this thread. */
export function createConversor(app: Needs, leitura: Leitura): Conversor {
  const convert = rowConverter(app, leitura)
  return { atOnce: 1, convert: async (pacote) => convert(pacote), end: async () => {} }
}

export function layoutOf(
  municipios: App['municipios'],
  { cabecalho, today, tipoAgravo }: Omit<Leitura, 'jobId'>,
): Layout {
  const layout = chooseLayout(cabecalho, { municipios, today, tipoAgravo })
  if ('recusa' in layout) throw new InvalidFile(layout.recusa)
  return layout
}

export function rowConverter(app: Needs, leitura: Leitura): (pacote: Pacote) => Convertidas {
  const layout = layoutOf(app.municipios, leitura)
  const hashOf = lineHasher(app, layout.presentes)
  const sealing = { cipher: app.cipher, cepKey: remembered(app.cepKey) }

  return ({ linhas, valores: rows, countOnly }) => {
    const casos = new Linhas()
    const rejeitadas = new Linhas()
    const told = {
      validas: 0,
      erros: 0,
      avisos: 0,
      plausible: false,
      derivados: false,
      avisadas: [] as string[],
    }
    for (const [i, json] of rows.entries()) {
      const linha = linhas[i] as number
      const valores: string[] = JSON.parse(json)
      const convertida = layout.converter(valores)
      told.plausible ||= convertida.ok || layout.couldBeCase(valores)
      if (convertida.ok) {
        const { campos, avisos, numeroDerivado } = convertida
        told.validas += 1
        told.avisos += avisos.length
        told.derivados ||= numeroDerivado
        casos.add(lineOfCaso(sealing, campos, { linha, hash: hashOf(campos), derivado: numeroDerivado }))
        for (const { coluna, mensagem } of avisos) {
          if (told.avisadas.length >= MAX_DETALHES) break
          const texto = coluna === null ? mensagem : `${coluna}: ${mensagem}`
          const numero = campos.numero_notificacao
          told.avisadas.push(lineOfOcorrencia({ linha, erro: false, numero, texto, valores: null }))
        }
      } else {
        told.erros += 1
        if (countOnly) continue
        const context = rejectedContext(leitura.jobId, linha)
        const sealed = app.cipher.encrypt(Buffer.from(json), context)
        const { numero_notificacao: numero, erro: texto } = convertida
        rejeitadas.add(lineOfOcorrencia({ linha, erro: true, numero, texto, valores: sealed }))
      }
    }
    return { ...told, casos: casos.pieces(), rejeitadas: rejeitadas.pieces() }
  }
}

export const rejectedContext = (jobId: string, linha: number) => `rejeitados/${jobId}/${linha}`

/** What a line says of a case, as a keyed hash: equal lines can be told without reading what is encrypted. */
function lineHasher({ linhaHash }: Needs, presentes: readonly NomeDeCampo[]) {
  const names = [...presentes].sort()
  const columns = names.join()
  return (campos: Campos) => {
    let text = columns
    for (const nome of names) text += `\u0001${textOf(campos[nome])}`
    return linhaHash(text)
  }
}

/** Nothing and the empty text are two things. */
function textOf(value: Valor): string {
  if (value === null) return '\0'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Many cases share a postal code; its key is made once. */
function remembered(key: KeyedHash): KeyedHash {
  const known = new Map<string, Buffer>()
  return (cep) => {
    const before = known.get(cep as string)
    if (before !== undefined) return before
    const made = key(cep as string)
    if (known.size < MAX_REMEMBERED) known.set(cep as string, made)
    return made
  }
}
