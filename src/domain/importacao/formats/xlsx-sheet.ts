import type { LinhaLida } from './table.ts'
import { ArquivoInvalido, LIMITES, mensagemDeLinhas } from './table.ts'
import { columnOf, decodeTexto, formatData, formatNumero } from './xlsx-values.ts'
import type { OuvinteXml } from './xml.ts'

export interface Livro {
  textos: string[]
  estilosDeData: boolean[]
  sistema1904: boolean
}

/** Listens to the XML of a sheet and keeps the rows that have something in them, until they are taken. */
export class LeitorDePlanilha implements OuvinteXml {
  /** How many the header has: cells missing at the end of a row are empty ones, not missing values. */
  colunas = 0
  readonly #livro: Livro
  #prontas: LinhaLida[] = []
  #numero = 0
  #valores: string[] = []
  #caracteres = 0
  #coluna = -1
  #tipo = 'n'
  #estilo = 0
  #texto = ''
  #emDados = false
  #emValor = false
  #emFonetica = false

  constructor(livro: Livro) {
    this.#livro = livro
  }

  take(): LinhaLida[] {
    const linhas = this.#prontas
    this.#prontas = []
    return linhas
  }

  pad(linha: LinhaLida): void {
    while (linha.valores.length < this.colunas) linha.valores.push('')
  }

  open(nome: string, atributos: Record<string, string>): void {
    if (nome === 'sheetData') this.#emDados = true
    else if (!this.#emDados) return
    else if (nome === 'c') this.#openCelula(atributos)
    else if (nome === 'v' || nome === 't') this.#emValor = true
    else if (nome === 'row') this.#openLinha(atributos.r)
    else if (nome === 'rPh') this.#emFonetica = true
  }

  text(texto: string): void {
    if (!this.#emValor || this.#emFonetica) return
    this.#texto += texto
    this.#count(texto.length)
  }

  close(nome: string): void {
    if (nome === 'v' || nome === 't') this.#emValor = false
    else if (nome === 'c') this.#closeCelula()
    else if (nome === 'row') this.#closeLinha()
    else if (nome === 'rPh') this.#emFonetica = false
    else if (nome === 'sheetData') this.#emDados = false
  }

  #openLinha(r: string | undefined): void {
    const numero = Number(r)
    // A number that goes back or nowhere is not believed.
    this.#numero = Number.isSafeInteger(numero) && numero > this.#numero ? numero : this.#numero + 1
    // The header is the first.
    if (this.#numero > LIMITES.linhas + 1) throw new ArquivoInvalido(mensagemDeLinhas())
    this.#valores = []
    this.#caracteres = 0
    this.#coluna = -1
  }

  #closeLinha(): void {
    if (this.#valores.length === 0) return
    const linha = { linha: this.#numero, valores: this.#valores }
    this.#valores = []
    this.pad(linha)
    this.#prontas.push(linha)
  }

  #openCelula({ r, t, s }: Record<string, string>): void {
    this.#coluna = (r === undefined ? null : columnOf(r)) ?? this.#coluna + 1
    this.#tipo = t ?? 'n'
    this.#estilo = Number(s ?? 0)
    this.#texto = ''
  }

  #closeCelula(): void {
    const bruto = this.#texto
    this.#texto = ''
    if (!this.#emDados || bruto === '') return
    const valor = this.#valueOf(bruto)
    // A cell that is only formatted has no value and takes no place.
    if (valor === '') return
    if (this.#coluna >= LIMITES.colunas) {
      throw new ArquivoInvalido(
        `A linha ${this.#numero} da planilha passa de ${LIMITES.colunas.toLocaleString('pt-BR')} colunas, que é o máximo.`,
      )
    }
    while (this.#valores.length < this.#coluna) this.#valores.push('')
    this.#valores[this.#coluna] = valor
  }

  #valueOf(bruto: string): string {
    if (this.#tipo === 's') {
      const texto = this.#livro.textos[Number(bruto)] ?? ''
      this.#count(texto.length)
      return texto
    }
    if (this.#tipo === 'b') return bruto.trim() === '1' ? 'true' : 'false'
    if (this.#tipo === 'd') return bruto.trim().slice(0, 10)
    if (this.#tipo !== 'n') return decodeTexto(bruto).trim()
    const numero = bruto.trim()
    const data = this.#livro.estilosDeData[this.#estilo] === true && numero !== ''
    return (data ? formatData(Number(numero), this.#livro.sistema1904) : null) ?? formatNumero(numero)
  }

  #count(caracteres: number): void {
    this.#caracteres += caracteres
    if (this.#caracteres <= LIMITES.caracteresPorLinha) return
    throw new ArquivoInvalido(
      `A linha ${this.#numero} da planilha passa de ${LIMITES.caracteresPorLinha.toLocaleString('pt-BR')} caracteres.`,
    )
  }
}
