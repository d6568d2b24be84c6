import { AppError, type Problem } from '../../errors/catalogue.ts'

/** Translates paths of problems: here a user's fields are nested under `usuario`, and `permissoes_ids` is `permissoes`. */
export async function withNestedPaths<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !error.is('VALIDATION_ERROR')) throw error
    const nested = (problem: Problem): Problem => {
      const path = problem.path[0] === 'permissoes_ids' ? ['permissoes'] : ['usuario', ...problem.path]
      return problem.at === 'body' ? { ...problem, path } : problem
    }
    throw new AppError('VALIDATION_ERROR', { problems: error.extras.problems.map(nested) })
  }
}
