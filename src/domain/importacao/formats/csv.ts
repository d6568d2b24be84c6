import { Tokenizador } from './csv-records.ts'
import type { Fonte, LinhaLida, Tabela } from './table.ts'
import { ArquivoInvalido, LIMITES, mensagemDeLinhas } from './table.ts'
import { type Codificacao, createDecoder, detectCodificacao } from './text.ts'

const DELIMITADORES = [';', ',', '\t'] as const
/** A source may hand over all it has at once; records are made from no more than this at a time. */
const BYTES_POR_VEZ = 256 * 1024
const LINHAS_POR_BLOCO = 2_000

export async function openCsv(fonte: Fonte): Promise<Tabela> {
  const codificacao = await detectCodificacao(fonte)
  const { delimitador, cabecalho } = await readCabecalho(fonte, codificacao)
  checkColunas(cabecalho)
  return {
    formato: 'csv',
    cabecalho: cabecalho.valores,
    blocos: readBlocos(fonte, codificacao, new Tokenizador(delimitador, cabecalho.valores.length > 1)),
  }
}

/** The header read with each delimiter; the one that gives most columns is the one of the file. */
async function readCabecalho(
  fonte: Fonte,
  codificacao: Codificacao,
): Promise<{ delimitador: string; cabecalho: LinhaLida }> {
  const tentativas = DELIMITADORES.map((delimitador) => ({
    delimitador,
    tokenizador: new Tokenizador(delimitador),
    cabecalho: undefined as LinhaLida | undefined,
  }))
  for await (const texto of readTexto(fonte, codificacao)) {
    for (const tentativa of tentativas) {
      const { tokenizador } = tentativa
      tentativa.cabecalho ??= (texto === null ? tokenizador.end() : tokenizador.push(texto))[0]
    }
    if (tentativas.every(({ cabecalho }) => cabecalho !== undefined)) break
    for (const { tokenizador } of tentativas) checkVazias(tokenizador)
  }
  let melhor: { delimitador: string; cabecalho: LinhaLida; nota: number } | null = null
  for (const { delimitador, cabecalho } of tentativas) {
    if (cabecalho === undefined) continue
    const nota = rate(cabecalho)
    if (melhor === null || nota > melhor.nota) melhor = { delimitador, cabecalho, nota }
  }
  if (melhor === null) throw new ArquivoInvalido('O arquivo está vazio: não há linha de cabeçalho.')
  return melhor
}

/** Columns; less if quotes are left in them, for then the delimiter stood inside quoted names. */
function rate({ valores }: LinhaLida): number {
  const sobras = valores.some((nome) => nome.includes('"'))
  return sobras ? valores.length / LIMITES.caracteresPorLinha : valores.length
}

async function* readBlocos(
  fonte: Fonte,
  codificacao: Codificacao,
  tokenizador: Tokenizador,
): AsyncGenerator<LinhaLida[]> {
  let linhas = -1 // The header is none of them.
  for await (const texto of readTexto(fonte, codificacao)) {
    const registros = texto === null ? tokenizador.end() : tokenizador.push(texto)
    const primeiro = linhas === -1 ? 1 : 0
    linhas += registros.length
    if (linhas + tokenizador.vazias > LIMITES.linhas) throw new ArquivoInvalido(mensagemDeLinhas())
    if (linhas <= 0) checkVazias(tokenizador)
    for (const registro of registros) checkColunas(registro)
    for (let i = primeiro; i < registros.length; i += LINHAS_POR_BLOCO) {
      yield registros.slice(i, i + LINHAS_POR_BLOCO)
    }
  }
}

/** The file as text in small pieces, then null. */
async function* readTexto(fonte: Fonte, codificacao: Codificacao): AsyncGenerator<string | null> {
  const decode = createDecoder(codificacao)
  for await (const pedaco of fonte.stream()) {
    for (let i = 0; i < pedaco.length; i += BYTES_POR_VEZ) yield decode(pedaco.subarray(i, i + BYTES_POR_VEZ))
  }
  yield decode(null)
  yield null
}

/** Where no row has been found yet. */
function checkVazias({ vazias }: Tokenizador): void {
  if (vazias <= LIMITES.linhasSemCaso) return
  throw new ArquivoInvalido(
    `O arquivo está vazio nas primeiras ${vazias.toLocaleString('pt-BR')} linhas: não parece ser um CSV de casos.`,
  )
}

function checkColunas({ linha, valores }: LinhaLida): void {
  if (valores.length <= LIMITES.colunas) return
  throw new ArquivoInvalido(
    `A linha ${linha} tem ${valores.length.toLocaleString('pt-BR')} colunas; o máximo é ${LIMITES.colunas.toLocaleString('pt-BR')}.`,
  )
}
