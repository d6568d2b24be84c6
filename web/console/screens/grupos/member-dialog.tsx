import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { type Rights, rightsQuery } from '../../state/rights.ts'
import { api, cache, holds } from '../../state/session.ts'
import { efeitoTexts } from '../../state/texts/efeito.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Effect, rightsEffect } from '../../ui/effect.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { type Grupo, outdateGrupos } from './grupo-data.ts'

type Conta = AnswerOf<'GET', '/api/v1/usuarios/{id}'>

/** Joining a group, or leaving it. */
export type Step = 'add' | 'remove'

const MEMBER = '/api/v1/grupos/{grupo_id}/usuarios/{usuario_id}'

/** What the account may by the step, and whether it has to enrol a second factor for it. What other sources give it has either way. */
function effectOf(grupo: Grupo, conta: Conta, { fontes }: Rights, step: Step) {
  const flag = conta.admin ? ['admin'] : []
  const has = [...flag, ...fontes.map(({ nome }) => nome)]
  const given = grupo.ativo ? grupo.permissoes.map(({ nome }) => nome) : []
  const others = fontes.filter(({ direta, grupos }) => direta || grupos.some((nome) => nome !== grupo.nome))
  const after = step === 'add' ? [...has, ...given] : [...flag, ...others.map(({ nome }) => nome)]
  const mustEnrol =
    step === 'add' &&
    grupo.ativo &&
    grupo.exige_mfa &&
    !conta.mfa_habilitado &&
    conta.situacao?.exige_mfa === false
  return {
    ...rightsEffect(new Set(has), new Set(after)),
    more: mustEnrol ? [efeitoTexts().mustEnrol] : [],
    isChanged: true,
  }
}

interface MemberDialogProps {
  grupo: Grupo
  pessoa: { id: number; nome: string }
  step: Step
  onDone(): void
  onClose(): void
}

/** Tells what somebody gains or loses by a group before they join or leave it; those who may not look at accounts are told in general. */
export function MemberDialog({ grupo, pessoa, step, onDone, onClose }: MemberDialogProps) {
  const t = gruposTexts()
  const { id } = pessoa
  const mayLook = holds(['usuarios.listar'])
  const account = useQuery({
    queryKey: ['usuarios', id, 'membro'],
    queryFn: async ({ signal }) => {
      const asked = { params: { id }, query: { include: 'situacao' } }
      const [conta, rights] = await Promise.all([
        api.get('/api/v1/usuarios/{id}', asked, { signal }),
        cache.fetchQuery({ ...rightsQuery(id), staleTime: 0 }),
      ])
      return { conta, rights }
    },
    enabled: mayLook,
    staleTime: 0,
  })
  const { form, isSending, error, submit } = useSending(async () => {
    const asked = { params: { grupo_id: grupo.id, usuario_id: id } }
    if (step === 'add') await api.post(MEMBER, asked)
    else await api.delete(MEMBER, asked)
    void outdateGrupos()
    onDone()
  })
  const isUnknown = mayLook && account.data === undefined
  return (
    <Dialog title={t.memberTitle[step](pessoa.nome, grupo.nome)} onClose={onClose}>
      <form
        class="form"
        ref={form}
        onSubmit={(event) => {
          if (isUnknown) event.preventDefault()
          else void submit(event)
        }}
      >
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        {mayLook ? (
          <Answer query={account} lines={3}>
            {({ conta, rights }) => (
              <Effect title={t.memberEffect} {...effectOf(grupo, conta, rights, step)} />
            )}
          </Answer>
        ) : (
          <p>{t.memberUnseen[step]}</p>
        )}
        <div class="row">
          <Button onClick={onClose}>{texts().app.cancel}</Button>
          <Button
            type="submit"
            kind="primary"
            class={step === 'remove' ? 'button danger' : 'button primary'}
            aria-disabled={isSending || isUnknown}
          >
            {step === 'add' ? t.add : t.remove}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
