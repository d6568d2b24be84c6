import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api, cache } from '../../state/session.ts'
import { remocaoTexts } from '../../state/texts/remocao.ts'
import { FinalRemovalDialog } from '../../ui/final-removal-dialog.tsx'
import { onPresent } from '../../ui/present.ts'
import type { UsuarioAberto } from './usuario-texts.ts'

/** Removes a deactivated account for good, in the version on the screen. */
export function RemoveDialog({ conta, onClose }: { conta: UsuarioAberto; onClose(): void }) {
  const own = remocaoTexts().conta
  const { route } = useLocation()
  const remove = async (motivo: string) => {
    const asked = { params: { id: conta.id }, query: { motivo, force: true } }
    await onPresent(api.delete('/api/v1/usuarios/{id}', asked, { ifMatch: conta.etag }), () =>
      cache.invalidateQueries({ queryKey: ['usuarios'] }),
    )
    cache.removeQueries({ queryKey: ['usuarios', conta.id] })
    void cache.invalidateQueries({ queryKey: ['usuarios', 'list'] })
    route(PATHS.usuarios)
  }
  return (
    <FinalRemovalDialog
      title={own.title(conta.nome)}
      note={own.note}
      word={conta.nome}
      typedLabel={own.typed}
      {...{ remove, onClose }}
    />
  )
}
