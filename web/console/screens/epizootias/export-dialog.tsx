import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { EPIZOOTIAS } from '../../state/epizootias-keys.ts'
import { api, holds } from '../../state/session.ts'
import { epizootiasTexts } from '../../state/texts/epizootias.ts'
import { Check } from '../../ui/field.tsx'
import { TableExport } from '../../ui/table-export.tsx'
import { type EpizootiaFilters, epizootiasQuery } from './address.ts'

interface ExportDialogProps {
  filters: EpizootiaFilters
  onClose(): void
}

/** Exports the events of the filter; with observation and exact spot for those who may register. */
export function ExportDialog({ filters, onClose }: ExportDialogProps) {
  const t = epizootiasTexts().exportar
  const [identificado, setIdentificado] = useState(false)
  const filtros = epizootiasQuery(filters)
  const { data } = useQuery({
    queryKey: [...EPIZOOTIAS, 'total', filtros],
    queryFn: ({ signal }) => api.get('/api/v1/epizootias', { query: { ...filtros, size: 1 } }, { signal }),
  })
  return (
    <TableExport
      title={t.title}
      what={t.what(data?.total)}
      note={t.note}
      start={(formato) =>
        api.post('/api/v1/epizootias/exportar', {
          body: { formato, filtros, ...(identificado && { identificado }) },
        })
      }
      onClose={onClose}
    >
      {holds(['epizootias.registrar']) && (
        <Check label={t.identified} checked={identificado} onChange={setIdentificado} />
      )}
    </TableExport>
  )
}
