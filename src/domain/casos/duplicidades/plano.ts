import { isDeepStrictEqual } from 'node:util'
import { AppError, type Problem, problem } from '../../../errors/catalogue.ts'
import { CAMPOS, type Campo, type Campos, FIELD_NAMES, type FieldName } from '../campos.ts'
import { changedFields } from '../historico.ts'
import { propriosOf, publicName } from '../proprios.ts'
import { applyRules, fieldsOf, type RuleContext } from '../regras.ts'
import { SO_DO_PRINCIPAL } from './situacao.ts'

/** Two cases as one, and one as two again: pure functions over the fields. */

export interface CasoAberto {
  id: number
  campos: Campos
}

export const ORIGENS = ['principal', 'absorvido', 'ambos'] as const
export type Origem = (typeof ORIGENS)[number]

export interface Plano {
  /** The principal after the merge. */
  campos: Campos
  alterados: FieldName[]
  origens: ReadonlyMap<FieldName, Origem>
  /** Fields of the absorbed case that would contradict the principal, and stay out. */
  deixados: FieldName[]
}

/** Fields that make sense only together: taken where the principal has none of them. */
const TOGETHER: readonly (readonly FieldName[])[] = [
  ['latitude', 'longitude'],
  ['municipio_residencia', 'estado_residencia'],
  ['municipio_infeccao', 'estado_infeccao', 'pais_infeccao'],
]

/** Parts of an address, taken only within one municipality. */
const ADDRESS: ReadonlySet<FieldName> = new Set<FieldName>([
  'bairro_residencia',
  'zona_residencia',
  'logradouro_residencia',
  'numero_residencia',
  'cep_residencia',
  'latitude',
  'longitude',
])

export interface PlanoPedido {
  principal: CasoAberto
  absorvido: CasoAberto
  /** Case whose value a field gets, by the field's name. */
  escolhas: Readonly<Record<string, number>>
  context: RuleContext
}

/**
 * A field of the principal stays unless it is empty or chosen otherwise; lists are united. What would contradict the rules of a case
 * is left out, unless it was chosen: then the request is refused.
 */
export function planFusao({ principal, absorvido, escolhas, context }: PlanoPedido): Plano {
  const chosen = chosenFields(principal, absorvido, escolhas)
  const before = principal.campos
  const { sent, origens } = proposed(principal, absorvido, escolhas)
  const settled = withoutProblems(before, sent, chosen, context)
  for (const nome of settled.deixados) origens.set(nome, 'principal')
  const { campos } = settled
  return { ...settled, alterados: changedFields(before, campos), origens }
}

/** Names of the fields that were chosen; refuses those that cannot be. */
function chosenFields(
  principal: CasoAberto,
  absorvido: CasoAberto,
  escolhas: PlanoPedido['escolhas'],
): ReadonlySet<string> {
  const problems: Problem[] = []
  for (const [nome, id] of Object.entries(escolhas)) {
    const path = ['campos', nome]
    if (!isChoosable(nome))
      problems.push(problem('body', path, 'UNKNOWN_FIELD', { allowed: 'paciente_nome, …' }))
    else if (SO_DO_PRINCIPAL.has(nome as FieldName)) problems.push(problem('body', path, 'NOT_EDITABLE', {}))
    else if (id !== principal.id && id !== absorvido.id)
      problems.push(problem('body', path, 'INVALID_VALUE', { allowed: `${principal.id}, ${absorvido.id}` }))
  }
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
  return new Set(Object.keys(escolhas))

  function isChoosable(nome: string): boolean {
    if (Object.hasOwn(CAMPOS, nome)) return true
    return [principal, absorvido].some(({ campos }) => propriosOf(campos).map(publicName).includes(nome))
  }
}

interface Proposal {
  sent: Partial<Campos>
  origens: Map<FieldName, Origem>
}

function proposed(
  { id, campos }: CasoAberto,
  absorvido: CasoAberto,
  escolhas: PlanoPedido['escolhas'],
): Proposal {
  const sent: Partial<Record<FieldName, unknown>> = {}
  const origens = new Map<FieldName, Origem>()
  const other = absorvido.campos
  const sameTown =
    campos.municipio_residencia === null || campos.municipio_residencia === other.municipio_residencia
  for (const nome of new Set([...FIELD_NAMES, ...propriosOf(campos), ...propriosOf(other)])) {
    origens.set(nome, 'principal')
    if (SO_DO_PRINCIPAL.has(nome)) continue
    const choice = escolhas[publicName(nome)]
    if (choice === id) continue
    if (choice === absorvido.id) take(nome, other[nome], 'absorvido')
    else if (isList(nome)) unite(nome)
    else if (isEmpty(nome) && (other[nome] ?? null) !== null && (sameTown || !ADDRESS.has(nome)))
      take(nome, other[nome], 'absorvido')
  }
  // An age that follows from a birth date is computed again.
  if (sent.paciente_data_nascimento != null) delete sent.paciente_idade
  return { sent: sent as Partial<Campos>, origens }

  function take(nome: FieldName, value: unknown, origem: Origem): void {
    if (isDeepStrictEqual(campos[nome], value)) return
    sent[nome] = value
    origens.set(nome, origem)
  }

  function isEmpty(nome: FieldName): boolean {
    const group = TOGETHER.find((names) => names.includes(nome)) ?? [nome]
    return group.every((one) => (campos[one] ?? null) === null)
  }

  function unite(nome: FieldName): void {
    const [mine, theirs] = [campos[nome] as unknown[] | null, other[nome] as unknown[] | null]
    if (theirs === null || theirs.length === 0) return
    const more = theirs.filter((one) => !(mine ?? []).some((known) => isDeepStrictEqual(known, one)))
    const united = [...(mine ?? []), ...more].slice(0, mostOf(nome))
    take(nome, united, mine === null || mine.length === 0 ? 'absorvido' : 'ambos')
  }
}

const LISTS: ReadonlySet<string> = new Set(['list-of', 'texts', 'locais'])
const MAX_LOCAIS = 50
/** A list of a disease's own is one answer, and not united. */
const isList = (nome: FieldName) => LISTS.has(CAMPOS[nome]?.kind)

function mostOf(nome: FieldName): number {
  const campo: Campo = CAMPOS[nome]
  return campo.kind === 'texts' ? campo.items : campo.kind === 'list-of' ? campo.values.length : MAX_LOCAIS
}

interface Settled {
  campos: Campos
  deixados: FieldName[]
}

/** Takes fields out of a change until the rules of a case are met. Problems that the case has by itself stay. */
export function withoutProblems(
  before: Campos,
  change: Partial<Campos>,
  chosen: ReadonlySet<string>,
  context: RuleContext,
): Settled {
  const sent: Partial<Campos> = { ...change }
  const deixados: FieldName[] = []
  for (;;) {
    const { campos, problems } = applyRules(before, sent, context, 'kept')
    const caused = problems.find((one) => fieldsOf(one).some((nome) => Object.hasOwn(sent, nome)))
    if (caused === undefined) return { campos, deixados }
    const out = fieldsOf(caused).filter((nome) => Object.hasOwn(sent, nome) && !chosen.has(nome))
    if (out.length === 0) throw new AppError('VALIDATION_ERROR', { problems: [chosenProblem(caused)] })
    for (const nome of out) {
      delete sent[nome]
      deixados.push(nome)
    }
  }
}

const chosenProblem = (one: Problem): Problem => ({ ...one, path: ['campos', one.path.join('.')] }) as Problem

/** Fields that a merge changed, each with its values before and after. */
export type MudancasDaFusao = Readonly<Record<string, readonly [antes: unknown, depois: unknown]>>

export interface PlanoDeVolta {
  /** The principal after the undo. */
  campos: Campos
  alterados: FieldName[]
  /** Fields that stay as they are: changed since, or needed by what was. */
  mantidos: string[]
}

/** The fields that a merge changed as they were, unless they were changed since. `intact`: nothing was. */
export function planVolta(
  now: Campos,
  mudancas: MudancasDaFusao,
  intact: boolean,
  context: RuleContext,
): PlanoDeVolta {
  const back: Partial<Record<FieldName, unknown>> = {}
  const mantidos: string[] = []
  for (const [nome, [antes, depois]] of Object.entries(mudancas))
    if (isDeepStrictEqual(now[nome as FieldName], depois)) back[nome as FieldName] = antes
    else mantidos.push(nome)
  if (intact) {
    const campos = { ...now, ...back } as Campos
    return { campos, alterados: changedFields(now, campos), mantidos }
  }
  // They follow from the others.
  delete back.status
  if (back.paciente_data_nascimento != null) delete back.paciente_idade
  const { campos, deixados } = withoutProblems(now, back as Partial<Campos>, new Set(), context)
  return { campos, alterados: changedFields(now, campos), mantidos: [...mantidos, ...deixados] }
}
