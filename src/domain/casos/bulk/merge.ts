import { dateInBrazil } from '../../../brasil/calendar.ts'
import type { Territorio } from '../../../caller/territorio.ts'
import type { Problem } from '../../../errors/catalogue.ts'
import { problemText } from '../../../errors/texts.ts'
import type { App } from '../../app.ts'
import { type Campos, type FieldName, ONCE_FIELDS } from '../campos.ts'
import { fieldsOf, isContradictoryDate, isKept } from '../regras.ts'
import { type ApplyChange, changeRulesFor } from '../update.ts'

/** A line of a file and the case it is about, as one. */

type Needs = Pick<App, 'clock' | 'municipios' | 'agravos'>

export interface MergeRules {
  /** Fields that the file has a column for; only they can change. */
  fields: readonly FieldName[]
  /** The same by disease, where they differ. */
  fieldsOf?: (tipo: string) => readonly FieldName[]
  /** Refuses a line that contradicts its case; otherwise the offending fields are left out. */
  strict: boolean
  importer: Importer
}

export interface Importer {
  /** Null when the account is gone. */
  id: number | null
  /** May identify patients; other importers must not learn a secret value from the outcome. */
  identifies: boolean
  /** Places that bound the importer; null: none. */
  territorio: Territorio | null
}

export interface Merged {
  campos: Campos
  alterados: readonly FieldName[]
  avisos: Problem[]
  /** The line is refused. */
  erros: Problem[]
}

/** Rules of a line by its disease. */
export const rulesFor = (rules: MergeRules, tipo: string): MergeRules => ({
  ...rules,
  fields: rules.fieldsOf?.(tipo) ?? rules.fields,
})

/**
 * Overwrites the fields that the file has a column for, also with nothing; the others stay. Where the result contradicts
 * the rules of a case, the line is refused (strict), or offending fields are left out one by one, with a warning; contradictory
 * dates stay.
 */
export function merge(
  { clock, municipios, agravos }: Needs,
  before: Campos,
  said: Campos,
  { fields, strict, importer }: MergeRules,
): Merged {
  const applyChange: ApplyChange = changeRulesFor(importer.identifies)
  const sent: Partial<Record<FieldName, unknown>> = {}
  for (const nome of fields)
    if (nome !== 'status' && !ONCE_FIELDS.includes(nome)) sent[nome] = said[nome] ?? null
  // An age computed from a birth date is computed again.
  if (said.paciente_data_nascimento !== null) delete sent.paciente_idade
  const context = { today: dateInBrazil(clock.now()), municipios, agravos: agravos.vigentes() }
  const dates = strict ? 'refused' : 'kept'
  const avisos: Problem[] = []
  for (;;) {
    const change = applyChange(before, sent as Partial<Campos>, context, dates)
    const { campos, alterados } = change
    const problems = strict ? change.problems : change.problems.filter((one) => !isKept(one))
    const [first] = problems
    if (first === undefined) {
      // The line itself was warned about when both fields are its own.
      const dated = change.problems.filter(isContradictoryDate)
      const kept = dated.filter((one) => fieldsOf(one).some((nome) => !Object.hasOwn(sent, nome)))
      return { campos, alterados, avisos: [...avisos, ...kept], erros: [] }
    }
    const nome = first.path.join('.') as FieldName
    if (strict || avisos.length > fields.length) return { campos, alterados, avisos, erros: problems }
    avisos.push(first)
    // A field of the file stays as the case has it; a field that only the case has is emptied.
    if (Object.hasOwn(sent, nome) && sent[nome] !== null && sent[nome] !== (before[nome] ?? null))
      delete sent[nome]
    else sent[nome] = null
  }
}

export const textOf = (problem: Problem) => `${problem.path.join('.')}: ${problemText(problem, 'pt-BR')}`
