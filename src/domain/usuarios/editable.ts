import { normaliseCpf } from '../../brasil/cpf.ts'
import { AppError, type Problem, problem } from '../../errors/catalogue.ts'
import type { App } from '../app.ts'
import { getUsuario } from './usuarios.ts'

/** A CPF never changes and a password not by way of the profile; sending the CPF as it is does no harm. */
export async function assertEditable(
  app: Pick<App, 'db'>,
  id: number,
  sent: { cpf?: string | null; senha?: string | null },
): Promise<void> {
  const problems: Problem[] = []
  if (sent.cpf !== undefined) {
    const { cpf } = await getUsuario(app, id)
    const same = (sent.cpf === null ? null : (normaliseCpf(sent.cpf) ?? sent.cpf)) === cpf
    if (!same) problems.push(problem('body', ['cpf'], 'NOT_EDITABLE', {}))
  }
  if (sent.senha !== undefined) problems.push(problem('body', ['senha'], 'NOT_EDITABLE', {}))
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { problems })
}
