import { copyLine } from '../../../db/copy-line.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, type Problem } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { type Campos, isSecret } from '../campos.ts'
import { rewriteCaso } from '../create.ts'
import { seal, sigiloJson, toCampos, unseal } from '../sigilo.ts'
import { isOutside, placesOf } from '../territorio.ts'
import {
  analyzeStaging,
  copyCasos,
  copyOcorrencias,
  countMatches,
  countPages,
  deleteRepeated,
  dropTable,
  findStaged,
  type ImportedCaso,
  indexLines,
  insertUnmatched,
  listDiffering,
  listEqualDerived,
  listOrphanTables,
  lockCasosByIds,
  matchCasos,
  prepareForBulk,
  relaxCommit,
  renumber,
  type StagedCaso,
  type StagedRow,
  stagedLine,
} from './bulk.sql.ts'
import { divergence } from './fundidos.ts'
import { type Importer, type Merged, type MergeRules, merge, rulesFor, textOf } from './merge.ts'
import { countParecidos } from './parecidos.sql.ts'
import { repeatSecretly, repeatsOpenly, statesAfterImport } from './repeated.ts'
import { deleteOutside } from './territorio.sql.ts'
import { OUTSIDE_TEXT } from './territorio.ts'

export {
  countImported,
  countStaged,
  createStaging as openStaging,
  dropStaging as closeStaging,
  emptyStaging as clearStaging,
  listOcorrencias as pageOfOcorrencias,
} from './bulk.sql.ts'

export { anyImportedOutside, placesOfImported } from './territorio.sql.ts'

/**
 * Bulk writing of cases through staging tables: rows are staged in blocks, then matched with the cases and moved over in one
 * transaction, all or nothing. A dry run shares every step but the writes, so that it reports what an import would do.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'chaves' | 'municipios' | 'agravos'>

/** Progress report and stop signal of a long work. */
export interface WorkControl {
  /** Throws when the work is to stop. */
  proceed(): void
  progress(percent: number): Promise<void>
}

/** True where the outcome of a comparison could reveal a secret value. */
const couldReveal = ({ importer, fields }: MergeRules) => !importer.identifies && fields.some(isSecret)

/**
 * Seals a case and writes it as a COPY line of its staging table, with a keyed hash of all its values: equal lines are
 * recognised without decrypting anything. Made of text that the line needs anyway, so that the values are serialised once.
 */
export function lineOfCaso(
  { cipher, chaves, hashOf }: Pick<App, 'cipher' | 'chaves'> & { hashOf: (text: string) => Buffer },
  row: Omit<StagedRow, 'sealed'>,
): string {
  const secret = sigiloJson(row.campos)
  const sealed = seal(cipher, chaves, row.campos, secret)
  return stagedLine({ ...row, sealed }, (text) => hashOf(`${text}\n${secret}`))
}

export interface NewOcorrencia {
  linha: number
  erro: boolean
  numero: string | null
  texto: string
  /** The encrypted row. */
  valores: Buffer | null
}

export function lineOfOcorrencia({ linha, erro, numero, texto, valores }: NewOcorrencia): string {
  return copyLine([linha, erro, numero, texto, valores])
}

/** Copies a block into the staging tables. */
export async function writeStaged(
  tx: Db,
  numero: number,
  { casos, ocorrencias }: { casos: Buffer[]; ocorrencias: (Buffer | string)[] },
): Promise<void> {
  await relaxCommit(tx)
  if (casos.length > 0) await copyCasos(tx, numero, casos)
  if (ocorrencias.length > 0) await copyOcorrencias(tx, numero, ocorrencias)
}

/** Drops the tables of imports that are over: left by workers that died before doing so. */
export async function dropOrphanStaging(db: Db): Promise<void> {
  for (const { tabela } of await listOrphanTables(db)) await dropTable(db, tabela)
}

export interface Comparison {
  duplicados: { linha: number; numero_notificacao: string }[]
  novos: number
  unchanged: number
  /** Lines about absorbed cases that repeat the last import. */
  fundidos: number
  /** Lines that the importer's territory excludes. */
  fora: Ocorrencia[]
  /** New lines without a number that may be stored cases with one. */
  parecidos: number
}

export interface Ocorrencia {
  linha: number
  numero_notificacao: string
  texto: string
  /** Broken rules; none: outside the importer's territory. */
  problems: readonly Problem[]
}

export interface ImportedChanges {
  atualizados: number
  inalterados: number
  /** Lines about absorbed cases. */
  fundidos: number
  erros: Ocorrencia[]
  avisos: Ocorrencia[]
  /** Lines that differ from the case that absorbed theirs. */
  divergentes: Ocorrencia[]
}

const BLOCK = 500
/** Pages of the staging table per insert statement, some 20,000 rows: progress and stop signals come between them. */
const INSERT_PAGES = 2_000

/**
 * Matches the staged lines with the cases. A line counts as a repetition of the last import only where that reveals
 * nothing secret, or to the account that made that import.
 */
export async function compare(
  app: Needs,
  tx: Db,
  control: WorkControl,
  { numero, derivados, rules }: { numero: number; derivados: boolean; rules: MergeRules },
): Promise<Comparison> {
  await prepareForBulk(tx)
  await analyzeStaging(tx, numero)
  if (derivados) await renumberEqual(app, tx, control, numero)
  const duplicados = await deleteRepeated(tx, numero)
  await matchCasos(tx, numero, couldReveal(rules) ? { usuarioId: rules.importer.id } : 'anybody')
  const fora = await rejectOutside(app, tx, numero, rules.importer)
  const { total, matches, unchanged, fundidos } = await countMatches(tx, numero)
  const porUnidade = rules.importer.territorio === null
  const parecidos = derivados && total > matches ? await countParecidos(tx, numero, { porUnidade }) : 0
  return { duplicados, novos: total - matches, unchanged, fundidos, fora, parecidos }
}

async function rejectOutside(
  { municipios }: Needs,
  tx: Db,
  numero: number,
  { territorio }: Importer,
): Promise<Ocorrencia[]> {
  if (territorio === null) return []
  const lines = await deleteOutside(tx, numero, { territorio, municipios })
  return lines
    .map((line) => ({ ...line, texto: OUTSIDE_TEXT, problems: [] }))
    .sort((a, b) => a.linha - b.linha)
}

/** Numbers equal lines of different patients, as in public files: the second gets `-2`, the same at each import. */
async function renumberEqual(
  { cipher, chaves }: Needs,
  tx: Db,
  control: WorkControl,
  numero: number,
): Promise<void> {
  const repeated = await listEqualDerived(tx, numero)
  if (repeated.length > 0) await indexLines(tx, numero)
  for (let i = 0; i < repeated.length; i += BLOCK) {
    control.proceed()
    const block = repeated.slice(i, i + BLOCK)
    const staged = await findStaged(
      tx,
      numero,
      block.map(({ linha }) => linha),
    )
    for (const { linha, turn, numero_notificacao } of block) {
      const row = staged.get(linha)
      if (row === undefined) continue
      const campos = { ...row, ...unseal(cipher, row), numero_notificacao: `${numero_notificacao}-${turn}` }
      const { sigilo } = seal(cipher, chaves, campos)
      await renumber(tx, numero, linha, { numero_notificacao: campos.numero_notificacao, sigilo })
    }
  }
}

export interface ImportAuthor {
  importacao_id: number
  usuario: { id: number | null; nome: string }
}

export interface ChangeRequest {
  numero: number
  rules: MergeRules
  /** Null: counts without writing. */
  author: ImportAuthor | null
  /** Told of each case that changes. */
  onChange?: (before: Campos, after: Campos) => void
}

/** Merges lines into the cases they differ from. */
export async function changeExisting(
  app: Needs,
  tx: Db,
  control: WorkControl,
  { numero, rules, author, onChange }: ChangeRequest,
): Promise<ImportedChanges> {
  const done: ImportedChanges = {
    ...{ atualizados: 0, inalterados: 0, fundidos: 0 },
    ...{ erros: [], avisos: [], divergentes: [] },
  }
  for (let after = 0; ; ) {
    control.proceed()
    const block = await listDiffering(tx, after, BLOCK)
    if (block.length === 0) return done
    if (after === 0) await indexLines(tx, numero)
    const casos = await lockCasosByIds(
      tx,
      block.map(({ id }) => id),
    )
    const staged = await findStaged(
      tx,
      numero,
      block.map(({ linha }) => linha),
    )
    const imported = couldReveal(rules)
      ? await statesAfterImport(tx, app.cipher, casos, rules.importer.id)
      : new Map<number, Campos>()
    for (const { linha, id } of block) {
      const caso = casos.get(id)
      const line = staged.get(linha)
      if (caso !== undefined && line !== undefined)
        await changeOne(app, tx, { caso, line, imported: imported.get(id), rules, author, onChange }, done)
    }
    after = block.at(-1)?.linha ?? after
  }
}

interface MatchedLine {
  caso: ImportedCaso
  line: StagedCaso
  /** The case as somebody else's import left it, where the outcome must not reveal whether the line repeats it. */
  imported: Campos | undefined
  rules: MergeRules
  author: ImportAuthor | null
  onChange: ChangeRequest['onChange']
}

async function changeOne(app: Needs, tx: Db, matched: MatchedLine, done: ImportedChanges): Promise<void> {
  const { caso, line, imported, author, onChange } = matched
  const rules = rulesFor(matched.rules, line.tipo_agravo)
  const before = toCampos(app.cipher, caso)
  const said = toCampos(app.cipher, line)
  const { fields } = rules
  const merged: Merged =
    imported !== undefined && repeatsOpenly(said, imported, fields)
      ? { ...repeatSecretly(before, said, imported, fields), avisos: [], erros: [] }
      : merge(app, before, said, rules)
  const about = (texto: string, problems: readonly Problem[]) => ({
    linha: line.linha,
    numero_notificacao: line.numero_notificacao,
    texto,
    problems,
  })
  // The case itself again: it may have moved between the match and the lock.
  if ([before, merged.campos].some((campos) => isOutside(rules.importer.territorio, placesOf(campos)))) {
    done.erros.push(about(OUTSIDE_TEXT, []))
    return
  }
  if (merged.erros.length > 0) {
    done.erros.push(about(merged.erros.map(textOf).join('; '), merged.erros))
    return
  }
  done.avisos.push(...merged.avisos.map((one) => about(textOf(one), [one])))
  if (caso.fundido_com !== null) {
    done.fundidos += 1
    const differs = await divergence(app, tx, caso.fundido_com, said, rules)
    if (differs !== null) done.divergentes.push(about(differs, []))
  } else if (merged.alterados.length === 0) done.inalterados += 1
  else {
    done.atualizados += 1
    onChange?.(before, merged.campos)
  }
  if (author === null || merged.alterados.length === 0) return
  await rewriteCaso(app, tx, caso, before, merged.campos, {
    acao: 'importado',
    alterados: merged.alterados,
    now: app.clock.now(),
    usuario: author.usuario,
    importacao_id: author.importacao_id,
    marca: {
      importacao_id: author.importacao_id,
      importacao_linha: line.linha,
      importacao_hash: line.hash,
      intacto: true,
    },
    importacao_anterior: caso.importacao,
  })
}

/** Inserts unmatched lines as new cases, some pages at a time. Fails as a whole where one of the cases exists by now. */
export async function insertNew(
  app: Needs,
  tx: Db,
  control: WorkControl,
  { numero, author }: { numero: number; author: ImportAuthor },
  percent: { from: number; to: number },
): Promise<void> {
  const now = app.clock.now()
  const origin = { ...author, responsavel_id: author.usuario.id }
  const pages = await countPages(tx, numero)
  for (let page = 0; page < pages; page += INSERT_PAGES) {
    control.proceed()
    try {
      await insertUnmatched(tx, numero, { from: page, to: page + INSERT_PAGES }, origin, now)
    } catch (error) {
      // Somebody created one of these cases since the match.
      throw isDuplicate(error) ? new AppError('UNAVAILABLE', { retryAfter: 1 }) : error
    }
    await control.progress(
      percent.from + ((percent.to - percent.from) * Math.min(page + INSERT_PAGES, pages)) / pages,
    )
  }
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof AppError &&
  error.is('VALIDATION_ERROR') &&
  error.extras.problems.some(({ code }) => code === 'DUPLICATE')
