import { unescapedCell } from '../../arquivos/csv.ts'
import type { LinhaLida } from './table.ts'
import { ArquivoInvalido, LIMITES, mensagemDeLinhas } from './table.ts'

const ASPAS = '"'

/**
 * Cuts text that arrives in pieces into records. A line without quotes is split at once; only a line
 * with quotes is walked field by field. Real files hold free text with quotes nobody escaped, so a
 * field counts as quoted only if its closing quote is followed by the delimiter or the end of the
 * line, within LIMITES.caracteresPorLinha; otherwise its quotes are ordinary characters. So a quote
 * that is never closed spoils its own line and not the rest of the file.
 */
export class Tokenizador {
  readonly #delimitador: string
  /** Only a table of several columns has lines that are wrapped in quotes as a whole. */
  readonly #desembrulhar: boolean
  /** Lines that were passed over because nothing is in them. */
  vazias = 0
  #texto = ''
  #linha = 1
  #final = false
  #retornoPendente = false
  /** Below this length another attempt at the first record of #texto cannot succeed cheaply. */
  #esperar = 0
  // What #parseRegistro found.
  #valores: string[] = []
  #fim = 0
  #umSoEntreAspas = false

  constructor(delimitador: string, desembrulhar = true) {
    this.#delimitador = delimitador
    this.#desembrulhar = desembrulhar
  }

  /** The records that `texto` completes. Line ends inside quoted fields come out as \n. */
  push(texto: string): LinhaLida[] {
    this.#texto += this.#normaliza(texto)
    return this.#texto.length < this.#esperar ? [] : this.#registros()
  }

  end(): LinhaLida[] {
    if (this.#retornoPendente) this.#texto += '\n'
    this.#retornoPendente = false
    this.#final = true
    return this.#registros()
  }

  /** \r\n and a lone \r become \n; a \r at the end waits for what follows it. */
  #normaliza(texto: string): string {
    if (texto === '') return ''
    let t = this.#retornoPendente ? `\r${texto}` : texto
    this.#retornoPendente = t.endsWith('\r')
    if (this.#retornoPendente) t = t.slice(0, -1)
    return t.includes('\r') ? t.replace(/\r\n?/g, '\n') : t
  }

  #registros(): LinhaLida[] {
    const texto = this.#texto
    const saida: LinhaLida[] = []
    let inicio = 0
    let aspas = texto.indexOf(ASPAS)
    while (inicio < texto.length) {
      let quebra = texto.indexOf('\n', inicio)
      if (aspas !== -1 && aspas < inicio) aspas = texto.indexOf(ASPAS, inicio)
      const comAspas = aspas !== -1 && (quebra === -1 || aspas < quebra)
      if (quebra === -1) {
        this.#checkTamanho(texto.length - inicio)
        if (!this.#final) break
        quebra = texto.length
      }
      if (comAspas) {
        if (!this.#parseRegistro(texto, inicio)) {
          this.#checkTamanho(texto.length - inicio)
          break
        }
        this.#emit(saida, this.#linha, this.#desembrulha())
        this.#linha += countQuebras(texto, inicio, this.#fim)
        if (this.#linha > LIMITES.linhasDeTexto) throw new ArquivoInvalido(mensagemDeLinhas())
        inicio = this.#fim
      } else if (quebra === inicio) {
        this.vazias++
        this.#linha++
        inicio++
      } else {
        this.#checkTamanho(quebra - inicio)
        this.#emit(saida, this.#linha, splitSimples(texto.slice(inicio, quebra), this.#delimitador))
        this.#linha++
        inicio = quebra + 1
      }
    }
    this.#texto = texto.slice(inicio)
    // Doubling keeps a long record, tried again at each piece, from costing the square of its length.
    this.#esperar = Math.min(2 * this.#texto.length, LIMITES.caracteresPorLinha + 1)
    return saida
  }

  #emit(saida: LinhaLida[], linha: number, valores: string[]): void {
    // An empty line, or the end-of-file mark DOS programs leave.
    if (valores.length === 1 && (valores[0] === '' || valores[0] === '\x1a')) this.vazias++
    else saida.push({ linha, valores })
  }

  #checkTamanho(caracteres: number): void {
    if (caracteres <= LIMITES.caracteresPorLinha) return
    throw new ArquivoInvalido(
      `A linha ${this.#linha} passa de ${LIMITES.caracteresPorLinha.toLocaleString('pt-BR')} caracteres: o arquivo não parece ser um CSV, ou perdeu as quebras de linha.`,
    )
  }

  /** False: the record may go on in what has not arrived yet. */
  #parseRegistro(texto: string, inicio: number): boolean {
    this.#valores = []
    this.#umSoEntreAspas = false
    let p = inicio
    let quebra = -2
    for (;;) {
      const fechamento = this.#findFechamento(texto, p, inicio)
      if (fechamento === 'falta') return false
      let fimDoCampo: number
      if (fechamento === null) {
        if (quebra !== -1 && quebra < p) quebra = texto.indexOf('\n', p)
        if (quebra === -1 && !this.#final) return false
        const limite = quebra === -1 ? texto.length : quebra
        fimDoCampo = indexBefore(texto, this.#delimitador, p, limite)
        this.#valores.push(cellOf(texto.slice(p, fimDoCampo)))
      } else {
        fimDoCampo = fechamento.depois
        this.#valores.push(cellOf(texto.slice(fechamento.de, fechamento.ate).replaceAll('""', ASPAS)))
        this.#umSoEntreAspas = this.#valores.length === 1
      }
      this.#checkTamanho(fimDoCampo - inicio)
      p = fimDoCampo + 1
      if (fimDoCampo >= texto.length || texto.charCodeAt(fimDoCampo) === 10) break
      this.#umSoEntreAspas = false
    }
    this.#fim = p
    return true
  }

  /** Where the quoted field that begins at `p` ends; null if what begins there is not one. */
  #findFechamento(
    texto: string,
    p: number,
    inicio: number,
  ): { de: number; ate: number; depois: number } | null | 'falta' {
    const abre = skipBrancos(texto, p, this.#delimitador)
    if (abre >= texto.length) return this.#final ? null : 'falta'
    if (texto.charCodeAt(abre) !== 34) return null
    let fecha = texto.indexOf(ASPAS, abre + 1)
    while (fecha !== -1 && texto.charCodeAt(fecha + 1) === 34) fecha = texto.indexOf(ASPAS, fecha + 2)
    const longe = (fecha === -1 ? texto.length : fecha) - inicio > LIMITES.caracteresPorLinha
    if (longe) return null
    if (fecha === -1) return this.#final ? null : 'falta'
    const depois = skipBrancos(texto, fecha + 1, this.#delimitador)
    if (depois >= texto.length && !this.#final) {
      return depois - inicio > LIMITES.caracteresPorLinha ? null : 'falta'
    }
    const proximo = texto.charAt(depois)
    const termina = proximo === '' || proximo === '\n' || proximo === this.#delimitador
    return termina ? { de: abre + 1, ate: fecha, depois } : null
  }

  /** Some exports quote each line as a whole; the line inside is the record. */
  #desembrulha(): string[] {
    const unico = this.#valores[0] ?? ''
    if (!this.#desembrulhar || !this.#umSoEntreAspas || !unico.includes(this.#delimitador))
      return this.#valores
    if (!unico.includes(ASPAS)) return splitSimples(unico, this.#delimitador)
    const dentro = new Tokenizador(this.#delimitador, false)
    return [...dentro.push(unico), ...dentro.end()].flatMap((registro) => registro.valores)
  }
}

function splitSimples(linha: string, delimitador: string): string[] {
  const valores = linha.split(delimitador)
  for (let i = 0; i < valores.length; i++) valores[i] = cellOf(valores[i] as string)
  return valores
}

/** Without blanks around it, and without the apostrophe that our own files have before what looks like a formula. */
const cellOf = (text: string): string => unescapedCell(text.trim())

function skipBrancos(texto: string, p: number, delimitador: string): number {
  let i = p
  for (let c = texto.charAt(i); (c === ' ' || c === '\t') && c !== delimitador; c = texto.charAt(i)) i++
  return i
}

function indexBefore(texto: string, procurado: string, de: number, limite: number): number {
  // The slice bounds the search: without it, a last field would look through all that follows.
  const i = texto.slice(de, limite).indexOf(procurado)
  return i === -1 ? limite : de + i
}

function countQuebras(texto: string, de: number, ate: number): number {
  let n = 0
  for (let i = texto.indexOf('\n', de); i !== -1 && i < ate; i = texto.indexOf('\n', i + 1)) n++
  return n
}
