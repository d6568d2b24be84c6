import { useLocation } from 'preact-iso/router'
import { ApiError } from '../../api/errors.ts'
import { PATHS } from '../../paths.ts'
import { lastList } from '../../state/last-list.ts'
import { api, cache } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import type { Detalhe } from './detalhe.ts'

/** Deletes a case with its reason; another version than the one on the screen is left alone. */
export function ExcludeDialog({ caso, onClose }: { caso: Detalhe; onClose: () => void }) {
  const t = texts().caso
  const { route } = useLocation()
  const send = async (motivo: string) => {
    const asked = { params: { id: caso.id }, query: { motivo } as never }
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
  }
  return (
    <ReasonDialog
      title={t.excludeTitle}
      note={t.excludeNote}
      action={t.exclude}
      conflict={t.conflict}
      send={send}
      onClose={onClose}
    />
  )
}
