import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { Permission } from '../../../../src/caller/permissions.ts'
import type { AnswerOf } from '../../api/rows.ts'
import { type Rights, rightsQuery } from '../../state/rights.ts'
import { api, holds } from '../../state/session.ts'
import { gruposTexts } from '../../state/texts/grupos.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Effect, isSame, rightsEffect } from '../../ui/effect.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import { GivenCheck } from './given-check.tsx'
import { toggled } from './group-choices.tsx'
import { useConta } from './use-conta.ts'
import type { Usuario, UsuarioAberto } from './usuario-texts.ts'

type Categorias = AnswerOf<'GET', '/api/v1/permissoes'>['categorias']

interface Direct {
  permissoes_ids: number[]
}
const directOf = ({ permissoes_diretas = [] }: Usuario): Direct => ({
  permissoes_ids: permissoes_diretas.map(({ id }) => id),
})
const nameOf = ({ nome, descricao }: { nome: string; descricao: string | null }) =>
  permissoesTexts()[nome as Permission] ?? descricao ?? nome

/** What the account may besides what its groups give. */
function effectOf(conta: Usuario, rights: Rights, categorias: Categorias, chosen: ReadonlySet<number>) {
  const byGroup = rights.fontes.filter(({ grupos }) => grupos.length > 0).map(({ nome }) => nome)
  const all = Object.values(categorias).flat()
  const before = directOf(conta).permissoes_ids
  const withThese = (ids: ReadonlySet<number>) =>
    new Set([
      ...(conta.admin ? ['admin'] : []),
      ...byGroup,
      ...all.filter(({ id }) => ids.has(id)).map(({ nome }) => nome),
    ])
  return {
    ...rightsEffect(withThese(new Set(before)), withThese(chosen)),
    isChanged: !isSame(before, chosen),
  }
}

interface PermissionsDialogProps {
  conta: UsuarioAberto
  onDone(): void
  onClose(): void
}

/** Chooses permissions that the account has beside its groups, by module. */
export function PermissionsDialog({ conta, onDone, onClose }: PermissionsDialogProps) {
  const t = texts()
  const own = usuariosTexts()
  const [chosen, setChosen] = useState(() => new Set(directOf(conta).permissoes_ids))
  const catalogue = useQuery({
    queryKey: ['permissoes'],
    queryFn: ({ signal }) => api.get('/api/v1/permissoes', {}, { signal }),
    staleTime: 60_000,
  })
  const rights = useQuery(rightsQuery(conta.id))
  const { form, isSending, error, setError, submit } = useSending(() => save({ permissoes_ids: [...chosen] }))
  const { save, conflict } = useConta<Direct>({
    conta,
    formOf: directOf,
    put: (body, asked, options) => api.put('/api/v1/usuarios/{id}', { ...asked, body }, options),
    words: (_, id) => {
      const all = Object.values(catalogue.data?.categorias ?? {}).flat()
      const found = all.find((one) => one.id === id)
      return { label: own.direct, value: found === undefined ? String(id) : nameOf(found) }
    },
    onMerged: ({ permissoes_ids }) => setChosen(new Set(permissoes_ids)),
    onError: setError,
    onDone,
  })
  return (
    <>
      <Dialog title={own.changeDirect} onClose={onClose}>
        <form class="form" ref={form} onSubmit={submit}>
          {error !== null && <Notice kind="error" text={errorText(error)} />}
          <Answer query={catalogue} lines={8}>
            {({ categorias }) => (
              <>
                {Object.entries(categorias).map(([modulo, permissoes]) => (
                  <fieldset key={modulo} class="module">
                    <legend>{gruposTexts().modules[modulo] ?? modulo}</legend>
                    {permissoes.map((permissao) => {
                      const { id, nome } = permissao
                      const isFixed = !holds([nome as Permission])
                      return (
                        <GivenCheck
                          key={id}
                          label={nameOf(permissao)}
                          note={isFixed ? own.cannotGive : undefined}
                          checked={chosen.has(id)}
                          isFixed={isFixed}
                          onChange={(isOn) => setChosen(toggled(chosen, id, isOn))}
                        />
                      )
                    })}
                  </fieldset>
                ))}
                {rights.data && <Effect {...effectOf(conta, rights.data, categorias, chosen)} />}
              </>
            )}
          </Answer>
          <div class="row">
            <Button onClick={onClose}>{t.app.cancel}</Button>
            <Button type="submit" kind="primary" aria-disabled={isSending || catalogue.data === undefined}>
              {own.save}
            </Button>
          </div>
        </form>
      </Dialog>
      {conflict}
    </>
  )
}
