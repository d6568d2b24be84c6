import type { Problem } from '../../errors/catalogue.ts'
import { type Campos, EMPTY_CASE, type FieldName, SECRET_FIELDS, type SecretField } from './campos.ts'
import { changedFields } from './historico.ts'
import { isSigiloso, propriosOf } from './proprios.ts'
import { applyRules, type DatePolicy, type RuleContext } from './regras.ts'

/**
 * Changes of a case under two sets of rules. For callers who may not identify patients, nothing they can see afterwards depends
 * on a secret value: sending guesses reveals none.
 */

export interface CaseChange {
  campos: Campos
  /** Fields that count as changed. */
  alterados: FieldName[]
  problems: Problem[]
}

export type ApplyChange = (
  before: Campos,
  sent: Partial<Campos>,
  context: RuleContext,
  dates?: DatePolicy,
) => CaseChange

export const changeRulesFor = (identifies: boolean): ApplyChange =>
  identifies ? applyIdentified : applyConcealed

const applyIdentified: ApplyChange = (before, sent, context, dates) => {
  const { campos, problems } = applyRules(before, sent, context, dates)
  return { campos, problems, alterados: changedFields(before, campos) }
}

/**
 * Applies the rules to open and sent fields only: a stored secret value is compared with nothing, so the age stays too
 * unless a birth date is sent. Sent secret fields count as changed, also where they are equal.
 */
const applyConcealed: ApplyChange = (before, sent, context, dates) => {
  const whole = withWholePoint(sent)
  const sealed = propriosOf(before).filter(isSigiloso)
  const concealed = {
    ...before,
    ...WITHOUT_SIGILO,
    ...Object.fromEntries(sealed.map((nome) => [nome, null])),
  }
  const { campos, problems } = applyRules(concealed, whole, context, dates)
  for (const nome of [...SECRET_FIELDS, ...sealed])
    if (!Object.hasOwn(whole, nome)) keep(campos, before, nome)
  return { campos, problems, alterados: changedFields(before, campos, secretsIn(whole)) }
}

const WITHOUT_SIGILO = Object.fromEntries(SECRET_FIELDS.map((nome) => [nome, EMPTY_CASE[nome]])) as Pick<
  Campos,
  SecretField
>

function keep<N extends FieldName>(campos: Campos, before: Campos, nome: N): void {
  campos[nome] = before[nome]
}

const secretsIn = (sent: Partial<Campos>): FieldName[] => [
  ...SECRET_FIELDS.filter((nome) => Object.hasOwn(sent, nome)),
  ...propriosOf(sent).filter(isSigiloso),
]

/** Treats half a coordinate pair as the whole: the other half is not taken from the stored case. */
function withWholePoint(sent: Partial<Campos>): Partial<Campos> {
  if (!Object.hasOwn(sent, 'latitude') && !Object.hasOwn(sent, 'longitude')) return sent
  return { latitude: null, longitude: null, ...sent }
}
