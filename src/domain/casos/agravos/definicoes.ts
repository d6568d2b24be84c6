import { hash } from 'node:crypto'
import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, invalid, type Problem } from '../../../errors/catalogue.ts'
import type { App } from '../../app.ts'
import { by } from '../../auditoria/auditoria.ts'
import { emit } from '../../eventos/eventos.ts'
import { assertVersao, type IfMatch } from '../../versoes.ts'
import { insertBulkChange, markCountedOf } from '../counters/mudados.sql.ts'
import { type CodigoDoVocabulario, type Definicao, LIMITES, type Lista } from './definicao.ts'
import {
  activateVersao,
  anyExcluido,
  countAtivos,
  deleteAgravo,
  findAtiva,
  findTipo,
  findUltima,
  insertCodigos,
  insertVersao,
  listVocabulario,
  lockDefinicoes,
  replaceRascunhos,
  setAtivo,
  upsertTipo,
  type VersaoRow,
} from './definicoes.sql.ts'
import { casosOf } from './leitura.ts'
import { canonical } from './ler.ts'
import { conferir } from './simulacao.ts'

/**
 * Definitions of diseases: drafts, versions, activation.
 *
 *   (nothing) ── create ──► rascunho ── activate ──► ativa ── a later version is activated ──► substituida
 *   the disease itself: active ◄── activate / deactivate ──► inactive (readable, no new cases)
 */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'agravos' | 'municipios'>

export async function createDefinicao(
  app: Needs,
  caller: Caller,
  { json, ativar }: { json: unknown; ativar: boolean },
): Promise<string> {
  const codigo = await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const { definicao, problems, ultima } = await conferir(app, tx, json)
    refuse(problems)
    if (ultima !== null) throw invalid('body', ['codigo'], 'DUPLICATE', {})
    await store(app, tx, caller, definicao, { versao: 1, ativar })
    return definicao.codigo
  })
  await app.agravos.reload()
  return codigo
}

/** `versoes`: last versions that the caller has read; null: whichever there is. The same definition again makes no version. */
export async function changeDefinicao(
  app: Needs,
  caller: Caller,
  codigo: string,
  { json, ativar, versoes }: { json: unknown; ativar: boolean; versoes: IfMatch },
): Promise<number> {
  const versao = await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const last = await findUltima(tx, codigo)
    if (last === null) throw new AppError('NOT_FOUND')
    assertVersao(versoes, last.versao)
    const { definicao, problems } = await conferir(app, tx, json, codigo)
    refuse(problems)
    if (last.resumo_sha256.equals(sha256(definicao))) {
      if (ativar && last.estado === 'rascunho') await activate(app, tx, caller, last)
      return last.versao
    }
    await store(app, tx, caller, definicao, { versao: last.versao + 1, ativar })
    return last.versao + 1
  })
  await app.agravos.reload()
  return versao
}

async function store(
  app: Needs,
  tx: Db,
  caller: Caller,
  definicao: Definicao,
  { versao, ativar }: { versao: number; ativar: boolean },
): Promise<void> {
  const now = app.clock.now()
  await replaceRascunhos(tx, definicao.codigo)
  const row: VersaoRow = {
    ...{ codigo: definicao.codigo, versao, definicao, estado: 'rascunho', resumo_sha256: sha256(definicao) },
    ...{ criado_por_id: caller.id, criado_por_nome: caller.nome, criado_em: now, ativada_em: null },
  }
  await insertVersao(tx, row)
  if (ativar) await activate(app, tx, caller, row)
  else await record(app, tx, caller, 'agravo.definido', row.codigo, { versao })
}

const sha256 = (definicao: Definicao): Buffer => hash('sha256', canonical(definicao), 'buffer')

async function activate(app: Needs, tx: Db, caller: Caller, { definicao, versao }: VersaoRow): Promise<void> {
  const { codigo } = definicao
  const tipo = await findTipo(tx, codigo)
  if (!tipo?.ativo && (await countAtivos(tx)) >= LIMITES.ativos)
    throw invalid('body', ['codigo'], 'TOO_MANY', { limit: LIMITES.ativos })
  await extendVocabulario(tx, definicao)
  const before = tipo?.ativo ? await findAtiva(tx, codigo) : null
  if (isLeveledAnew(before?.definicao, definicao)) await askForNiveis(tx, codigo)
  await activateVersao(tx, codigo, versao, app.clock.now())
  await upsertTipo(tx, definicao, tipo?.protegido ?? false)
  await announce(app, tx, codigo, versao, 'ativa')
  await record(app, tx, caller, 'agravo.ativado', codigo, { versao })
}

/** Levels of alert go by the generation interval; of a disease that had none, they are still to be computed. */
function isLeveledAnew(before: Definicao | undefined, { epidemiologia }: Definicao): boolean {
  if (!epidemiologia.alertas) return false
  const had = before?.epidemiologia
  if (had === undefined || !had.alertas) return true
  const [was, is] = [had.intervalo_geracao, epidemiologia.intervalo_geracao]
  return was?.media !== is?.media || was?.desvio !== is?.desvio
}

/** Its places are computed at once, as after an import. */
async function askForNiveis(tx: Db, codigo: string): Promise<void> {
  await markCountedOf(tx, codigo)
  await insertBulkChange(tx)
}

async function extendVocabulario(tx: Db, definicao: Definicao): Promise<void> {
  const known = await listVocabulario(tx)
  const codes = codigosOf(definicao).filter(
    ({ lista, codigo }) => !known.some((one) => one.lista === lista && one.codigo === codigo),
  )
  for (const lista of new Set(codes.map((one) => one.lista))) {
    const total = [...known, ...codes].filter((one) => one.lista === lista).length
    if (total > LIMITES.vocabulario)
      throw invalid('body', [CHAVES[lista]], 'TOO_MANY', { limit: LIMITES.vocabulario })
  }
  if (codes.length > 0) await insertCodigos(tx, codes, false)
}

const CHAVES = { classificacao: 'classificacoes', criterio: 'criterios', evolucao: 'evolucoes' } as const

const codigosOf = (definicao: Definicao): CodigoDoVocabulario[] =>
  (Object.entries(CHAVES) as [Lista, (typeof CHAVES)[Lista]][]).flatMap(([lista, chave]) =>
    definicao[chave].map(({ codigo, rotulo = codigo, grupo = '', grave = false }) => ({
      ...{ lista, codigo, rotulo, grupo, grave },
    })),
  )

/** Puts the last draft in force, or takes new cases again. */
export async function activateAgravo(app: Needs, caller: Caller, codigo: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const last = await findUltima(tx, codigo)
    if (last === null) throw new AppError('NOT_FOUND')
    if (last.estado === 'rascunho') {
      const { problems } = await conferir(app, tx, last.definicao, codigo)
      refuse(problems)
      return activate(app, tx, caller, last)
    }
    const ativa = await findAtiva(tx, codigo)
    if (ativa !== null && !(await findTipo(tx, codigo))?.ativo) await activate(app, tx, caller, ativa)
  })
  await app.agravos.reload()
}

export async function deactivateAgravo(app: Needs, caller: Caller, codigo: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const tipo = await findTipo(tx, codigo)
    if (tipo === null) throw new AppError('NOT_FOUND')
    if ((await setAtivo(tx, codigo, false)) === 0) return
    const versao = (await findAtiva(tx, codigo))?.versao ?? 1
    await announce(app, tx, codigo, versao, 'inativa')
    await record(app, tx, caller, 'agravo.desativado', codigo, { versao })
  })
  await app.agravos.reload()
}

export async function removeAgravo(app: Needs, caller: Caller, codigo: string): Promise<void> {
  await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const last = await findUltima(tx, codigo)
    if (last === null) throw new AppError('NOT_FOUND')
    if ((await findTipo(tx, codigo))?.protegido) throw invalid('path', ['codigo'], 'PROTECTED', {})
    const inUse =
      (await casosOf({ ...app, db: tx }, { territorio: null }, codigo)) > 0 || (await anyExcluido(tx, codigo))
    if (inUse) throw invalid('path', ['codigo'], 'IN_USE', {})
    await deleteAgravo(tx, codigo)
    await announce(app, tx, codigo, last.versao, 'removida')
    await record(app, tx, caller, 'agravo.removido', codigo, {})
  })
  await app.agravos.reload()
}

async function announce(
  { clock }: Needs,
  tx: Db,
  codigo: string,
  versao: number,
  estado: string,
): Promise<void> {
  const dados = { codigo, versao, estado }
  await emit(tx, [{ tipo: 'tipo_agravo.alterado', chave: `tipo_agravo:${codigo}`, dados, em: clock.now() }])
}

async function record(
  { auditoria }: Needs,
  tx: Db,
  caller: Caller,
  acao: string,
  codigo: string,
  detalhes: Record<string, unknown>,
): Promise<void> {
  await auditoria.record(tx, { acao, ...by(caller), recurso: 'agravo', recurso_id: codigo, detalhes })
}

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
