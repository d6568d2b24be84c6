import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, because, type Problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { detalhesComMotivo } from '../auditoria/motivo.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import { announceCasos, announcementOfNew, type EventSubject } from './announce.ts'
import type { Campos, FieldName } from './campos.ts'
import {
  type CasoRow,
  deleteCaso,
  findCasoWithSigilo,
  insertCasos,
  isMerged,
  type LockedCaso,
  lockCaso,
  markExcluido,
  markImported,
  type NewCaso,
  type NewImportMark,
  touchCaso,
  transferCasos,
  unmarkExcluido,
  updateCaso,
} from './casos.sql.ts'
import {
  chavesDoCaso,
  keepChanged,
  keepChaves,
  keepingOfNovos,
  type NovoComChaves,
} from './duplicidades/escrita.ts'
import { insertHistorico } from './historico.sql.ts'
import { describeChange, sealHistory } from './historico.ts'
import type { CasoInput } from './input.ts'
import { type ResolvedCaso, resolveChange, resolveNovo } from './resolve.ts'
import { seal, toCampos } from './sigilo.ts'
import { assertAcesso, assertMayPlace, isOutside, PLACE_FIELDS, placesOf } from './territorio.ts'

export { countCasosOf } from './casos.sql.ts'

/**
 * Everything that changes a case.
 *
 *   (nothing) ── create ──► em_investigacao ◄── reopen ── encerrado
 *                                └── a final classification, or a closing date ──►┘
 *   both ── exclude ──► excluido ── restore ──► as it was
 *
 * Each change raises `versao` by one, leaves a line in the history and an event, in the same transaction.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'chaves' | 'auditoria' | 'municipios' | 'agravos'>

/** A created or changed case, for the answer. */
export interface SavedCaso {
  id: number
  versao: number
  campos: Campos
  atualizado_em: Date
  campos_alterados: string[]
}

/** Problems of fields by themselves, without the case they belong to; for answers with all problems at once. */
export function entradaProblems(
  app: Pick<App, 'clock' | 'municipios' | 'agravos'>,
  input: CasoInput,
): Problem[] {
  return resolveNovo(app, input, app.clock.now()).problems
}

export async function createCaso(app: Needs, caller: Caller, input: CasoInput): Promise<SavedCaso> {
  const novo = prepareNovo(app, caller, input)
  return savedNovo(novo, await app.db.batch(writeNovos, novo))
}

/** The same in a transaction of the caller. */
export async function createCasoIn(app: Needs, tx: Db, caller: Caller, input: CasoInput): Promise<SavedCaso> {
  const novo = prepareNovo(app, caller, input)
  const [id] = await writeNovos(tx, [novo])
  return savedNovo(novo, id as number)
}

type PreparedCaso = NewCaso & NovoComChaves

function prepareNovo(app: Needs, caller: Caller, input: CasoInput): PreparedCaso {
  const now = app.clock.now()
  const campos = checked(resolveNovo(app, input, now)).campos
  assertMayPlace(caller, placesOf(campos))
  const sealed = seal(app.cipher, app.chaves, campos)
  return { campos, sealed, chaves: chavesDoCaso(app, campos), by: caller, now }
}

const savedNovo = ({ campos, now }: PreparedCaso, id: number): SavedCaso => ({
  ...{ id, versao: 1, campos },
  atualizado_em: now,
  campos_alterados: [],
})

/** Inserts a batch of concurrent creations, sorted by key: two batches with the same cases cannot deadlock. */
async function writeNovos(db: Db, novos: PreparedCaso[]): Promise<number[]> {
  const inOrder = novos.map((novo, place) => ({ novo, place, key: keyOf(novo.campos) }))
  inOrder.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
  const subjects = inOrder.map(({ novo }) => ({ ...subjectOfCampos(novo.campos), em: novo.now }))
  const sorted = inOrder.map(({ novo }) => novo)
  const ids = await insertCasos(db, sorted, [announcementOfNew(subjects), keepingOfNovos(sorted)])
  const inPlace: number[] = []
  for (const [i, { place }] of inOrder.entries()) inPlace[place] = ids[i] as number
  return inPlace
}

const keyOf = ({ numero_notificacao, data_notificacao, tipo_agravo }: Campos) =>
  `${numero_notificacao}/${data_notificacao}/${tipo_agravo}`

/** Changes the sent fields only. `ifMatch`: optimistic lock, refuses when the version is another one. */
export async function changeCaso(
  app: Needs,
  caller: Caller,
  id: number,
  input: CasoInput,
  ifMatch: IfMatch,
): Promise<SavedCaso> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockLive(tx, caller, id, ifMatch)
    const row = await findCasoWithSigilo(tx, id)
    if (row === null) throw new AppError('NOT_FOUND')
    const before = toCampos(app.cipher, row)
    const change = resolveChange(app, caller, before, input, now)
    const { campos, alterados: campos_alterados } = checked(change)
    if (campos_alterados.some((nome) => PLACE_FIELDS.includes(nome))) assertMayPlace(caller, placesOf(campos))
    if (campos_alterados.length === 0)
      return { id, versao: row.versao, campos, atualizado_em: row.atualizado_em, campos_alterados }
    const versao = await rewriteCaso(app, tx, row, before, campos, {
      acao: 'atualizado',
      alterados: campos_alterados,
      usuario: caller,
      now,
    })
    await keepChanged(app, tx, id, campos, campos_alterados)
    await announceCasos(tx, 'agravo.atualizado', [
      { ...subjectOfCampos(campos), id, versao, em: now, before: subjectOfCampos(before) },
    ])
    return { id, versao, campos, atualizado_em: now, campos_alterados }
  })
}

export interface CaseRewrite {
  acao: string
  /** The fields that the history names. */
  alterados: readonly FieldName[]
  usuario: { id: number | null; nome: string }
  now: Date
  /** Of an import: its id, the mark it leaves on the case, and the mark before. */
  importacao_id?: number
  marca?: NewImportMark
  importacao_anterior?: object
  /** Further details of the history's line. */
  outros?: Record<string, unknown>
}

/** Rewrites a case with a line in its history; returns the new version. */
export async function rewriteCaso(
  { cipher, chaves }: Pick<App, 'cipher' | 'chaves'>,
  tx: Db,
  { id, versao: last, paciente_iniciais }: Pick<CasoRow, 'id' | 'versao' | 'paciente_iniciais'>,
  before: Campos,
  after: Campos,
  { acao, alterados, usuario, now, importacao_id, marca, importacao_anterior, outros }: CaseRewrite,
): Promise<number> {
  const versao = last + 1
  const sealed = seal(cipher, chaves, after)
  await updateCaso(tx, id, versao, after, sealed, now)
  if (marca !== undefined) await markImported(tx, id, marca)
  const iniciais: [string | null, string | null] = [paciente_iniciais, sealed.paciente_iniciais]
  const { alteracoes, sigilo } = describeChange(before, after, alterados, iniciais)
  await insertHistorico(tx, {
    caso_id: id,
    versao,
    data: now,
    acao,
    usuario_id: usuario.id,
    usuario_nome: usuario.nome,
    alteracoes: { ...alteracoes, ...outros },
    sigilo: sealHistory(cipher, id, versao, sigilo),
    importacao_id: importacao_id ?? null,
    importacao_anterior: importacao_anterior ?? null,
  })
  return versao
}

/** Soft deletion: the case leaves every list and count until it is restored. */
export async function excludeCaso(
  app: Needs,
  caller: Caller,
  id: number,
  motivo: string,
  ifMatch: IfMatch,
): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const locked = await lockLive(tx, caller, id, ifMatch)
    const versao = locked.versao + 1
    await markExcluido(tx, id, versao, caller, now)
    await writeHistory(app, tx, caller, { id, versao, acao: 'excluido', sigilo: { motivo } }, now)
    await announceCasos(tx, 'agravo.excluido', [
      { ...subjectOf(locked), id, versao, em: now, definitivo: false },
    ])
    await app.auditoria.record(tx, { acao: 'caso.excluido', ...by(caller), recurso: 'caso', recurso_id: id })
  })
}

/** Permanent deletion with history and attachments, excluded or not; the audit records it with its reason. */
export async function removeCaso(
  app: Needs,
  caller: Caller,
  id: number,
  motivo: string,
  ifMatch: IfMatch,
): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const locked = await lockCaso(tx, id)
    if (locked === null) throw new AppError('NOT_FOUND')
    assertAcesso(caller, locked)
    assertVersao(ifMatch, locked.versao)
    if (await isMerged(tx, id)) throw because('CASE_MERGED')
    await deleteCaso(tx, id)
    const versao = locked.versao + 1
    await announceCasos(tx, 'agravo.excluido', [
      { ...subjectOf(locked), id, versao, em: now, definitivo: true },
    ])
    const acao = 'caso.removido'
    const detalhes = detalhesComMotivo(app.cipher, motivo, { acao, ator_id: caller.id, casos: [id] })
    await app.auditoria.record(tx, { acao, ...by(caller), recurso: 'caso', recurso_id: id, detalhes })
  })
}

export async function restoreCaso(app: Needs, caller: Caller, id: number): Promise<SavedCaso> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const locked = await lockCaso(tx, id)
    if (!locked?.excluido) throw new AppError('NOT_FOUND')
    assertAcesso(caller, locked)
    if (locked.fundido_com !== null) throw because('CASE_MERGED')
    const versao = locked.versao + 1
    await unmarkExcluido(tx, id, versao, now)
    await writeHistory(app, tx, caller, { id, versao, acao: 'restaurado' }, now)
    await announceCasos(tx, 'agravo.restaurado', [{ ...subjectOf(locked), id, versao, em: now }])
    const row = await findCasoWithSigilo(tx, id)
    if (row === null) throw new AppError('NOT_FOUND')
    await app.auditoria.record(tx, {
      acao: 'caso.restaurado',
      ...by(caller),
      recurso: 'caso',
      recurso_id: id,
    })
    const campos = toCampos(app.cipher, row)
    await keepChaves(app, tx, id, campos)
    return { id, versao, campos, atualizado_em: now, campos_alterados: [] }
  })
}

/**
 * Locks a case before rows that refer to it are written: a foreign key takes a weaker lock, and two transactions upgrading
 * theirs would deadlock.
 */
export async function holdCaso(tx: Db, caller: Caller, id: number): Promise<void> {
  await lockLive(tx, caller, id, null)
}

/** Records a change to something that belongs to the case: a new version with a line in its history. */
export async function noteOnCaso(
  app: Pick<App, 'cipher' | 'clock'>,
  tx: Db,
  caller: Caller,
  id: number,
  acao: string,
  alteracoes: Record<string, unknown>,
): Promise<void> {
  const now = app.clock.now()
  const locked = await lockLive(tx, caller, id, null)
  const versao = locked.versao + 1
  await touchCaso(tx, id, versao, now)
  await writeHistory(app, tx, caller, { id, versao, acao, alteracoes }, now)
  await announceCasos(tx, 'agravo.atualizado', [{ ...subjectOf(locked), id, versao, em: now }])
}

/**
 * Transfers all cases of one account to another; returns their number. Refused as a whole where one is outside the heir's
 * territory: answering for a case would open it.
 */
export async function transferResponsibility(
  tx: Db,
  from: Person,
  to: Person & Pick<Caller, 'territorio'>,
  caller: Caller,
  now: Date,
): Promise<number> {
  const person = ({ id, nome }: Person) => ({ id, nome })
  const moved = await transferCasos(tx, person(from), person(to), caller, now)
  if (moved.some((caso) => isOutside(to.territorio, caso))) throw new AppError('OUT_OF_TERRITORY')
  // Excluded cases are transferred too, but have no events.
  const live = moved.filter(({ excluido }) => !excluido)
  const casos = live.map((caso) => ({ ...subjectOf(caso), id: caso.id, versao: caso.versao, em: now }))
  await announceCasos(tx, 'agravo.atualizado', casos)
  return moved.length
}

type Person = { id: number; nome: string }

export async function lockLive(tx: Db, caller: Caller, id: number, ifMatch: IfMatch): Promise<LockedCaso> {
  const locked = await lockCaso(tx, id)
  if (locked === null || locked.excluido) throw new AppError('NOT_FOUND')
  assertAcesso(caller, locked)
  assertVersao(ifMatch, locked.versao)
  return locked
}

/** Part of a case that its events carry. */
export function subjectOf(caso: Omit<EventSubject, 'id' | 'versao'>): Omit<EventSubject, 'id' | 'versao'> {
  const { tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia, municipio_notificacao } =
    caso
  return { tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia, municipio_notificacao }
}

export const subjectOfCampos = (campos: Campos) => subjectOf({ ...campos, ...placesOf(campos) })

function checked<T extends ResolvedCaso>(resolved: T): T {
  if (resolved.problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems: resolved.problems })
  return resolved
}

export interface HistoryLine {
  id: number
  versao: number
  acao: string
  alteracoes?: Record<string, unknown>
  sigilo?: Record<string, unknown>
}

export async function writeHistory(
  { cipher }: Pick<App, 'cipher'>,
  tx: Db,
  caller: Caller,
  { id, versao, acao, alteracoes = {}, sigilo = {} }: HistoryLine,
  data: Date,
): Promise<void> {
  await insertHistorico(tx, {
    caso_id: id,
    versao,
    data,
    acao,
    usuario_id: caller.id,
    usuario_nome: caller.nome,
    alteracoes,
    sigilo: sealHistory(cipher, id, versao, sigilo),
    importacao_id: null,
    importacao_anterior: null,
  })
}
