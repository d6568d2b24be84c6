import { useState } from 'preact/hooks'
import { cache, holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { useKeys } from '../../ui/keys.ts'
import { OnDemand } from '../../ui/on-demand.tsx'
import { Photo } from '../../ui/photo/photo.tsx'
import type { UsuarioAberto } from './usuario-texts.ts'

const loadEdit = async () => ({ default: (await import('./edit-dialog.tsx')).EditDialog })

/** Facts about the person; fields that are empty are left out. */
export function DataCard({ conta, onDone }: { conta: UsuarioAberto; onDone(text: string): void }) {
  const t = usuariosTexts()
  const [isEditing, setEditing] = useState(false)
  useKeys(holds(['usuarios.editar']) ? { e: () => setEditing(true) } : {})
  const facts = [
    [t.fields.cargo, conta.cargo],
    [t.fields.departamento, conta.departamento],
    [t.fields.instituicao, conta.instituicao],
    [t.fields.telefone, conta.telefone],
    [t.fields.cidade, [conta.cidade, conta.estado].filter(Boolean).join(', ')],
    [t.fields.cpf, conta.cpf],
    [t.fields.criado, t.day(new Date(conta.created_at))],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))
  return (
    <section class="card">
      <header class="row">
        <h2>{t.data}</h2>
        {holds(['usuarios.editar']) && <Button onClick={() => setEditing(true)}>{t.edit}</Button>}
      </header>
      {holds(['usuarios.editar']) && (
        <Photo
          usuario={{ id: conta.id, avatar_url: conta.avatar_url ?? null }}
          alt={t.photoOf(conta.nome)}
          onSent={() => cache.invalidateQueries({ queryKey: ['usuarios'] })}
        />
      )}
      <dl class="pairs">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isEditing && (
        <OnDemand
          load={loadEdit}
          props={{
            conta,
            onDone: () => {
              setEditing(false)
              onDone(t.saved)
            },
            onClose: () => setEditing(false),
          }}
        />
      )}
    </section>
  )
}
