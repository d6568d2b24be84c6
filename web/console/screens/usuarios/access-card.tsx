import { useState } from 'preact/hooks'
import { api, holds, session } from '../../state/session.ts'
import { efeitoTexts } from '../../state/texts/efeito.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { ActButton } from '../../ui/act-button.tsx'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import type { Ended } from './end-dialog.tsx'
import { StateTags } from './state-tags.tsx'
import type { Usuario } from './usuario-texts.ts'

const loadEnd = async () => ({ default: (await import('./end-dialog.tsx')).EndDialog })

interface AccessCardProps {
  conta: Usuario
  onDone(text: string): void
  onError(error: unknown): void
}

/** Access to the account: last use, lock, second factor, open sessions, and what ends them. */
export function AccessCard({ conta, onDone, onError }: AccessCardProps) {
  const t = usuariosTexts()
  const [ending, setEnding] = useState<Ended | null>(null)
  const { situacao, sessoes = [] } = conta
  const params = { id: conta.id }
  const mayEdit = holds(['usuarios.editar'])
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === conta.id
  const hasSessions = (situacao?.sessoes_ativas ?? 0) > 0
  const moment = (at: string | null | undefined) => (at ? t.moment(new Date(at)) : t.never)
  const act = async (send: () => Promise<unknown>, done: string) => {
    try {
      await send()
      onDone(done)
    } catch (error) {
      onError(error)
    }
  }
  const unlock = () => act(() => api.post('/api/v1/usuarios/{id}/desbloquear', { params }), t.unlocked)
  const invite = () => act(() => api.post('/api/v1/usuarios/{id}/convite', { params }), t.resent)
  return (
    <section class="card">
      <h2>{t.security}</h2>
      <p class="row start">
        <StateTags conta={conta} lockedUntil={situacao?.bloqueado_ate} />
        {situacao?.trocar_senha && <span class="tag amber">{t.mustChange}</span>}
        {situacao?.exige_mfa && !conta.mfa_habilitado && (
          <span class="tag amber">{efeitoTexts().mustEnrol}</span>
        )}
      </p>
      <dl class="pairs one">
        <div>
          <dt>{t.lastLogin}</dt>
          <dd>{moment(conta.ultimo_login)}</dd>
        </div>
        <div>
          <dt>{t.lastUse}</dt>
          <dd>{moment(conta.ultimo_acesso)}</dd>
        </div>
        <div>
          <dt>{t.factor}</dt>
          <dd>{conta.mfa_habilitado ? t.factorOn(situacao?.codigos_backup ?? 0) : t.off}</dd>
        </div>
        <div>
          <dt>{t.fields.email}</dt>
          <dd>{conta.email_verificado ? t.emailVerified : t.emailUnverified}</dd>
        </div>
      </dl>
      <h3>{t.sessions(situacao?.sessoes_ativas ?? 0)}</h3>
      <ul class="history">
        {sessoes.map(({ id, device, ip_address, created_at, last_activity, current }) => (
          <li key={id}>
            {device}
            {current && ` (${t.thisOne})`}
            <br />
            <small>
              {ip_address !== null && `${ip_address}, `}
              {t.sessionSince(new Date(created_at), new Date(last_activity))}
            </small>
          </li>
        ))}
      </ul>
      {mayEdit && !isOwn && (
        <div class="row start">
          {situacao?.bloqueado_ate && <ActButton act={unlock}>{t.unlock}</ActButton>}
          {conta.ativo && conta.ultimo_login === null && <ActButton act={invite}>{t.resend}</ActButton>}
          {conta.mfa_habilitado && <Button onClick={() => setEnding('mfa')}>{t.endFactor}</Button>}
          {hasSessions && <Button onClick={() => setEnding('sessoes')}>{t.endSessions}</Button>}
        </div>
      )}
      {ending !== null && (
        <OnDemand
          load={loadEnd}
          props={{
            conta,
            what: ending,
            onDone(text: string) {
              setEnding(null)
              onDone(text)
            },
            onClose: () => setEnding(null),
          }}
        />
      )}
    </section>
  )
}
