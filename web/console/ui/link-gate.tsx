import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/errors.ts'
import { PATHS } from '../paths.ts'
import { loadSession } from '../state/session.ts'
import { linksTexts } from '../state/texts/links.ts'
import { Button } from './button.tsx'
import { useSending } from './form.ts'
import { Gate } from './gate.tsx'
import { useLinkToken } from './link-token.ts'
import { Notice } from './notice.tsx'
import { errorText } from './states.tsx'

type Outcome = 'asking' | 'done' | 'invalid'

interface LinkGateProps {
  title: string
  lead?: string
  t: { doneTitle: string; done: string; invalid: string }
  /** True where a link to choose another password helps against one that is good for nothing. */
  canReset?: boolean
  /** The form; `use` sends by the token of the link and notes the outcome. */
  children(use: (send: (token: string) => Promise<unknown>) => Promise<void>): ComponentChildren
}

/** Frame of the screens that mails lead to. They work whatever session there is, and send nothing before somebody asks for it. */
export function LinkGate(props: LinkGateProps) {
  const token = useLinkToken()
  return <OpenedLink key={token} token={token} {...props} />
}

function OpenedLink({
  token,
  title,
  lead,
  t,
  canReset = false,
  children,
}: LinkGateProps & { token: string | null }) {
  const common = linksTexts()
  const [outcome, setOutcome] = useState<Outcome>(token === null ? 'invalid' : 'asking')
  const use = async (send: (token: string) => Promise<unknown>) => {
    try {
      await send(token as string)
      setOutcome('done')
      // Sessions may have ended with it, that of this browser too.
      void loadSession()
    } catch (error) {
      if (!isBadLink(error)) throw error
      setOutcome('invalid')
    }
  }
  if (outcome === 'asking')
    return (
      <Gate title={title} lead={lead}>
        {children(use)}
      </Gate>
    )
  const isDone = outcome === 'done'
  return (
    <Gate title={isDone ? t.doneTitle : common.invalidTitle}>
      <Notice kind={isDone ? 'done' : 'error'} text={isDone ? t.done : t.invalid} />
      {!isDone && canReset && (
        <a class="button primary" href={PATHS.esqueci}>
          {common.askAnother}
        </a>
      )}
      <a class={isDone ? 'button primary' : 'button plain'} href={PATHS.entrar}>
        {common.goOn}
      </a>
    </Gate>
  )
}

/** Used, expired, incomplete: the service does not tell them apart. */
const isBadLink = (error: unknown) =>
  error instanceof ApiError && (/^INVALID_\w+_TOKEN$/.test(error.code) || error.of('token') !== undefined)

/** Sends when its button is used, and only then: programs that open the links of mails to check them change nothing. */
export function OneButton({ label, onUse }: { label: string; onUse(): Promise<void> }) {
  const t = linksTexts()
  const { form, isSending, error, submit } = useSending(onUse)
  useEffect(() => form.current?.querySelector('button')?.focus(), [])
  const isTaken = error instanceof ApiError && error.of('email') !== undefined
  return (
    <form class="form" ref={form} onSubmit={submit}>
      {error !== null && <Notice kind="error" text={isTaken ? t.taken : errorText(error)} />}
      <Button kind="primary" type="submit" aria-disabled={isSending}>
        {isSending ? t.sending : label}
      </Button>
    </form>
  )
}
