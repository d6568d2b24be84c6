import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { isStanding } from '../state/session.ts'
import { texts } from '../state/texts.ts'
import { EnvironmentBar } from './environment.tsx'
import { Logo } from './icon.tsx'
import { ConnectionBars } from './states.tsx'

/** Frame of the screens before the shell: one card in the middle. */
export function Gate({
  title,
  lead,
  children,
}: {
  title: string
  lead?: string | undefined
  children: ComponentChildren
}) {
  const t = texts()
  useEffect(() => {
    document.title = title === t.app.name ? title : `${title} · ${t.app.name}`
  }, [title, t])
  return (
    <>
      <EnvironmentBar />
      <main class="gate">
        <ConnectionBars />
        {isStanding.value && (
          <p class="bar" role="alert">
            {t.app.standing}
          </p>
        )}
        <div class="gate-brand">
          <Logo />
          <span>{t.app.name}</span>
          <small>{t.entrar.lead}</small>
        </div>
        <section class="card">
          <h1>{title}</h1>
          {lead !== undefined && <p class="sub">{lead}</p>}
          {children}
        </section>
      </main>
    </>
  )
}
