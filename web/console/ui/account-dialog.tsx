import { PATHS } from '../paths.ts'
import { type Perfil, signOut } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { type MenuEntry, MenuLink } from './menu-link.tsx'
import { PreferenceFields } from './preferences.tsx'

/** Account that is signed in, preferences, the way out; on a small screen also the rest of the menu. */
export default function AccountDialog({
  perfil,
  more,
  onClose,
}: {
  perfil: Perfil
  more: MenuEntry[]
  onClose: () => void
}) {
  const t = texts()
  return (
    <Dialog title={t.app.account} onClose={onClose}>
      <p class="sub">
        {perfil.nome} · {perfil.email}
      </p>
      {more.length > 0 && (
        <ul class="more">
          {more.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the link inside is what keys reach
            <li key={entry.path} onClick={onClose}>
              <MenuLink entry={entry} isCurrent={false} />
            </li>
          ))}
        </ul>
      )}
      <a href={PATHS.conta} onClick={onClose}>
        {t.app.accountPage}
      </a>
      <PreferenceFields />
      <div class="row">
        <Button icon="exit" onClick={() => void signOut()}>
          {t.app.signOut}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t.app.close}
        </Button>
      </div>
    </Dialog>
  )
}
