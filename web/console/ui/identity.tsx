import { useEffect, useState } from 'preact/hooks'
import { holds } from '../state/session.ts'
import { identidadeTexts } from '../state/texts/identidade.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { useSecondsUntil } from './countdown.ts'
import { Dialog } from './dialog.tsx'
import { Check, Field } from './field.tsx'
import { useSending } from './form.ts'
import { Icon } from './icon.tsx'
import { Refusal } from './refusal.tsx'

const SHOWN_MS = 5 * 60_000
const MAX_MOTIVE = 300
const IDENTIFICAR = 'agravos.identificar'

export interface Identity<T, Asked = string> {
  shown: T | null
  until: Date | null
  isPrinted: boolean
  setPrinted(isPrinted: boolean): void
  /** Arguments of the request; of one patient the reason for the audit, empty: none. */
  show(asked: Asked): Promise<void>
  hide(): void
}

/** Patient data in the memory of this page alone, outside of the cache: gone after five minutes, with the page, with what is seen (`of`). */
export function useIdentity<T, Asked = string>(
  ask: (asked: Asked) => Promise<T>,
  of: string,
): Identity<T, Asked> {
  const [state, setState] = useState<{ shown: T; until: Date } | null>(null)
  const [isPrinted, setPrinted] = useState(false)
  const hide = () => {
    setState(null)
    setPrinted(false)
  }
  useEffect(() => {
    if (state === null) return
    const timer = setTimeout(hide, state.until.getTime() - Date.now())
    return () => clearTimeout(timer)
  }, [state])
  useEffect(() => hide, [of])
  const show = async (asked: Asked) => {
    const shown = await ask(asked)
    setState({ shown, until: new Date(Date.now() + SHOWN_MS) })
  }
  return { shown: state?.shown ?? null, until: state?.until ?? null, isPrinted, setPrinted, show, hide }
}

/** Says that patient data is shown and for how long, and hides it before. */
export function IdentifiedBar({
  identity: { until, isPrinted, setPrinted, hide },
}: {
  identity: Pick<Identity<unknown>, 'until' | 'isPrinted' | 'setPrinted' | 'hide'>
}) {
  const t = texts()
  const seconds = useSecondsUntil(until)
  return (
    <div class="bar identified-bar" role="status">
      <span>{t.caso.identified(remaining(seconds, t.entrar))}</span>
      <Check label={t.caso.printIdentified} checked={isPrinted} onChange={setPrinted} />
      <Button kind="quiet" onClick={hide}>
        {t.caso.hide}
      </Button>
    </div>
  )
}

/** The way to a patient's data: what will be shown and that it is recorded, before it is. */
export function IdentifyBar({ identity }: { identity: Identity<unknown> }) {
  const [isAsking, setAsking] = useState(false)
  const t = texts()
  if (identity.shown !== null) return <IdentifiedBar identity={identity} />
  if (!holds([IDENTIFICAR]))
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the permission is read out where it has the focus
      <p class="needs unprinted" tabIndex={0} title={t.caso.needs(IDENTIFICAR)}>
        <Icon name="lock" />
        {t.caso.identify}
        <span>{t.caso.needs(IDENTIFICAR)}</span>
      </p>
    )
  return (
    <p class="unprinted identify">
      <Button icon="person" onClick={() => setAsking(true)}>
        {t.caso.identify}
      </Button>
      {isAsking && <IdentifyDialog identity={identity} onClose={() => setAsking(false)} />}
    </p>
  )
}

const remaining = (seconds: number, t: { minutes(n: number): string; seconds(n: number): string }) =>
  seconds > 60 ? t.minutes(Math.ceil(seconds / 60)) : t.seconds(seconds)

function IdentifyDialog({ identity, onClose }: { identity: Identity<unknown>; onClose: () => void }) {
  const t = texts()
  const own = identidadeTexts()
  const [motivo, setMotivo] = useState('')
  const { form, isSending, error, submit } = useSending(async () => {
    await identity.show(motivo.trim())
    onClose()
  })
  return (
    <Dialog title={t.caso.identifyTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Refusal error={error} />}
        <p>{t.caso.identifyNote}</p>
        <Field
          label={own.motive}
          note={own.motiveNote}
          value={motivo}
          maxLength={MAX_MOTIVE}
          autocomplete="off"
          onInput={setMotivo}
        />
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {t.caso.identifyDo}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
