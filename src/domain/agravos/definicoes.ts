import { hash } from 'node:crypto'
import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { countCasos, selectionOf } from '../casos/counters/counters.sql.ts'
import { withinTerritorio } from '../casos/territorio.ts'
import { emit } from '../eventos/eventos.ts'
import { type CodigoDoVocabulario, type Definicao, isProprio, LIMITES, type Lista } from './definicao.ts'
import {
  activateVersao,
  anyExcluido,
  countAtivos,
  countComValor,
  deleteAgravo,
  findAtiva,
  findTipo,
  findUltima,
  findVersao,
  findVersoes,
  insertCodigos,
  insertVersao,
  listCodigos,
  listRascunhos,
  listVocabulario,
  lockDefinicoes,
  longestTexto,
  replaceRascunhos,
  setAtivo,
  upsertTipo,
  type VersaoListada,
  type VersaoRow,
} from './definicoes.sql.ts'
import { canonical, lerDefinicao } from './ler.ts'
import { menoresMax, refusalsOf } from './versoes.ts'

/**
 * Definitions of diseases: drafts, versions, activation.
 *
 *   (nothing) ── create ──► rascunho ── activate ──► ativa ── a later version is activated ──► substituida
 *   the disease itself: active ◄── activate / deactivate ──► inactive (readable, no new cases)
 */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'agravos' | 'municipios'>

export interface DefinicaoLida extends Pick<VersaoRow, 'definicao' | 'versao' | 'estado'> {
  /** Takes new cases. */
  ativo: boolean
  protegido: boolean
  /** Last version there is, for the entity tag. */
  ultima: number
  /** Cases inside the caller's territory. */
  casos: number
}

export const VERSOES_LIST: ListRules = {
  fields: {
    versao: { type: 'integer' },
    estado: { type: 'text', operators: ['eq', 'ne', 'in'], values: ['rascunho', 'ativa', 'substituida'] },
    criado_em: { type: 'datetime' },
  },
  sortable: ['versao', 'criado_em'],
  defaultSort: { field: 'versao', order: 'desc' },
}

/** Diseases that take new cases, the known first. */
export const tiposDeAgravo = ({ agravos }: Pick<App, 'agravos'>): Definicao[] =>
  agravos
    .vigentes()
    .todos.filter(({ ativo }) => ativo)
    .map(({ definicao }) => definicao)

/** All others: drafts that were never in force, and diseases that take no more cases. */
export async function tiposInativos({ db, agravos }: Pick<App, 'db' | 'agravos'>): Promise<Definicao[]> {
  const inativos = agravos.vigentes().todos.filter(({ ativo }) => !ativo)
  const rascunhos = await listRascunhos(db)
  return [...inativos, ...rascunhos].map(({ definicao }) => definicao)
}

/** The version in force, else the last draft; `versao`: that one. */
export async function getDefinicao(
  app: Needs,
  caller: Caller,
  codigo: string,
  versao?: number,
): Promise<DefinicaoLida> {
  const [ultima, tipo] = await Promise.all([findUltima(app.db, codigo), findTipo(app.db, codigo)])
  const row =
    versao === undefined
      ? ((await findAtiva(app.db, codigo)) ?? ultima)
      : await findVersao(app.db, codigo, versao)
  if (ultima === null || row === null) throw new AppError('NOT_FOUND')
  return {
    ...{ definicao: row.definicao, versao: row.versao, estado: row.estado },
    ...{ ativo: tipo?.ativo ?? false, protegido: tipo?.protegido ?? false, ultima: ultima.versao },
    casos: await casosOf(app, caller, codigo),
  }
}

function casosOf(
  { db, municipios }: Needs,
  caller: Pick<Caller, 'territorio'>,
  codigo: string,
): Promise<number> {
  const filter = { kind: 'test', field: 'tipo_agravo', op: 'eq', value: codigo } as const
  return countCasos(db, selectionOf(withinTerritorio(filter, caller), municipios))
}

export async function pageOfVersoes(
  { db }: Pick<App, 'db'>,
  codigo: string,
  list: ListQuery,
): Promise<Page<VersaoListada>> {
  if ((await findUltima(db, codigo)) === null) throw new AppError('NOT_FOUND')
  return findVersoes(db, codigo, list)
}

export interface Impacto {
  casos: number
  campos_retirados: { nome: string; com_valor: number }[]
  opcoes_retiradas: { campo: string; codigo: string }[]
}

export interface Simulacao {
  problems: Problem[]
  impacto: Impacto
}

/** Shipped definitions; read when they are first asked for. */
const modelos = async () => (await import('./modelos.ts')).MODELOS

export async function modelosDeAgravo({ db }: Pick<App, 'db'>) {
  const definidos = new Set(await listCodigos(db))
  return (await modelos()).map(({ codigo, nome, descricao, campos }) => ({
    ...{ codigo, nome, descricao, campos: campos.filter(isProprio).length },
    definido: definidos.has(codigo),
  }))
}

export async function modeloOf(codigo: string): Promise<Definicao> {
  const found = (await modelos()).find((one) => one.codigo === codigo)
  if (found === undefined) throw new AppError('NOT_FOUND')
  return found
}

/** Body of a creation: a definition, or the name of a shipped one with what it is to say otherwise. */
export async function fromModelo({ modelo, ...definicao }: Record<string, unknown>): Promise<unknown> {
  if (modelo === undefined) return definicao
  const found = (await modelos()).find(({ codigo }) => codigo === modelo)
  if (found === undefined) throw invalid('body', ['modelo'], 'UNKNOWN', { ids: [String(modelo)] })
  return { ...found, ...definicao }
}

interface Conferida {
  definicao: Definicao
  problems: Problem[]
  ultima: VersaoRow | null
  ativa: VersaoRow | null
}

/** Every problem of a definition: by itself, beside the others, and behind the one that it would follow. */
async function conferir(app: Needs, tx: Db, json: unknown, codigo?: string): Promise<Conferida> {
  const vocabulario = await listVocabulario(tx)
  const given = codigo ?? (json as { codigo?: unknown })?.codigo
  const outras = app.agravos.vigentes().todos.map(({ definicao }) => definicao)
  const { definicao, problems } = lerDefinicao(json, {
    vocabulario,
    outras: outras.filter((one) => one.codigo !== given),
  })
  if (codigo !== undefined && definicao.codigo !== codigo)
    return {
      definicao,
      problems: [problem('body', ['codigo'], 'NOT_EDITABLE', {})],
      ultima: null,
      ativa: null,
    }
  if (problems.length > 0) return { definicao, problems, ultima: null, ativa: null }
  const [ultima, ativa, tipo] = await Promise.all([
    findUltima(tx, definicao.codigo),
    findAtiva(tx, definicao.codigo),
    findTipo(tx, definicao.codigo),
  ])
  const found = [
    ...(ativa === null
      ? []
      : refusalsOf(ativa.definicao, definicao, { protegido: tipo?.protegido ?? false })),
  ]
  if (ativa !== null) found.push(...(await tooShort(tx, ativa.definicao, definicao)))
  return { definicao, problems: found, ultima, ativa }
}

async function tooShort(tx: Db, anterior: Definicao, nova: Definicao): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const { nome, max } of menoresMax(anterior, nova)) {
    const index = nova.campos.findIndex((campo) => isProprio(campo) && campo.nome === nome)
    // Sealed texts cannot be measured: their limit does not shrink.
    const isSealed = nova.campos.some((campo) => isProprio(campo) && campo.nome === nome && campo.sigiloso)
    if (isSealed || (await longestTexto(tx, nova.codigo, nome)) > max)
      problems.push(problem('body', ['campos', index, 'max'], 'NOT_EDITABLE', {}))
  }
  return problems
}

export async function simular(
  app: Needs,
  caller: Caller,
  json: unknown,
  codigo?: string,
): Promise<Simulacao> {
  if (codigo !== undefined && (await findUltima(app.db, codigo)) === null) throw new AppError('NOT_FOUND')
  const { definicao, problems, ultima, ativa } = await conferir(app, app.db, json, codigo)
  const repeated = codigo === undefined && ultima !== null
  const impacto =
    problems.length === 0 && ativa !== null
      ? await impactoOf(app, caller, ativa.definicao, definicao)
      : { casos: 0, campos_retirados: [], opcoes_retiradas: [] }
  return {
    problems: repeated ? [problem('body', ['codigo'], 'DUPLICATE', {}), ...problems] : problems,
    impacto,
  }
}

async function impactoOf(app: Needs, caller: Caller, antes: Definicao, depois: Definicao): Promise<Impacto> {
  const ativos = (definicao: Definicao) => definicao.campos.filter(isProprio).filter(({ ativo }) => ativo)
  const still = new Map(ativos(depois).map((campo) => [campo.nome, campo]))
  const retirados = ativos(antes).filter(({ nome }) => !still.has(nome))
  const values = await countComValor(
    app.db,
    antes.codigo,
    retirados.map(({ nome }) => nome),
  )
  return {
    casos: await casosOf(app, caller, antes.codigo),
    campos_retirados: retirados.map(({ nome }) => ({
      nome,
      com_valor: values.find((one) => one.nome === nome)?.com_valor ?? 0,
    })),
    opcoes_retiradas: ativos(antes).flatMap(({ nome, opcoes }) =>
      opcoes
        .filter(
          ({ codigo, ativo }) =>
            ativo && still.get(nome)?.opcoes.find((one) => one.codigo === codigo)?.ativo === false,
        )
        .map(({ codigo }) => ({ campo: nome, codigo })),
    ),
  }
}

/** Words of routes and of bulletins. */
const RESERVED: readonly string[] = ['modelos', 'todos']

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
    if (RESERVED.includes(definicao.codigo)) throw invalid('body', ['codigo'], 'PROTECTED', {})
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
  { json, ativar, versoes }: { json: unknown; ativar: boolean; versoes: ReadonlySet<number> | null },
): Promise<number> {
  const versao = await app.db.transaction(async (tx) => {
    await lockDefinicoes(tx)
    const last = await findUltima(tx, codigo)
    if (last === null) throw new AppError('NOT_FOUND')
    if (versoes !== null && !versoes.has(last.versao)) throw new AppError('CONFLICT')
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
  await activateVersao(tx, codigo, versao, app.clock.now())
  await upsertTipo(tx, definicao, tipo?.protegido ?? false)
  await announce(app, tx, codigo, versao, 'ativa')
  await record(app, tx, caller, 'agravo.ativado', codigo, { versao })
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
      (await casosOf({ ...app, db: tx as App['db'] }, { territorio: null }, codigo)) > 0 ||
      (await anyExcluido(tx, codigo))
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
