import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { PATHS } from '../../paths.ts'
import { api } from '../../state/session.ts'
import type { Tagged } from '../../state/tagged.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { onPresent, presentText } from '../../ui/present.ts'
import { SelectField } from '../../ui/select-field.tsx'
import { Answer } from '../../ui/states.tsx'
import { type Grupo, gruposQuery, lackingOf, outdateGrupos } from './grupo-data.ts'

/** Deletes a group; tells first how many leave it, and for where. */
export function DeleteDialog({ grupo, onClose }: { grupo: Tagged<Grupo>; onClose(): void }) {
  const t = texts()
  const own = gruposTexts()
  const { route } = useLocation()
  const [target, setTarget] = useState('')
  const grupos = useQuery(gruposQuery())
  const targets = (grupos.data ?? []).filter((one) => one.id !== grupo.id && lackingOf(one) === undefined)
  const { form, isSending, error, submit } = useSending(async () => {
    const query = target === '' ? { force: true } : { transferir_usuarios: Number(target) }
    const asked = { params: { id: grupo.id }, query }
    await onPresent(api.delete('/api/v1/grupos/{id}', asked, { ifMatch: grupo.etag }), outdateGrupos)
    void outdateGrupos()
    route(PATHS.grupos)
  })
  const nome = targets.find(({ id }) => String(id) === target)?.nome ?? null
  return (
    <Dialog title={own.deleteTitle(grupo.nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={presentText(error)} />}
        {grupo.total_usuarios > 0 && (
          <Answer query={grupos} lines={1}>
            {() => (
              <SelectField
                label={own.transfer}
                value={target}
                options={[
                  { value: '', label: own.nobody },
                  ...targets.map((one) => ({ value: String(one.id), label: one.nome })),
                ]}
                onChange={setTarget}
              />
            )}
          </Answer>
        )}
        <p role="status">{own.deleteEffect(grupo.total_usuarios, nome)}</p>
        <div class="row">
          <Button onClick={onClose}>{t.app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.delete}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
