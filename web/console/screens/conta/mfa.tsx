import { useState } from 'preact/hooks'
import { cache, loadSession } from '../../state/session.ts'
import { contaTexts } from '../../state/texts/conta.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CONTA } from './conta-data.ts'
import { CodesDialog, DisableDialog, EnableDialog } from './mfa-dialogs.tsx'

/** The second factor: on or off, and the way to the other. */
export function MfaCard({ isOn, codes }: { isOn: boolean; codes: number | undefined }) {
  const own = contaTexts().mfa
  const [open, setOpen] = useState<'factor' | 'codes' | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const close = () => setOpen(null)
  const finish = (text: string) => {
    close()
    setDone(text)
    void cache.invalidateQueries({ queryKey: CONTA })
    void loadSession()
  }
  return (
    <section class="card form">
      <header class="row">
        <h2>{own.title}</h2>
        <span class={`tag ${isOn ? 'green' : 'amber'}`}>{isOn ? own.on : own.off}</span>
      </header>
      {done !== null && <Notice kind="done" text={done} />}
      <p class="sub">{own.lead}</p>
      {isOn && codes !== undefined && <p>{own.codesLeft(codes)}</p>}
      <div class="row start">
        {isOn && <Button onClick={() => setOpen('codes')}>{own.newCodes}</Button>}
        <Button kind={isOn ? 'plain' : 'primary'} onClick={() => setOpen('factor')}>
          {isOn ? own.disable : own.enable}
        </Button>
      </div>
      {open === 'factor' && !isOn && <EnableDialog onClose={close} onDone={() => finish(own.enabled)} />}
      {open === 'factor' && isOn && <DisableDialog onClose={close} onDone={() => finish(own.disabled)} />}
      {open === 'codes' && <CodesDialog onClose={close} onDone={() => finish(own.codesRenewed)} />}
    </section>
  )
}
