import type { AppError, ErrorCode, PasswordRule, Problem, Reason } from './catalogue.ts'
import { enUS } from './messages/en-US.ts'
import { esES } from './messages/es-ES.ts'
import type { Messages } from './messages/messages.ts'
import { ptBR } from './messages/pt-BR.ts'

export const LANGUAGES = { 'pt-BR': ptBR, 'en-US': enUS, 'es-ES': esES } as const satisfies Record<
  string,
  Messages
>
export type Language = keyof typeof LANGUAGES
export const DEFAULT_LANGUAGE: Language = 'pt-BR'

export function errorText(code: ErrorCode, language: Language): string {
  return LANGUAGES[language].errors[code]
}

export function reasonText(reason: Reason, language: Language): string {
  return LANGUAGES[language].reasons[reason]
}

/** The text of a refusal: of its reason, else of its code. */
export function refusalText({ code, reason }: AppError, language: Language): string {
  return reason === null ? errorText(code, language) : reasonText(reason, language)
}

export function problemText(problem: Problem, language: Language): string {
  const text = LANGUAGES[language].problems[problem.code] as (params: Problem['params']) => string
  return text(problem.params)
}

export function passwordRuleText(rule: PasswordRule, language: Language): string {
  return LANGUAGES[language].passwordRules[rule]
}
