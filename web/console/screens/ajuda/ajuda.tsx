import { holds } from '../../state/session.ts'
import { ajudaTexts } from '../../state/texts/ajuda.ts'
import { texts } from '../../state/texts.ts'
import type { MenuEntry } from '../../ui/menu-link.tsx'
import { Page } from '../../ui/page.tsx'
import { PreferenceFields } from '../../ui/preferences.tsx'
import './styles.ts'

/** The keys that work, for the screens that this person has; words of the trade; where to find more. */
export default function Ajuda({ menu }: { menu: MenuEntry[] }) {
  const t = texts()
  const own = ajudaTexts()
  const goTo = menu.map(({ key, title }) => ({ keys: ['g', key], does: own.goTo(title) }))
  const rows = [
    { keys: ['Ctrl', 'K'], does: own.palette },
    { keys: ['?'], does: own.help },
    { keys: ['Esc'], does: own.close },
    ...goTo,
    ...[...own.listKeys, ...(holds(['agravos.listar']) ? own.caseKeys : [])].map(([key, does]) => ({
      keys: [key],
      does,
    })),
    ...[
      ...(holds(['agravos.criar']) || holds(['agravos.editar']) ? own.formKeys : []),
      ...(holds(['dashboard.visualizar', 'agravos.estatisticas']) ? own.painelKeys : []),
    ].map(([keys, does]) => ({ keys, does })),
  ]
  return (
    <Page title={t.screens.ajuda} lead={own.lead}>
      <div class="grid help">
        <section class="card wide">
          <h2>{own.keys}</h2>
          <table>
            <thead>
              <tr>
                <th scope="col">{own.key}</th>
                <th scope="col">{own.does}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ keys, does }) => (
                <tr key={does}>
                  <td>
                    {keys.map((key, at) => (
                      <>
                        {at > 0 && <span class="then"> {joint(keys, at, own.followedBy)} </span>}
                        <kbd>{key}</kbd>
                      </>
                    ))}
                  </td>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="note">{own.lettersNote}</p>
        </section>
        <section class="card">
          <h2>{t.preferences.title}</h2>
          <PreferenceFields />
        </section>
        <section class="card">
          <h2>{own.more}</h2>
          <p>
            <a href="/docs">{own.api}</a>
          </p>
          <p class="note">{own.apiNote}</p>
        </section>
      </div>
      <section class="card glossary">
        <h2>{own.glossary}</h2>
        <dl>
          {own.terms.map(([term, meaning]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Page>
  )
}

/** One after the other, together, or one of them. */
const joint = ([first]: readonly string[], at: number, then: string): string =>
  first === 'g' ? then : first === 'Ctrl' || (first === 'Shift' && at === 1) ? '+' : '/'
