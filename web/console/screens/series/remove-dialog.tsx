import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { FinalRemovalDialog } from '../../ui/final-removal-dialog.tsx'
import type { Serie } from './serie-data.ts'
import { refreshSeries, SERIES } from './serie-links.ts'

/** Removes a series that never had a value; the service refuses others. */
export default function RemoveDialog({ serie, onClose }: { serie: Serie; onClose(): void }) {
  const { codigo, derivada } = serie
  const own = remocaoTexts().serie
  const { route } = useLocation()
  const remove = async () => {
    await api.delete('/api/v1/series/{codigo}', { params: { codigo } })
    cache.removeQueries({ queryKey: [...SERIES, 'one', codigo] })
    void refreshSeries()
    route(PATHS.series)
  }
  return (
    <FinalRemovalDialog
      title={own.title(codigo)}
      note={derivada === null ? own.note : own.noteDerived}
      word={codigo}
      typedLabel={own.typed}
      takesMotivo={false}
      {...{ remove, onClose }}
    />
  )
}
