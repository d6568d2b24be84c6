import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { boletinsTexts } from '../../state/texts/boletins.ts'
import { RemovalDialog } from '../../ui/removal-dialog.tsx'

/** Asks before a bulletin is deleted: links to its document end with it. */
export default function DeleteDialog({ id, onClose }: { id: number; onClose(): void }) {
  const own = boletinsTexts()
  const { route } = useLocation()
  const remove = async () => {
    await api.delete('/api/v1/agravos/boletins/{id}', { params: { id } })
    cache.removeQueries({ queryKey: ['boletins', id] })
    void cache.invalidateQueries({ queryKey: ['boletins'] })
    route(PATHS.boletins)
  }
  return (
    <RemovalDialog
      title={own.removeTitle}
      note={own.removeNote}
      action={own.remove}
      {...{ remove, onClose }}
    />
  )
}
