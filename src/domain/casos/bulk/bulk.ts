import { dateInBrazil } from '../../../brasil/calendar.ts'
import { copyLine } from '../../../db/copy-line.ts'
import type { Db } from '../../../db/db.ts'
import { AppError } from '../../../errors/catalogue.ts'
import { problemText } from '../../../errors/texts.ts'
import type { App } from '../../app.ts'
import { type Campos, isSigiloso, type NomeDeCampo } from '../campos.ts'
import { rewriteCaso } from '../create.ts'
import { seal, toCampos, unseal } from '../sigilo.ts'
import { type Alterar, alterarBy } from '../update.ts'
import {
  analyzeLote,
  type CasoImportado,
  copyCasoLine,
  copyCasos,
  copyOcorrencias,
  countImported,
  countLote,
  countMatches,
  countPaginas,
  createLote,
  deleteRepeated,
  dropLote,
  dropTable,
  emptyLote,
  findLinhas,
  indexLinhas,
  insertNovos,
  listDiffering,
  listEqualDerived,
  listLeftLotes,
  listOcorrencias,
  lockCasosByIds,
  matchCasos,
  type OcorrenciaRow,
  prepareForBulk,
  relaxCommit,
  renumber,
} from './bulk.sql.ts'
import { repeatSecretly, repeatsOpenly, statesAfterImport } from './repeated.ts'

/**
 * Many cases at once. They are first written into tables of their own; then, in one transaction, compared with the cases
 * and moved over, all of them or none. A dry run takes the same way up to the writing, so that it reports what would happen.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'cepKey' | 'municipios'>

/** How far the work has come, and whether it is to go on. */
export interface Passo {
  /** Throws when it is to stop. */
  proceed(): void
  progress(percent: number): Promise<void>
}

/** What the lines may change, and whether one that contradicts its case is refused or gives way. */
export interface Regime {
  presentes: readonly NomeDeCampo[]
  estrito: boolean
  importador: Importador
}

/** Nobody learns from an import what they may not see. */
export interface Importador {
  /** Null when the account is gone. */
  id: number | null
  identifica: boolean
}

/** True where the outcome of a comparison could tell a secret value. */
const couldTell = ({ importador, presentes }: Regime) => !importador.identifica && presentes.some(isSigiloso)

/** Its tables, empty unless they are there already. */
export function openLote(db: Db, numero: number): Promise<void> {
  return createLote(db, numero)
}

export function closeLote(db: Db, numero: number): Promise<void> {
  return dropLote(db, numero)
}

/** From the beginning. */
export function clearLote(db: Db, numero: number): Promise<void> {
  return emptyLote(db, numero)
}

export function sizeOfLote(db: Db, numero: number): Promise<{ casos: number; ocorrencias: number }> {
  return countLote(db, numero)
}

/** One case as a line of the table, sealed. */
export function lineOfCaso(
  { cipher, cepKey }: Pick<App, 'cipher' | 'cepKey'>,
  campos: Campos,
  about: { linha: number; hash: Buffer; derivado: boolean },
): string {
  return copyCasoLine(campos, seal(cipher, cepKey, campos), about)
}

export interface OcorrenciaNova {
  linha: number
  erro: boolean
  numero: string | null
  texto: string
  /** The row as it came, sealed. */
  valores: Buffer | null
}

export function lineOfOcorrencia({ linha, erro, numero, texto, valores }: OcorrenciaNova): string {
  return copyLine([linha, erro, numero, texto, valores])
}

export async function writeLote(
  tx: Db,
  numero: number,
  { casos, ocorrencias }: { casos: Buffer[]; ocorrencias: (Buffer | string)[] },
): Promise<void> {
  await relaxCommit(tx)
  if (casos.length > 0) await copyCasos(tx, numero, casos)
  if (ocorrencias.length > 0) await copyOcorrencias(tx, numero, ocorrencias)
}

/** With the rows themselves (`whole`), a page may be shorter than it could be. */
export function pageOfOcorrencias(
  db: Db,
  numero: number,
  window: { erro: boolean; after: number; size: number; whole?: boolean },
): Promise<OcorrenciaRow[]> {
  return listOcorrencias(db, numero, window.erro, window.after, window.size, window.whole ?? false)
}

/** Cases that an import wrote last, whatever happened to them since; excluded ones do not count. */
export function importedCount(db: Db, importacaoId: number): Promise<number> {
  return countImported(db, importacaoId)
}

/** Tables of imports that are over: of workers that died while they dropped them. */
export async function dropLeftLotes(db: Db): Promise<void> {
  for (const { tabela } of await listLeftLotes(db)) await dropTable(db, tabela)
}

export interface Comparado {
  duplicados: { linha: number; numero_notificacao: string }[]
  novos: number
  iguais: number
}

export interface Ocorrencia {
  linha: number
  numero_notificacao: string
  texto: string
}

export interface Alteracoes {
  atualizados: number
  inalterados: number
  erros: Ocorrencia[]
  avisos: Ocorrencia[]
}

const BLOCK = 500
/** Pages whose lines become cases in one statement: some 20,000. */
const STRETCH = 2_000

/** A line is recognised as the one imported last where that tells nothing secret, or to the account that imported it. */
export async function compare(
  app: Needs,
  tx: Db,
  passo: Passo,
  { numero, derivados, regime }: { numero: number; derivados: boolean; regime: Regime },
): Promise<Comparado> {
  await prepareForBulk(tx)
  await analyzeLote(tx, numero)
  if (derivados) await renumberEqual(app, tx, passo, numero)
  const duplicados = await deleteRepeated(tx, numero)
  await matchCasos(tx, numero, couldTell(regime) ? { usuarioId: regime.importador.id } : 'anybody')
  const { total, casados, iguais } = await countMatches(tx, numero)
  return { duplicados, novos: total - casados, iguais }
}

/** Two patients can be equal in all that a public file tells. The second gets `-2`, and again so the next time. */
async function renumberEqual({ cipher, cepKey }: Needs, tx: Db, passo: Passo, numero: number): Promise<void> {
  const repeated = await listEqualDerived(tx, numero)
  if (repeated.length > 0) await indexLinhas(tx, numero)
  for (let i = 0; i < repeated.length; i += BLOCK) {
    passo.proceed()
    const block = repeated.slice(i, i + BLOCK)
    const linhas = await findLinhas(
      tx,
      numero,
      block.map(({ linha }) => linha),
    )
    for (const { linha, vez, numero_notificacao } of block) {
      const row = linhas.get(linha)
      if (row === undefined) continue
      const campos = { ...row, ...unseal(cipher, row), numero_notificacao: `${numero_notificacao}-${vez}` }
      const { sigilo } = seal(cipher, cepKey, campos)
      await renumber(tx, numero, linha, { numero_notificacao: campos.numero_notificacao, sigilo })
    }
  }
}

export interface Autor {
  importacao_id: number
  usuario: { id: number | null; nome: string }
}

/** Lines of cases that exist and say something new. `autor` null: nothing is written. */
export async function changeExisting(
  app: Needs,
  tx: Db,
  passo: Passo,
  { numero, regime, autor }: { numero: number; regime: Regime; autor: Autor | null },
): Promise<Alteracoes> {
  const done: Alteracoes = { atualizados: 0, inalterados: 0, erros: [], avisos: [] }
  for (let after = 0; ; ) {
    passo.proceed()
    const block = await listDiffering(tx, after, BLOCK)
    if (block.length === 0) return done
    if (after === 0) await indexLinhas(tx, numero)
    const casos = await lockCasosByIds(
      tx,
      block.map(({ id }) => id),
    )
    const linhas = await findLinhas(
      tx,
      numero,
      block.map(({ linha }) => linha),
    )
    const imported = couldTell(regime)
      ? await statesAfterImport(tx, app.cipher, casos, regime.importador.id)
      : new Map<number, Campos>()
    for (const { linha, id } of block) {
      const caso = casos.get(id)
      const lida = linhas.get(linha)
      if (caso !== undefined && lida !== undefined)
        await changeOne(app, tx, { caso, lida, imported: imported.get(id), regime, autor }, done)
    }
    after = block.at(-1)?.linha ?? after
  }
}

interface Par {
  caso: CasoImportado
  lida: Awaited<ReturnType<typeof findLinhas>> extends Map<number, infer V> ? V : never
  /** The case as somebody else's import left it, where the outcome must not tell whether the line is the same. */
  imported: Campos | undefined
  regime: Regime
  autor: Autor | null
}

async function changeOne(app: Needs, tx: Db, par: Par, done: Alteracoes): Promise<void> {
  const { caso, lida, imported, regime, autor } = par
  const before = toCampos(app.cipher, caso)
  const said = toCampos(app.cipher, lida)
  const { presentes } = regime
  const merged: Fundido =
    imported !== undefined && repeatsOpenly(said, imported, presentes)
      ? { ...repeatSecretly(before, said, imported, presentes), avisos: [], erro: null }
      : merge(app, before, said, regime)
  const about = (texto: string) => ({ linha: lida.linha, numero_notificacao: lida.numero_notificacao, texto })
  if (merged.erro !== null) {
    done.erros.push(about(merged.erro))
    return
  }
  done.avisos.push(...merged.avisos.map(about))
  if (merged.alterados.length === 0) {
    done.inalterados += 1
    return
  }
  done.atualizados += 1
  if (autor === null) return
  await rewriteCaso(app, tx, caso, before, merged.campos, {
    acao: 'importado',
    alterados: merged.alterados,
    now: app.clock.now(),
    usuario: autor.usuario,
    importacao_id: autor.importacao_id,
    marca: {
      importacao_id: autor.importacao_id,
      importacao_linha: lida.linha,
      importacao_hash: lida.hash,
      intacto: true,
    },
    importacao_anterior: caso.importacao,
  })
}

interface Fundido {
  campos: Campos
  alterados: readonly NomeDeCampo[]
  avisos: string[]
  erro: string | null
}

/**
 * The columns of the file decide, empty ones too; what the file has no column for stays. Where both together contradict
 * the rules, a line gives way field by field, with a warning, or is refused where the regime is strict.
 */
function merge(
  { clock, municipios }: Needs,
  before: Campos,
  said: Campos,
  { presentes, estrito, importador }: Regime,
): Fundido {
  const alterar: Alterar = alterarBy(importador.identifica)
  const sent: Partial<Record<NomeDeCampo, unknown>> = {}
  for (const nome of presentes) if (nome !== 'status') sent[nome] = said[nome]
  // What was computed from a birth date is computed again.
  if (said.paciente_data_nascimento !== null) delete sent.paciente_idade
  const today = dateInBrazil(clock.now())
  const avisos: string[] = []
  for (;;) {
    const { campos, alterados, problems } = alterar(before, sent as Partial<Campos>, today, municipios)
    const [first] = problems
    if (first === undefined) return { campos, alterados, avisos, erro: null }
    const nome = first.path.join('.') as NomeDeCampo
    const text = `${nome}: ${problemText(first, 'pt-BR')}`
    if (estrito || avisos.length > presentes.length)
      return {
        campos,
        alterados,
        avisos,
        erro: problems.map((one) => `${one.path.join('.')}: ${problemText(one, 'pt-BR')}`).join('; '),
      }
    avisos.push(text)
    // A field of the file is left as the case has it; one that only the case has contradicts the file and is emptied.
    if (Object.hasOwn(sent, nome) && sent[nome] !== null && sent[nome] !== before[nome]) delete sent[nome]
    else sent[nome] = null
  }
}

/** Lines without a case become one, a stretch at a time. All of them, or the work is to be done anew. */
export async function insertNew(
  app: Needs,
  tx: Db,
  passo: Passo,
  { numero, autor }: { numero: number; autor: Autor },
  percent: { from: number; to: number },
): Promise<void> {
  const now = app.clock.now()
  const origem = { ...autor, responsavel_id: autor.usuario.id }
  const paginas = await countPaginas(tx, numero)
  for (let de = 0; de < paginas; de += STRETCH) {
    passo.proceed()
    try {
      await insertNovos(tx, numero, { de, ate: de + STRETCH }, origem, now)
    } catch (error) {
      // Somebody registered one of these cases since they were compared.
      throw isDuplicate(error) ? new AppError('UNAVAILABLE', { retryAfter: 1 }) : error
    }
    await passo.progress(
      percent.from + ((percent.to - percent.from) * Math.min(de + STRETCH, paginas)) / paginas,
    )
  }
}

const isDuplicate = (error: unknown): boolean =>
  error instanceof AppError &&
  error.is('VALIDATION_ERROR') &&
  error.extras.problems.some(({ code }) => code === 'DUPLICATE')
