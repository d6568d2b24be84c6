import { useState } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { OnDemand } from '../../ui/on-demand.tsx'
import { lugarName, type UsuarioAberto } from './usuario-texts.ts'

const loadTerritory = async () => ({ default: (await import('./territory-dialog.tsx')).TerritoryDialog })

/** Places that bound the account. */
export function TerritoryCard({ conta, onDone }: { conta: UsuarioAberto; onDone(text: string): void }) {
  const t = usuariosTexts()
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="card">
      <header class="row">
        <h2>{t.territory}</h2>
        {holds(['usuarios.gerenciar_permissoes']) && (
          <Button onClick={() => setOpen(true)}>{t.changeTerritory}</Button>
        )}
      </header>
      {conta.territorios.length === 0 ? (
        <p>{t.wholeCountry}</p>
      ) : (
        <>
          <ul class="history">
            {conta.territorios.map((lugar) => (
              <li key={lugar.codigo}>
                {lugarName(lugar)} <small>{t.levels[lugar.nivel]}</small>
              </li>
            ))}
          </ul>
          <p class="note">{t.territoryNote}</p>
        </>
      )}
      {isOpen && (
        <OnDemand
          load={loadTerritory}
          props={{
            conta,
            onDone: () => {
              setOpen(false)
              onDone(t.saved)
            },
            onClose: () => setOpen(false),
          }}
        />
      )}
    </section>
  )
}
