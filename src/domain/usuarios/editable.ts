import { normaliseCpf } from '../../brasil/cpf.ts'
import type { Caller } from '../../caller/caller.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { getReached } from '../contas/contas.ts'

/** Refuses changes of the CPF, which is immutable, and of the password, which has its own route; an unchanged CPF is accepted. */
export async function assertEditable(
  app: Pick<App, 'db'>,
  caller: Caller,
  id: number,
  sent: { cpf?: string | null; senha?: string | null },
): Promise<void> {
  const problems: Problem[] = []
  if (sent.cpf !== undefined) {
    const { cpf } = await getReached(app, caller, id)
    const same = (sent.cpf === null ? null : (normaliseCpf(sent.cpf) ?? sent.cpf)) === cpf
    if (!same) problems.push(problem('body', ['cpf'], 'NOT_EDITABLE', {}))
  }
  if (sent.senha !== undefined) problems.push(problem('body', ['senha'], 'NOT_EDITABLE', {}))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
