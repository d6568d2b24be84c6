import { ssoTexts } from '../../state/texts/sso.ts'
import { Notice } from '../../ui/notice.tsx'

/** Reason of a refused sign-in by a provider; the address may hold anything. */
export function SsoProblem({ motivo }: { motivo: string }) {
  const { errors, unknown } = ssoTexts()
  const text = Object.hasOwn(errors, motivo) ? errors[motivo as keyof typeof errors] : unknown
  return <Notice kind="error" text={text} />
}
