import { useState } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import type { ColumnName } from './address.ts'
import { CloseDialog } from './close-dialog.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { choicesOf } from './export-formats.ts'
import type { CasoListado } from './row.ts'

export interface Selection {
  casos: CasoListado[]
  has(caso: CasoListado): boolean
  toggle(caso: CasoListado): void
  toggleAll(): void
  clear(): void
  nameOf(caso: CasoListado): string
}

/** Cases of the present page that something is to be done with. */
export function useSelection(casos: CasoListado[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const isEvery = casos.every(({ id }) => ids.has(id))
  return {
    casos: casos.filter(({ id }) => ids.has(id)),
    has: ({ id }) => ids.has(id),
    toggle: ({ id }) =>
      setIds((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])),
    toggleAll: () => setIds(new Set(isEvery ? [] : casos.map(({ id }) => id))),
    clear: () => setIds(new Set()),
    nameOf: ({ numero_notificacao }) => numero_notificacao,
  }
}

interface SelectionBarProps {
  selection: Selection
  columns: readonly ColumnName[]
  today: string
}

export function SelectionBar({ selection, columns, today }: SelectionBarProps) {
  const [dialog, setDialog] = useState<'export' | 'close' | null>(null)
  const t = texts().casos
  const { casos } = selection
  if (casos.length === 0) return null
  const end = () => setDialog(null)
  return (
    <div class="bar selection" role="status">
      <b>{t.selected(casos.length)}</b>
      {choicesOf().length > 0 && (
        <Button kind="quiet" icon="download" onClick={() => setDialog('export')}>
          {t.export}
        </Button>
      )}
      {holds(['agravos.editar']) && (
        <Button kind="quiet" icon="done" onClick={() => setDialog('close')}>
          {t.closeCases}
        </Button>
      )}
      <Button kind="quiet" onClick={selection.clear}>
        {t.unselect}
      </Button>
      {dialog === 'export' && (
        <ExportDialog
          filtros={filtrosOf(casos)}
          columns={columns}
          total={casos.length}
          what={t.selected(casos.length)}
          onClose={end}
        />
      )}
      {dialog === 'close' && <CloseDialog casos={casos} today={today} onClose={end} />}
    </div>
  )
}

/** The cases by their id, and their disease where they have one in common: files of SINAN have one each. */
function filtrosOf(casos: CasoListado[]) {
  const [tipo_agravo, ...others] = new Set(casos.map((caso) => caso.tipo_agravo))
  return {
    'id[in]': casos.map(({ id }) => id).join(','),
    ...(others.length === 0 && { tipo_agravo }),
  }
}
