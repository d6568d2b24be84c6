import { hash } from 'node:crypto'
import type { Problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import {
  type Campos,
  type CampoValue,
  COLUMN_FIELDS,
  DADOS,
  EMPTY_CASE,
  FIELD_NAMES,
  type FieldName,
  PLACES,
} from '../../casos/campos.ts'
import { OBITOS, type TipoAgravo } from '../../casos/enumeracoes.ts'
import { jsonWriter } from '../../casos/json.ts'
import { isContradictoryDate, settle } from '../../casos/regras.ts'
import { type Causa, causaOf, MISALIGNED, SHORT } from './causas.ts'
import { DUPLICIDADE, decode, NOT_INDIVIDUAL, readAgravo } from './codes.ts'
import { SINAN_COLUMNS, type SinanColumn } from './columns.ts'
import { datedIn, type FoundColumn, hasMoreThan } from './header.ts'
import type { ConvertedRow, FileWarning, Layout, LayoutContext } from './layout.ts'
import { dateReader, quoted, type SinanRow, type Step, shown, stepsOf, warn } from './steps.ts'
import { isDigits, isMissing, readNumero } from './values.ts'

/**
 * Layouts of SINAN, parsed leniently: a row is refused only without disease or notification date, when it is misaligned, or
 * when it is not one person's notification. Implausible values are left out with a warning; dates of death, admission and closing
 * that contradict other fields are kept with one.
 */

export const WITHOUT_NUMBER =
  'O arquivo não tem o número da notificação (NU_NOTIFIC): ele foi derivado dos demais valores de cada linha'

type FoundColumns = ReadonlyMap<string, FoundColumn>

export function sinanLayout(
  found: FoundColumns,
  avisos: FileWarning[],
  width: number,
  context: LayoutContext,
): Layout {
  const convert = createConverter(found, width, context)
  if (!found.has('NU_NOTIFIC')) avisos.push({ column: null, message: WITHOUT_NUMBER })
  const couldBeCase = datedIn(found.get('DT_NOTIFIC') as FoundColumn)
  return { nome: 'sinan', fields: fieldsOf(found), avisos, couldBeCase, convert }
}

const STATE_OF: ReadonlyMap<FieldName, FieldName> = new Map(PLACES)
const SPECIAL: Partial<Record<SinanColumn['reads'], FieldName[]>> = {
  numero: ['numero_notificacao'],
  agravo: ['tipo_agravo'],
  classificacao: ['classificacao_final'],
  gestante: ['paciente_gestante', 'dados_especificos.idade_gestacional'],
  idade: ['paciente_idade', 'dados_especificos.idade_informada'],
  pais: ['pais_infeccao'],
  ocupacao: ['paciente_ocupacao'],
  cep: ['cep_residencia'],
  'soro-2': ['dados_laboratoriais.igm'],
  'date-soro-2': ['dados_laboratoriais.data_igm'],
}

/** Fields that a column can set. */
export function fieldsOfColumn(column: SinanColumn): FieldName[] {
  if (!('campo' in column)) return SPECIAL[column.reads] ?? []
  const { campo } = column
  if (column.reads === 'alarme') return [campo, 'dados_especificos.sinais_alarme']
  const estado = STATE_OF.get(campo)
  return estado === undefined ? [campo] : [campo, estado]
}

function fieldsOf(found: FoundColumns): FieldName[] {
  const present = new Set(
    [...found.keys()].flatMap((nome) => fieldsOfColumn(SINAN_COLUMNS[nome] as SinanColumn)),
  )
  return FIELD_NAMES.filter((nome) => present.has(nome))
}

/** Column title of each field, for messages. */
function titlesOf(found: FoundColumns): Map<string, string> {
  const titles = new Map<string, string>()
  for (const [nome, column] of Object.entries(SINAN_COLUMNS))
    for (const campo of fieldsOfColumn(column)) {
      const title = found.get(nome)?.title
      if (title !== undefined && !titles.has(campo)) titles.set(campo, title)
    }
  return titles
}

function createConverter(found: FoundColumns, width: number, context: LayoutContext) {
  const at = (nome: string) => found.get(nome)?.index ?? -1
  const steps: Step[] = stepsOf(found, context)
  const essentials = essentialsOf(found, context)
  const conclude = conclusions(found)
  const enforce = enforcer(context, titlesOf(found))
  const numero = at('NU_NOTIFIC')
  // Free text at the end of the line, which is not taken, may hold separators.
  const endsFree = at('DS_OBS') === width - 1

  return (values: string[]): ConvertedRow => {
    const given = numero === -1 ? null : readNumero(values[numero] ?? '')
    const refuse = (erro: string, causa: Causa): ConvertedRow => ({
      ok: false,
      erro,
      causas: [causa],
      numero_notificacao: reported(given),
    })
    if (values.length > width && !endsFree && hasMoreThan(values, width))
      return refuse(`Linha com ${values.length} valores; o cabeçalho tem ${width} colunas`, MISALIGNED)
    const key = essentials(values)
    if ('erro' in key) return refuse(key.erro, key.causa)
    const row: SinanRow = { ...NEW_ROW, campos: { ...EMPTY_CASE }, avisos: [], tipo: key.tipo, values }
    row.campos.tipo_agravo = key.tipo
    row.campos.data_notificacao = key.data
    if (values.length < width)
      warn(
        row,
        null,
        `Linha com ${values.length} valores; o cabeçalho tem ${width} colunas: as últimas ficam vazias`,
        SHORT,
      )
    for (const { index, read } of steps) {
      const text = values[index]
      if (text !== undefined && text !== '' && text !== 'NA') read(row, text)
    }
    conclude(row)
    const derivado = given === null || given.length > MAX_NUMERO
    row.campos.numero_notificacao = derivado ? derivedNumber(row.campos) : given
    if (derivado && numero !== -1)
      warn(row, found.get('NU_NOTIFIC')?.title ?? null, 'Linha sem número da notificação: foi derivado', {
        codigo: 'DERIVED_NUMBER',
        campo: 'numero_notificacao',
      })
    return { ok: true, campos: enforce(row), avisos: row.avisos, derivado }
  }
}

const NEW_ROW = { alarme: null, soro2: false }
const MAX_NUMERO = 40

/** Notification number for the report. A misaligned row has free text in this cell, which must not be reported. */
const reported = (numero: string | null): string | null =>
  numero !== null && numero.length <= MAX_NUMERO && isDigits(numero) ? numero : null

/** Disease and date of a row, or the reason to refuse it. */
function essentialsOf(found: FoundColumns, context: LayoutContext) {
  const at = (nome: string) => found.get(nome)?.index ?? -1
  const [individual, duplicidade, agravo, data] = [
    at('TP_NOT'),
    at('NDUPLIC_N'),
    at('ID_AGRAVO'),
    at('DT_NOTIFIC'),
  ]
  const readData = dateReader(context.today, found.get('SEM_NOT')?.index)
  const agravos = new Map<string, TipoAgravo | null | undefined>()
  const tipoOf = (text: string) => {
    if (!agravos.has(text) && agravos.size < 100) agravos.set(text, readAgravo(text))
    return agravos.has(text) ? agravos.get(text) : readAgravo(text)
  }

  /** `regra`: the error itself, unless it holds a value. */
  const refusal =
    (codigo: string, campo: FieldName | null, coluna: string) =>
    (erro: string, regra = erro) => ({
      erro,
      causa: { codigo, campo, coluna: found.get(coluna)?.title ?? null, regra },
    })
  const refuse = {
    kind: refusal('NOT_INDIVIDUAL', null, 'TP_NOT'),
    agravo: refusal('UNKNOWN_DISEASE', 'tipo_agravo', 'ID_AGRAVO'),
    missing: refusal('REQUIRED', 'tipo_agravo', 'ID_AGRAVO'),
    undated: refusal('REQUIRED', 'data_notificacao', 'DT_NOTIFIC'),
    date: refusal('UNREADABLE_DATE', 'data_notificacao', 'DT_NOTIFIC'),
    future: refusal('IN_FUTURE', 'data_notificacao', 'DT_NOTIFIC'),
    duplicate: refusal('MARKED_DUPLICATE', null, 'NDUPLIC_N'),
  }

  return (values: string[]): { tipo: TipoAgravo; data: string } | ReturnType<ReturnType<typeof refusal>> => {
    const otherKind = values[individual] === '2' ? null : decode(NOT_INDIVIDUAL, values[individual] ?? '')
    if (otherKind) return refuse.kind(`Não é notificação individual: ${otherKind}`)
    const disease = agravo === -1 ? '' : (values[agravo] ?? '')
    const tipo = agravo === -1 ? context.tipoAgravo : tipoOf(disease)
    if (tipo === undefined)
      return refuse.agravo(`Agravo${quoted(disease)} desconhecido`, 'Agravo desconhecido')
    const given = values[data] ?? ''
    const date = readData(given, values)
    if (tipo === null && date === null)
      return refuse.missing('Linha sem agravo e sem data de notificação legível')
    if (tipo === null) return refuse.missing('Linha sem agravo')
    if (date === null)
      return isMissing(given)
        ? refuse.undated('Linha sem data de notificação')
        : refuse.date(`Data de notificação${quoted(given)} ilegível`, 'Data de notificação ilegível')
    if (date > context.today)
      return refuse.future(`Data de notificação ${date} no futuro`, 'Data de notificação no futuro')
    if (duplicidade !== -1 && decode(DUPLICIDADE, values[duplicidade] ?? ''))
      return refuse.duplicate('Notificação marcada como duplicidade no SINAN')
    return { tipo, data: date }
  }
}

/** Conclusions from several columns together, and warnings about missing ones. */
function conclusions(found: FoundColumns): (row: SinanRow) => void {
  const title = (nome: string) => found.get(nome)?.title
  const hasLaco = found.has('LACO') || found.has('LACO_N')
  const [inicio, municipio, obito, internacao, sorotipo] = [
    title('DT_SIN_PRI'),
    title('ID_MN_RESI'),
    title('DT_OBITO'),
    title('DT_INTERNA'),
    title('SOROTIPO'),
  ]
  const isEmpty = (row: SinanRow, nome: string) => isMissing(row.values[found.get(nome)?.index ?? -1] ?? '')

  return (row) => {
    const { campos } = row
    campos['dados_especificos.sinais_alarme'] = row.alarme
    // Dictionary: the test was not made where the answer is blank.
    if (hasLaco) campos['dados_especificos.prova_laco'] ??= 'nao_realizada'
    if (inicio !== undefined && isEmpty(row, 'DT_SIN_PRI'))
      warn(row, inicio, 'Sem data de início dos sintomas', about('WITHOUT_ONSET', 'data_inicio_sintomas'))
    if (municipio !== undefined && isEmpty(row, 'ID_MN_RESI'))
      warn(row, municipio, 'Sem município de residência', about('WITHOUT_PLACE', 'municipio_residencia'))
    if (obito !== undefined && OBITOS.includes((campos.evolucao as string) ?? '') && isEmpty(row, 'DT_OBITO'))
      warn(row, obito, 'Óbito sem data', about('WITHOUT_DATE', 'data_obito'))
    if (internacao !== undefined && campos.hospitalizacao === true && isEmpty(row, 'DT_INTERNA'))
      warn(row, internacao, 'Hospitalização sem data de internação', about('WITHOUT_DATE', 'data_internacao'))
    if (sorotipo !== undefined && campos['dados_especificos.sorotipo'] !== null && !wasIsolated(campos))
      warn(row, sorotipo, 'Sorotipo sem PCR ou isolamento viral positivo', SOROTIPO)
  }
}

const about = (codigo: string, campo: FieldName) => ({ codigo, campo })
const SOROTIPO = about('WITHOUT_TEST', 'dados_especificos.sorotipo')

const wasIsolated = (campos: SinanRow['campos']): boolean =>
  campos['dados_laboratoriais.pcr'] === 'positivo' ||
  campos['dados_laboratoriais.isolamento_viral'] === 'positivo'

/** Enforces the rules of a case: leaves out offending values until none is left but contradictory dates, which are kept. */
function enforcer(context: LayoutContext, titles: Map<string, string>) {
  return (row: SinanRow): Campos => {
    for (let round = 0; round <= FIELD_NAMES.length; round++) {
      const campos = { ...(row.campos as Campos) }
      const problems = settle(campos, row.campos as Campos, context, { dates: 'kept' })
      const [contradictory, others] = [
        problems.filter(isContradictoryDate),
        problems.filter((one) => !isContradictoryDate(one)),
      ]
      if (others.length === 0) {
        for (const problem of contradictory) warnOf(row, problem, titles, 'mantido')
        return campos
      }
      for (const problem of offending(others)) leaveOut(row, problem, titles)
    }
    throw new Error('the rules refuse a case whatever is left out of it')
  }
}

/** Where the birth date has a problem of its own, its contradiction with the age is not the age's fault. */
function offending(problems: Problem[]): Problem[] {
  const isNamed = (nome: FieldName) => (problem: Problem) => problem.path[0] === nome
  return problems.some(isNamed('paciente_data_nascimento'))
    ? problems.filter((problem) => !isNamed('paciente_idade')(problem))
    : problems
}

function leaveOut(row: SinanRow, problem: Problem, titles: Map<string, string>): void {
  const campo = problem.path.join('.') as FieldName
  if (row.campos[campo] === null) return
  warnOf(row, problem, titles, 'não aproveitado')
  row.campos[campo] = null
  if (campo === 'paciente_gestante') row.campos['dados_especificos.idade_gestacional'] = null
}

function warnOf(row: SinanRow, problem: Problem, titles: Map<string, string>, outcome: string): void {
  const campo = problem.path.join('.') as FieldName
  const value: CampoValue = row.campos[campo]
  const text = problemText(problem, DEFAULT_LANGUAGE)
  const title = titles.get(campo) ?? null
  const message = `${text}: valor${shown(campo, String(value))} ${outcome}`
  warn(row, title, message, causaOf(problem, title, `: valor ${outcome}`))
}

/** Fields added after numbers were first derived; left out of the hash, so that derived numbers stay the same. */
const NEWER_FIELDS = new Set<FieldName>([
  'dados_especificos.relacionada_ao_trabalho',
  'dados_especificos.data_digitacao',
  'dados_especificos.idade_informada',
  'dados_especificos.estado_notificacao',
  'dados_especificos.municipio_notificacao',
  'dados_especificos.regional_notificacao',
  'dados_especificos.hospital_estado',
  'dados_especificos.hospital_municipio',
  'dados_especificos.hospital_cnes',
])

const HASHED = [...COLUMN_FIELDS, ...DADOS]
  .filter((nome) => nome !== 'numero_notificacao' && nome !== 'status' && !NEWER_FIELDS.has(nome))
  .sort()
  .map((nome) => [nome, nome] as const)
const hashedJson = jsonWriter(HASHED)
/** Without the age, which is computed where the birth date is known. */
const hashedJsonWithoutAge = jsonWriter(HASHED.filter(([nome]) => nome !== 'paciente_idade'))

/**
 * Notification number made of a hash of what the row says, not of its bytes nor of what today's rules leave of it: the
 * same record as CSV and as DBC, now and next month, has the same number.
 */
function derivedNumber(campos: SinanRow['campos']): string {
  const json = campos.paciente_data_nascimento === null ? hashedJson(campos) : hashedJsonWithoutAge(campos)
  return `DATASUS-${hash('sha256', json, 'hex').slice(0, 16)}`
}
