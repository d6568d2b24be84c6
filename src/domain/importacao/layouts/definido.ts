import { padraoOf } from '../../casos/agravos/blocos.ts'
import type { ColunaDoLayout, LayoutDaDefinicao } from '../../casos/agravos/definicao.ts'
import { conhecidosOf } from '../../casos/agravos/nomes.ts'
import type { Agravo } from '../../casos/agravos/vigentes.ts'
import {
  CAMPOS,
  type Campo,
  type CampoValue,
  EMPTY_CASE,
  FIELD_NAMES,
  type FieldName,
  PLACES,
} from '../../casos/campos.ts'
import { findMunicipio } from '../../casos/municipio.ts'
import { isProprio } from '../../casos/proprios.ts'
import { type Causa, MISALIGNED, SHORT } from './causas.ts'
import {
  cuttingReader,
  dateReader,
  type ReadColumn,
  type SinanRow,
  unread,
  unreadDate,
  valueReader,
  warn,
} from './cells.ts'
import { rowNumberer } from './derivado.ts'
import { enforcer } from './enforce.ts'
import { columnName, type FoundColumn, findColumns, hasMoreThan } from './header.ts'
import type { ConvertedRow, FileWarning, Layout, LayoutContext } from './layout.ts'
import { municipioReader, readIbge } from './places.ts'
import { proprioReader } from './proprios.ts'
import { readUf } from './states.ts'
import { readerOf, type Step } from './steps.ts'
import { usualReading } from './tabela.ts'
import { cached, isMissing, withoutAccents, withoutFraction } from './values.ts'

/** Layouts that a definition describes, for files that are not SINAN's. Parsed as leniently. */

interface Fitting {
  agravo: Agravo
  layout: LayoutDaDefinicao
}

/** A column of the layout that the file has. */
interface Column {
  coluna: ColunaDoLayout
  /** Name of its field inside the service. */
  campo: FieldName
  index: number
  title: string
}

export function definedLayout(
  cabecalho: readonly string[],
  { agravo, layout }: Fitting,
  context: LayoutContext,
): Layout {
  const named = new Map(layout.colunas.map((coluna) => [columnName(coluna.coluna), coluna]))
  const recognised = new Set(layout.reconhecer.map(columnName))
  const isKnown = (column: string) => named.has(column) || recognised.has(column)
  const { found, avisos } = findColumns(cabecalho, (column) => (isKnown(column) ? column : undefined))
  const campoOf = flatNames(agravo)
  const columns = [...found].flatMap(([nome, { index, title }]): Column[] => {
    const coluna = named.get(nome)
    return coluna === undefined ? [] : [{ coluna, campo: campoOf(coluna.campo), index, title }]
  })
  const steps = inOrder(columns).flatMap((column): Step[] => {
    const read = readColumn(column, agravo, context)
    return read === null ? [] : [{ index: column.index, read }]
  })
  const fields = fieldsOf(columns, layout, campoOf)
  const substitutos = Object.entries(layout.substitutos).map(
    ([campo, outro]) => [campoOf(campo), campoOf(outro)] as const,
  )
  const warnings = [...avisos, ...fileWarnings(layout, columns)]
  return {
    nome: 'definido',
    fields,
    fieldsOf: () => fields,
    avisos: warnings,
    avisosOf: () => warnings,
    couldBeCase: dated(columns, substitutos, context),
    convert: createConverter(cabecalho, { agravo, layout, columns, steps, substitutos, campoOf }, context),
    meaningOf(column) {
      const coluna = named.get(column)
      if (coluna === undefined)
        return recognised.has(column) ? { key: column, campos: [], used: false, free: false } : null
      const campo = campoOf(coluna.campo)
      return { key: column, campos: [campo], used: true, free: isFreeText(agravo, campo) }
    },
    names: () => [...named].map(([nome, { coluna }]) => [coluna, nome] as const),
  }
}

/** Names inside the service of the fields that a definition names. */
function flatNames({ definicao }: Agravo): (nome: string) => FieldName {
  const conhecidos = conhecidosOf(definicao)
  return (nome) => (conhecidos.named(nome)?.flat ?? nome) as FieldName
}

const proprioAt = ({ proprios }: Agravo, campo: FieldName) => proprios.find(({ flat }) => flat === campo)
const isFreeText = (agravo: Agravo, campo: FieldName) => proprioAt(agravo, campo)?.campo.tipo === 'texto'

const STATE_OF: ReadonlyMap<FieldName, FieldName> = new Map(PLACES)
const STATES: ReadonlySet<FieldName> = new Set(STATE_OF.values())

/** A state before its municipality. */
const inOrder = (columns: readonly Column[]): Column[] =>
  columns.toSorted((a, b) => Number(STATES.has(b.campo)) - Number(STATES.has(a.campo)))

/** Constants are not among them: they are for new cases, and what was decided about a case since stays. */
function fieldsOf(
  columns: readonly Column[],
  { substitutos }: LayoutDaDefinicao,
  campoOf: (nome: string) => FieldName,
): FieldName[] {
  const present = new Set<FieldName>(['tipo_agravo', ...columns.map(({ campo }) => campo)])
  for (const nome of Object.keys(substitutos)) present.add(campoOf(nome))
  for (const campo of [...present]) {
    const estado = STATE_OF.get(campo)
    if (estado !== undefined) present.add(estado)
  }
  return [...FIELD_NAMES.filter((nome) => present.has(nome)), ...[...present].filter(isProprio)]
}

/** Told once for the file, not for each of its rows. */
function fileWarnings({ nome, substitutos }: LayoutDaDefinicao, columns: readonly Column[]): FileWarning[] {
  const warnings = Object.entries(substitutos).map(([campo, outro]) => ({
    column: null,
    message: `Layout ${nome}: onde não há ${campo}, vale ${outro}`,
  }))
  if (!columns.some(({ campo }) => campo === 'numero_notificacao'))
    warnings.push({ column: null, message: WITHOUT_NUMBER })
  return warnings
}

const WITHOUT_NUMBER =
  'O arquivo não tem o número da notificação: ele foi derivado dos demais valores de cada linha'

function dated(
  columns: readonly Column[],
  substitutos: readonly (readonly [FieldName, FieldName])[],
  { today }: LayoutContext,
): (values: readonly string[]) => boolean {
  const read = dateReader(today, undefined)
  const stands = new Set<FieldName>(['data_notificacao'])
  for (const [campo, outro] of substitutos) if (campo === 'data_notificacao') stands.add(outro)
  const dates = columns.filter(({ campo }) => stands.has(campo))
  return (values) => dates.some(({ index }) => read(values[index] ?? '', values) !== null)
}

interface Compiled extends Fitting {
  columns: readonly Column[]
  steps: readonly Step[]
  substitutos: readonly (readonly [FieldName, FieldName])[]
  campoOf: (nome: string) => FieldName
}

function createConverter(cabecalho: readonly string[], compiled: Compiled, context: LayoutContext) {
  const { agravo, layout, columns, steps, substitutos, campoOf } = compiled
  const width = cabecalho.length
  const tipo = agravo.definicao.codigo
  const constantes = Object.entries(layout.constantes).map(
    ([nome, text]) => [campoOf(nome), constantOf(agravo, campoOf(nome), text)] as const,
  )
  const titles = new Map(columns.map(({ campo, title }) => [campo as string, title]))
  const enforce = enforcer(context, titles)
  const numberOf = rowNumberer(cabecalho)
  const dates = new Set(
    substitutos.filter(([campo]) => campo === 'data_notificacao').map(([, outro]) => outro),
  )
  const dateTitle = titles.get('data_notificacao') ?? [...dates].map((campo) => titles.get(campo))[0] ?? null

  return (values: string[]): ConvertedRow => {
    const row: SinanRow = { campos: { ...EMPTY_CASE }, avisos: [], tipo, values, alarme: null, soro2: false }
    const refuse = (erro: string, causa: Causa): ConvertedRow => ({
      ok: false,
      erro,
      causas: [causa],
      numero_notificacao: values.length === width ? (row.campos.numero_notificacao as string | null) : null,
    })
    if (values.length > width && hasMoreThan(values, width))
      return refuse(`Linha com ${values.length} valores; o cabeçalho tem ${width} colunas`, MISALIGNED)
    if (values.length < width)
      warn(
        row,
        null,
        `Linha com ${values.length} valores; o cabeçalho tem ${width} colunas: as últimas ficam vazias`,
        SHORT,
      )
    row.campos.tipo_agravo = tipo
    for (const { index, read } of steps) {
      const text = values[index]
      if (text !== undefined && text !== '') read(row, text)
    }
    for (const [campo, value] of constantes) row.campos[campo] ??= value
    for (const [campo, outro] of substitutos) row.campos[campo] ??= row.campos[outro] ?? null
    const data = row.campos.data_notificacao as string | null
    const causa = (codigo: string, regra: string) => ({
      ...{ codigo, campo: 'data_notificacao' as const, coluna: dateTitle, regra },
    })
    if (data === null) return refuse(UNDATED, causa('REQUIRED', UNDATED))
    if (data > context.today)
      return refuse(
        `Data de notificação ${data} no futuro`,
        causa('IN_FUTURE', 'Data de notificação no futuro'),
      )
    const derivado = row.campos.numero_notificacao === null
    if (derivado) row.campos.numero_notificacao = numberOf(values)
    return { ok: true, campos: enforce(row), avisos: row.avisos, derivado }
  }
}

const UNDATED = 'Linha sem data de notificação legível'

/** Value of a constant, whose text the definition was accepted with. */
function constantOf(agravo: Agravo, campo: FieldName, text: string): CampoValue {
  const proprio = proprioAt(agravo, campo)
  const kind = proprio === undefined ? (CAMPOS[campo] as Campo).kind : proprio.campo.tipo
  switch (kind) {
    case 'boolean':
    case 'bool':
      return (text === 'true') as CampoValue
    case 'integer':
    case 'number':
    case 'inteiro':
    case 'numero':
    case 'municipio':
      return Number(text) as CampoValue
    case 'list-of':
    case 'texts':
    case 'opcoes':
      return [text] as CampoValue
    default:
      return text as CampoValue
  }
}

function readColumn(
  { coluna, campo, title }: Column,
  agravo: Agravo,
  context: LayoutContext,
): ReadColumn | null {
  const proprio = proprioAt(agravo, campo)
  if (proprio?.campo.ativo === false || (isFreeText(agravo, campo) && !context.textos)) return null
  switch (coluna.le) {
    case 'texto':
      return textReader(coluna, campo, title, proprio?.campo.max)
    case 'data':
      return proprio === undefined
        ? dateColumn(campo, title, context.today)
        : proprioReader(proprio, title, context)
    case 'codigo':
      return codedReader(coluna.codigos ?? {}, agravo, campo, title)
    case 'uf':
      return valueReader(campo, title, cached(readUf))
    case 'municipio':
      return placeReader(campo, title, context)
    case 'anos':
      return numberReader(agravo, campo, title, Math.floor)
    case 'inteiro':
      return numberReader(agravo, campo, title, (value) => (Number.isInteger(value) ? value : Number.NaN))
    case 'padrao':
      return proprio === undefined
        ? standardReader(agravo, campo, title, context)
        : proprioReader(proprio, title, context)
  }
}

function standardReader({ definicao }: Agravo, campo: FieldName, title: string, context: LayoutContext) {
  const meant = {
    definicao,
    vocabulario: context.agravos.vocabulario,
    present: new Set<FieldName>(padraoOf(definicao)),
  }
  const { textos = false } = context
  return readerOf(usualReading(campo, meant, { textos }), title, new Map<string, FoundColumn>(), context)
}

const MAX_TEXT = 40

function textReader(
  { prefixo = '' }: ColunaDoLayout,
  campo: FieldName,
  title: string,
  own: number | undefined,
): ReadColumn {
  const standard = CAMPOS[campo] as { max?: number } | undefined
  const read = cuttingReader(campo, own ?? standard?.max ?? MAX_TEXT, title)
  if (prefixo === '') return (row, text) => read(row, withoutFraction(text))
  return (row, text) => isMissing(text) || read(row, `${prefixo}${withoutFraction(text.trim())}`)
}

function dateColumn(campo: FieldName, title: string, today: string): ReadColumn {
  const read = dateReader(today, undefined)
  return (row, text) => {
    const date = read(text, row.values)
    if (date !== null) row.campos[campo] = date
    else if (!isMissing(text)) unreadDate(row, campo, title, text)
  }
}

const folded = (text: string) => withoutAccents(text).trim().toLowerCase()

function codedReader(
  codigos: Readonly<Record<string, string>>,
  agravo: Agravo,
  campo: FieldName,
  title: string,
): ReadColumn {
  const codes = new Map(
    Object.entries(codigos).map(([text, codigo]) => [folded(text), constantOf(agravo, campo, codigo)]),
  )
  return valueReader(
    campo,
    title,
    cached((text) => (isMissing(text) && !codes.has(folded(text)) ? null : codes.get(folded(text)))),
  )
}

function placeReader(campo: FieldName, title: string, { municipios }: LayoutContext): ReadColumn {
  if (STATE_OF.has(campo)) return municipioReader(campo as (typeof PLACES)[number][0], title, municipios)
  return valueReader(
    campo,
    title,
    cached(
      (text) =>
        readIbge(text, municipios) ??
        (isMissing(text) ? null : findMunicipio(municipios, text, null)?.codigo),
    ),
  )
}

/** A number, with comma or point, inside the range of its field. */
function numberReader(
  agravo: Agravo,
  campo: FieldName,
  title: string,
  whole: (value: number) => number,
): ReadColumn {
  const proprio = proprioAt(agravo, campo)
  const standard = CAMPOS[campo] as { min: number; max: number } | undefined
  const fits = (value: number) =>
    proprio === undefined
      ? standard !== undefined && value >= standard.min && value <= standard.max
      : proprio.check(value) === null
  return (row, text) => {
    if (isMissing(text)) return
    const value = whole(Number(text.replace(',', '.')))
    if (fits(value)) row.campos[campo] = value as CampoValue
    else unread(row, campo, title, text)
  }
}
