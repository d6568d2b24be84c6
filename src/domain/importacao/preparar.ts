import { setImmediate as nextTurn } from 'node:timers/promises'
import { dateInBrazil } from '../../calendar.ts'
import type { App } from '../app.ts'
import type { Campos, NomeDeCampo, Valor } from '../casos/campos.ts'
import { Linhas } from '../casos/linhas.ts'
import { clearLote, lineOfCaso, lineOfOcorrencia, openLote, sizeOfLote, writeLote } from '../casos/lote.ts'
import type { KeyedHash } from '../cipher.ts'
import type { Tarefa } from '../jobs/fila.ts'
import { fonteOf } from './fonte.ts'
import { openTabela } from './formatos/abrir.ts'
import { ArquivoInvalido, type Formato, type LinhaLida, type Tabela } from './formatos/tabela.ts'
import type { ParametrosDeImportacao } from './importacoes.ts'
import { chooseLayout } from './layouts/escolher.ts'
import type { Aviso, Layout } from './layouts/layout.ts'

/**
 * The first half of an import: the file is read, every row checked, what is good copied into a table of its own, block
 * by block. A block and the place where to go on commit together.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'cepKey' | 'linhaHash' | 'municipios'>

/** Rows a block. While one is written, the next is read. */
const BLOCK = 4_000
/** Of rejected rows, which are kept whole and may be long. */
const BLOCK_BYTES = 8 * 1024 * 1024
/** Rows after which what is on its way to the database gets its turn: it must not wait for the next rows to be read. */
const TURN = 100
const MAX_REMEMBERED = 20_000
export const MAX_DETALHES = 1_000
/** The share of the whole work. */
const READ_PERCENT = 60

export interface Ponto {
  linhas: number
  validas: number
  erros: number
  avisos: number
  /** Rows of warnings that were kept. */
  avisosGuardados: number
  derivados: boolean
}

export interface Preparado extends Ponto {
  formato: Formato
  layout: Layout
  cabecalho: string[]
  avisosDoArquivo: Aviso[]
}

const START: Ponto = { linhas: 0, validas: 0, erros: 0, avisos: 0, avisosGuardados: 0, derivados: false }

export async function prepare(app: Needs, tarefa: Tarefa): Promise<Preparado> {
  const { job } = tarefa
  const parametros = job.parametros as unknown as ParametrosDeImportacao
  const fonte = fonteOf(app, job.arquivo_id as string, parametros.arquivo_tamanho)
  const { tabela, aviso } = await openTabela(fonte, parametros.formato)
  const layout = layoutOf(app, tabela, parametros)
  await openLote(app.db, job.numero)
  const ponto = await resume(app, tarefa)
  const writer = createWriter(app, tarefa, layout, ponto, () =>
    fonte.tamanho === 0 ? 0 : (READ_PERCENT * fonte.position()) / fonte.tamanho,
  )
  await readAll(tabela, writer, tarefa, ponto.linhas)
  const avisosDoArquivo = [...(aviso === null ? [] : [{ coluna: null, mensagem: aviso }]), ...layout.avisos]
  return { ...ponto, formato: tabela.formato, layout, cabecalho: tabela.cabecalho, avisosDoArquivo }
}

function layoutOf(app: Needs, tabela: Tabela, { tipo_agravo }: ParametrosDeImportacao): Layout {
  const layout = chooseLayout(tabela.cabecalho, {
    municipios: app.municipios,
    today: dateInBrazil(app.clock.now()),
    tipoAgravo: tipo_agravo,
  })
  if ('recusa' in layout) throw new ArquivoInvalido(layout.recusa)
  return layout
}

/** A crash of the database empties the tables: then from the beginning. */
async function resume({ db }: Needs, tarefa: Tarefa): Promise<Ponto> {
  const { numero } = tarefa.job
  const ponto = tarefa.job.ponto as Ponto | null
  const kept = await sizeOfLote(db, numero)
  const whole =
    ponto !== null && kept.casos === ponto.validas && kept.ocorrencias === ponto.erros + ponto.avisosGuardados
  if (whole) return { ...ponto }
  await db.transaction(async (tx) => {
    await clearLote(tx, numero)
    await tarefa.checkpoint(tx, START, 0)
  })
  return { ...START }
}

/** What was committed before a crash is read again, but neither checked nor written. */
async function readAll(tabela: Tabela, writer: Writer, tarefa: Tarefa, done: number): Promise<void> {
  let read = 0
  for await (const bloco of tabela.blocos) {
    tarefa.proceed()
    for (const lida of bloco) {
      read += 1
      const full = read > done ? writer.add(lida) : undefined
      // Waiting for nothing would still cost a turn for every row.
      if (full !== undefined) await full
      else if (read % TURN === 0) await nextTurn()
    }
  }
  await writer.end()
}

interface Writer {
  add(lida: LinhaLida): Promise<void> | undefined
  end(): Promise<void>
}

function createWriter(
  app: Needs,
  tarefa: Tarefa,
  layout: Layout,
  ponto: Ponto,
  percent: () => number,
): Writer {
  const { job } = tarefa
  const hashOf = lineHasher(app, layout.presentes)
  const sealing = { cipher: app.cipher, cepKey: remembered(app.cepKey) }
  let block = { casos: new Linhas(), ocorrencias: new Linhas() }
  let other = { casos: new Linhas(), ocorrencias: new Linhas() }
  let rows = 0
  let writing: Promise<void> = Promise.resolve()

  async function flush(): Promise<void> {
    // Only one block is on its way while the next is read: memory stays bounded.
    await writing
    const full = block
    const here = { ...ponto }
    const reached = percent()
    block = other
    other = full
    rows = 0
    block.casos.clear()
    block.ocorrencias.clear()
    writing = app.db.transaction(async (tx) => {
      await writeLote(tx, job.numero, full)
      await tarefa.checkpoint(tx, here, reached)
    })
    // Its failure is met by the next flush or by the end.
    writing.catch(() => {})
  }

  return {
    add({ linha, valores }) {
      const convertida = layout.converter(valores)
      ponto.linhas += 1
      rows += 1
      if (convertida.ok) {
        const { campos, avisos, numeroDerivado } = convertida
        ponto.validas += 1
        ponto.avisos += avisos.length
        ponto.derivados ||= numeroDerivado
        const about = { linha, hash: hashOf(campos), derivado: numeroDerivado }
        block.casos.add(lineOfCaso(sealing, campos, about))
        for (const { coluna, mensagem } of avisos) {
          if (ponto.avisosGuardados >= MAX_DETALHES) break
          ponto.avisosGuardados += 1
          const texto = coluna === null ? mensagem : `${coluna}: ${mensagem}`
          const numero = campos.numero_notificacao
          block.ocorrencias.add(lineOfOcorrencia({ linha, erro: false, numero, texto, valores: null }))
        }
      } else {
        ponto.erros += 1
        const valoresSelados = app.cipher.encrypt(
          Buffer.from(JSON.stringify(valores)),
          rejectedContext(job.id, linha),
        )
        const { numero_notificacao: numero, erro: texto } = convertida
        block.ocorrencias.add(lineOfOcorrencia({ linha, erro: true, numero, texto, valores: valoresSelados }))
      }
      return rows >= BLOCK || block.ocorrencias.bytes >= BLOCK_BYTES ? flush() : undefined
    },
    async end() {
      // Without a row there is no step forward to be recorded.
      if (rows > 0) await flush()
      await writing
    },
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
