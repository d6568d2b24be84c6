import { useState } from 'preact/hooks'
import { ALLOWANCES, PLANOS, type Plano } from '../../../../src/caller/planos.ts'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Effect } from '../../ui/effect.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { useConta } from './use-conta.ts'
import type { UsuarioAberto } from './usuario-texts.ts'

interface PlanDialogProps {
  conta: UsuarioAberto
  plano: Plano
  onDone(): void
  onClose(): void
}

/** What the programs of the account notice, and from when on. */
function effectOf(before: Plano, after: Plano): string[] {
  const t = usuariosTexts()
  const [old, next] = [ALLOWANCES[before], ALLOWANCES[after]]
  return [t.planChanges(old, next), ...(next.perMinute < old.perMinute ? [t.planLowered] : []), t.planSince]
}

/** Chooses the plan of an account; what it changes is told while it is chosen. */
export function PlanDialog({ conta, plano: before, onDone, onClose }: PlanDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [plano, setPlano] = useState(before)
  const { form, isSending, error, setError, submit } = useSending(() => save({ plano }))
  const { save, conflict } = useConta<{ plano: Plano }>({
    conta,
    formOf: ({ plano = before }) => ({ plano }),
    put: (body, asked, options) => api.put('/api/v1/usuarios/{id}', { ...asked, body }, options),
    words: (_, value) => ({ label: own.plan, value: own.plans[value as Plano] }),
    onMerged: (merged) => setPlano(merged.plano),
    onError: setError,
    onDone,
  })
  return (
    <>
      <Dialog title={own.changePlan} onClose={onClose}>
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <fieldset class="choices">
            <legend>{own.plan}</legend>
            {PLANOS.map((one) => (
              <label key={one}>
                <input type="radio" name="plano" checked={plano === one} onChange={() => setPlano(one)} />
                <span>
                  {own.plans[one]}
                  <small>{own.allowance(ALLOWANCES[one])}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <p class="note">{own.planNote}</p>
          <Effect gains={[]} loses={[]} more={effectOf(before, plano)} isChanged={plano !== before} />
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}
