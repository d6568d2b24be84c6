import type { ErrorCode, PasswordRule, ProblemCode, ProblemParams } from '../catalogue.ts'

/** The texts of one language. A code without a text does not compile. */
export interface Messages {
  errors: Record<ErrorCode, string>
  problems: { [C in ProblemCode]: (params: ProblemParams[C]) => string }
  passwordRules: Record<PasswordRule, string>
  /** Names of JSON types and of formats, as the problem texts use them. */
  types: Record<string, string>
  formats: Record<string, string>
}
