import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { duplicidadesTexts } from '../../state/texts/duplicidades.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Answer } from '../../ui/states.tsx'
import { Refusal } from './decide-dialog.tsx'
import { fieldsText } from './merge-dialog.tsx'
import { type Caso, PARES } from './par.ts'

interface UndoDialogProps {
  fusaoId: number
  casos: readonly Pick<Caso, 'id' | 'numero_notificacao'>[]
  onDone(): void
  onReload(): void
  onClose(): void
}

/** Undo of a merge: first what it would do. */
export function UndoDialog({ fusaoId, casos, onDone, onReload, onClose }: UndoDialogProps) {
  const t = texts()
  const own = duplicidadesTexts().undo
  const [idempotencyKey] = useState(() => crypto.randomUUID())
  const params = { id: fusaoId }
  const path = '/api/v1/agravos/fusoes/{id}/desfazer'
  const simulated = useQuery({
    queryKey: [...PARES, 'desfazer', fusaoId],
    queryFn: ({ signal }) => api.post(path, { params, query: { simular: true } }, { signal }),
    // As it would be now, each time it is asked.
    ...{ staleTime: 0, gcTime: 0, placeholderData: () => undefined, refetchOnWindowFocus: false },
  })
  const { form, isSending, error, submit } = useSending(async () => {
    await api.post(path, { params, query: { simular: false } }, { idempotencyKey })
    onDone()
  })
  return (
    <Dialog title={own.title} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        <Refusal error={error} onReload={onReload} />
        <Answer query={simulated} lines={2}>
          {({ absorvido_id, campos_alterados, mantidos }) => (
            <>
              <p>{own.lead(casos.find(({ id }) => id === absorvido_id)?.numero_notificacao ?? '')}</p>
              <p>{campos_alterados.length === 0 ? own.backNone : own.back(fieldsText(campos_alterados))}</p>
              {mantidos.length > 0 && <p class="notice info">{own.kept(fieldsText(mantidos))}</p>}
            </>
          )}
        </Answer>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          {simulated.data !== undefined && (
            <Button type="submit" kind="primary" aria-disabled={isSending}>
              {isSending ? duplicidadesTexts().sending : own.submit}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
