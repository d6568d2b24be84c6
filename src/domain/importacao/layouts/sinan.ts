import { EMPTY_CASE, FIELD_NAMES, type FieldName } from '../../casos/campos.ts'
import { OBITOS, type TipoAgravo } from '../../casos/enumeracoes.ts'
import { isProprio } from '../../casos/proprios.ts'
import { type Causa, MISALIGNED, SHORT } from './causas.ts'
import { dateReader, quoted, type SinanRow, warn } from './cells.ts'
import { DUPLICIDADE, decode, NOT_INDIVIDUAL, readAgravo } from './codes.ts'
import { CANONICAL_NAMES } from './columns.ts'
import { derivedNumber, rowNumberer } from './derivado.ts'
import { enforcer } from './enforce.ts'
import { datedIn, type FoundColumn, findColumns, hasMoreThan } from './header.ts'
import type { ConvertedRow, FileWarning, Layout, LayoutContext } from './layout.ts'
import { type ColumnTable, stepsOf } from './steps.ts'
import { agravoNamer, fieldsOfColumn, isKnown, keyOfColumn, tableOf, USUAL } from './tabela.ts'
import { isDigits, isMissing, readNumero } from './values.ts'

/**
 * Layouts of SINAN, parsed leniently: a row is refused only without disease or notification date, when it is misaligned, or
 * when it is not one person's notification. Implausible values are left out with a warning; dates of death, admission and closing
 * that contradict other fields are kept with one. A column means what the disease of its row says.
 */

export const WITHOUT_NUMBER =
  'O arquivo não tem o número da notificação (NU_NOTIFIC): ele foi derivado dos demais valores de cada linha'

export type FoundColumns = ReadonlyMap<string, FoundColumn>

/** Columns of a header by their names in the tables, those of all active diseases among them. */
export function sinanColumns(cabecalho: readonly string[]): FoundColumns {
  return findColumns(cabecalho, keyOfColumn).found
}

export function sinanLayout(
  cabecalho: readonly string[],
  found: FoundColumns,
  context: LayoutContext,
): Layout {
  const tables = tablesOf(context)
  const fieldsOf = memoized((tipo) => fieldsIn(tables(tipo), found))
  const avisosOf = (tipos: readonly string[]) => fileWarnings(cabecalho, tipos.map(tables))
  return {
    nome: 'sinan',
    get fields() {
      return allFields([
        fieldsIn(USUAL, found),
        ...context.agravos.todos.map(({ definicao }) => fieldsOf(definicao.codigo)),
      ])
    },
    fieldsOf,
    avisos: avisosOf([]),
    avisosOf,
    couldBeCase: datedIn(found.get('DT_NOTIFIC') as FoundColumn),
    convert: createConverter(cabecalho, found, tables, context),
    meaningOf(column, tipo) {
      const key = keyOfColumn(column)
      const meant = (tipo === null ? USUAL : tables(tipo)).filter(([nome]) => nome === key)
      const [, entry] = meant.find(([, { reads }]) => reads !== 'nothing') ?? meant[0] ?? []
      return entry === undefined
        ? null
        : { key, campos: fieldsOfColumn(entry), used: entry.reads !== 'nothing', free: isFree(entry) }
    },
    names: (tipos) => [
      ...CANONICAL_NAMES,
      ...tipos.flatMap((tipo) => tables(tipo).map(([nome]) => [nome, nome] as const)),
    ],
  }
}

type Tables = (tipo: string) => ColumnTable

const isFree = (column: ColumnTable[number][1]): boolean =>
  column.reads === 'proprio' && column.proprio.campo.tipo === 'texto'

function memoized<V>(make: (tipo: string) => V): (tipo: string) => V {
  const made = new Map<string, V>()
  return (tipo) => {
    const before = made.get(tipo)
    if (before !== undefined) return before
    const value = make(tipo)
    made.set(tipo, value)
    return value
  }
}

/** Compiles the table of a disease when a row of it first occurs. */
const tablesOf = ({ agravos, textos = false }: LayoutContext): Tables =>
  memoized((tipo) => {
    const agravo = agravos.get(tipo)
    return agravo === undefined ? USUAL : tableOf(agravo, { vocabulario: agravos.vocabulario, textos })
  })

/** Warnings about columns that no disease of the file knows, or that come twice. */
function fileWarnings(cabecalho: readonly string[], tables: readonly ColumnTable[]): FileWarning[] {
  const known = new Set([USUAL, ...tables].flatMap((table) => table.map(([nome]) => nome)))
  const { found, avisos } = findColumns(cabecalho, (column) => {
    const key = keyOfColumn(column)
    return known.has(key) ? key : undefined
  })
  return found.has('NU_NOTIFIC') ? avisos : [...avisos, { column: null, message: WITHOUT_NUMBER }]
}

/** Fields in the order of the table of fields, own ones last. */
function allFields(lists: readonly (readonly FieldName[])[]): FieldName[] {
  const present = new Set(lists.flat())
  return [...FIELD_NAMES.filter((nome) => present.has(nome)), ...[...present].filter(isProprio)]
}

/** Fields that the columns of a file can set, of one disease. */
const fieldsIn = (table: ColumnTable, found: FoundColumns): FieldName[] =>
  allFields(table.map(([nome, column]) => (found.has(nome) ? fieldsOfColumn(column) : [])))

/** Column title of each field, for messages. */
function titlesOf(table: ColumnTable, found: FoundColumns): Map<string, string> {
  const titles = new Map<string, string>()
  for (const [nome, column] of table)
    for (const campo of fieldsOfColumn(column)) {
      const title = found.get(nome)?.title
      if (title !== undefined && !titles.has(campo)) titles.set(campo, title)
    }
  return titles
}

/** Work on the rows of one disease. */
function compile(table: ColumnTable, found: FoundColumns, context: LayoutContext) {
  return {
    empty: emptyOf(fieldsIn(table, found)),
    steps: stepsOf(table, found, context),
    conclude: conclusions(table, found),
    enforce: enforcer(context, titlesOf(table, found)),
  }
}

/** Case without values, the own fields of the file among its names: rows of one shape are copied and read several times as fast. */
const emptyOf = (fields: readonly FieldName[]): SinanRow['campos'] => ({
  ...EMPTY_CASE,
  ...Object.fromEntries(fields.map((nome) => [nome, null])),
})

function createConverter(
  cabecalho: readonly string[],
  found: FoundColumns,
  tables: Tables,
  context: LayoutContext,
) {
  const width = cabecalho.length
  const at = (nome: string) => found.get(nome)?.index ?? -1
  const compiled = memoized((tipo) => compile(tables(tipo), found, context))
  const numberOf = rowNumberer(cabecalho)
  const essentials = essentialsOf(found, context)
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
    const { empty, steps, conclude, enforce } = compiled(key.tipo)
    const row: SinanRow = { ...NEW_ROW, campos: { ...empty }, avisos: [], tipo: key.tipo, values }
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
    row.campos.numero_notificacao = !derivado
      ? given
      : isKnown(key.tipo)
        ? derivedNumber(row.campos)
        : numberOf(values)
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
  const named = agravoNamer(context.agravos.todos)
  const isActive = (tipo: string) => context.agravos.get(tipo)?.ativo ?? false
  const read = (text: string) => {
    const known = readAgravo(text)
    return known === undefined ? named(text) : known === null || isActive(known) ? known : undefined
  }
  const tipoOf = (text: string) => {
    if (!agravos.has(text) && agravos.size < 100) agravos.set(text, read(text))
    return agravos.has(text) ? agravos.get(text) : read(text)
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
function conclusions(table: ColumnTable, found: FoundColumns): (row: SinanRow) => void {
  const columnsOf = (campo: FieldName) =>
    table.flatMap(([nome, column]) => (fieldsOfColumn(column)[0] === campo ? (found.get(nome) ?? []) : []))
  const hasLaco = columnsOf('dados_especificos.prova_laco').length > 0
  const [inicio, municipio, obito, internacao, sorotipo] = [
    columnsOf('data_inicio_sintomas'),
    columnsOf('municipio_residencia'),
    columnsOf('data_obito'),
    columnsOf('data_internacao'),
    columnsOf('dados_especificos.sorotipo'),
  ]
  const isEmpty = (row: SinanRow, columns: readonly FoundColumn[]) =>
    columns.length > 0 && columns.every(({ index }) => isMissing(row.values[index] ?? ''))
  const titleOf = ([column]: readonly FoundColumn[]) => column?.title ?? null
  const isDiagnosis = table.some(([nome]) => nome === 'SEM_DIAG')
  const withoutOnset = isDiagnosis ? 'Sem data de diagnóstico' : 'Sem data de início dos sintomas'

  return (row) => {
    const { campos } = row
    campos['dados_especificos.sinais_alarme'] = row.alarme
    // Dictionary: the test was not made where the answer is blank.
    if (hasLaco) campos['dados_especificos.prova_laco'] ??= 'nao_realizada'
    if (isEmpty(row, inicio))
      warn(row, titleOf(inicio), withoutOnset, about('WITHOUT_ONSET', 'data_inicio_sintomas'))
    if (isEmpty(row, municipio))
      warn(
        row,
        titleOf(municipio),
        'Sem município de residência',
        about('WITHOUT_PLACE', 'municipio_residencia'),
      )
    if (OBITOS.includes((campos.evolucao as string) ?? '') && isEmpty(row, obito))
      warn(row, titleOf(obito), 'Óbito sem data', about('WITHOUT_DATE', 'data_obito'))
    if (campos.hospitalizacao === true && isEmpty(row, internacao))
      warn(
        row,
        titleOf(internacao),
        'Hospitalização sem data de internação',
        about('WITHOUT_DATE', 'data_internacao'),
      )
    if (sorotipo.length > 0 && campos['dados_especificos.sorotipo'] !== null && !wasIsolated(campos))
      warn(row, titleOf(sorotipo), 'Sorotipo sem PCR ou isolamento viral positivo', SOROTIPO)
  }
}

const about = (codigo: string, campo: FieldName) => ({ codigo, campo })
const SOROTIPO = about('WITHOUT_TEST', 'dados_especificos.sorotipo')

const wasIsolated = (campos: SinanRow['campos']): boolean =>
  campos['dados_laboratoriais.pcr'] === 'positivo' ||
  campos['dados_laboratoriais.isolamento_viral'] === 'positivo'
