import type { Permission } from '../../../src/caller/permissions.ts'
import { permissoesTexts } from '../state/texts/permissoes.ts'
import { texts } from '../state/texts.ts'
import { Icon } from './icon.tsx'
import { Page } from './page.tsx'

/** Instead of a screen whose permission is missing: which one, and who gives it. */
export default function NoAccess({
  permissions,
  start,
}: {
  permissions: readonly Permission[]
  start: string
}) {
  const t = texts()
  return (
    <Page title={t.screens.noAccess} lead={t.noAccess.lead}>
      <section class="card">
        <ul class="permissions">
          {permissions.map((permission) => (
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
          <a class="button plain" href={start}>
            {t.noAccess.start}
          </a>
        </p>
      </section>
    </Page>
  )
}
