import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { exec, useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache, holds, session } from '../../state/session.ts'
import { tagged } from '../../state/tagged.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { ActButton } from '../../ui/act-button.tsx'
import { AuditLink } from '../../ui/audit-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Page } from '../../ui/page.tsx'
import { onPresent, presentText } from '../../ui/present.ts'
import { Answer } from '../../ui/states.tsx'
import { AccessCard } from './access-card.tsx'
import { DataCard } from './data-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { IdentitiesCard } from './identities-card.tsx'
import { PlanCard } from './plan-card.tsx'
import { RightsCards } from './rights-cards.tsx'
import './styles.ts'
import { TerritoryCard } from './territory-card.tsx'
import type { UsuarioAberto as Conta } from './usuario-texts.ts'

const loadPassword = async () => ({ default: (await import('./password-dialog.tsx')).PasswordDialog })
const loadRemove = async () => ({ default: (await import('./remove-dialog.tsx')).RemoveDialog })
const loadDeactivate = async () => ({ default: (await import('./deactivate-dialog.tsx')).DeactivateDialog })

/** One account: data, rights with where they come from, territory, access, history, and what can be done with it. */
export default function Usuario() {
  const t = texts()
  const own = usuariosTexts()
  const { path } = useLocation()
  const id = Number(exec(path, PATHS.usuario)?.params.id)
  const [done, setDone] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const query = useQuery({
    queryKey: ['usuarios', id],
    queryFn: ({ signal }) =>
      tagged(
        '/api/v1/usuarios/{id}',
        { params: { id }, query: { include: 'historico,sessoes,situacao' } },
        signal,
      ),
  })
  const onDone = (text: string) => {
    setError(null)
    setDone(text)
    void outdate()
  }
  const onError = (failure: unknown) => {
    setDone(null)
    setError(failure)
  }
  return (
    <>
      <a class="back" href={PATHS.usuarios}>
        {own.back}
      </a>
      <Page
        title={query.data?.nome ?? t.screens.usuario}
        {...(query.data && { lead: query.data.email })}
        actions={
          query.data === undefined ? undefined : (
            <>
              <AuditLink recurso="usuario" id={id} />
              <Actions conta={query.data} onDone={onDone} onError={onError} />
            </>
          )
        }
      >
        {error !== null && <Notice kind="error" text={presentText(error)} />}
        {done !== null && <Notice kind="done" text={done} />}
        <Answer query={query} lines={10}>
          {(conta) => (
            <div class="case people">
              <div class="case-blocks">
                <DataCard conta={conta} onDone={onDone} />
                <RightsCards conta={conta} onDone={onDone} />
              </div>
              <div class="case-side in-order">
                <AccessCard conta={conta} onDone={onDone} onError={onError} />
                <IdentitiesCard conta={conta} onDone={onDone} />
                <TerritoryCard conta={conta} onDone={onDone} />
                {conta.plano !== undefined && <PlanCard conta={conta} plano={conta.plano} onDone={onDone} />}
                <HistoryCard conta={conta} />
              </div>
            </div>
          )}
        </Answer>
      </Page>
    </>
  )
}

const outdate = () => cache.invalidateQueries({ queryKey: ['usuarios'] })

interface ActionsProps {
  conta: Conta
  onDone(text: string): void
  onError(error: unknown): void
}

/** Everything but one's own deactivation and password, which are of the account page. */
function Actions({ conta, onDone, onError }: ActionsProps) {
  const t = usuariosTexts()
  const [open, setOpen] = useState<'password' | 'deactivate' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const isOwn = session.value.kind === 'open' && session.value.perfil.id === conta.id
  if (isOwn) return null
  const reactivate = async () => {
    try {
      const asked = { params: { id: conta.id }, body: { ativo: true } }
      await onPresent(api.put('/api/v1/usuarios/{id}', asked, { ifMatch: conta.etag }), outdate)
      onDone(t.reactivated)
    } catch (error) {
      onError(error)
    }
  }
  return (
    <>
      {conta.ativo && holds(['usuarios.editar']) && (
        <Button icon="lock" onClick={() => setOpen('password')}>
          {t.setPassword}
        </Button>
      )}
      {conta.ativo && holds(['usuarios.deletar']) && (
        <Button onClick={() => setOpen('deactivate')}>{t.deactivate}</Button>
      )}
      {!conta.ativo && holds(['admin']) && (
        <Button onClick={() => setOpen('remove')}>{remocaoTexts().action}</Button>
      )}
      {!conta.ativo && holds(['usuarios.editar']) && (
        <ActButton kind="primary" act={reactivate}>
          {t.reactivate}
        </ActButton>
      )}
      {open === 'password' && <OnDemand load={loadPassword} props={{ conta, onDone, onClose: close }} />}
      {open === 'remove' && <OnDemand load={loadRemove} props={{ conta, onClose: close }} />}
      {open === 'deactivate' && (
        <OnDemand
          load={loadDeactivate}
          props={{
            conta,
            onDone: (text: string) => {
              close()
              onDone(text)
            },
            onClose: close,
          }}
        />
      )}
    </>
  )
}
