import type {
  ErrorCode,
  PasswordRule,
  ProblemCode,
  ProblemParams,
  Reason,
  TargetReason,
} from '../catalogue.ts'

/** The texts of one language. A code without a text does not compile. */
export interface Messages {
  errors: Record<ErrorCode, string>
  reasons: Record<Reason, string>
  problems: { [C in ProblemCode]: (params: ProblemParams[C]) => string }
  passwordRules: Record<PasswordRule, string>
  targetReasons: Record<TargetReason, string>
  /** Names of JSON types and of formats, as the problem texts use them. */
  types: Record<string, string>
  formats: Record<string, string>
}
