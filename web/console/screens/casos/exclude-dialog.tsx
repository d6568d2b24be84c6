import { useId, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { lastList } from '../../state/last-list.ts'
import { api, cache } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import type { Detalhe } from './detalhe.ts'

const MAX_MOTIVO = 500

/** Deletes a case with its reason; another version than the one on the screen is left alone. */
export function ExcludeDialog({ caso, onClose }: { caso: Detalhe; onClose: () => void }) {
  const t = texts()
  const id = useId()
  const { route } = useLocation()
  const [motivo, setMotivo] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = motivo.trim() === ''
  const { form, isSending, error, submit } = useSending(async () => {
    setTried(true)
    if (isMissing) return
    const asked = { params: { id: caso.id }, query: { motivo: motivo.trim() } as never }
    try {
      await api.delete('/api/v1/agravos/casos/{id}', asked, { ifMatch: `"${caso.versao}"` })
    } catch (error) {
      if (error instanceof ApiError && error.status === 409)
        void cache.invalidateQueries({ queryKey: ['caso'] })
      throw error
    }
    cache.removeQueries({ queryKey: ['caso', caso.id] })
    void cache.invalidateQueries({ queryKey: ['casos'] })
    route(lastList.value ?? PATHS.casos)
  })
  const isConflict = error instanceof ApiError && error.status === 409
  return (
    <Dialog title={t.caso.excludeTitle} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={isConflict ? t.caso.conflict : errorText(error)} />}
        <p>{t.caso.excludeNote}</p>
        <div class="field">
          <label for={id}>{t.caso.reasonLabel}</label>
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
              {t.caso.reasonMissing}
            </p>
          )}
        </div>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {t.caso.exclude}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
