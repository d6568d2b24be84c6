import { addDays, yearsBetween } from '../../src/brasil/calendar.ts'
import type { Municipio } from '../../src/brasil/municipios.ts'
import { somebody } from '../../src/demo/people.ts'
import type { Random } from '../../src/demo/random.ts'
import { CAMPOS, type Campo, FIELD_NAMES, type FieldName } from '../../src/domain/casos/campos.ts'

/** Cases with every field of the table filled in: the most that a creation and a row of a file can hold. */

type Value = string | number | boolean | string[] | { local: string; endereco: string; periodo: string }[]
export type CompleteCase = Record<FieldName, Value>

const FIRST_DAY = '2025-01-01'
const DAYS = 500

export function completeCase(random: Random, municipios: readonly Municipio[], numero: string): CompleteCase {
  const { codigo, uf, latitude, longitude } = random.pick(municipios)
  const notified = addDays(FIRST_DAY, random.below(DAYS))
  const onset = addDays(notified, -random.below(8))
  const birth = addDays(onset, -7_000 - random.below(14_000))
  const { nome, raca } = somebody(random)
  const filled = Object.fromEntries(
    FIELD_NAMES.map((name) => [name, randomValue(CAMPOS[name], random, onset)]),
  )
  return {
    ...(filled as CompleteCase),
    tipo_agravo: 'dengue',
    numero_notificacao: numero,
    data_notificacao: notified,
    data_inicio_sintomas: onset,
    paciente_nome: nome,
    paciente_data_nascimento: birth,
    paciente_idade: yearsBetween(birth, onset),
    paciente_sexo: 'F',
    paciente_raca: raca || 'ignorado',
    municipio_residencia: codigo,
    estado_residencia: uf,
    municipio_infeccao: codigo,
    estado_infeccao: uf,
    latitude: rounded(latitude + random.next() / 10),
    longitude: rounded(longitude + random.next() / 10),
    classificacao_inicial: 'suspeito',
    classificacao_final: random.pick(['dengue_grave', 'dengue_com_sinais_alarme', 'descartado']),
    criterio_confirmacao: 'laboratorial',
    evolucao: 'obito',
    data_obito: addDays(onset, 9),
    data_investigacao: addDays(notified, 1),
    data_encerramento: addDays(notified, 30),
    hospitalizacao: true,
    data_internacao: addDays(onset, 2),
    status: 'encerrado',
  }
}

const rounded = (degrees: number) => Number(degrees.toFixed(5))

const WORDS =
  'Maria Rosa Campo Verde Santa Boa Vista Monte Alegre Porto Novo Serra Azul Belo Horizonte Ribeira'.split(
    ' ',
  )
const words = (random: Random, count: number) =>
  Array.from({ length: count }, () => random.pick(WORDS)).join(' ')

function randomValue(campo: Campo, random: Random, day: string): Value {
  switch (campo.kind) {
    case 'text':
      return words(random, 3).slice(0, campo.max)
    case 'code':
      return codeOf(campo.form, random)
    case 'one-of':
      return random.pick(campo.values)
    case 'boolean':
      return random.chance(0.5)
    case 'date':
      return day
    case 'integer':
      return campo.min + random.below(campo.max - campo.min)
    case 'number':
      return Number((campo.min + random.next() * (campo.max - campo.min)).toFixed(2))
    case 'municipio':
      return 0
    case 'list-of':
      return [...new Set([random.pick(campo.values), random.pick(campo.values)])]
    case 'texts':
      return [...new Set([words(random, 2), words(random, 2)])]
    case 'locais':
      return [0, 1].map(() => ({
        local: words(random, 2),
        endereco: `Rua ${words(random, 2)}, ${random.below(2_000)}`,
        periodo: 'manhã',
      }))
  }
}

function codeOf(form: Extract<Campo, { kind: 'code' }>['form'], random: Random): string {
  const digits = (count: number) => String(random.below(10 ** count)).padStart(count, '0')
  if (form === 'cep') return `${digits(5)}-${digits(3)}`
  return form === 'cnes' ? digits(7) : `(81) 3${digits(3)}-${digits(4)}`
}

/** Body of a creation: a dot in a name leads into a group. */
export function bodyOf(caso: CompleteCase): string {
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(caso)) {
    const path = name.split('.')
    const leaf = path.pop() as string
    let node = body
    for (const group of path) {
      node[group] ??= {}
      node = node[group] as Record<string, unknown>
    }
    node[leaf] = value
  }
  return JSON.stringify(body)
}

export const COMPLETE_HEADER = `${FIELD_NAMES.join(';')}\n`

/** Line of a file in the service's own layout: lists with bars, places as a JSON cell. */
export function lineOf(caso: CompleteCase): string {
  return `${FIELD_NAMES.map((name) => cellOf(caso[name])).join(';')}\n`
}

function cellOf(value: Value): string {
  if (!Array.isArray(value)) return String(value)
  const isJson = typeof value[0] === 'object'
  return isJson ? `"${JSON.stringify(value).replaceAll('"', '""')}"` : value.join('|')
}
