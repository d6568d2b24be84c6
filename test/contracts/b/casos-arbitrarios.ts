import fc from 'fast-check'
import { addDays, yearsBetween } from '../../../src/brasil/calendar.ts'
import { loadMunicipios, type Municipio } from '../../../src/brasil/municipios.ts'
import { CAMPOS, type Campo, FIELD_NAMES, type FieldName } from '../../../src/domain/casos/campos.ts'
import { DENGUE_ONLY, OBITOS } from '../../../src/domain/casos/enumeracoes.ts'

/** Random cases that contradict themselves nowhere: their fields, and the body a client sends for them. */

const MUNICIPIOS = (await loadMunicipios()).containing('')

export type Flat = { [N in FieldName]?: unknown }

/** Text as people and machines write it: any characters that can be stored. */
const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ maxLength, unit: 'grapheme' }),
      fc.string({ maxLength, unit: 'binary' }).map((one) => one.replaceAll(/[\0\ud800-\udfff]/gu, '')),
      fc.constantFrom("Sant'Ana", 'Ação "x" \\ %_', 'linha\nlinha', '; drop table casos', '{"a":1}', '0'),
    )
    .map((one) => [...one].slice(0, maxLength).join(''))

const days = (from: string, max: number) => fc.integer({ min: 0, max }).map((count) => addDays(from, count))

function anyOf(nome: FieldName): fc.Arbitrary<unknown> {
  const campo: Campo = CAMPOS[nome]
  switch (campo.kind) {
    case 'text':
      return text(Math.min(campo.max, 40))
    case 'code':
      return {
        cep: fc.stringMatching(/^\d{5}-?\d{3}$/),
        cnes: fc.stringMatching(/^\d{1,7}$/),
        telefone: fc.stringMatching(/^\(\d{2}\) \d{4,5}-\d{4}$/),
      }[campo.form]
    case 'one-of':
      return fc.constantFrom(...campo.values)
    case 'boolean':
      return fc.boolean()
    case 'date':
      return days('2000-01-01', 8000)
    case 'integer':
      return fc.integer({ min: campo.min, max: campo.max })
    case 'number':
      return fc.double({ min: campo.min, max: campo.max, noNaN: true }).map((one) => one + 0)
    case 'municipio':
      return fc.constantFrom(...MUNICIPIOS)
    case 'list-of':
      return fc.uniqueArray(fc.constantFrom(...campo.values), { maxLength: campo.values.length })
    case 'texts':
      return fc.uniqueArray(
        text(50).filter((one) => one.trim() !== ''),
        { maxLength: 5 },
      )
    case 'locais':
      return fc.array(
        fc.record(
          {
            local: text(50).filter((one) => one.trim() !== ''),
            endereco: fc.option(text(50)),
            periodo: fc.option(text(50)),
          },
          { noNullPrototype: true },
        ),
        { maxLength: 3 },
      )
  }
}

const DERIVED = ['status', 'tipo_agravo', 'numero_notificacao', 'data_notificacao', 'paciente_nome']
const fields = fc.record(
  Object.fromEntries(
    FIELD_NAMES.filter((nome) => !DERIVED.includes(nome)).map((nome) => [
      nome,
      fc.option(anyOf(nome), { nil: undefined, freq: 2 }),
    ]),
  ),
)
const required = fc.record({
  tipo_agravo: fc.constantFrom('dengue', 'dengue', 'zika', 'chikungunya'),
  data_notificacao: days('2022-01-01', 700),
  paciente_nome: text(60).filter((one) => one.trim() !== ''),
  municipio_residencia: fc.constantFrom(...MUNICIPIOS),
  spelling: fc.constantFrom('name', 'six', 'seven', 'number'),
})
/** Days between one date of a case and the next. */
const gaps = fc.record({
  birth: fc.integer({ min: 0, max: 47_000 }),
  onset: fc.integer({ min: 0, max: 60 }),
  later: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 4 }),
})

/** Takes out of a random case what contradicts itself. */
function agreeing(index: number, flat: Flat, needed: Flat & { spelling: string }, gap: Gap): Flat {
  const { spelling: _, ...own } = needed
  const caso: Flat = { ...flat, ...own, numero_notificacao: `A${index}` }
  const notified = caso.data_notificacao as string
  const onset = caso.data_inicio_sintomas === undefined ? undefined : addDays(notified, -gap.onset)
  const from = onset ?? notified
  const [admitted = 0, investigated = 0, closed = 0, died = 0] = gap.later
  const put = (nome: FieldName, value: unknown) => {
    if (caso[nome] !== undefined) caso[nome] = value
  }
  put('data_inicio_sintomas', onset)
  put('paciente_data_nascimento', addDays(from, -gap.birth))
  if (caso.paciente_data_nascimento !== undefined)
    caso.paciente_idade = yearsBetween(caso.paciente_data_nascimento as string, from)
  put('data_internacao', caso.hospitalizacao === true ? addDays(from, admitted) : undefined)
  put('data_investigacao', addDays(notified, investigated))
  put('data_obito', OBITOS.includes(caso.evolucao as string) ? addDays(from, died) : undefined)
  const open = caso.criterio_confirmacao === 'em_investigacao'
  put('data_encerramento', open ? undefined : addDays(notified, investigated + closed))
  if (caso.hospitalizacao === false) caso.uti = false
  if (caso.paciente_sexo === 'M') caso.paciente_gestante = false
  if (caso.latitude === undefined || caso.longitude === undefined) caso.latitude = caso.longitude = undefined
  if (caso.tipo_agravo !== 'dengue')
    for (const nome of ['classificacao_inicial', 'classificacao_final'] as const)
      if (DENGUE_ONLY.includes(caso[nome] as string)) caso[nome] = 'confirmado'
  caso.estado_residencia = (caso.municipio_residencia as Municipio).uf
  if (caso.municipio_infeccao !== undefined) caso.estado_infeccao = (caso.municipio_infeccao as Municipio).uf
  return caso
}
type Gap = { birth: number; onset: number; later: number[] }

function spelt({ nome, codigo }: Municipio, spelling: string): unknown {
  return { name: nome, six: String(codigo).slice(0, 6), seven: String(codigo), number: codigo }[spelling]
}

/** The body a client sends for these fields. */
function toBody(flat: Flat, spelling: string): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const nome of FIELD_NAMES) {
    const value = flat[nome]
    if (value === undefined) continue
    const keys = nome.split('.')
    const leaf = keys.pop() as string
    let node = body
    for (const key of keys) {
      node[key] ??= {}
      node = node[key] as Record<string, unknown>
    }
    node[leaf] = CAMPOS[nome].kind === 'municipio' ? spelt(value as Municipio, spelling) : value
  }
  return body
}

export interface CasoAleatorio {
  sent: Flat
  body: Record<string, unknown>
}

/** The same ones for the same seed. */
export function randomCasos(total: number, seed: number): CasoAleatorio[] {
  return fc
    .sample(fc.tuple(fields, required, gaps), { numRuns: total, seed })
    .map(([flat, needed, gap], i) => {
      const sent = agreeing(i, flat, needed as Flat & { spelling: string }, gap)
      return { sent, body: toBody(sent, needed.spelling) }
    })
}
