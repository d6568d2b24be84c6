import { AppError, type Problem } from '../../errors/catalogue.ts'

/**
 * This description nests a user's fields under `usuario` and calls the list of permission ids beside it `permissoes`;
 * the domain knows neither.
 */
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
