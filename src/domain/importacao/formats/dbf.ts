import type { Fonte, LinhaLida, Tabela } from './table.ts'
import { ArquivoInvalido, LIMITES, mensagemDeLinhas } from './table.ts'
import { decodeWindows1252 } from './text.ts'

interface Campo {
  nome: string
  tipo: string
  de: number
  ate: number
}

export interface CabecalhoDbf {
  registros: number
  tamanhoDoCabecalho: number
  tamanhoDoRegistro: number
  campos: Campo[]
}

const VERSOES = new Set([
  0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x63, 0x7b, 0x83, 0x8b, 0x8e, 0xcb, 0xe5, 0xf5, 0xfb,
])
const BYTES_POR_BLOCO = 512 * 1024
const LINHAS_POR_BLOCO = 2_000
const VIVO = 0x20
const APAGADO = 0x2a

/** Whether it means to be a DBF (or a DBC, which begins the same way); its numbers may still lie. */
export function looksLikeDbf(inicio: Buffer): boolean {
  if (inicio.length < 64 || !VERSOES.has(inicio[0] as number)) return false
  // The date of the last change and numbers with zeros in them: bytes no text file has there.
  if ((inicio[2] as number) > 12 || (inicio[3] as number) > 31 || !inicio.subarray(4, 32).includes(0))
    return false
  const nome = inicio.toString('latin1', 32, 43).split('\0')[0] as string
  return /^[A-Za-z_\x80-\xff][ -~\x80-\xff]*$/.test(nome) && /[A-Z0@+]/.test(readTipo(inicio, 32))
}

export async function readCabecalhoDbf(fonte: Fonte): Promise<CabecalhoDbf> {
  const fixo = await fonte.readAt(0, 32)
  const registros = fixo.readUInt32LE(4)
  const tamanhoDoCabecalho = fixo.readUInt16LE(8)
  const tamanhoDoRegistro = fixo.readUInt16LE(10)
  if (tamanhoDoCabecalho < 64 || tamanhoDoCabecalho > fonte.tamanho) {
    throw mentira(
      `diz que o cabeçalho tem ${tamanhoDoCabecalho} bytes, e o arquivo tem ${fonte.tamanho} bytes`,
    )
  }
  if (tamanhoDoRegistro < 2) throw mentira(`diz que cada registro tem ${tamanhoDoRegistro} bytes`)
  if (registros > LIMITES.linhas) throw new ArquivoInvalido(mensagemDeLinhas())
  const campos = readCampos(await fonte.readAt(0, tamanhoDoCabecalho), tamanhoDoRegistro)
  return { registros, tamanhoDoCabecalho, tamanhoDoRegistro, campos }
}

export async function openDbf(fonte: Fonte): Promise<Tabela> {
  const cabecalho = await readCabecalhoDbf(fonte)
  const { registros, tamanhoDoCabecalho, tamanhoDoRegistro } = cabecalho
  const cabem = Math.floor((fonte.tamanho - tamanhoDoCabecalho) / tamanhoDoRegistro)
  if (cabem < registros) throw termina(registros, cabem)
  return createTabela('dbf', cabecalho, skipBytes(fonte.stream(), tamanhoDoCabecalho))
}

/** The table over the bytes of the records, wherever they come from. */
export function createTabela(
  formato: 'dbf' | 'dbc',
  cabecalho: CabecalhoDbf,
  bytes: AsyncIterable<Buffer>,
): Tabela {
  return {
    formato,
    cabecalho: cabecalho.campos.map(({ nome }) => nome),
    blocos: readBlocos(cabecalho, bytes),
  }
}

/** Stops at the number of records the header gives: what follows is the end mark, or nothing of ours. */
async function* readBlocos(
  cabecalho: CabecalhoDbf,
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<LinhaLida[]> {
  const { registros, tamanhoDoRegistro } = cabecalho
  const porBloco = Math.max(1, Math.min(LINHAS_POR_BLOCO, Math.floor(BYTES_POR_BLOCO / tamanhoDoRegistro)))
  let resto: Buffer = Buffer.alloc(0)
  let lidos = 0
  if (registros === 0) return
  for await (const pedaco of bytes) {
    const dados = resto.length > 0 ? Buffer.concat([resto, pedaco]) : pedaco
    let de = 0
    while (lidos < registros && dados.length - de >= tamanhoDoRegistro) {
      const quantos = Math.min(
        porBloco,
        registros - lidos,
        Math.floor((dados.length - de) / tamanhoDoRegistro),
      )
      const ate = de + quantos * tamanhoDoRegistro
      const linhas = readRegistros(cabecalho, dados.subarray(de, ate), lidos)
      if (linhas.length > 0) yield linhas
      lidos += quantos
      de = ate
    }
    if (lidos === registros) return
    resto = dados.subarray(de)
  }
  throw termina(registros, lidos)
}

function readRegistros(cabecalho: CabecalhoDbf, dados: Buffer, anteriores: number): LinhaLida[] {
  const { tamanhoDoRegistro, campos } = cabecalho
  const texto = decodeWindows1252(dados)
  const linhas: LinhaLida[] = []
  for (let de = 0, n = anteriores; de < dados.length; de += tamanhoDoRegistro, n++) {
    const marca = dados[de]
    if (marca === APAGADO) continue
    if (marca !== VIVO) throw danificado(n + 1)
    const valores = campos.map(({ tipo, de: a, ate: b }) => readValor(tipo, texto.slice(de + a, de + b)))
    linhas.push({ linha: n + 2, valores })
  }
  return linhas
}

function readValor(tipo: string, bruto: string): string {
  // Some programs pad with NUL, which no text of ours may hold.
  const texto = (bruto.includes('\0') ? bruto.replaceAll('\0', ' ') : bruto).trim()
  if (texto === '') return ''
  if (tipo === 'D') return /^[0*\s/-]*$/.test(texto) ? '' : texto
  // A number that did not fit its column is written as asterisks.
  if (tipo === 'N' || tipo === 'F') return /^\*+$/.test(texto) ? '' : texto
  if (tipo === 'L') return texto === '?' ? '' : texto
  return texto
}

/** Some files lack the 0x0D that ends the descriptors: the header length ends them too. */
function readCampos(bytes: Buffer, tamanhoDoRegistro: number): Campo[] {
  const descritores: Buffer[] = []
  for (let i = 32; i + 32 <= bytes.length && bytes[i] !== 0x0d; i += 32) {
    descritores.push(bytes.subarray(i, i + 32))
  }
  if (descritores.length === 0) throw mentira('não descreve nenhuma coluna')
  if (descritores.length > LIMITES.colunas) {
    throw new ArquivoInvalido(`O arquivo tem ${descritores.length} colunas; o máximo é ${LIMITES.colunas}.`)
  }
  const simples = placeCampos(descritores, (d) => d[16] as number)
  if (fimDe(simples) === tamanhoDoRegistro) return simples
  // Clipper and FoxPro keep the high byte of a long text column where the decimals would be.
  const longos = placeCampos(descritores, (d) => (readTipo(d, 0) === 'C' ? d.readUInt16LE(16) : (d[16] ?? 0)))
  if (fimDe(longos) === tamanhoDoRegistro) return longos
  if (fimDe(simples) > tamanhoDoRegistro) {
    throw mentira(
      `descreve colunas que somam ${fimDe(simples)} bytes em registros de ${tamanhoDoRegistro} bytes`,
    )
  }
  return simples
}

function placeCampos(descritores: Buffer[], tamanho: (descritor: Buffer) => number): Campo[] {
  let de = 1 // After the mark of a deleted record.
  return descritores.map((descritor) => {
    const nome = decodeWindows1252(descritor.subarray(0, 11)).split('\0')[0] as string
    const campo = { nome: nome.trim(), tipo: readTipo(descritor, 0), de, ate: de + tamanho(descritor) }
    de = campo.ate
    return campo
  })
}

function fimDe(campos: Campo[]): number {
  return campos.at(-1)?.ate ?? 0
}

function readTipo(bytes: Buffer, descritor: number): string {
  return String.fromCharCode(bytes[descritor + 11] ?? 0).toUpperCase()
}

export async function* skipBytes(pedacos: AsyncIterable<Buffer>, quantos: number): AsyncGenerator<Buffer> {
  let faltam = quantos
  for await (const pedaco of pedacos) {
    if (pedaco.length > faltam) yield faltam > 0 ? pedaco.subarray(faltam) : pedaco
    faltam = Math.max(0, faltam - pedaco.length)
  }
}

function mentira(oQue: string): ArquivoInvalido {
  return new ArquivoInvalido(`O cabeçalho do arquivo DBF/DBC está errado: ${oQue}.`)
}

function termina(anunciados: number, presentes: number): ArquivoInvalido {
  const [n, m] = [anunciados, presentes].map((x) => x.toLocaleString('pt-BR'))
  return new ArquivoInvalido(
    `O arquivo termina antes do fim: o cabeçalho anuncia ${n} registros e há ${m}. Baixe-o ou exporte-o de novo.`,
  )
}

function danificado(registro: number): ArquivoInvalido {
  return new ArquivoInvalido(
    `O registro ${registro.toLocaleString('pt-BR')} do arquivo DBF/DBC está danificado (não começa com a marca de registro).`,
  )
}
