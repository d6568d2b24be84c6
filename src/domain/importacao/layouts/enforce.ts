import type { Problem } from '../../../errors/catalogue.ts'
import { DEFAULT_LANGUAGE, problemText } from '../../../errors/texts.ts'
import { type Campos, type CampoValue, FIELD_NAMES, type FieldName } from '../../casos/campos.ts'
import { flatIn } from '../../casos/proprios.ts'
import { isKept, settle } from '../../casos/regras.ts'
import { causaOf } from './causas.ts'
import { type SinanRow, shown, warn } from './cells.ts'
import type { LayoutContext } from './layout.ts'

/**
 * Enforces the rules of a case: leaves out offending values until none is left but contradictory dates and own fields that contradict
 * others, which are kept.
 */
export function enforcer(context: LayoutContext, titles: ReadonlyMap<string, string>) {
  return (row: SinanRow): Campos => {
    for (let round = 0; round <= FIELD_NAMES.length; round++) {
      const campos = { ...(row.campos as Campos) }
      const problems = settle(campos, row.campos as Campos, context, { dates: 'kept' })
      const [contradictory, others] = [problems.filter(isKept), problems.filter((one) => !isKept(one))]
      if (others.length === 0) {
        // Files need not have what a form asks for.
        for (const problem of contradictory)
          if (problem.code !== 'REQUIRED') warnOf(row, problem, titles, 'mantido')
        return campos
      }
      for (const problem of offending(others)) leaveOut(row, problem, titles)
    }
    throw new Error('the rules refuse a case whatever is left out of it')
  }
}

/** Problems to mend: where the birth date has a problem of its own, its contradiction with the age is not the age's. */
function offending(problems: Problem[]): Problem[] {
  const isNamed = (nome: FieldName) => (problem: Problem) => problem.path[0] === nome
  return problems.some(isNamed('paciente_data_nascimento'))
    ? problems.filter((problem) => !isNamed('paciente_idade')(problem))
    : problems
}

function leaveOut(row: SinanRow, problem: Problem, titles: ReadonlyMap<string, string>): void {
  const campo = problem.path.join('.') as FieldName
  if (row.campos[campo] === null) return
  warnOf(row, problem, titles, 'não aproveitado')
  row.campos[campo] = null
  if (campo === 'paciente_gestante') row.campos['dados_especificos.idade_gestacional'] = null
}

function warnOf(row: SinanRow, problem: Problem, titles: ReadonlyMap<string, string>, outcome: string): void {
  const campo = flatIn(row.campos, problem.path.join('.')) as FieldName
  const value: CampoValue = row.campos[campo]
  const text = problemText(problem, DEFAULT_LANGUAGE)
  const title = titles.get(campo) ?? null
  const message = `${text}: valor${shown(campo, String(value))} ${outcome}`
  warn(row, title, message, causaOf(problem, title, `: valor ${outcome}`))
}
