import { ssoTexts } from '../../state/texts/sso.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why a sign-in by a provider was refused; the address may hold anything. */
export function SsoProblem({ motivo }: { motivo: string }) {
  const { errors, unknown } = ssoTexts()
  const text = Object.hasOwn(errors, motivo) ? errors[motivo as keyof typeof errors] : unknown
  return <Notice kind="error" text={text} />
}
