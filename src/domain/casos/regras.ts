import { yearsBetween } from '../../brasil/calendar.ts'
import { type Problem, type ProblemCode, type ProblemParams, problem } from '../../errors/catalogue.ts'
import { CAMPOS, type Campos, EMPTY_CASE, FIELD_NAMES, type FieldName, PLACES } from './campos.ts'
import { DENGUE_ONLY, OBITOS } from './enumeracoes.ts'
import { isProprio, propriosOf, publicName, type Versionado } from './proprios.ts'

/** Rules between the fields of a case, and the fields derived from others. Pure, shared with the console; reports every problem at once. */

/** All that the rules ask of a municipality. */
interface UfsOfMunicipios {
  byCodigo(codigo: number): { uf: string } | null
}

/** All that the rules ask of a disease. */
export interface RegrasDoAgravo {
  /** Of its definition. */
  versao: number
  /** Criteria that it has; without any, a final classification alone closes a case. */
  criterios: ReadonlySet<string>
  /** Classification of every new case; such a case is closed by its outcome or a date. */
  classificacaoPadrao: string | null
  /** Writes the classification that the disease or the outcome decides. */
  classify(change: ChangedCase, refuse: Refuse): void
  /** Refuses codes and fields that the disease does not have, and values of its own that contradict others. */
  check(change: ChangedCase, refuse: Refuse): void
}

/** A case with a change in it. */
export interface ChangedCase {
  campos: Campos
  sent: Partial<Campos>
  /** Null: a new case. */
  before: Campos | null
}

/** Definitions in force, by code. */
export interface RegrasDosAgravos {
  rulesOf(tipo: string): RegrasDoAgravo | undefined
}

/** Surroundings that a case is judged in. */
export interface RuleContext {
  /** Date in Brazil. */
  today: string
  municipios: UfsOfMunicipios
  agravos: RegrasDosAgravos
}

export const MAX_IDADE = CAMPOS.paciente_idade.max

/**
 * Handling of dates of death, admission and closing that contradict the rest of the case. `kept`: reported all the same, and left
 * in the case; for files of SINAN, whose contradictions are counted and corrected.
 */
export type DatePolicy = 'refused' | 'kept'

/**
 * Applies a change (`sent`) to a case, with its derived fields; reports the problems with the result. A contradictory date that the
 * case already had, and that the change leaves as it was, is not reported: other fields stay editable.
 */
export function applyRules(
  before: Campos | null,
  sent: Partial<Campos>,
  context: RuleContext,
  dates: DatePolicy = 'refused',
): { campos: Campos; problems: Problem[] } {
  const campos: Campos = { ...(before ?? EMPTY_CASE) }
  for (const nome of FIELD_NAMES) if (sent[nome] !== undefined) put(campos, nome, sent[nome])
  for (const nome of propriosOf(sent)) put(campos, nome, sent[nome] ?? null)
  const asked = { ...campos }
  const problems = settle(campos, sent, context, { dates, before })
  const isNew = (problem: Problem) =>
    before === null || fieldsOf(problem).some((nome) => asked[nome] !== before[nome])
  return { campos, problems: problems.filter((one) => !isContradictoryDate(one) || isNew(one)) }
}

const CONTRADICTORY: readonly string[] = [
  'data_obito',
  'data_internacao',
  'data_encerramento',
] satisfies FieldName[]

/** True for a date of death, admission or closing that another field contradicts. */
export const isContradictoryDate = ({ path, code }: Problem): boolean =>
  (code === 'BEFORE' || code === 'INCONSISTENT') && CONTRADICTORY.includes(path.join('.'))

/** True for problems that a file which is not ours may have: these dates, and own fields of a disease that contradict others. */
export const isKept = (problem: Problem): boolean =>
  isContradictoryDate(problem) || isProprio(problem.path.join('.'))

/** Field of a contradiction and the one that contradicts it. */
export const fieldsOf = ({ path, params }: Problem): FieldName[] =>
  [path.join('.'), (params as ProblemParams['INCONSISTENT']).field] as FieldName[]

function put<N extends FieldName>(campos: Campos, nome: N, value: Campos[N]): void {
  campos[nome] = value
}

/** Policy and the case before the change, where there is one. */
export interface SettleOptions {
  dates?: DatePolicy
  before?: Campos | null
}

/** The same in place, for a case that is already put together: derived fields are written into it. */
export function settle(
  campos: Campos,
  sent: Partial<Campos>,
  { today, municipios, agravos }: RuleContext,
  { dates = 'refused', before = null }: SettleOptions = {},
): Problem[] {
  const problems: Problem[] = []
  const refuse = <C extends ProblemCode>(nome: FieldName, code: C, params: ProblemParams[C]) =>
    problems.push(problem('body', publicName(nome).split('.'), code, params))
  const agravo = agravos.rulesOf(campos.tipo_agravo)
  if (agravo !== undefined) {
    agravo.classify({ campos, sent, before }, refuse)
    ;(campos as Versionado).definicao_versao = agravo.versao
  }
  reopen(campos, sent, { dates, agravo }, refuse)
  const status = statusOf(campos, agravo)
  if (sent.status === 'em_investigacao' && status === 'encerrado' && closesByCode(agravo))
    refuse('status', 'INCONSISTENT', {
      field: agravo?.classificacaoPadrao ? 'evolucao' : 'classificacao_final',
    })
  if (sent.status === 'encerrado' && status !== 'encerrado')
    refuse('status', 'INCONSISTENT', { field: 'classificacao_final' })
  campos.status = status
  campos.paciente_idade = idadeOf(campos, sent, refuse)
  checkDates(campos, today, refuse)
  checkPlaces(campos, municipios, refuse)
  checkAgreement(campos, refuse)
  if (agravo !== undefined) agravo.check({ campos, sent, before }, refuse)
  else if (campos.tipo_agravo !== null) refuseDengueOnly(campos, refuse)
  return problems
}

export type Refuse = <C extends ProblemCode>(nome: FieldName, code: C, params: ProblemParams[C]) => unknown

/**
 * A final classification with a criterion that is final too, or a closing date, closes a case. Where the disease has no criterion
 * the classification alone does; where every case has the same, an outcome.
 */
export function statusOf(campos: Campos, agravo?: RegrasDoAgravo): Campos['status'] {
  return campos.data_encerramento !== null || isConcluded(campos, agravo) ? 'encerrado' : 'em_investigacao'
}

function isConcluded(campos: Campos, agravo: RegrasDoAgravo | undefined): boolean {
  const { classificacao_final, criterio_confirmacao, evolucao } = campos
  if (agravo !== undefined && agravo.classificacaoPadrao !== null)
    return evolucao !== null && evolucao !== 'ignorado'
  if (classificacao_final === null) return false
  return agravo?.criterios.size === 0 || isFinal(criterio_confirmacao)
}

/** The only criterion that does not close a case. */
const ABERTO = 'em_investigacao'
const isFinal = (criterio: string | null | undefined) => criterio != null && criterio !== ABERTO

/** True where a code other than the criterion closes a case: it is not opened again without changing that. */
const closesByCode = (agravo: RegrasDoAgravo | undefined): boolean =>
  agravo !== undefined && (agravo.criterios.size === 0 || agravo.classificacaoPadrao !== null)

/** Reopens a case when `status` or the criterion asks for it: clears what had closed it. */
function reopen(
  campos: Campos,
  sent: Partial<Campos>,
  { dates, agravo }: { dates: DatePolicy; agravo: RegrasDoAgravo | undefined },
  refuse: Refuse,
): void {
  const byStatus = sent.status === 'em_investigacao'
  if (!byStatus && sent.criterio_confirmacao !== 'em_investigacao') return
  if (sent.data_encerramento != null)
    refuse('data_encerramento', 'INCONSISTENT', { field: byStatus ? 'status' : 'criterio_confirmacao' })
  if (dates === 'kept' && !byStatus) return
  campos.data_encerramento = null
  if (campos.classificacao_final === null || !isFinal(campos.criterio_confirmacao)) return
  if (isFinal(sent.criterio_confirmacao)) refuse('criterio_confirmacao', 'INCONSISTENT', { field: 'status' })
  else campos.criterio_confirmacao = agravo && !agravo.criterios.has(ABERTO) ? null : ABERTO
}

/** Completed years when the symptoms began; as sent, where the birth date is unknown. */
function idadeOf(campos: Campos, sent: Partial<Campos>, refuse: Refuse): number | null {
  const birth = campos.paciente_data_nascimento
  if (birth === null) return campos.paciente_idade
  const idade = yearsBetween(birth, campos.data_inicio_sintomas ?? campos.data_notificacao ?? birth)
  if (idade > MAX_IDADE) refuse('paciente_data_nascimento', 'INCONSISTENT', { field: 'data_notificacao' })
  if (sent.paciente_idade != null && sent.paciente_idade !== idade)
    refuse('paciente_idade', 'INCONSISTENT', { field: 'paciente_data_nascimento' })
  return idade
}

const DATES = FIELD_NAMES.filter((nome) => CAMPOS[nome].kind === 'date')

/** [the later date, the earlier one]. */
const ORDER: [FieldName, FieldName][] = [
  ['data_inicio_sintomas', 'paciente_data_nascimento'],
  ['data_obito', 'data_inicio_sintomas'],
  ['data_internacao', 'data_inicio_sintomas'],
  ['data_investigacao', 'data_notificacao'],
  ['data_encerramento', 'data_notificacao'],
  ['data_encerramento', 'data_investigacao'],
]

function checkDates(campos: Campos, today: string, refuse: Refuse): void {
  for (const nome of DATES) {
    const date = campos[nome] as string | null
    if (date !== null && date > today) refuse(nome, 'IN_FUTURE', {})
  }
  const {
    data_inicio_sintomas: onset,
    data_notificacao: notification,
    paciente_data_nascimento: birth,
  } = campos
  if (onset !== null && notification !== null && onset > notification)
    refuse('data_inicio_sintomas', 'AFTER', { field: 'data_notificacao' })
  if (onset === null && birth !== null && notification !== null && birth > notification)
    refuse('paciente_data_nascimento', 'AFTER', { field: 'data_notificacao' })
  for (const [later, earlier] of ORDER) {
    const [after, before] = [campos[later], campos[earlier]] as [string | null, string | null]
    if (after !== null && before !== null && after < before)
      if (earlier === 'paciente_data_nascimento')
        // It is the birth date that is wrong then, not the onset.
        refuse(earlier, 'AFTER', { field: later })
      else refuse(later, 'BEFORE', { field: earlier })
  }
}

function checkPlaces(campos: Campos, municipios: UfsOfMunicipios, refuse: Refuse): void {
  for (const [municipio, estado] of PLACES) {
    const codigo = campos[municipio]
    if (codigo !== null && municipios.byCodigo(codigo)?.uf !== campos[estado])
      refuse(municipio, 'INCONSISTENT', { field: estado })
  }
  if ((campos.latitude === null) !== (campos.longitude === null))
    refuse(campos.latitude === null ? 'latitude' : 'longitude', 'REQUIRED', {})
}

function checkAgreement(campos: Campos, refuse: Refuse): void {
  if (campos.data_obito !== null && !OBITOS.includes(campos.evolucao ?? ''))
    refuse('data_obito', 'INCONSISTENT', { field: 'evolucao' })
  if (campos.paciente_gestante && campos.paciente_sexo === 'M')
    refuse('paciente_gestante', 'INCONSISTENT', { field: 'paciente_sexo' })
  if (campos.data_internacao !== null && campos.hospitalizacao !== true)
    refuse('data_internacao', 'INCONSISTENT', { field: 'hospitalizacao' })
  if (campos.uti && campos.hospitalizacao === false)
    refuse('uti', 'INCONSISTENT', { field: 'hospitalizacao' })
}

const CLASSES = ['classificacao_final', 'classificacao_inicial'] as const

/** Classes of dengue in a case of another disease, or of one that nobody knows. */
export function refuseDengueOnly(campos: Campos, refuse: Refuse): void {
  for (const nome of CLASSES)
    if (DENGUE_ONLY.includes(campos[nome] ?? '')) refuse(nome, 'INCONSISTENT', { field: 'tipo_agravo' })
}
