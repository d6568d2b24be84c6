import { dateInBrazil } from '../../brasil/calendar.ts'
import { type Caller, mayIdentify } from '../../caller/caller.ts'
import { type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { LIMITES } from './agravos/definicao.ts'
import { type Campos, FIELD_NAMES, type FieldName, ONCE_FIELDS } from './campos.ts'
import { type CasoInput, fromInput } from './input.ts'
import { isSigiloso, propriosOf, versaoOf } from './proprios.ts'
import { applyRules } from './regras.ts'
import { changeRulesFor } from './update.ts'

/** From the fields of a request to the case that would be stored, with every problem; writes nothing. */

export interface ResolvedCaso {
  campos: Campos
  problems: Problem[]
}

/** Normalises and checks the input of a creation. */
export function resolveNovo(
  { municipios, agravos: registro }: Pick<App, 'municipios' | 'agravos'>,
  input: CasoInput,
  now: Date,
): ResolvedCaso {
  const agravos = registro.vigentes()
  const sent = fromInput(input, null, { municipios, agravos })
  checkSize(null, sent)
  const today = dateInBrazil(now)
  // Typed in by the request itself, unless it repeats an older record.
  sent.campos['dados_especificos.data_digitacao'] ??= today
  const { campos, problems } = applyRules(null, sent.campos, { today, municipios, agravos })
  return { campos, problems: joinProblems(sent.problems, problems) }
}

/** The same for a change of a case; judged by what the caller may see of it. */
export function resolveChange(
  { municipios, agravos: registro }: Pick<App, 'municipios' | 'agravos'>,
  caller: Caller,
  before: Campos,
  input: CasoInput,
  now: Date,
) {
  const agravos = registro.vigentes()
  const sent = fromInput(input, before, { municipios, agravos })
  checkSize(before, sent)
  for (const nome of ONCE_FIELDS) {
    const value = sent.campos[nome]
    if (value !== undefined && value !== before[nome])
      sent.problems.push(problem('body', nome.split('.'), 'NOT_EDITABLE', {}))
  }
  const applyChange = changeRulesFor(mayIdentify(caller))
  const change = applyChange(before, sent.campos, { today: dateInBrazil(now), municipios, agravos })
  return { ...change, campos: pick(change.campos), problems: joinProblems(sent.problems, change.problems) }
}

/** Refuses own fields that would make a case longer than it may be, together with those it holds. */
function checkSize(before: Campos | null, { campos, problems }: ReturnType<typeof fromInput>): void {
  if (propriosOf(campos).length === 0) return
  const held = before === null ? {} : openProprios(before)
  const bytes = bytesOf({ ...held, ...campos })
  if (bytes > LIMITES.dados && bytes > bytesOf(held))
    problems.push(problem('body', ['dados_especificos'], 'TOO_LONG', { limit: LIMITES.dados }))
}

/** Without the sealed ones: a refusal must not tell how long they are. */
const openProprios = (before: Campos): Partial<Campos> =>
  Object.fromEntries(
    propriosOf(before).flatMap((nome) => (isSigiloso(nome) ? [] : [[nome, before[nome]] as const])),
  )

const bytesOf = (campos: Partial<Campos>): number =>
  Buffer.byteLength(
    JSON.stringify(
      Object.fromEntries(
        propriosOf(campos).map((nome) => [nome.slice(nome.indexOf('.') + 1), campos[nome]] as const),
      ),
    ),
  )

/** Joins problems; those of the rules are dropped for fields that could not be read. */
function joinProblems(ofInput: Problem[], ofRules: Problem[]): Problem[] {
  const unread = new Set(ofInput.map(({ path }) => path.join('.')))
  return [...ofInput, ...ofRules.filter(({ path }) => !unread.has(path.join('.')))]
}

/** Drops the columns of a row that are not fields. */
function pick(campos: Campos): Campos {
  const nomes: FieldName[] = [...FIELD_NAMES, ...propriosOf(campos)]
  const picked = Object.fromEntries(nomes.map((nome) => [nome, campos[nome]])) as Campos
  return Object.assign(picked, { definicao_versao: versaoOf(campos) })
}
