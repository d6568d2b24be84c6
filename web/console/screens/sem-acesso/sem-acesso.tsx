import { useLocation } from 'preact-iso/router'
import { missingFor, rowOf, startOf } from '../../navigation.ts'
import type { ScreenProps } from '../../routes.ts'
import { permissoesTexts } from '../../state/texts/permissoes.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'

/** Instead of a screen whose permission is missing: which one, and who gives it. */
export default function SemAcesso({ menu }: ScreenProps) {
  const t = texts()
  const row = rowOf(useLocation().path)
  return (
    <Page title={t.screens.noAccess} lead={t.noAccess.lead}>
      <section class="card">
        <ul class="permissions">
          {(row === undefined ? [] : missingFor(row)).map((permission) => (
            <li key={permission}>
              <Icon name="lock" />
              <div>
                <b>{permissoesTexts()[permission]}</b>
                <small>
                  {t.noAccess.permission} <code>{permission}</code>
                </small>
              </div>
            </li>
          ))}
        </ul>
        <p class="note">{t.noAccess.who}</p>
        <p>
          <a class="button plain" href={startOf(menu)}>
            {t.noAccess.start}
          </a>
        </p>
      </section>
    </Page>
  )
}
