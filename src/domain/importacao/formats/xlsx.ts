import { posix } from 'node:path'
import type { LinhaLida, Tabela } from './table.ts'
import { ArquivoInvalido, LIMITES } from './table.ts'
import { LeitorDePlanilha } from './xlsx-sheet.ts'
import { decodeTexto, isFormatoDeData } from './xlsx-values.ts'
import { LeitorXml, localName, readXml } from './xml.ts'
import type { Zip } from './zip.ts'

const LIVRO = 'xl/workbook.xml'
/** The parts other than strings and sheet; a book with thousands of styles has a few MiB. */
const BYTES_POR_PARTE = 16 * 1024 * 1024
/** What a string costs beside its characters: without it, millions of empty ones would be free. */
const CUSTO_DO_TEXTO = 16

export function isXlsx(zip: Zip): boolean {
  return zip.has(LIVRO)
}

export async function openXlsx(zip: Zip): Promise<Tabela> {
  const { planilhas, sistema1904 } = await readLivro(zip)
  const relacoes = await readRelacoes(zip)
  const planilha = planilhas
    .map((id) => relacoes.get(id))
    .find((relacao) => relacao?.tipo === 'worksheet' && zip.has(relacao.alvo))
  if (planilha === undefined) throw new ArquivoInvalido('A planilha XLSX não tem nenhuma aba visível.')
  const daRelacao = (tipo: string) => [...relacoes.values()].find((relacao) => relacao.tipo === tipo)?.alvo
  const leitor = new LeitorDePlanilha({
    sistema1904,
    textos: await readTextos(zip, daRelacao('sharedStrings') ?? 'xl/sharedStrings.xml'),
    estilosDeData: await readEstilos(zip, daRelacao('styles') ?? 'xl/styles.xml'),
  })
  const blocos = readBlocos(zip.fonte(planilha.alvo).stream(), leitor)
  const primeiro = await blocos.next()
  const cabecalho = primeiro.value?.shift()
  if (cabecalho === undefined) throw new ArquivoInvalido('A primeira aba da planilha está vazia.')
  leitor.colunas = cabecalho.valores.length
  for (const linha of primeiro.value ?? []) leitor.pad(linha)
  return { formato: 'xlsx', cabecalho: cabecalho.valores, blocos: chain(primeiro.value ?? [], blocos) }
}

async function* readBlocos(
  pedacos: AsyncIterable<Buffer>,
  leitor: LeitorDePlanilha,
): AsyncGenerator<LinhaLida[]> {
  const xml = new LeitorXml(leitor)
  for await (const pedaco of pedacos) {
    xml.write(pedaco)
    const linhas = leitor.take()
    if (linhas.length > 0) yield linhas
  }
  xml.end()
  const linhas = leitor.take()
  if (linhas.length > 0) yield linhas
}

async function* chain(
  primeiras: LinhaLida[],
  resto: AsyncGenerator<LinhaLida[]>,
): AsyncGenerator<LinhaLida[]> {
  if (primeiras.length > 0) yield primeiras
  yield* resto
}

/** The relationship ids of the visible sheets, in the order of the tabs. */
async function readLivro(zip: Zip): Promise<{ planilhas: string[]; sistema1904: boolean }> {
  const planilhas: string[] = []
  let sistema1904 = false
  await readParte(zip, LIVRO, (nome, atributos) => {
    if (nome === 'workbookPr') sistema1904 = ['1', 'true'].includes(atributos.date1904 ?? '')
    if (nome !== 'sheet' || (atributos.state ?? 'visible') !== 'visible') return
    const id = Object.keys(atributos).find((chave) => chave.includes(':') && localName(chave) === 'id')
    if (id !== undefined) planilhas.push(atributos[id] as string)
  })
  return { planilhas, sistema1904 }
}

async function readRelacoes(zip: Zip): Promise<Map<string, { tipo: string; alvo: string }>> {
  const relacoes = new Map<string, { tipo: string; alvo: string }>()
  await readParte(zip, 'xl/_rels/workbook.xml.rels', (nome, { Id, Type, Target, TargetMode }) => {
    if (nome !== 'Relationship' || TargetMode === 'External') return
    if (Id === undefined || Type === undefined || Target === undefined) return
    // Relative to the workbook; an absolute one begins at the root of the ZIP.
    const alvo = posix.resolve('/xl', Target).slice(1)
    relacoes.set(Id, { tipo: Type.slice(Type.lastIndexOf('/') + 1), alvo })
  })
  return relacoes
}

/** By style index: whether its cells are days. */
async function readEstilos(zip: Zip, parte: string): Promise<boolean[]> {
  if (!zip.has(parte)) return []
  const codigos = new Map<number, string>()
  const formatos: number[] = []
  let dentro = false
  await readParte(
    zip,
    parte,
    (nome, atributos) => {
      if (nome === 'cellXfs') dentro = true
      if (nome === 'numFmt') codigos.set(Number(atributos.numFmtId), atributos.formatCode ?? '')
      if (nome === 'xf' && dentro) formatos.push(Number(atributos.numFmtId ?? 0))
    },
    (nome) => {
      if (nome === 'cellXfs') dentro = false
    },
  )
  // Once for each format: many styles may share a long one.
  const datas = new Map([...new Set(formatos)].map((id) => [id, isFormatoDeData(id, codigos.get(id))]))
  return formatos.map((id) => datas.get(id) === true)
}

/** The shared strings are the one part that has to be in memory, so they are bounded. */
async function readTextos(zip: Zip, parte: string): Promise<string[]> {
  if (!zip.has(parte)) return []
  const textos: string[] = []
  let custo = 0
  let atual = ''
  let emTexto = false
  let emFonetica = false
  await readXml(zip.fonte(parte).stream(), {
    open(nome) {
      if (nome === 'si') atual = ''
      else if (nome === 't') emTexto = true
      else if (nome === 'rPh') emFonetica = true
    },
    text(texto) {
      if (emTexto && !emFonetica) atual += checkCusto(texto)
    },
    close(nome) {
      if (nome === 't') emTexto = false
      else if (nome === 'rPh') emFonetica = false
      else if (nome === 'si') {
        custo += CUSTO_DO_TEXTO
        textos.push(decodeTexto(ownCopy(atual)).trim())
        checkCusto('')
      }
    },
  })
  return textos

  function checkCusto(texto: string): string {
    custo += texto.length
    if (custo <= LIMITES.textosCompartilhados) return texto
    throw new ArquivoInvalido('A planilha tem texto demais para ser lida como XLSX. Salve-a como CSV.')
  }
}

/** A piece of a string keeps the whole string alive; this keeps only the piece. */
function ownCopy(texto: string): string {
  return texto.length < 13 ? texto : Buffer.from(texto).toString()
}

async function readParte(
  zip: Zip,
  nome: string,
  open: (nome: string, atributos: Record<string, string>) => void,
  close: (nome: string) => void = () => {},
): Promise<void> {
  await readXml(bounded(zip.fonte(nome).stream()), { open, close, text() {} })
}

async function* bounded(pedacos: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const pedaco of pedacos) {
    bytes += pedaco.length
    if (bytes > BYTES_POR_PARTE) throw new ArquivoInvalido('A planilha tem definições internas demais.')
    yield pedaco
  }
}
