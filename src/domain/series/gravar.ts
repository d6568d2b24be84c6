import { hash } from 'node:crypto'
import { dateInBrazil } from '../../brasil/calendar.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, invalid, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { by } from '../auditoria/auditoria.ts'
import { completeImportacao, insertImportacao, placeImportacao } from '../importacao/importacoes.ts'
import { type LugarPedido, lugarOf } from '../territorios/lugar.ts'
import { announceChange, Colheita, type Efeito, type EfeitoNaSerie, REMOVED, storeBlocos } from './escrita.ts'
import { depthOf, isInside, keyOfLugar, nivelOfKey } from './lugares.ts'
import {
  CAMPO_DO_PERIODO,
  FIRST_YEAR,
  firstDayOfPeriod,
  type Periodo,
  readPeriod,
  yearOf,
} from './periodos.ts'
import type { Serie } from './serie.ts'
import { lockSeries } from './series.sql.ts'

/** Values by request: all or nothing, as an import that can be undone. */

type Needs = Pick<App, 'db' | 'clock' | 'auditoria' | 'municipios' | 'territorios'>

export interface ValorEnviado extends LugarPedido {
  data?: string
  semana?: string
  mes?: string
  ano?: string
  /** Number, code of a category, or null to remove it. */
  valor: number | string | null
}

export const MOST_VALUES = 10_000
const MOST_PROBLEMS = 100

export interface Gravado extends Efeito {
  /** Null: nothing changed. */
  importacao_id: number | null
}

export function gravarValores(
  app: Needs,
  caller: Caller,
  codigo: string,
  enviados: readonly ValorEnviado[],
): Promise<Gravado> {
  return app.db.transaction(async (tx) => {
    const [serie] = await lockSeries(tx, [codigo])
    if (serie === undefined) throw new AppError('NOT_FOUND')
    assertWritable(serie)
    const colheita = collect(app, caller, serie, enviados)
    const [planned] = await storeBlocos(tx, colheita, null)
    const { novos, alterados, apagados, inalterados } = planned as EfeitoNaSerie
    const numbers = { novos, alterados, apagados, inalterados }
    if (novos + alterados + apagados === 0) return { importacao_id: null, ...numbers }
    const now = app.clock.now()
    const text = JSON.stringify(enviados)
    const importacao_id = await insertImportacao(
      tx,
      {
        job_id: null,
        usuario_id: caller.id,
        usuario_nome: caller.nome,
        arquivo_nome: `${codigo}.json`,
        arquivo_sha256: Buffer.from(hash('sha256', text, 'hex'), 'hex'),
        arquivo_tamanho: Buffer.byteLength(text),
        formato: 'json',
        layout: 'valores',
        tipo_agravo: null,
        total_linhas: enviados.length,
        erros: 0,
        avisos: 0,
        criado_em: now,
      },
      'series',
    )
    const [done] = await storeBlocos(tx, colheita, { importacao_id, usuario_id: caller.id, em: now })
    await completeImportacao(tx, importacao_id, {
      ...{ importados: novos, atualizados: alterados, inalterados, apagados },
      ...{ duplicados_no_arquivo: 0, erros: 0, avisos: 0 },
    })
    await placeImportacao(tx, importacao_id, placesOf((done as EfeitoNaSerie).lugares))
    await announceChange(app, tx, done as EfeitoNaSerie, importacao_id)
    await app.auditoria.record(tx, {
      acao: 'serie.valores_gravados',
      ...by(caller),
      recurso: 'serie',
      recurso_id: codigo,
      detalhes: { importacao_id, ...numbers },
    })
    return { importacao_id, ...numbers }
  })
}

/** Derived and archived series take no values. */
export function assertWritable({ derivada, ativa }: Serie): void {
  if (derivada !== null || !ativa) throw invalid('path', ['codigo'], 'NOT_EDITABLE', {})
}

/** Municipalities of the written places, for those who may see the import. */
export function placesOf(keys: Iterable<string>): {
  estados: string[]
  municipios: number[]
  notificacao: number[]
} {
  const municipios = [...keys].filter((key) => nivelOfKey(key) === 'municipio')
  return {
    estados: [...new Set([...keys].filter((key) => /^[A-Z]{2}/.test(key)).map((key) => key.slice(0, 2)))],
    municipios: municipios.map((key) => Number(key.slice(2))),
    notificacao: [],
  }
}

function collect(app: Needs, caller: Caller, serie: Serie, enviados: readonly ValorEnviado[]): Colheita {
  const colheita = new Colheita()
  const problems: Problem[] = []
  const today = dateInBrazil(app.clock.now())
  let outside = false
  for (const [i, enviado] of enviados.entries()) {
    if (problems.length >= MOST_PROBLEMS) break
    const at = (campo: string) => ['valores', i, campo]
    const key = placeOf(app, serie, enviado, i, problems)
    const index = periodIn(serie.periodo, enviado, today, at, problems)
    const valor = valueIn(serie, enviado.valor, at('valor'), problems)
    if (key === null || index === null || valor === null) continue
    outside ||= !isInside(app, caller.territorio, key)
    if (colheita.add(serie, key, index, valor) !== 'novo')
      problems.push(problem('body', ['valores', i], 'REPEATED', {}))
  }
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  if (outside) throw new AppError('OUT_OF_TERRITORY')
  return colheita
}

function placeOf(
  app: Needs,
  serie: Serie,
  enviado: ValorEnviado,
  i: number,
  problems: Problem[],
): string | null {
  try {
    const lugar = lugarOf(app, enviado)
    if (depthOf(lugar.nivel) <= depthOf(serie.nivel)) return keyOfLugar(lugar)
    problems.push(problem('body', ['valores', i, 'nivel'], 'INCONSISTENT', { field: 'serie' }))
  } catch (error) {
    if (!(error instanceof AppError && error.is('VALIDATION_ERROR'))) throw error
    for (const one of error.extras.problems)
      problems.push({ ...one, at: 'body', path: ['valores', i, ...one.path] })
  }
  return null
}

function periodIn(
  periodo: Periodo,
  enviado: ValorEnviado,
  today: string,
  at: (campo: string) => (string | number)[],
  problems: Problem[],
): number | null {
  const campo = CAMPO_DO_PERIODO[periodo] as 'data' | 'semana' | 'mes' | 'ano'
  const text = enviado[campo]
  if (text === undefined) {
    problems.push(problem('body', at(campo), 'REQUIRED', {}))
    return null
  }
  const index = readPeriod(periodo, text)
  if (index === null || yearOf(periodo, index) < FIRST_YEAR) {
    problems.push(problem('body', at(campo), 'INVALID_VALUE', { allowed: EXAMPLES[periodo] }))
    return null
  }
  if (firstDayOfPeriod(periodo, index) > today) {
    problems.push(problem('body', at(campo), 'IN_FUTURE', {}))
    return null
  }
  return index
}

const EXAMPLES: Record<Periodo, string> = {
  dia: `${FIRST_YEAR}-01-01, …`,
  semana: `${FIRST_YEAR}01, …`,
  mes: `${FIRST_YEAR}-01, …`,
  ano: `${FIRST_YEAR}, …`,
}

/** As it is stored; null with a problem. */
function valueIn(
  serie: Serie,
  valor: number | string | null,
  path: (string | number)[],
  problems: Problem[],
): number | null {
  if (valor === null) return REMOVED
  const { tipo_valor, categorias, minimo, maximo } = serie
  const refuse = (one: Problem) => {
    problems.push(one)
    return null
  }
  if (tipo_valor === 'categoria') {
    const categoria = categorias.find(({ codigo }) => codigo === valor)
    const allowed = categorias.map(({ codigo }) => codigo).join(', ')
    return categoria?.ordem ?? refuse(problem('body', path, 'INVALID_VALUE', { allowed }))
  }
  if (typeof valor !== 'number' || (tipo_valor === 'inteiro' && !Number.isInteger(valor)))
    return refuse(
      problem('body', path, 'INVALID_TYPE', { expected: tipo_valor === 'inteiro' ? 'integer' : 'number' }),
    )
  const largest = tipo_valor === 'inteiro' ? Number.MAX_SAFE_INTEGER : Number.MAX_VALUE
  const [low, high] = [minimo ?? -largest, maximo ?? largest]
  if (valor < low) return refuse(problem('body', path, 'TOO_SMALL', { limit: low }))
  if (valor > high) return refuse(problem('body', path, 'TOO_LARGE', { limit: high }))
  return valor
}
