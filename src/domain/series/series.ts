import type { Caller } from '../../caller/caller.ts'
import type { Db } from '../../db/db.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { ListQuery, ListRules, Page } from '../../filter.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { codigosOf } from '../epizootias/valores.ts'
import { NIVEIS_DE_LUGAR } from '../territorios/lugar.ts'
import { assertVersao, type IfMatch } from '../versoes.ts'
import type { DerivadaDeEpizootias } from './epizootias.ts'
import { PERIODOS } from './periodos.ts'
import {
  basesOf,
  DOMINIOS,
  type MedidaDaSerie,
  MOST_SERIES,
  type NovaSerie,
  RESERVED,
  type Serie,
  TEMAS,
} from './serie.ts'
import {
  countReferring,
  countSeries,
  deleteSerie,
  findSerie,
  findSeries,
  hasHistory,
  insertSerie,
  listSeriesNamed,
  lockCatalogo,
  lockSeries,
  updateSerie,
} from './series.sql.ts'

export { findSerie, listPublicas, listSeriesNamed } from './series.sql.ts'

/** The catalogue: no value without a registered series. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria'>

const named = { type: 'text', operators: ['eq', 'ne', 'in'] } as const

export const SERIES_LIST: ListRules = {
  fields: {
    codigo: { type: 'text' },
    nome: { type: 'text', plain: 'like' },
    dominio: { ...named, values: DOMINIOS },
    tema: { ...named, values: TEMAS },
    periodo: { ...named, values: PERIODOS },
    nivel: { ...named, values: NIVEIS_DE_LUGAR },
    ativa: { type: 'boolean' },
    publica: { type: 'boolean' },
    com_valores: { type: 'boolean' },
  },
  sortable: ['codigo', 'nome', 'dominio', 'tema', 'valores', 'ultimo', 'atualizada_em'],
  defaultSort: { field: 'codigo', order: 'asc' },
}

export const pageOfSeries = ({ db }: Pick<App, 'db'>, list: ListQuery): Promise<Page<Serie>> =>
  findSeries(db, list)

export async function getSerie(db: Db, codigo: string): Promise<Serie> {
  const serie = await findSerie(db, codigo)
  if (serie === null) throw new AppError('NOT_FOUND')
  return serie
}

export function createSerie(app: Needs, caller: Caller, nova: NovaSerie): Promise<Serie> {
  return app.db.transaction(async (tx) => {
    await lockCatalogo(tx)
    if (RESERVED.includes(nova.codigo)) throw invalid('body', ['codigo'], 'PROTECTED', {})
    if ((await findSerie(tx, nova.codigo)) !== null) throw invalid('body', ['codigo'], 'DUPLICATE', {})
    if ((await countSeries(tx)) >= MOST_SERIES)
      throw invalid('body', ['codigo'], 'TOO_MANY', { limit: MOST_SERIES })
    await assertSound(tx, nova)
    await insertSerie(tx, nova, caller.id, app.clock.now())
    await record(app, tx, caller, 'serie.registrada', nova.codigo, {})
    return getSerie(tx, nova.codigo)
  })
}

/** Fields that say what the values are. */
const OF_VALUES: readonly (keyof MedidaDaSerie)[] = [
  'unidade',
  'tipo_valor',
  'categorias',
  'periodo',
  'nivel',
  'agrega_tempo',
  'agrega_lugar',
  'derivada',
]

/** `versoes`: those that the caller has read; null: whichever there is. A change that changes nothing adds no version. */
export function changeSerie(
  app: Needs,
  caller: Caller,
  codigo: string,
  { versoes, change }: { versoes: IfMatch; change: Partial<NovaSerie> },
): Promise<Serie> {
  return app.db.transaction(async (tx) => {
    const [before] = await lockSeries(tx, [codigo])
    if (before === undefined) throw new AppError('NOT_FOUND')
    assertVersao(versoes, before.versao)
    const after: Serie = { ...before, ...change, codigo }
    const changed = (Object.keys(change) as (keyof NovaSerie)[]).filter(
      (campo) => JSON.stringify(before[campo]) !== JSON.stringify(after[campo]),
    )
    if (changed.length === 0) return before
    await assertEditable(tx, before, changed)
    await assertSound(tx, after)
    await updateSerie(tx, before.id, after, app.clock.now())
    await record(app, tx, caller, 'serie.alterada', codigo, { campos: changed })
    return getSerie(tx, codigo)
  })
}

async function assertEditable(tx: Db, serie: Serie, changed: readonly (keyof NovaSerie)[]): Promise<void> {
  const fixed = changed.filter((campo) => (OF_VALUES as readonly string[]).includes(campo))
  if (fixed.length === 0) return
  const inUse = (await hasHistory(tx, serie.id)) || (await countReferring(tx, serie.codigo)) > 0
  if (inUse) refuse(fixed.map((campo) => problem('body', [campo], 'NOT_EDITABLE', {})))
}

export function removeSerie(app: Needs, caller: Caller, codigo: string): Promise<void> {
  return app.db.transaction(async (tx) => {
    const [serie] = await lockSeries(tx, [codigo])
    if (serie === undefined) throw new AppError('NOT_FOUND')
    if ((await hasHistory(tx, serie.id)) || (await countReferring(tx, codigo)) > 0)
      throw invalid('path', ['codigo'], 'IN_USE', {})
    await deleteSerie(tx, serie.id)
    await record(app, tx, caller, 'serie.removida', codigo, {})
  })
}

async function record(
  { auditoria }: Needs,
  tx: Db,
  caller: Caller,
  acao: string,
  codigo: string,
  detalhes: Record<string, unknown>,
): Promise<void> {
  await auditoria.record(tx, { acao, ...by(caller), recurso: 'serie', recurso_id: codigo, detalhes })
}

/** Rules between the fields of a definition. */
async function assertSound(tx: Db, serie: NovaSerie): Promise<void> {
  refuse([...problemsOfMeasure(serie), ...problemsOfLists(serie), ...(await problemsOfBases(tx, serie))])
}

function problemsOfMeasure(serie: NovaSerie): Problem[] {
  const { tipo_valor, categorias, agrega_tempo, agrega_lugar, minimo, maximo } = serie
  const isCategory = tipo_valor === 'categoria'
  const problems: Problem[] = []
  if (isCategory !== categorias.length > 0) problems.push(inconsistent('categorias', 'tipo_valor'))
  if (isCategory && ['soma', 'media'].includes(agrega_tempo))
    problems.push(inconsistent('agrega_tempo', 'tipo_valor'))
  if (isCategory && ['soma', 'media', 'media_populacao'].includes(agrega_lugar))
    problems.push(inconsistent('agrega_lugar', 'tipo_valor'))
  if (minimo !== null && maximo !== null && maximo < minimo) problems.push(inconsistent('maximo', 'minimo'))
  return problems
}

function problemsOfLists({ categorias, limiares }: NovaSerie): Problem[] {
  const repeated = (values: (string | number)[]) => new Set(values).size < values.length
  return [
    ...(repeated(categorias.map(({ codigo }) => codigo)) || repeated(categorias.map(({ ordem }) => ordem))
      ? [problem('body', ['categorias'], 'REPEATED', {})]
      : []),
    ...(repeated(limiares.map(({ codigo }) => codigo))
      ? [problem('body', ['limiares'], 'REPEATED', {})]
      : []),
  ]
}

/** A derived series refers to given ones of its own period and level, so that there are no circles. */
async function problemsOfBases(tx: Db, { derivada, periodo, nivel }: NovaSerie): Promise<Problem[]> {
  if (derivada?.tipo === 'epizootias') return problemsOfEpizootias(tx, derivada, { periodo, nivel })
  const codigos = basesOf(derivada)
  if (codigos.length === 0) return []
  const bases = await listSeriesNamed(tx, codigos)
  const unknown = codigos.filter(
    (codigo) => !bases.some((base) => base.codigo === codigo && base.derivada === null),
  )
  if (unknown.length > 0) return [problem('body', ['derivada'], 'UNKNOWN', { ids: unknown })]
  const isMean = derivada?.tipo === 'media_movel'
  const fits = bases.every((base) => base.nivel === nivel && (isMean || base.periodo === periodo))
  if (!fits) return [inconsistent('derivada', 'periodo')]
  return isMean && periodo !== 'semana' ? [inconsistent('periodo', 'derivada')] : []
}

/** Events are counted by week and municipality. */
async function problemsOfEpizootias(
  tx: Db,
  { suspeita }: DerivadaDeEpizootias,
  { periodo, nivel }: Pick<NovaSerie, 'periodo' | 'nivel'>,
): Promise<Problem[]> {
  const isUnknown = suspeita !== undefined && !(await codigosOf(tx, 'suspeita')).has(suspeita)
  return [
    ...(periodo === 'semana' ? [] : [inconsistent('periodo', 'derivada')]),
    ...(nivel === 'municipio' ? [] : [inconsistent('nivel', 'derivada')]),
    ...(isUnknown ? [problem('body', ['derivada', 'suspeita'], 'UNKNOWN', { ids: [suspeita] })] : []),
  ]
}

const inconsistent = (field: string, other: string) =>
  problem('body', [field], 'INCONSISTENT', { field: other })

function refuse(problems: Problem[]): void {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
