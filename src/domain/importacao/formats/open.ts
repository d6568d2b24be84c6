import { openCsv } from './csv.ts'
import { isDbc, openDbc } from './dbc.ts'
import { looksLikeDbf, openDbf } from './dbf.ts'
import { ACEITOS, isVazio, isZip, nameOfOutro } from './detect.ts'
import type { Fonte, Formato, Tabela } from './table.ts'
import { ArquivoInvalido } from './table.ts'
import { isXlsx, openXlsx } from './xlsx.ts'
import { Zip } from './zip.ts'

const INICIO = 4096
const DE_DADOS = /\.(csv|dbf|dbc)$/i

/**
 * Any accepted file as a table. The content decides what it is; a name or a choice that says
 * otherwise (`dica`) only earns a warning. Throws ArquivoInvalido, here or while the rows are read.
 */
export async function openTabela(
  fonte: Fonte,
  dica: Formato | null,
): Promise<{ tabela: Tabela; aviso: string | null }> {
  const inicio = await readInicio(fonte)
  const tabela = isZip(inicio) ? await openZip(await Zip.open(fonte)) : await openSimples(fonte, inicio)
  return { tabela, aviso: describeDiferenca(dica, tabela.formato) }
}

async function openZip(zip: Zip): Promise<Tabela> {
  if (isXlsx(zip)) return await openXlsx(zip)
  const dados = zip.entradas.filter((nome) => DE_DADOS.test(nome) && !isOculto(nome))
  const [unico] = dados
  if (unico === undefined) throw recusa(nameOfZip(zip))
  if (dados.length > 1) {
    throw recusa(`um ZIP com ${dados.length} arquivos de dados (${dados.slice(0, 3).join(', ')}…)`)
  }
  const fonte = zip.fonte(unico)
  const inicio = await readInicio(fonte)
  if (isZip(inicio)) throw recusa('um ZIP dentro de outro')
  return await openSimples(fonte, inicio)
}

async function openSimples(fonte: Fonte, inicio: Buffer): Promise<Tabela> {
  if (looksLikeDbf(inicio)) return (await isDbc(fonte)) ? await openDbc(fonte) : await openDbf(fonte)
  const outro = nameOfOutro(inicio)
  if (outro !== null) throw recusa(outro)
  return await openCsv(fonte)
}

async function readInicio(fonte: Fonte): Promise<Buffer> {
  if (fonte.tamanho === 0) throw vazio()
  const inicio = await fonte.readAt(0, Math.min(INICIO, fonte.tamanho))
  if (inicio.length === fonte.tamanho && isVazio(inicio)) throw vazio()
  return inicio
}

function nameOfZip(zip: Zip): string {
  if (zip.has('xl/workbook.bin')) return 'uma planilha Excel binária (.xlsb)'
  if (zip.has('word/document.xml')) return 'um documento do Word'
  if (zip.has('content.xml')) return 'um documento do LibreOffice (.ods ou .odt)'
  if (zip.entradas.some((nome) => /\.xlsx$/i.test(nome))) {
    return 'um ZIP com uma planilha dentro (envie o XLSX sem compactar)'
  }
  return 'um ZIP sem nenhum arquivo CSV, DBF ou DBC'
}

/** What macOS adds to every ZIP it makes. */
function isOculto(nome: string): boolean {
  return nome.startsWith('__MACOSX/') || /(^|\/)\._?[^/]*$/.test(nome)
}

function describeDiferenca(dica: Formato | null, real: Formato): string | null {
  if (dica === null || dica === real) return null
  return `O arquivo foi enviado como ${dica.toUpperCase()}, mas o conteúdo é ${real.toUpperCase()}: foi lido como ${real.toUpperCase()}.`
}

function recusa(encontrado: string): ArquivoInvalido {
  return new ArquivoInvalido(`O arquivo é ${encontrado}. ${ACEITOS}`)
}

function vazio(): ArquivoInvalido {
  return new ArquivoInvalido(`O arquivo está vazio. ${ACEITOS}`)
}
