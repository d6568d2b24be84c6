import { padraoOf } from '../../casos/agravos/blocos.ts'
import type { CodigoPermitido, Lista } from '../../casos/agravos/definicao.ts'
import { padraoNamed } from '../../casos/agravos/nomes.ts'
import type { Agravo, AgravosVigentes } from '../../casos/agravos/vigentes.ts'
import { CAMPOS, type Campo, type FieldName, PLACES } from '../../casos/campos.ts'
import { type CodeTable, definedTable, GESTANTE, SIM_NAO } from './codes.ts'
import { CANONICAL_NAMES, NOTHING, SINAN_COLUMNS, type SinanColumn } from './columns.ts'
import type { ColumnTable } from './steps.ts'

/**
 * Columns of a disease in files of SINAN: the usual ones of fields that its definition has, those that the definition moves, and
 * those of its own fields. A column that the definition names means what it says, whatever it means elsewhere.
 */

export const USUAL: ColumnTable = Object.entries(SINAN_COLUMNS)

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
  if (column.reads === 'proprio') return [column.proprio.flat as FieldName]
  if (!('campo' in column)) return SPECIAL[column.reads] ?? []
  const { campo } = column
  if (column.reads === 'alarme') return [campo, 'dados_especificos.sinais_alarme']
  const estado = STATE_OF.get(campo)
  return estado === undefined ? [campo] : [campo, estado]
}

/** Name of a column in the tables: that of the DBF, or its own. */
export const keyOfColumn = (column: string): string =>
  CANONICAL_NAMES.get(column.toUpperCase()) ?? column.toUpperCase()

/** The mother's name, cards, telephones, finer addresses and remarks: not taken, whatever a definition says. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['NM_MAE_PAC', 'ID_CNS_SUS', 'NU_DDD_TEL', 'NU_TELEFON', 'NM_COMPLEM', 'NM_REFEREN', 'DS_OBS'],
  ...['DDD_HOSP', 'NU_DDD_HOSPITAL', 'TEL_HOSP', 'NU_TELEFONE_HOSPITAL', 'NOBAIINF', 'NO_BAIRRO_INFECCAO'],
])

/** Diseases of the code tables in `codes.ts`, whose columns all files share. */
const KNOWN: ReadonlySet<string> = new Set(['dengue', 'zika', 'chikungunya'])
export const isKnown = (tipo: string): boolean => KNOWN.has(tipo)

type Options = Pick<AgravosVigentes, 'vocabulario'> & { textos: boolean }

export function tableOf(agravo: Agravo, options: Options): ColumnTable {
  const { definicao } = agravo
  const moved = movedColumns(agravo, options)
  const own = ownColumns(agravo, options)
  const claimed = new Set([...[...moved.values()].flat(), ...own].map(([key]) => key))
  const usual = isKnown(definicao.codigo) ? USUAL : usualOf(agravo, options)
  const table: (readonly [string, SinanColumn])[] = []
  for (const entry of usual) {
    const [key, column] = entry
    const [campo] = fieldsOfColumn(column)
    const instead = campo === undefined ? undefined : moved.get(campo)
    if (instead !== undefined) {
      table.push(...instead)
      moved.set(campo as FieldName, [])
    } else if (!claimed.has(key)) table.push(entry)
  }
  return [...table, ...[...moved.values()].flat(), ...own]
}

/** Usual columns, of fields that the definition has. */
function usualOf({ definicao }: Agravo, { vocabulario }: Options): ColumnTable {
  const present = new Set<FieldName>(padraoOf(definicao))
  return USUAL.flatMap(([key, column]) => {
    const [campo] = fieldsOfColumn(column)
    if (campo === undefined) return [[key, column] as const]
    if (!present.has(campo) || ('only' in column && column.only !== undefined))
      return [[key, NOTHING] as const]
    return [[key, readingOf(campo, column, { definicao, vocabulario, present })] as const]
  })
}

interface Meant extends Pick<Agravo, 'definicao'>, Pick<Options, 'vocabulario'> {
  present: ReadonlySet<FieldName>
}

const CODED: Partial<Record<FieldName, { lista: Lista; of: 'classificacoes' | 'criterios' | 'evolucoes' }>> =
  {
    classificacao_final: { lista: 'classificacao', of: 'classificacoes' },
    criterio_confirmacao: { lista: 'criterio', of: 'criterios' },
    evolucao: { lista: 'evolucao', of: 'evolucoes' },
  }

const PREGNANT = new Map([...GESTANTE].map(([code, value]) => [code, value && value !== 'nao']))

/** Reading of a usual column by this disease: codes are those of the definition, and no field is set that it does not have. */
function readingOf(
  campo: FieldName,
  column: SinanColumn,
  { definicao, vocabulario, present }: Meant,
): SinanColumn {
  const coded = CODED[campo]
  if (coded !== undefined) {
    if (isKnown(definicao.codigo)) return column
    const codes = codesOf(definicao[coded.of], coded.lista, vocabulario)
    return codes.size === 0 ? NOTHING : { reads: 'code', campo, codes }
  }
  if (column.reads === 'alarme' && !present.has('dados_especificos.sinais_alarme'))
    return { reads: 'code', campo, codes: SIM_NAO }
  if (column.reads === 'gestante' && !present.has('dados_especificos.idade_gestacional'))
    return { reads: 'code', campo, codes: PREGNANT as CodeTable<boolean> }
  return column
}

function codesOf(
  allowed: readonly CodigoPermitido[],
  lista: Lista,
  vocabulario: Options['vocabulario'],
): CodeTable<string> {
  const labels = new Map(
    vocabulario.filter((one) => one.lista === lista).map(({ codigo, rotulo }) => [codigo, rotulo]),
  )
  return definedTable(
    allowed.map(({ codigo, sinan, rotulo }) => ({ codigo, sinan, rotulo: rotulo ?? labels.get(codigo) })),
  )
}

type Entries = (readonly [string, SinanColumn])[]

/** Columns of standard fields that are elsewhere than usual, by field; none: the disease has no such column. */
function movedColumns(agravo: Agravo, options: Options): Map<FieldName, Entries> {
  const { definicao } = agravo
  const present = new Set<FieldName>(padraoOf(definicao))
  const meant = { definicao, vocabulario: options.vocabulario, present }
  const moved = new Map<FieldName, Entries>()
  const move = (campo: FieldName, colunas: readonly string[]) =>
    moved.set(campo, inTurn(colunas, movedReading(campo, meant, options)))
  if (definicao.data_de_inicio === 'diagnostico') move('data_inicio_sintomas', DIAGNOSIS)
  for (const campo of definicao.campos)
    if ('padrao' in campo && campo.sinan.length > 0) move(campo.padrao as FieldName, campo.sinan)
  for (const [nome, coluna] of Object.entries(definicao.sinan.colunas)) {
    const campo = padraoNamed(nome)
    if (campo !== null && present.has(campo)) move(campo, coluna === null ? [] : [coluna])
  }
  const onset = moved.get('data_inicio_sintomas')
  if (definicao.data_de_inicio === 'diagnostico' && onset !== undefined && onset.length > 0)
    moved.set('data_inicio_sintomas', diagnosed(onset))
  return moved
}

const DIAGNOSIS = ['DT_DIAG']
const ONSET = 'DT_SIN_PRI'

/** SINAN keeps onset and diagnosis in one field: files without a form of their own have it under the usual name. */
const diagnosed = (columns: Entries): Entries => [
  ['SEM_DIAG', { reads: 'semana' }],
  ...columns.map(([key, column]) => [key, { ...column, semana: 'SEM_DIAG' } as SinanColumn] as const),
  ...(columns.some(([key]) => key === ONSET)
    ? []
    : [[ONSET, { ...(SINAN_COLUMNS[ONSET] as SinanColumn), fallback: true } as SinanColumn] as const]),
]

/** The first column with a value counts. */
const inTurn = (colunas: readonly string[], column: SinanColumn): Entries =>
  colunas.map((coluna, i) => {
    const taken = PERSONAL.has(keyOfColumn(coluna)) ? NOTHING : column
    return [
      keyOfColumn(coluna),
      i === 0 || taken === NOTHING ? taken : ({ ...taken, fallback: true } as SinanColumn),
    ]
  })

/** Usual reading of each field, for columns that have it under another name. */
const READING = new Map<FieldName, SinanColumn>()
for (const column of Object.values(SINAN_COLUMNS)) {
  const [campo] = fieldsOfColumn(column)
  const isPlain = !('only' in column && column.only !== undefined) && !('fallback' in column)
  if (campo !== undefined && isPlain && column.reads !== 'item' && !READING.has(campo))
    READING.set(campo, column)
}

/** Reading of a standard field wherever it stands; by its kind, where no file of SINAN has it usually. */
export function usualReading(
  campo: FieldName,
  meant: Meant,
  { textos }: Pick<Options, 'textos'>,
): SinanColumn {
  const usual = READING.get(campo)
  if (usual !== undefined) {
    const { otherNames: _, ...reading } = readingOf(campo, usual, meant)
    return reading
  }
  const { kind, ...rest } = CAMPOS[campo] as Campo
  switch (kind) {
    case 'boolean':
      return { reads: 'code', campo, codes: SIM_NAO }
    case 'date':
      return { reads: 'date', campo: campo as 'data_obito' }
    case 'integer':
    case 'number':
      return { reads: 'measure', campo: campo as 'paciente_idade' }
    case 'one-of': {
      const { values } = rest as { values: readonly string[] }
      return { reads: 'code', campo, codes: definedTable(values.map((codigo) => ({ codigo, sinan: [] }))) }
    }
    case 'text':
      return textos ? { reads: 'text', campo: campo as 'paciente_nome' } : NOTHING
    default:
      return NOTHING
  }
}

function movedReading(campo: FieldName, meant: Meant, options: Options): SinanColumn {
  const { semana: _, ...reading } = usualReading(campo, meant, options) as SinanColumn & { semana?: string }
  return reading as SinanColumn
}

function ownColumns({ proprios }: Agravo, { textos }: Options): Entries {
  return proprios.flatMap((proprio) => {
    const { campo } = proprio
    const isTaken = campo.ativo && (campo.tipo !== 'texto' || textos)
    const column: SinanColumn = isTaken ? { reads: 'proprio', proprio } : NOTHING
    const entries = inTurn(campo.sinan, column)
    // Choices of several columns are one list.
    return campo.tipo === 'opcoes'
      ? entries.map(([key, one]) => [key, one.reads === 'proprio' ? column : one] as const)
      : entries
  })
}

/** The disease that a value of `ID_AGRAVO` names: an exact one wins over a prefix, the longest prefix over others. */
export function agravoNamer(agravos: readonly Agravo[]): (text: string) => string | undefined {
  const exact = new Map<string, string>()
  const prefixes: [string, string][] = []
  for (const { definicao, ativo } of agravos) {
    if (!ativo || isKnown(definicao.codigo)) continue
    for (const value of definicao.sinan.agravos) exact.set(value.toUpperCase(), definicao.codigo)
    for (const prefix of definicao.sinan.prefixos) prefixes.push([prefix.toUpperCase(), definicao.codigo])
  }
  prefixes.sort(([a], [b]) => b.length - a.length)
  return (text) => {
    const value = text.replace(/[.\s]/g, '').toUpperCase()
    return exact.get(value) ?? prefixes.find(([prefix]) => value.startsWith(prefix))?.[1]
  }
}
