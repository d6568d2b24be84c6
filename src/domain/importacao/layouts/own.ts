import type { Municipio, Municipios } from '../../../brasil/municipios.ts'
import { type Problem, problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import type { LiveValues } from '../../../system/live-list.ts'
import type { ProprioCompilado } from '../../casos/agravos/conferir.ts'
import { fixedAgravos } from '../../casos/agravos/registro.ts'
import type { Agravo } from '../../casos/agravos/vigentes.ts'
import {
  ALIASES,
  CAMPOS,
  type Campo,
  type Campos,
  type CampoValue,
  EMPTY_CASE,
  FIELD_NAMES,
  type FieldName,
  leafOf,
  PLACES,
  REQUIRED_ON_CREATION,
} from '../../casos/campos.ts'
import { type CasoInput, fromInput, spelt } from '../../casos/input.ts'
import { isProprio } from '../../casos/proprios.ts'
import { settle } from '../../casos/regras.ts'
import { type Causa, causaOf, MISALIGNED, SHORT } from './causas.ts'
import { datedIn, type FoundColumn, hasMoreThan } from './header.ts'
import { cellReader, ownCellReader, type ReadCell } from './inputs.ts'
import type { ConvertedRow, FileWarning, Layout, LayoutContext, RowWarning } from './layout.ts'

/** The service's own layout: names of fields as columns, and the rules of a creation. */

/** Last parts that suggest another field: `nome` alone would be taken for the patient's. */
const AMBIGUOUS = new Set(['nome', 'telefone', 'responsavel'])

/** Field of each accepted column name. The last part of a name is enough where no other field ends in it. */
export const OWN_NAMES: ReadonlyMap<string, FieldName> = new Map<string, FieldName>([
  ...FIELD_NAMES.filter((nome) => {
    const leaf = leafOf(nome)
    return !AMBIGUOUS.has(leaf) && FIELD_NAMES.filter((other) => leafOf(other) === leaf).length === 1
  }).map((nome) => [leafOf(nome), nome] as const),
  ...ALIASES,
  ...FIELD_NAMES.map((nome) => [nome, nome] as const),
])

/** Names of columns with the standard fields, and with those that active diseases have of their own, as they are sent. */
export function ownNames({ todos }: LayoutContext['agravos']): ReadonlyMap<string, FieldName> {
  const proprios = todos.flatMap(({ ativo, proprios }) =>
    ativo ? proprios.filter(({ campo }) => campo.ativo) : [],
  )
  return new Map<string, FieldName>([
    ...proprios.flatMap(({ nome, enviado }) => [
      [nome, enviado as FieldName] as const,
      [enviado, enviado as FieldName] as const,
    ]),
    ...OWN_NAMES,
  ])
}

export function ownLayout(
  found: ReadonlyMap<FieldName, FoundColumn>,
  avisos: FileWarning[],
  width: number,
  context: LayoutContext,
): Layout {
  const { agravos } = context
  const names = ownNames(agravos)
  const present = new Set(found.keys())
  if (present.has('municipio_infeccao')) present.add('estado_infeccao')
  const standard = FIELD_NAMES.filter((nome) => present.has(nome))
  const propriosOf = (tipo: string) =>
    usableOf(agravos.get(tipo)).filter((one) => present.has(one.enviado as FieldName))
  const flatsOf = (tipo: string) => propriosOf(tipo).map(({ flat }) => flat as FieldName)
  const all = new Set(agravos.todos.flatMap(({ definicao }) => flatsOf(definicao.codigo)))
  return {
    nome: 'proprio',
    fields: [...standard, ...all],
    fieldsOf: (tipo) => [...standard, ...flatsOf(tipo)],
    avisos,
    avisosOf: () => avisos,
    couldBeCase: datedIn(found.get('data_notificacao') as FoundColumn),
    convert: createConverter(found, width, context),
    meaningOf(column, tipo) {
      const key = names.get(column)
      if (key === undefined) return null
      const proprios = (tipo === null ? agravos.todos : [agravos.get(tipo)]).flatMap(usableOf)
      const meant = proprios.filter(({ enviado }) => enviado === key)
      const campos = isProprio(key) ? [...new Set(meant.map(({ flat }) => flat as FieldName))] : [key]
      return { key, campos, used: campos.length > 0, free: meant.some(({ campo }) => campo.tipo === 'texto') }
    },
    names: () => names,
  }
}

/** Own fields of a disease that take values. */
const usableOf = (agravo: Agravo | undefined): readonly ProprioCompilado[] =>
  agravo?.ativo ? agravo.proprios.filter(({ campo }) => campo.ativo) : []

function createConverter(
  found: ReadonlyMap<FieldName, FoundColumn>,
  width: number,
  context: LayoutContext,
): (values: string[]) => ConvertedRow {
  const live = fixedAgravos(context.agravos).live()
  const steps = [...found]
    .filter(([nome]) => !isProprio(nome))
    .map(([nome, { index }]) => stepOf(nome, index, live))
  const readProprios = propriosReader(found, context)
  const municipios = cachingNames(context.municipios)
  const numero = found.get('numero_notificacao')?.index ?? -1
  const tipoAgravo = found.has('tipo_agravo') ? null : context.tipoAgravo
  const causaIn = (one: Problem) => causaOf(one, found.get(nameOf(one) as FieldName)?.title ?? null)

  return (values) => {
    const refuse = (erro: string, causas: Causa[]): ConvertedRow => ({
      ok: false,
      erro,
      causas,
      numero_notificacao: values.length === width ? reported(values[numero] ?? '') : null,
    })
    if (values.length > width && hasMoreThan(values, width))
      return refuse(`Linha com ${values.length} valores; o cabeçalho tem ${width} colunas`, [MISALIGNED])
    const { campos, places, problems } = readRow(steps, values)
    if (tipoAgravo !== null) campos.tipo_agravo = tipoAgravo
    Object.assign(campos, readProprios(campos.tipo_agravo as string | null, values, problems))
    checkRequired(campos, places, problems)
    const placed = fromInput(places, null, { municipios, agravos: context.agravos })
    problems.push(...placed.problems)
    const caso = Object.assign(campos, placed.campos) as Campos
    const ruled = settle(caso, { ...caso }, { ...context, municipios })
    if (problems.length + ruled.length > 0) {
      const all = joined(problems, ruled)
      return refuse(textOf(all), all.map(causaIn))
    }
    return { ok: true, campos: caso, avisos: shortOf(values, width), derivado: false }
  }
}

/** Notification number for the report. A misaligned row may hold a name in this cell, which must not be reported. */
const reported = (numero: string): string | null =>
  numero.length <= 40 && /\d/.test(numero) && !/\s/.test(numero) ? numero : null

/** Compiled column: parser and target. */
interface Step {
  nome: FieldName
  index: number
  campo: Campo
  placeField: PlaceField | null
  read: ReadCell
}

const stepOf = (nome: FieldName, index: number, live: LiveValues): Step => ({
  nome,
  index,
  campo: CAMPOS[nome],
  placeField: isPlaceField(nome) ? nome : null,
  read: cellReader(nome, live),
})

/** Compiles the columns of own fields: each row is read by the definition of its disease. */
function propriosReader(
  found: ReadonlyMap<FieldName, FoundColumn>,
  { agravos, municipios, today }: LayoutContext,
) {
  const columns = [...found].filter(([nome]) => isProprio(nome))
  const readers = new Map<ProprioCompilado, ReadCell>()
  const readerOf = (proprio: ProprioCompilado) => {
    const read = readers.get(proprio) ?? ownCellReader(proprio)
    readers.set(proprio, read)
    return read
  }
  return (tipo: string | null, values: readonly string[], problems: Problem[]): Record<string, unknown> => {
    const agravo = columns.length === 0 || tipo === null ? undefined : agravos.get(tipo)
    if (agravo === undefined) return {}
    const sent: Record<string, unknown> = {}
    for (const [enviado, { index }] of columns) {
      const text = values[index] ?? ''
      if (text === '') continue
      const proprio = agravo.byNome.get(leafOf(enviado))
      if (proprio === undefined)
        problems.push(problem('body', enviado.split('.'), 'INCONSISTENT', { field: 'tipo_agravo' }))
      else if (proprio.campo.ativo) {
        const result = readerOf(proprio)(text)
        if ('problem' in result) problems.push(result.problem)
        else if (proprio.campo.tipo === 'data' && (result.value as string) > today)
          problems.push(problem('body', enviado.split('.'), 'IN_FUTURE', {}))
        else sent[proprio.nome] = result.value
      }
    }
    return agravo.readProprios(sent, municipios, problems)
  }
}

/** Values of a row; municipalities and states apart, since a municipality is given by code or name and implies its state. */
interface ReadFields {
  campos: Record<FieldName, CampoValue>
  places: Pick<CasoInput, PlaceField>
  problems: Problem[]
}
type PlaceField = (typeof PLACES)[number][number]
const PLACE_FIELDS: readonly string[] = PLACES.flat()
const isPlaceField = (nome: FieldName): nome is PlaceField => PLACE_FIELDS.includes(nome)

function readRow(steps: Step[], values: string[]): ReadFields {
  const campos: ReadFields['campos'] = { ...EMPTY_CASE }
  const places: Partial<Record<PlaceField, unknown>> = {}
  const problems: Problem[] = []
  for (const { nome, index, campo, placeField, read } of steps) {
    const text = values[index] ?? ''
    if (text === '') continue
    const result = read(text)
    if ('problem' in result) problems.push(result.problem)
    else if (placeField !== null) places[placeField] = result.value
    else campos[nome] = spelt(campo, result.value as CampoValue)
  }
  return { campos, places: places as ReadFields['places'], problems }
}

function checkRequired(
  campos: ReadFields['campos'],
  places: ReadFields['places'],
  problems: Problem[],
): void {
  for (const nome of REQUIRED_ON_CREATION) {
    const isThere = isPlaceField(nome) ? (places[nome] ?? '').trim() !== '' : campos[nome] !== null
    if (!isThere && !problems.some(({ path }) => path[0] === nome))
      problems.push(problem('body', [nome], 'REQUIRED', {}))
  }
}

const nameOf = ({ path }: Problem) => path.join('.')

/** All problems of a row; of those of the rules, only problems with fields that had none before. */
function joined(first: Problem[], ruled: Problem[]): Problem[] {
  const unread = new Set(first.map(nameOf))
  return [...first, ...ruled.filter((one) => !unread.has(nameOf(one)))]
}

const textOf = (problems: Problem[]): string =>
  problems.map((one) => `${nameOf(one)}: ${problemText(one, DEFAULT_LANGUAGE)}`).join('; ')

const shortOf = (values: string[], width: number): RowWarning[] =>
  values.length >= width
    ? []
    : [
        {
          column: null,
          message: `Linha com ${values.length} valores; o cabeçalho tem ${width} colunas: as últimas ficam vazias`,
          campo: null,
          ...SHORT,
        },
      ]

const MAX_CACHED = 20_000

/** Caches look-ups by name, which fold it; a file repeats the same few places. */
function cachingNames(municipios: Municipios): Municipios {
  const byNome = new Map<string, Municipio | null>()
  return {
    ...municipios,
    byNome(nome, uf) {
      const key = `${uf}${nome}`
      let found = byNome.get(key)
      if (found === undefined) {
        found = municipios.byNome(nome, uf)
        if (byNome.size < MAX_CACHED) byNome.set(key, found)
      }
      return found
    },
  }
}
