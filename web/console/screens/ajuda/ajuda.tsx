import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Page } from '../../ui/page.tsx'
import { PreferenceFields } from '../../ui/preferences.tsx'
import type { MenuEntry } from '../../ui/shell.tsx'

/** The keys that work, for the screens that this person has. */
export default function Ajuda({ menu }: { menu: MenuEntry[] }) {
  const t = texts()
  const goTo = menu.map(({ key, title }) => ({ keys: ['g', key], does: t.ajuda.goTo(title) }))
  const rows = [
    { keys: ['Ctrl', 'K'], does: t.ajuda.palette },
    { keys: ['?'], does: t.ajuda.help },
    { keys: ['Esc'], does: t.ajuda.close },
    ...goTo,
    ...(holds(['agravos.listar']) ? t.casos.keys.map(([keys, does]) => ({ keys, does })) : []),
  ]
  return (
    <Page title={t.screens.ajuda} lead={t.ajuda.lead}>
      <div class="grid">
        <section class="card wide">
          <h2>{t.ajuda.keys}</h2>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.ajuda.key}</th>
                <th scope="col">{t.ajuda.does}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ keys, does }) => (
                <tr key={does}>
                  <td>
                    {keys.map((key, at) => (
                      <>
                        {at > 0 && (
                          <span class="then">
                            {' '}
                            {key.length === 1 && keys[0] === 'g' ? t.ajuda.followedBy : '+'}{' '}
                          </span>
                        )}
                        <kbd>{key}</kbd>
                      </>
                    ))}
                  </td>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="note">{t.ajuda.lettersNote}</p>
        </section>
        <section class="card">
          <h2>{t.preferences.title}</h2>
          <PreferenceFields />
        </section>
        <section class="card">
          <h2>{t.ajuda.more}</h2>
          <p>
            <a href="/docs">{t.ajuda.api}</a>
          </p>
          <p class="note">{t.ajuda.apiNote}</p>
        </section>
      </div>
    </Page>
  )
}
