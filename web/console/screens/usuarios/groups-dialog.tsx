import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { GroupChoices } from './group-choices.tsx'
import { allGrupos } from './grupos.ts'
import type { Usuario } from './usuario-texts.ts'

interface GroupsDialogProps {
  conta: Usuario
  onDone(): void
  onClose(): void
}

/** Chooses the groups of an account; one that grants more than the person at the console holds can only be left as it is. */
export function GroupsDialog({ conta, onDone, onClose }: GroupsDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [chosen, setChosen] = useState(() => new Set((conta.grupos ?? []).map(({ id }) => id)))
  const grupos = useQuery(allGrupos())
  const { form, isSending, error, submit } = useSending(async () => {
    await api.put('/api/v1/usuarios/{id}/grupos', {
      params: { id: conta.id },
      body: { grupos_ids: [...chosen] },
    })
    onDone()
  })
  return (
    <Dialog title={own.changeGroups} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.groupsNote}</p>
        <Answer query={grupos} lines={6}>
          {(all) => <GroupChoices grupos={all} chosen={chosen} onChange={setChosen} />}
        </Answer>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" aria-disabled={isSending || grupos.data === undefined}>
            {own.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
