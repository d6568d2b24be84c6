import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import { api, cache, holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { useSending } from '../../ui/form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Answer, errorText } from '../../ui/states.tsx'
import type { Usuario } from './usuario-texts.ts'

type Identidade = AnswerOf<'GET', '/api/v1/usuarios/{id}/identidades'>['items'][number]

interface IdentitiesCardProps {
  conta: Usuario
  onDone(text: string): void
}

/** Identities of the account at providers of single sign-on, for those who may unlink them. */
export function IdentitiesCard({ conta, onDone }: IdentitiesCardProps) {
  const own = usuariosTexts().identities
  const [unlinking, setUnlinking] = useState<Identidade | null>(null)
  const queryKey = ['usuarios', conta.id, 'identidades']
  const mayEdit = holds(['usuarios.editar'])
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      api.get('/api/v1/usuarios/{id}/identidades', { params: { id: conta.id } }, { signal }),
    enabled: mayEdit,
    placeholderData: () => undefined,
  })
  if (!mayEdit) return null
  return (
    <section class="card unsized">
      <h2>{own.title}</h2>
      <Answer query={query} lines={1}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="note">{own.none}</p>
          ) : (
            <ul class="history">
              {items.map((one) => (
                <li key={one.id}>
                  {one.provedor_nome}
                  <br />
                  <small>{own.since(new Date(one.vinculada_em), new Date(one.ultimo_uso_em))}</small>
                  <br />
                  <Button
                    kind="quiet"
                    aria-label={own.unlinkOf(one.provedor_nome)}
                    onClick={() => setUnlinking(one)}
                  >
                    {own.unlink}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
      {unlinking !== null && (
        <UnlinkDialog
          conta={conta}
          identidade={unlinking}
          onDone={() => {
            setUnlinking(null)
            void cache.invalidateQueries({ queryKey })
            onDone(own.done)
          }}
          onClose={() => setUnlinking(null)}
        />
      )}
    </section>
  )
}

interface UnlinkDialogProps {
  conta: Usuario
  identidade: Identidade
  onDone(): void
  onClose(): void
}

/** Asks before somebody loses a way into their account, and says who will learn of it. */
function UnlinkDialog({ conta, identidade, onDone, onClose }: UnlinkDialogProps) {
  const t = usuariosTexts()
  const own = t.identities
  const { form, isSending, error, submit } = useSending(async () => {
    const params = { id: conta.id, identidade_id: identidade.id }
    await api.delete('/api/v1/usuarios/{id}/identidades/{identidade_id}', { params })
    onDone()
  })
  return (
    <Dialog title={own.unlinkOf(identidade.provedor_nome)} onClose={onClose}>
      <form class="form" ref={form} onSubmit={submit}>
        {error !== null && <Notice kind="error" text={errorText(error)} />}
        <p>{own.lead}</p>
        <p class="note">{own.told}</p>
        <div class="row">
          <Button onClick={onClose}>{texts().app.cancel}</Button>
          <Button type="submit" kind="primary" class="button danger" aria-disabled={isSending}>
            {own.unlink}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
