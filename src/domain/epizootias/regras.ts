import { isDeepStrictEqual } from 'node:util'
import type { Municipio, Municipios } from '../../brasil/municipios.ts'
import { AppError, type Problem, type ProblemParams, problem } from '../../errors/catalogue.ts'
import {
  CAMPO_NAMES,
  type CampoName,
  type CamposDaEpizootia,
  EMPTY,
  type EntradaDeEpizootia,
  FIRST_YEAR,
} from './campos.ts'

/** Rules between the fields of an event. Pure. */

export interface Referencia {
  municipios: Municipios
  /** Codes of suspicions that are registered. */
  suspeitas: ReadonlySet<string>
  today: string
  /** The source may count an event in another year than that of its day. */
  anoDaFonte?: boolean
}

export interface Resolvida {
  campos: CamposDaEpizootia
  problems: Problem[]
}

/** A record with the sent fields in it; `before` null: a new one. */
export function resolve(
  before: CamposDaEpizootia | null,
  entrada: EntradaDeEpizootia,
  referencia: Referencia,
): Resolvida {
  const problems: Problem[] = []
  const { municipio: _, ...sent } = entrada
  const place = placeOf(before, entrada, referencia, problems)
  const campos = { ...EMPTY, ...before, ...sent, ...place } as CamposDaEpizootia
  for (const required of ['numero', 'especie_grupo', 'suspeita'] as const)
    if (campos[required] === undefined || campos[required] === null) fail(problems, required, 'REQUIRED', {})
  settleOcorrencia(before, entrada, campos, { problems, anoDaFonte: referencia.anoDaFonte ?? false })
  problems.push(...problemsOf(campos, entrada, referencia))
  return { campos, problems }
}

export function checked({ campos, problems }: Resolvida): CamposDaEpizootia {
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return campos
}

export const changedFields = (before: CamposDaEpizootia, after: CamposDaEpizootia): CampoName[] =>
  CAMPO_NAMES.filter((nome) => !isDeepStrictEqual(before[nome], after[nome]))

function fail<C extends keyof ProblemParams>(
  problems: Problem[],
  campo: string,
  code: C,
  params: ProblemParams[C],
): void {
  problems.push(problem('body', [campo], code, params))
}

const inconsistent = (problems: Problem[], campo: string, field: string) =>
  fail(problems, campo, 'INCONSISTENT', { field })

/** Municipality and state agree; a name shared by several states needs its state. */
function placeOf(
  before: CamposDaEpizootia | null,
  { municipio: text, estado }: EntradaDeEpizootia,
  { municipios }: Referencia,
  problems: Problem[],
): Partial<Pick<CamposDaEpizootia, 'municipio' | 'estado'>> {
  if (text === undefined) {
    if (before === null) fail(problems, 'municipio', 'REQUIRED', {})
    else if (estado !== undefined && estado !== before.estado) inconsistent(problems, 'estado', 'municipio')
    return before === null ? {} : { municipio: before.municipio, estado: before.estado }
  }
  const found = municipiosCalled(municipios, text)
  const inside = estado === undefined ? found : found.filter(({ uf }) => uf === estado)
  const [only] = inside
  if (found.length === 0) fail(problems, 'municipio', 'UNKNOWN_MUNICIPIO', {})
  else if (only === undefined) inconsistent(problems, 'municipio', 'estado')
  else if (inside.length > 1) inconsistent(problems, 'estado', 'municipio')
  else return { municipio: only.codigo, estado: only.uf }
  return {}
}

function municipiosCalled(municipios: Municipios, text: string): Municipio[] {
  const name = text.trim()
  if (!/^\d{6,7}$/.test(name)) return municipios.named(name)
  const found = municipios.byCodigo(Number(name))
  return found === null ? [] : [found]
}

/** Time of the event at the precision that is known: a day decides month and year; a day that is taken away leaves them. */
function settleOcorrencia(
  before: CamposDaEpizootia | null,
  entrada: EntradaDeEpizootia,
  campos: CamposDaEpizootia,
  { problems, anoDaFonte }: { problems: Problem[]; anoDaFonte: boolean },
): void {
  const dia = campos.data_ocorrencia
  if (dia === null) {
    if (typeof campos.ano_ocorrencia !== 'number') fail(problems, 'data_ocorrencia', 'REQUIRED', {})
    campos.precisao_data = campos.mes_ocorrencia === null ? 'ano' : 'mes'
  } else {
    const known = before?.data_ocorrencia === dia ? before.ano_ocorrencia : Number(dia.slice(0, 4))
    const ano_ocorrencia = (anoDaFonte ? entrada.ano_ocorrencia : null) ?? known
    const own = { ano_ocorrencia, mes_ocorrencia: Number(dia.slice(5, 7)) }
    for (const nome of ['ano_ocorrencia', 'mes_ocorrencia'] as const)
      if ((entrada[nome] ?? own[nome]) !== own[nome]) inconsistent(problems, nome, 'data_ocorrencia')
    Object.assign(campos, own, { precisao_data: 'dia' })
  }
  if ((entrada.precisao_data ?? campos.precisao_data) !== campos.precisao_data)
    inconsistent(problems, 'precisao_data', 'data_ocorrencia')
}

const DATES = ['data_ocorrencia', 'data_notificacao', 'data_coleta', 'data_encerramento'] as const

function problemsOf(
  campos: CamposDaEpizootia,
  entrada: EntradaDeEpizootia,
  { suspeitas, today }: Referencia,
): Problem[] {
  const problems: Problem[] = []
  if (typeof campos.suspeita === 'string' && !suspeitas.has(campos.suspeita))
    fail(problems, 'suspeita', 'INVALID_VALUE', { allowed: [...suspeitas].join(', ') })
  for (const nome of DATES) {
    const date = campos[nome]
    if (date === null) continue
    if (date > today) fail(problems, nome, 'IN_FUTURE', {})
    else if (Number(date.slice(0, 4)) < FIRST_YEAR)
      fail(problems, nome, 'INVALID_VALUE', { allowed: `${FIRST_YEAR}-01-01, …` })
  }
  problems.push(...problemsOfTime(campos, today))
  if (campos.classificacao === 'confirmada' && campos.criterio === null)
    fail(problems, 'criterio', 'REQUIRED', {})
  const { animais_doentes, animais_mortos, latitude, longitude } = campos
  if (
    (animais_doentes !== null || animais_mortos !== null) &&
    (animais_doentes ?? 0) + (animais_mortos ?? 0) < 1
  )
    fail(problems, entrada.animais_mortos == null ? 'animais_doentes' : 'animais_mortos', 'TOO_SMALL', {
      limit: 1,
    })
  if ((latitude === null) !== (longitude === null))
    inconsistent(
      problems,
      latitude === null ? 'latitude' : 'longitude',
      latitude === null ? 'longitude' : 'latitude',
    )
  return problems
}

/** First day that the event may have been on, by what is known of it. */
function earliestOf({ data_ocorrencia, ano_ocorrencia, mes_ocorrencia }: CamposDaEpizootia): string | null {
  if (data_ocorrencia !== null) return data_ocorrencia
  if (typeof ano_ocorrencia !== 'number') return null
  return `${String(ano_ocorrencia).padStart(4, '0')}-${String(mes_ocorrencia ?? 1).padStart(2, '0')}-01`
}

function problemsOfTime(campos: CamposDaEpizootia, today: string): Problem[] {
  const problems: Problem[] = []
  const earliest = earliestOf(campos)
  if (earliest === null) return problems
  const { data_notificacao, data_coleta, precisao_data } = campos
  if (precisao_data !== 'dia' && earliest > today) {
    const isLater = campos.ano_ocorrencia > Number(today.slice(0, 4))
    fail(problems, isLater ? 'ano_ocorrencia' : 'mes_ocorrencia', 'IN_FUTURE', {})
  }
  if (data_notificacao !== null && data_notificacao < earliest)
    fail(problems, 'data_notificacao', 'BEFORE', { field: 'data_ocorrencia' })
  if (data_coleta !== null && data_coleta < earliest)
    fail(problems, 'data_coleta', 'BEFORE', { field: 'data_ocorrencia' })
  return problems
}
