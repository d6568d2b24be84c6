import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { errorText } from '../../ui/states.tsx'
import { applied, type Changes } from './changes.ts'
import { type Catalogo, type Grupo, outdateGrupos, permissionText } from './grupo-data.ts'

interface DifferenceDialogProps {
  grupos: Grupo[]
  catalogo: Catalogo
  changes: Changes
  /** Of what is left to save. */
  onChange(changes: Changes): void
  onDone(): void
  onClose(): void
}

/** Shows the difference of every group and saves them one after the other; a refusal leaves the rest to be tried again. */
export function DifferenceDialog(props: DifferenceDialogProps) {
  const { grupos, catalogo, changes, onChange, onDone, onClose } = props
  const t = texts()
  const own = gruposTexts()
  const [failedAt, setFailedAt] = useState<string | null>(null)
  const permissoes = new Map(
    Object.values(catalogo.categorias)
      .flat()
      .map((one) => [one.id, permissionText(one)]),
  )
  const { form, isSending, error, submit } = useSending(async () => {
    const left = new Map(changes)
    try {
      for (const [id, change] of changes) {
        setFailedAt(grupos.find((one) => one.id === id)?.nome ?? null)
        const now = await api.get('/api/v1/grupos/{id}', { params: { id } })
        const body = { permissoes_ids: applied(now, change) }
        await api.put('/api/v1/grupos/{id}/permissoes', { params: { id }, body })
        left.delete(id)
      }
    } finally {
      // The ticks stay until the groups have them.
      await outdateGrupos()
      onChange(left)
    }
    onDone()
  })
  return (
    <Dialog title={own.differences} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={own.failedAt(failedAt ?? '', errorText(error))} />}
        {grupos.map((grupo) => {
          const change = changes.get(grupo.id)
          if (change === undefined) return null
          return (
            <section key={grupo.id}>
              <h3>{own.differenceOf(grupo.nome, grupo.total_usuarios)}</h3>
              <ul class="difference">
                {[...change.gains].map((id) => (
                  <li key={id}>
                    <ins>{own.gains(permissoes.get(id) ?? String(id))}</ins>
                  </li>
                ))}
                {[...change.loses].map((id) => (
                  <li key={id}>
                    <del>{own.loses(permissoes.get(id) ?? String(id))}</del>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
        <p class="note">{own.effectNote}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
