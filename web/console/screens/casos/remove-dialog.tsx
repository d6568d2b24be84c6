import type { AnswerOf } from '../../api/rows.ts'
import { api, cache } from '../../state/session.ts'
import { isStale } from '../../state/tagged.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { FinalRemovalDialog } from '../../ui/final-removal-dialog.tsx'

interface RemoveDialogProps {
  caso: AnswerOf<'GET', '/api/v1/agravos/casos/excluidos'>['items'][number]
  onDone(text: string): void
  onClose(): void
}

/** Removes a deleted case for good, in the version of the list: one that was restored and changed meanwhile stays. */
export function RemoveDialog({ caso, onDone, onClose }: RemoveDialogProps) {
  const { id, versao, numero_notificacao: numero } = caso
  const own = remocaoTexts().caso
  const remove = async (motivo: string) => {
    const asked = { params: { id }, query: { motivo, force: true } as never }
    try {
      await api.delete('/api/v1/agravos/casos/{id}', asked, { ifMatch: `"${versao}"` })
    } catch (error) {
      if (isStale(error)) void cache.invalidateQueries({ queryKey: ['casos'] })
      throw error
    }
    cache.removeQueries({ queryKey: ['caso', id] })
    void cache.invalidateQueries({ queryKey: ['casos'] })
    onDone(own.done(numero))
  }
  return (
    <FinalRemovalDialog
      title={own.title(numero)}
      note={own.note}
      word={numero}
      typedLabel={own.typed}
      {...{ remove, onClose }}
    />
  )
}
