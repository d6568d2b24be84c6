import { useQuery } from '@tanstack/preact-query'
import { useId, useState } from 'preact/hooks'
import { api, cache } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { focusFirstProblem, useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { onPresent, presentText } from '../../ui/present.ts'
import { Answer } from '../../ui/states.tsx'
import { type Pessoa, UsuarioField } from '../../ui/usuario-field.tsx'
import type { UsuarioAberto } from './usuario-texts.ts'

const MAX_MOTIVO = 500

interface DeactivateDialogProps {
  conta: UsuarioAberto
  onDone(text: string): void
  onClose(): void
}

/** Tells what a deactivation does before it is done: sessions, groups, and who answers for the cases. */
export function DeactivateDialog({ conta, onDone, onClose }: DeactivateDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const id = useId()
  const [motivo, setMotivo] = useState('')
  const [heir, setHeir] = useState<Pessoa | null>(null)
  const [isTried, setTried] = useState(false)
  const effect = useQuery({
    queryKey: ['usuarios', conta.id, 'desativacao'],
    queryFn: async ({ signal }) => {
      const asked = { params: { id: conta.id }, query: { include: 'desativacao' } }
      return (await api.get('/api/v1/usuarios/{id}', asked, { signal })).desativacao ?? null
    },
    staleTime: 0,
  })
  const isMissing = motivo.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (isMissing) return focusFirstProblem(form.current)
    const query = { motivo: motivo.trim(), ...(heir !== null && { transferir_para: heir.id }) }
    const asked = { params: { id: conta.id }, query }
    await onPresent(api.delete('/api/v1/usuarios/{id}', asked, { ifMatch: conta.etag }), () =>
      cache.invalidateQueries({ queryKey: ['usuarios'] }),
    )
    onDone(own.deactivated)
  })
  return (
    <Dialog title={own.deactivateTitle(conta.nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={presentText(error)} />}
        <div class="field">
          <label for={id}>{own.reason}</label>
          <textarea
            id={id}
            class="input"
            rows={3}
            maxLength={MAX_MOTIVO}
            value={motivo}
            aria-invalid={isTried && isMissing}
            aria-describedby={isTried && isMissing ? `${id}-problem` : undefined}
            onInput={(event) => setMotivo(event.currentTarget.value)}
          />
          {isTried && isMissing && (
            <p class="problem" id={`${id}-problem`}>
              {own.reasonMissing}
            </p>
          )}
        </div>
        <UsuarioField
          label={own.handOver}
          value={heir}
          onChange={setHeir}
          except={[conta.id]}
          hint={own.personHint}
          none={own.personNone}
          note={own.handOverNote}
        />
        <section class="rules">
          <h3>{own.effect}</h3>
          <Answer query={effect} lines={3}>
            {(found) =>
              found !== null && (
                <ul>
                  <li>{own.effectSessions(found.sessoes_encerradas)}</li>
                  <li>{own.effectGroups(found.grupos_removidos)}</li>
                  <li>{own.effectCases(found.casos, heir?.nome ?? null)}</li>
                </ul>
              )
            }
          </Answer>
        </section>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.deactivate}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
