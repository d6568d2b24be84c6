import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { onPresent } from '../../ui/present.ts'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'
import { type AgendaAberta, openAgenda, refreshAgendas } from './agenda-data.ts'

interface RemoveDialogProps {
  agenda: AgendaAberta
  onClose(): void
  onDone(): void
}

/** Asks before a schedule is removed; the bulletins it made stay. */
export function RemoveDialog({ agenda, onClose, onDone }: RemoveDialogProps) {
  /** Read again where somebody changed it. */
  const [{ id, nome, etag }, setPresent] = useState(agenda)
  const own = boletinsTexts().agendas
  const remove = async () => {
    const removed = api.delete('/api/v1/agravos/agendas/{id}', { params: { id } }, { ifMatch: etag })
    await onPresent(removed, async () => {
      setPresent(await openAgenda(id))
      await refreshAgendas()
    })
    onDone()
  }
  return (
    <RemovalDialog
      title={own.removeTitle(nome)}
      note={own.removeNote}
      action={own.remove}
      {...{ remove, onClose }}
    />
  )
}
