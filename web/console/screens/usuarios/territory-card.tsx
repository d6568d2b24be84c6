import { useState } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { Button } from '../../ui/button.tsx'
import { TerritoryDialog } from './territory-dialog.tsx'
import { lugarName, type Usuario } from './usuario-texts.ts'

/** Places that bound the account. */
export function TerritoryCard({ conta, onDone }: { conta: Usuario; onDone(text: string): void }) {
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
        <TerritoryDialog
          conta={conta}
          onDone={() => {
            setOpen(false)
            onDone(t.saved)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
