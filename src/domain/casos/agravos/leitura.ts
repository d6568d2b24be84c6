import type { Caller } from '../../../caller/caller.ts'
import type { Db } from '../../../db/db.ts'
import { AppError, invalid } from '../../../errors/catalogue.ts'
import type { Filter, ListQuery, ListRules, Page } from '../../../filter.ts'
import type { App } from '../../app.ts'
import { countCasos, type Selection, selectionOf } from '../counters/counters.sql.ts'
import { withinTerritorio } from '../territorio.ts'
import { type Definicao, isProprio } from './definicao.ts'
import {
  countComValor,
  findAtiva,
  findTipo,
  findUltima,
  findVersao,
  findVersoes,
  listAtivacoes,
  listCodigos,
  listRascunhos,
  type VersaoListada,
  type VersaoRow,
} from './definicoes.sql.ts'

/** Definitions of diseases, read: those in force, drafts, versions, and models that come with the service. */

type Needs = Pick<App, 'municipios'> & { db: Db }

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

/** Version that was in force at a moment; before the first one, that one. Null where none ever was. */
export const vigenteEm = (
  ativacoes: readonly { versao: number; ativada_em: Date }[],
  data: Date,
): number | null =>
  (ativacoes.findLast(({ ativada_em }) => ativada_em <= data) ?? ativacoes[0])?.versao ?? null

/** The definition as it was in force at a moment, or now. */
export async function definicaoEm(app: Pick<App, 'db'>, codigo: string, em: Date | null): Promise<Definicao> {
  const versao = em && vigenteEm(await listAtivacoes(app.db, codigo), em)
  const row =
    versao === null
      ? ((await findAtiva(app.db, codigo)) ?? (await findUltima(app.db, codigo)))
      : await findVersao(app.db, codigo, versao)
  if (row === null) throw new AppError('NOT_FOUND')
  return row.definicao
}

/** Cases of a disease inside the caller's territory. */
export const casosOf = (app: Needs, caller: Pick<Caller, 'territorio'>, codigo: string): Promise<number> =>
  countCasos(app.db, selecaoOf(app, caller, codigo))

/** Own fields, of some, that a case of a filter has a value in. */
export async function comValor(
  { db, municipios }: Needs,
  nomes: readonly string[],
  filter: Filter,
): Promise<ReadonlySet<string>> {
  if (nomes.length === 0) return new Set()
  const found = await countComValor(db, nomes, selectionOf(filter, municipios))
  return new Set(found.map(({ nome }) => nome))
}

export function selecaoOf(
  { municipios }: Pick<App, 'municipios'>,
  caller: Pick<Caller, 'territorio'>,
  codigo: string,
): Selection {
  const filter = { kind: 'test', field: 'tipo_agravo', op: 'eq', value: codigo } as const
  return selectionOf(withinTerritorio(filter, caller), municipios)
}

export async function pageOfVersoes(
  { db }: Pick<App, 'db'>,
  codigo: string,
  list: ListQuery,
): Promise<Page<VersaoListada>> {
  if ((await findUltima(db, codigo)) === null) throw new AppError('NOT_FOUND')
  return findVersoes(db, codigo, list)
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
