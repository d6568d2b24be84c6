import { dateInBrazil } from '../../brasil/calendar.ts'
import type { Caller } from '../../caller/caller.ts'
import { covers } from '../../caller/territorio.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import { announceEpizootia } from './anunciar.ts'
import { type CampoName, type CamposDaEpizootia, COLUMN_NAMES, type EntradaDeEpizootia } from './campos.ts'
import {
  insertEpizootias,
  insertHistorico,
  lockEpizootia,
  type MarcaDeImportacao,
  markExcluida,
  markImported,
  type SealedRow,
  unmarkExcluida,
  updateEpizootia,
} from './epizootias.sql.ts'
import { changedFields, checked, type Referencia, resolve } from './regras.ts'
import { describeChange, seal, sealHistory, unseal } from './sigilo.ts'
import { codigosOf, holdSuspeita } from './valores.sql.ts'

/**
 * Everything that changes an event. Each change raises `versao` by one, leaves a line in the history and an event of the service, in
 * the same transaction.
 */

type Needs = Pick<App, 'db' | 'clock' | 'cipher' | 'auditoria' | 'municipios'>

export interface Gravada {
  id: number
  versao: number
  campos_alterados: CampoName[]
  atualizado_em: Date
}

export async function referenciaOf(
  { clock, municipios }: Pick<App, 'clock' | 'municipios'>,
  db: Db,
): Promise<Referencia> {
  return { municipios, suspeitas: await codigosOf(db, 'suspeita'), today: dateInBrazil(clock.now()) }
}

export function createEpizootia(app: Needs, caller: Caller, entrada: EntradaDeEpizootia): Promise<Gravada> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const campos = checked(resolve(null, entrada, await referenciaOf(app, tx)))
    assertMayPlace(caller, campos)
    await holdSuspeita(tx, campos.suspeita)
    const nova = { campos, observacao: seal(app.cipher, campos) }
    const [inserted] = await insertEpizootias(tx, [nova], { usuario: caller, now })
    if (inserted === undefined) throw invalid('body', ['numero'], 'DUPLICATE', {})
    const { id } = inserted
    const isConfirmed = campos.classificacao === 'confirmada'
    const tipos = ['epizootia.criada', ...(isConfirmed ? (['epizootia.confirmada'] as const) : [])] as const
    await announceEpizootia(tx, tipos, { id, versao: 1, campos, em: now })
    return { id, versao: 1, campos_alterados: [], atualizado_em: now }
  })
}

/** Changes the sent fields only; what changes nothing adds no version. */
export function changeEpizootia(
  app: Needs,
  caller: Caller,
  id: number,
  entrada: EntradaDeEpizootia,
  ifMatch: IfMatch,
): Promise<Gravada> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const row = await lockLive(tx, caller, id, ifMatch)
    const before = toCampos(app.cipher, row)
    const campos = checked(resolve(before, entrada, await referenciaOf(app, tx)))
    const alterados = changedFields(before, campos)
    if (alterados.length === 0)
      return { id, versao: row.versao, campos_alterados: [], atualizado_em: row.atualizado_em }
    if (alterados.includes('municipio')) assertMayPlace(caller, campos)
    await holdSuspeita(tx, campos.suspeita)
    const versao = await rewrite(
      app,
      tx,
      row,
      { before, after: campos, alterados },
      {
        acao: 'atualizado',
        usuario: caller,
        now,
      },
    )
    const becameConfirmed = campos.classificacao === 'confirmada' && before.classificacao !== 'confirmada'
    const tipos = [
      'epizootia.atualizada',
      ...(becameConfirmed ? (['epizootia.confirmada'] as const) : []),
    ] as const
    await announceEpizootia(tx, tipos, { id, versao, campos, before, em: now })
    return { id, versao, campos_alterados: alterados, atualizado_em: now }
  })
}

export interface Reescrita {
  acao: string
  usuario: { id: number | null; nome: string }
  now: Date
  /** Of an import, or of its undoing. */
  importacao?: { id: number; marca: MarcaDeImportacao; anterior: MarcaDeImportacao | null }
}

/** Rewrites an event with a line in its history; returns the new version. */
export async function rewrite(
  { cipher }: Pick<App, 'cipher'>,
  tx: Db,
  { id, versao: last }: Pick<SealedRow, 'id' | 'versao'>,
  {
    before,
    after,
    alterados,
  }: { before: CamposDaEpizootia; after: CamposDaEpizootia; alterados: readonly CampoName[] },
  { acao, usuario, now, importacao = undefined }: Reescrita,
): Promise<number> {
  const versao = last + 1
  await updateEpizootia(tx, id, versao, { campos: after, observacao: seal(cipher, after) }, now)
  if (importacao) await markImported(tx, id, importacao.marca)
  const { alteracoes, sigilo } = describeChange(before, after, alterados)
  await insertHistorico(tx, {
    epizootia_id: id,
    versao,
    data: now,
    acao,
    usuario_id: usuario.id,
    usuario_nome: usuario.nome,
    alteracoes,
    sigilo: sealHistory(cipher, id, versao, sigilo),
    importacao_id: importacao?.id ?? null,
    importacao_anterior: importacao?.anterior ?? null,
  })
  return versao
}

/** Soft deletion: the event leaves every list and count until it is restored. */
export async function excludeEpizootia(
  app: Needs,
  caller: Caller,
  id: number,
  motivo: string,
  ifMatch: IfMatch,
): Promise<void> {
  const now = app.clock.now()
  await app.db.transaction(async (tx) => {
    const row = await lockLive(tx, caller, id, ifMatch)
    const versao = row.versao + 1
    await markExcluida(tx, id, versao, caller, now)
    await note(app, tx, caller, { id, versao, acao: 'excluido', sigilo: { motivo } }, now)
    await announceEpizootia(tx, ['epizootia.excluida'], { id, versao, campos: row, em: now })
    await record(app, tx, caller, 'epizootia.excluida', id)
  })
}

export function restoreEpizootia(app: Needs, caller: Caller, id: number): Promise<Gravada> {
  const now = app.clock.now()
  return app.db.transaction(async (tx) => {
    const row = await lockEpizootia(tx, id)
    if (row === null || row.excluido_em === null) throw new AppError('NOT_FOUND')
    assertInside(caller, row)
    const versao = row.versao + 1
    await unmarkExcluida(tx, id, versao, now)
    await note(app, tx, caller, { id, versao, acao: 'restaurado', sigilo: {} }, now)
    await announceEpizootia(tx, ['epizootia.restaurada'], { id, versao, campos: row, em: now })
    await record(app, tx, caller, 'epizootia.restaurada', id)
    return { id, versao, campos_alterados: [], atualizado_em: now }
  })
}

export const toCampos = (cipher: App['cipher'], row: SealedRow): CamposDaEpizootia => ({
  ...(Object.fromEntries(COLUMN_NAMES.map((nome) => [nome, row[nome]])) as Omit<
    CamposDaEpizootia,
    'observacao'
  >),
  observacao: unseal(cipher, row),
})

type Place = Pick<CamposDaEpizootia, 'estado' | 'municipio'>

/** An event outside of the caller's territory is not there. */
export function assertInside({ territorio }: Pick<Caller, 'territorio'>, place: Place): void {
  if (!covers(territorio, place)) throw new AppError('NOT_FOUND')
}

function assertMayPlace({ territorio }: Pick<Caller, 'territorio'>, place: Place): void {
  if (!covers(territorio, place)) throw new AppError('OUT_OF_TERRITORY')
}

async function lockLive(tx: Db, caller: Caller, id: number, ifMatch: IfMatch): Promise<SealedRow> {
  const row = await lockEpizootia(tx, id)
  if (row === null || row.excluido_em !== null) throw new AppError('NOT_FOUND')
  assertInside(caller, row)
  assertVersao(ifMatch, row.versao)
  return row
}

async function note(
  { cipher }: Pick<App, 'cipher'>,
  tx: Db,
  caller: Caller,
  { id, versao, acao, sigilo }: { id: number; versao: number; acao: string; sigilo: Record<string, unknown> },
  data: Date,
): Promise<void> {
  await insertHistorico(tx, {
    epizootia_id: id,
    versao,
    data,
    acao,
    usuario_id: caller.id,
    usuario_nome: caller.nome,
    alteracoes: {},
    sigilo: sealHistory(cipher, id, versao, sigilo),
    importacao_id: null,
    importacao_anterior: null,
  })
}

async function record({ auditoria }: Needs, tx: Db, caller: Caller, acao: string, id: number): Promise<void> {
  await auditoria.record(tx, { acao, ...by(caller), recurso: 'epizootia', recurso_id: id })
}
