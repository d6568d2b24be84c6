import { covers, type Territorio } from '../../../caller/territorio.ts'
import type { Db } from '../../../db/db.ts'
import type { App } from '../../app.ts'
import { InvalidFile } from '../../importacao/formats/table.ts'
import type { CampoName, CamposDaEpizootia } from '../campos.ts'
import { insertEpizootias, type MarcaDeImportacao, type SealedRow } from '../epizootias.sql.ts'
import { rewrite, toCampos } from '../gravar.ts'
import { changedFields, type Referencia, resolve } from '../regras.ts'
import { seal } from '../sigilo.ts'
import { keyOf, type LeitorDeEpizootias, type Linha, reasonOf } from './arquivo.ts'
import { listByKey } from './importar.sql.ts'

/** Comparison of a file with the events that are there, and storing of the difference. */

type Needs = Pick<App, 'cipher'>

interface Mudanca {
  linha: Linha
  row: SealedRow
  before: CamposDaEpizootia
  after: CamposDaEpizootia
  alterados: CampoName[]
}

export interface PlanoDeImportacao {
  novas: Linha[]
  mudancas: Mudanca[]
  inalterados: number
}

export interface Comparacao {
  leitor: LeitorDeEpizootias
  referencia: Referencia
  territorio: Territorio | null
  /** Events are locked, to be changed. */
  isLocked: boolean
  step(share: number): Promise<void>
}

const BLOCK = 500

/** Difference between the file and the events; lines that do not go with theirs are refused. */
export async function compare(app: Needs, tx: Db, comparacao: Comparacao): Promise<PlanoDeImportacao> {
  const plano: PlanoDeImportacao = { novas: [], mudancas: [], inalterados: 0 }
  const linhas = comparacao.leitor.emOrdem
  for (let i = 0; i < linhas.length; i += BLOCK) {
    const block = linhas.slice(i, i + BLOCK)
    await compareBlock(app, tx, comparacao, block, plano)
    await comparacao.step((i + block.length) / linhas.length)
  }
  return plano
}

async function compareBlock(
  { cipher }: Needs,
  tx: Db,
  { leitor, referencia, territorio, isLocked }: Comparacao,
  block: readonly Linha[],
  plano: PlanoDeImportacao,
): Promise<void> {
  const chaves = block.map(({ campos }) => campos)
  const stored = new Map((await listByKey(tx, chaves, isLocked)).map((row) => [keyOf(row), row]))
  for (const linha of block) {
    const row = stored.get(keyOf(linha.campos))
    if (row === undefined) {
      plano.novas.push(linha)
      continue
    }
    const before = toCampos(cipher, row)
    const { campos: after, problems } = resolve(before, linha.entrada, referencia)
    const alterados = changedFields(before, after)
    if (!covers(territorio, row)) leitor.reject(linha.row, 'Já há um evento com este número e esta data')
    else if (problems.length > 0) leitor.reject(linha.row, reasonOf(problems))
    else if (alterados.length === 0) plano.inalterados += 1
    else plano.mudancas.push({ linha, row, before, after, alterados })
  }
}

export interface AutorDaImportacao {
  importacaoId: number
  usuario: { id: number | null; nome: string }
  now: Date
}

/** Stores what the comparison found; an event that somebody registered meanwhile is compared again. */
export async function store(
  app: Needs,
  tx: Db,
  comparacao: Comparacao,
  plano: PlanoDeImportacao,
  autor: AutorDaImportacao,
): Promise<void> {
  const pending = plano.novas
  plano.novas = []
  const known = comparacao.leitor.erros
  for (let i = 0; i < pending.length; i += BLOCK) {
    const block = pending.slice(i, i + BLOCK)
    const inserted = await insertBlock(app, tx, block, autor)
    plano.novas.push(...block.filter(({ campos }) => inserted.has(keyOf(campos))))
    const late = block.filter(({ campos }) => !inserted.has(keyOf(campos)))
    const again: PlanoDeImportacao = { novas: [], mudancas: plano.mudancas, inalterados: 0 }
    if (late.length > 0) await compareBlock(app, tx, comparacao, late, again)
    if (comparacao.leitor.erros > known)
      throw new InvalidFile('Um evento do arquivo foi registrado enquanto ele era lido. Envie-o de novo.')
    pending.push(...again.novas)
    plano.inalterados += again.inalterados
    await comparacao.step((i + block.length) / pending.length)
  }
  for (const mudanca of plano.mudancas) await change(app, tx, mudanca, autor)
}

async function insertBlock(
  { cipher }: Needs,
  tx: Db,
  block: readonly Linha[],
  autor: AutorDaImportacao,
): Promise<Set<string>> {
  const novas = block.map(({ campos, row }) => ({
    campos,
    observacao: seal(cipher, campos),
    linha: row.line,
  }))
  return new Set((await insertEpizootias(tx, novas, autor)).map(keyOf))
}

async function change(app: Needs, tx: Db, mudanca: Mudanca, autor: AutorDaImportacao): Promise<void> {
  const { linha, row, ...fields } = mudanca
  const { importacaoId, usuario, now } = autor
  const versao = row.versao + 1
  await rewrite(app, tx, row, fields, {
    acao: 'importado',
    usuario,
    now,
    importacao: {
      id: importacaoId,
      marca: { importacao_id: importacaoId, importacao_linha: linha.row.line, importacao_versao: versao },
      anterior: markOf(row),
    },
  })
}

const markOf = ({ importacao_id, importacao_linha, importacao_versao }: SealedRow): MarcaDeImportacao => ({
  importacao_id,
  importacao_linha,
  importacao_versao,
})
