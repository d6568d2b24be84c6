import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import { api } from '../../state/session.ts'
import { efeitoTexts } from '../../state/texts/efeito.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Effect, isSame, rightsEffect } from '../../ui/effect.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { GroupChoices } from './group-choices.tsx'
import { allGrupos } from './grupos.ts'
import { useConta } from './use-conta.ts'
import type { Usuario, UsuarioAberto } from './usuario-texts.ts'

type Grupo = AnswerOf<'GET', '/api/v1/grupos'>['grupos'][number]

interface Groups {
  grupos_ids: number[]
}
const groupsOf = ({ grupos = [] }: Usuario): Groups => ({ grupos_ids: grupos.map(({ id }) => id) })

/** What the account may by these groups instead of its own, and whether one of them asks for a second factor that it lacks. */
function effectOf(conta: Usuario, all: readonly Grupo[], chosen: ReadonlySet<number>) {
  const before = groupsOf(conta).grupos_ids
  const direct = [
    ...(conta.admin ? ['admin'] : []),
    ...(conta.permissoes_diretas ?? []).map(({ nome }) => nome),
  ]
  const by = (ids: ReadonlySet<number>) => {
    const active = all.filter(({ id, ativo }) => ativo && ids.has(id))
    return {
      rights: new Set([...direct, ...active.flatMap(({ permissoes }) => permissoes.map(({ nome }) => nome))]),
      needsFactor: !conta.mfa_habilitado && active.some(({ exige_mfa }) => exige_mfa),
    }
  }
  const [old, next] = [by(new Set(before)), by(chosen)]
  return {
    ...rightsEffect(old.rights, next.rights),
    more: next.needsFactor && !old.needsFactor ? [efeitoTexts().mustEnrol] : [],
    isChanged: !isSame(before, chosen),
  }
}

interface GroupsDialogProps {
  conta: UsuarioAberto
  onDone(): void
  onClose(): void
}

/** Chooses the groups of an account; one that grants more than the person at the console holds can only be left as it is. */
export function GroupsDialog({ conta, onDone, onClose }: GroupsDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [chosen, setChosen] = useState(() => new Set(groupsOf(conta).grupos_ids))
  const grupos = useQuery(allGrupos())
  const { form, isSending, error, setError, submit } = useSending(() => save({ grupos_ids: [...chosen] }))
  const { save, conflict } = useConta<Groups>({
    conta,
    formOf: groupsOf,
    put: ({ grupos_ids = [] }, asked, options) =>
      api.put('/api/v1/usuarios/{id}/grupos', { ...asked, body: { grupos_ids } }, options),
    words: (_, id) => ({
      label: own.groups,
      value: grupos.data?.find((one) => one.id === id)?.nome ?? String(id),
    }),
    onMerged: ({ grupos_ids }) => setChosen(new Set(grupos_ids)),
    onError: setError,
    onDone,
  })
  return (
    <>
      <Dialog title={own.changeGroups} onClose={onClose}>
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <p>{own.groupsNote}</p>
          <Answer query={grupos} lines={6}>
            {(all) => (
              <>
                <GroupChoices grupos={all} chosen={chosen} onChange={setChosen} />
                <Effect {...effectOf(conta, all, chosen)} />
              </>
            )}
          </Answer>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending || grupos.data === undefined}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}
