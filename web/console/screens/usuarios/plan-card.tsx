import { useState } from 'preact/hooks'
import { ALLOWANCES, type Plano } from '../../../../src/caller/planos.ts'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import type { UsuarioAberto } from './usuario-texts.ts'

const loadPlan = async () => ({ default: (await import('./plan-dialog.tsx')).PlanDialog })

interface PlanCardProps {
  conta: UsuarioAberto
  plano: Plano
  onDone(text: string): void
}

/** How many requests the programs of the account may send; administrators choose it. */
export function PlanCard({ conta, plano, onDone }: PlanCardProps) {
  const t = usuariosTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="card">
      <header class="row">
        <h2>{t.plan}</h2>
        {holds(['admin']) && <Button onClick={() => setOpen(true)}>{t.changePlan}</Button>}
      </header>
      <p>
        {t.plans[plano]} <small>{t.allowance(ALLOWANCES[plano])}</small>
      </p>
      <p class="note">{t.planNote}</p>
      {isOpen && (
        <OnDemand
          load={loadPlan}
          props={{
            ...{ conta, plano },
            onDone: () => {
              setOpen(false)
              onDone(t.saved)
            },
            onClose: () => setOpen(false),
          }}
        />
      )}
    </section>
  )
}
