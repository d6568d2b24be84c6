import { dateInBrazil } from '../../brasil/calendar.ts'
import { type Caller, mayIdentify } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, type Problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { type Avisado, tellingOfNovos, tellOfCasos } from './announce.ts'
import { type Campos, NOMES, type NomeDeCampo } from './campos.ts'
import {
  type CasoRow,
  type CasoTravado,
  deleteCaso,
  findCasoWithSigilo,
  insertCasos,
  lockCaso,
  type Marca,
  markExcluido,
  markImported,
  type NovoCaso,
  touchCaso,
  transferCasos,
  unmarkExcluido,
  updateCaso,
} from './casos.sql.ts'
import { insertHistorico } from './historico.sql.ts'
import { describeChange, sealHistory } from './historico.ts'
import { type Entrada, fromEntrada } from './input.ts'
import { applyRules } from './regras.ts'
import { seal, toCampos } from './sigilo.ts'
import { alterarBy } from './update.ts'

/**
 * Everything that changes a case.
 *
 *   (nothing) ── create ──► em_investigacao ◄── reopen ── encerrado
 *                                └── a final classification, or a closing date ──►┘
 *   both ── exclude ──► excluido ── restore ──► as it was
 *
 * Each change raises `versao` by one, leaves a line in the history and an event, in the same transaction.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'cepKey' | 'auditoria' | 'municipios'>

/** A case that came into being or changed, as the answer tells it. */
export interface Registrado {
  id: number
  versao: number
  campos: Campos
  atualizado_em: Date
  campos_alterados: string[]
}

/** What is wrong with fields by themselves, without the case they belong to; for reports with all problems at once. */
export function entradaProblems(app: Pick<App, 'clock' | 'municipios'>, entrada: Entrada): Problem[] {
  return resolveNovo(app, entrada, app.clock.now()).problems
}

export async function createCaso(app: Needs, caller: Caller, entrada: Entrada): Promise<Registrado> {
  const now = app.clock.now()
  const campos = checked(resolveNovo(app, entrada, now)).campos
  const selado = seal(app.cipher, app.cepKey, campos)
  const id = await app.db.batch(writeNovos, { campos, selado, by: caller, now })
  return { id, versao: 1, campos, atualizado_em: now, campos_alterados: [] }
}

/** The cases that are registered at the same moment. Always in one order: others may be registering the same ones. */
async function writeNovos(db: Db, novos: NovoCaso[]): Promise<number[]> {
  const inOrder = novos.map((novo, place) => ({ novo, place, key: keyOf(novo.campos) }))
  inOrder.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key))
  const told = inOrder.map(({ novo }) => ({ ...toldOf(novo.campos), em: novo.now }))
  const ids = await insertCasos(
    db,
    inOrder.map(({ novo }) => novo),
    tellingOfNovos(told),
  )
  const inPlace: number[] = []
  for (const [i, { place }] of inOrder.entries()) inPlace[place] = ids[i] as number
  return inPlace
}

const keyOf = ({ numero_notificacao, data_notificacao, tipo_agravo }: Campos) =>
  `${numero_notificacao}/${data_notificacao}/${tipo_agravo}`

/** Only what is sent changes. `ifMatch` refuses when somebody else was quicker. */
export async function changeCaso(
  app: Needs,
  caller: Caller,
  id: number,
  entrada: Entrada,
  ifMatch: IfMatch,
): Promise<Registrado> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    await lockLive(tx, id, ifMatch)
    const row = await findCasoWithSigilo(tx, id)
    if (row === null) throw new AppError('NOT_FOUND')
    const before = toCampos(app.cipher, row)
    const change = resolveChange(app, caller, before, entrada, now)
    const { campos, alterados: campos_alterados } = checked(change)
    if (campos_alterados.length === 0)
      return { id, versao: row.versao, campos, atualizado_em: row.atualizado_em, campos_alterados }
    const versao = await rewriteCaso(app, tx, row, before, campos, {
      acao: 'atualizado',
      alterados: campos_alterados,
      usuario: caller,
      now,
    })
    await tellOfCasos(tx, 'agravo.atualizado', [
      { ...toldOf(campos), id, versao, em: now, before: toldOf(before) },
    ])
    return { id, versao, campos, atualizado_em: now, campos_alterados }
  })
}

export interface Escrita {
  acao: string
  /** The fields that the history names. */
  alterados: readonly NomeDeCampo[]
  usuario: { id: number | null; nome: string }
  now: Date
  /** Of an import: which one, what the case remembers of it from now on, and what it remembered before. */
  importacao_id?: number
  marca?: Marca
  importacao_anterior?: object
}

/** Writes a case anew, with a line in its history. The version it has then. */
export async function rewriteCaso(
  { cipher, cepKey }: Pick<App, 'cipher' | 'cepKey'>,
  tx: Db,
  { id, versao: last, paciente_iniciais }: Pick<CasoRow, 'id' | 'versao' | 'paciente_iniciais'>,
  before: Campos,
  after: Campos,
  { acao, alterados, usuario, now, importacao_id, marca, importacao_anterior }: Escrita,
): Promise<number> {
  const versao = last + 1
  const selado = seal(cipher, cepKey, after)
  await updateCaso(tx, id, versao, after, selado, now)
  if (marca !== undefined) await markImported(tx, id, marca)
  const iniciais: [string | null, string | null] = [paciente_iniciais, selado.paciente_iniciais]
  const { alteracoes, sigilo } = describeChange(before, after, alterados, iniciais)
  await insertHistorico(tx, {
    caso_id: id,
    versao,
    data: now,
    acao,
    usuario_id: usuario.id,
    usuario_nome: usuario.nome,
    alteracoes,
    sigilo: sealHistory(cipher, id, versao, sigilo),
    importacao_id: importacao_id ?? null,
    importacao_anterior: importacao_anterior ?? null,
  })
  return versao
}

/** Kept, but out of every list and count, until it is restored. */
export async function excludeCaso(
  app: Needs,
  caller: Caller,
  id: number,
  motivo: string,
  ifMatch: IfMatch,
): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const locked = await lockLive(tx, id, ifMatch)
    const versao = locked.versao + 1
    await markExcluido(tx, id, versao, caller, now)
    await writeHistory(app, tx, caller, { id, versao, acao: 'excluido', sigilo: { motivo } }, now)
    await tellOfCasos(tx, 'agravo.excluido', [{ ...toldOf(locked), id, versao, em: now, definitivo: false }])
    await app.auditoria.record(tx, { acao: 'caso.excluido', ...by(caller), recurso: 'caso', recurso_id: id })
  })
}

/** For good, with history and attachments, whether excluded before or not. The audit keeps that it happened. */
export async function removeCaso(app: Needs, caller: Caller, id: number, ifMatch: IfMatch): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const locked = await lockCaso(tx, id)
    if (locked === null) throw new AppError('NOT_FOUND')
    assertMatches(ifMatch, locked.versao)
    await deleteCaso(tx, id)
    const versao = locked.versao + 1
    await tellOfCasos(tx, 'agravo.excluido', [{ ...toldOf(locked), id, versao, em: now, definitivo: true }])
    await app.auditoria.record(tx, { acao: 'caso.removido', ...by(caller), recurso: 'caso', recurso_id: id })
  })
}

export async function restoreCaso(app: Needs, caller: Caller, id: number): Promise<Registrado> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const locked = await lockCaso(tx, id)
    if (!locked?.excluido) throw new AppError('NOT_FOUND')
    const versao = locked.versao + 1
    await unmarkExcluido(tx, id, versao, now)
    await writeHistory(app, tx, caller, { id, versao, acao: 'restaurado' }, now)
    await tellOfCasos(tx, 'agravo.restaurado', [{ ...toldOf(locked), id, versao, em: now }])
    const row = await findCasoWithSigilo(tx, id)
    if (row === null) throw new AppError('NOT_FOUND')
    await app.auditoria.record(tx, {
      acao: 'caso.restaurado',
      ...by(caller),
      recurso: 'caso',
      recurso_id: id,
    })
    return { id, versao, campos: toCampos(app.cipher, row), atualizado_em: now, campos_alterados: [] }
  })
}

/**
 * To be called first by what adds to a case or takes from it: a row that refers to the case holds it a little, and two
 * of those would wait for each other's whole.
 */
export async function holdCaso(tx: Db, id: number): Promise<void> {
  await lockLive(tx, id, null)
}

/** Something that belongs to the case happened: a new version with a line in its history. */
export async function noteOnCaso(
  app: Pick<App, 'cipher' | 'clock'>,
  tx: Db,
  caller: Caller,
  id: number,
  acao: string,
  alteracoes: Record<string, unknown>,
): Promise<void> {
  const now = app.clock.now()
  const locked = await lockLive(tx, id, null)
  const versao = locked.versao + 1
  await touchCaso(tx, id, versao, now)
  await writeHistory(app, tx, caller, { id, versao, acao, alteracoes }, now)
  await tellOfCasos(tx, 'agravo.atualizado', [{ ...toldOf(locked), id, versao, em: now }])
}

/** All that one account answers for; the number of cases. */
export async function transferResponsibility(
  tx: Db,
  from: Pessoa,
  to: Pessoa,
  caller: Caller,
  now: Date,
): Promise<number> {
  const person = ({ id, nome }: Pessoa) => ({ id, nome })
  const moved = await transferCasos(tx, person(from), person(to), caller, now)
  // Excluded ones change hands too, but to everybody else they are gone.
  const live = moved.filter(({ excluido }) => !excluido)
  const casos = live.map((caso) => ({ ...toldOf(caso), id: caso.id, versao: caso.versao, em: now }))
  await tellOfCasos(tx, 'agravo.atualizado', casos)
  return moved.length
}

type Pessoa = { id: number; nome: string }

/** The versions a client accepts to change (`If-Match`); null accepts any. */
export type IfMatch = ReadonlySet<number> | null

function assertMatches(ifMatch: IfMatch, versao: number): void {
  if (ifMatch !== null && !ifMatch.has(versao)) throw new AppError('CONFLICT')
}

async function lockLive(tx: Db, id: number, ifMatch: IfMatch): Promise<CasoTravado> {
  const locked = await lockCaso(tx, id)
  if (locked === null || locked.excluido) throw new AppError('NOT_FOUND')
  assertMatches(ifMatch, locked.versao)
  return locked
}

/** Of a case, what its events are about. */
function toldOf(caso: Omit<Avisado, 'id' | 'versao'>): Omit<Avisado, 'id' | 'versao'> {
  const { tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia } = caso
  return { tipo_agravo, numero_notificacao, estado_residencia, municipio_residencia }
}

interface Resolvido {
  campos: Campos
  problems: Problem[]
}

function checked<T extends Resolvido>(resolved: T): T {
  if (resolved.problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems: resolved.problems })
  return resolved
}

/** A new case as it will be, and every problem with it. */
function resolveNovo({ municipios }: Pick<App, 'municipios'>, entrada: Entrada, now: Date): Resolvido {
  const sent = fromEntrada(entrada, null, municipios)
  const { campos, problems } = applyRules(null, sent.campos, dateInBrazil(now), municipios)
  return { campos, problems: together(sent.problems, problems) }
}

/** The same of a case that is changed. */
function resolveChange(
  { municipios }: Pick<App, 'municipios'>,
  caller: Caller,
  before: Campos,
  entrada: Entrada,
  now: Date,
) {
  const sent = fromEntrada(entrada, before, municipios)
  const alterar = alterarBy(mayIdentify(caller))
  const change = alterar(before, sent.campos, dateInBrazil(now), municipios)
  return { ...change, campos: pick(change.campos), problems: together(sent.problems, change.problems) }
}

/** The rules say nothing more of a field that could not be read. */
function together(ofInput: Problem[], ofRules: Problem[]): Problem[] {
  const told = new Set(ofInput.map(({ path }) => path.join('.')))
  return [...ofInput, ...ofRules.filter(({ path }) => !told.has(path.join('.')))]
}

/** A row that was read has more than its fields. */
function pick(campos: Campos): Campos {
  return Object.fromEntries(NOMES.map((nome) => [nome, campos[nome]])) as Campos
}

interface Linha {
  id: number
  versao: number
  acao: string
  alteracoes?: Record<string, unknown>
  sigilo?: Record<string, unknown>
}

async function writeHistory(
  { cipher }: Pick<App, 'cipher'>,
  tx: Db,
  caller: Caller,
  { id, versao, acao, alteracoes = {}, sigilo = {} }: Linha,
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
