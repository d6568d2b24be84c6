import { useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, cache, holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Answer } from '../../ui/states.tsx'
import type { Identidade, Usuario } from './usuario-texts.ts'

const loadUnlink = async () => ({ default: (await import('./unlink-dialog.tsx')).UnlinkDialog })

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
        <OnDemand
          load={loadUnlink}
          props={{
            conta,
            identidade: unlinking,
            onDone() {
              setUnlinking(null)
              void cache.invalidateQueries({ queryKey })
              onDone(own.done)
            },
            onClose: () => setUnlinking(null),
          }}
        />
      )}
    </section>
  )
}
